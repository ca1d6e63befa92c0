import type { Clock } from '../../base/clock.ts';
import type { Library } from '../../base/library/index.ts';
import { redact } from '../../base/redact.ts';
import { splitWords } from '../../base/text/index.ts';
import type { RoutingTables } from './tables.ts';

/** Old rows are purged every so many inserts. */
const sweepEvery = 100;

export async function recordRouting(
  { library, clock, keep }: { library: Library; clock: Clock; keep: number },
  routing: Routing,
): Promise<void> {
  const db = library.tables<RoutingTables>();
  const row = {
    ...routing,
    pattern: redact(routing.pattern),
    error: redact(routing.error).slice(0, 200),
    at: clock.now(),
  };
  const { id } = await db.insertInto('routings').values(row).returning('id').executeTakeFirstOrThrow();
  if (Number(id) % sweepEvery === 0)
    await db
      .deleteFrom('routings')
      .where('id', '<=', Number(id) - keep)
      .execute();
}

/** One routed message. Its text is not stored, only its shape: a subject may be a secret. */
export interface Routing {
  pattern: string;
  target: string;
  intent: string;
  verb: string;
  method: string;
  confidence: number;
  outcome: 'answered' | 'nothing' | 'needs_agents' | 'failed';
  error: string;
  session_id: string;
  milliseconds: number;
}

/** The shape of a message: its words without the subject, such as `where is the *`. */
export function patternOf(text: string, subject: string): string {
  const about = new Set(splitWords(subject));
  const words = text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];
  const shape = words
    .slice(0, 12)
    .map((word) => (about.has(word) || /\d/.test(word) || word.length > 20 ? '*' : word));
  return shape
    .join(' ')
    .replace(/\*(?: \*)+/g, '*')
    .slice(0, 80);
}
