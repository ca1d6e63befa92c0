import { z } from 'zod';
import { redact } from '../../base/redact.ts';
import { isUnconfirmedImport, type MemoryCaller } from '../../engines/memory/index.ts';
import { type Author, doubtAbout, type Entry } from '../../stores/chronicle/index.ts';
import { isPersonSpeaking, type OperationContext } from '../operation.ts';

/** Spread into every operation that belongs to a session. */
export const sessionInput = { session: z.string().optional().describe('session id; yours when omitted') };

interface SessionNamed {
  session?: string | undefined;
}

export function memoryCaller({ app, caller }: Pick<OperationContext, 'app' | 'caller'>): MemoryCaller {
  return {
    kind: caller.kind,
    // A client chooses its own name: none of them may be a person's, whose sessions would be its own then.
    client: caller.kind === 'person' ? `person:${caller.name}` : caller.name.replace(/^(?:person:)+/, ''),
    worktree: app.repository.root,
    conversation: caller.conversation === undefined ? undefined : redact(caller.conversation),
  };
}

/** The memory as the caller sees it, in the named session or the caller's own. */
export async function reading(context: OperationContext, input: SessionNamed) {
  const memory = await context.app.memory();
  const caller = memoryCaller(context);
  const session = await memory.sessions.forReading(caller, input.session);
  return { memory, caller, session, viewer: memory.sessions.viewerOf(caller, session) };
}

export async function writing(context: OperationContext, input: SessionNamed) {
  const memory = await context.app.memory();
  const caller = memoryCaller(context);
  return { memory, caller, session: await memory.sessions.forWriting(caller, input.session) };
}

/** The author of a call. A command without a terminal has no author. */
export const authorOf = ({ caller }: Pick<OperationContext, 'caller'>): Author =>
  isPersonSpeaking(caller)
    ? { kind: 'person', name: caller.name }
    : { kind: 'agent', name: caller.kind === 'person' ? 'command line' : caller.name };

/** The warning next to an entry: unverified, or evidence against it. */
export const doubtOf = ({
  source,
  metadata,
  ...entry
}: Pick<Entry, 'needs_review' | 'verification' | 'source' | 'metadata'>): string => {
  const label = isUnconfirmedImport(metadata) ? ` (${source})` : '';
  const doubt = doubtAbout(entry);
  return doubt ? `${label} (${doubt})` : label;
};

const lengths = new Map(Object.entries({ h: 3_600_000, d: 86_400_000, w: 604_800_000, m: 2_592_000_000 }));

/** A time as a person or a model writes it: RFC 3339, or days back such as `7d`. */
export function parseTime(text: string | undefined, now: number): number | undefined {
  if (!text) return undefined;
  const back = /^(\d+)([hdwm])$/.exec(text.trim());
  if (back) return now - Number(back[1]) * (lengths.get(back[2] ?? '') ?? 0);
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : at;
}
