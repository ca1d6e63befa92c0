import { z } from 'zod';
import { isoTime } from '../../base/clock.ts';
import { newId } from '../../base/ids.ts';
import { searchWords } from '../../base/text/index.ts';
import { type ChronicleContext, clean } from './context.ts';
import { type Author, authorSchema } from './entry.ts';
import { listOf } from './rows.ts';
import type { ChronicleTables } from './tables.ts';

/** A mistake as it warns. */
export const mistakeSchema = z.object({
  id: z.string(),
  author: authorSchema,
  pattern: z.string(),
  error: z.string(),
  fix: z.string(),
  context: z.string(),
  tags: z.array(z.string()),
  confidence: z.number(),
  occurrences: z.number(),
  last_seen_at: z.string(),
});

export interface Mistake extends z.output<typeof mistakeSchema> {
  session_id: string;
  promoted: boolean;
  created_at: string;
}

type NewMistake = Pick<Mistake, 'session_id' | 'pattern' | 'error' | 'fix' | 'author'> & {
  context?: string | undefined;
  tags?: string[] | undefined;
};

const initialConfidence = 0.7;
const reinforcement = 0.05;
const sameThing = 0.75;
const worthWarning = 0.3;
/** Of the static vectors; nine in ten texts that have nothing to do with each other lie below. */
const sameMeaning = 0.55;

/** What went wrong before. A mistake is its session's own until it is seen twice, told by a person, or promoted. */
export function createMistakes({ db, clock, meaning }: ChronicleContext) {
  const mistakeOf = ({ reported_by, ...row }: ChronicleTables['mistakes']): Mistake => ({
    ...row,
    tags: listOf(row.tags),
    promoted: row.promoted === 1,
    author: authorOf(reported_by),
    created_at: isoTime(row.created_at),
    last_seen_at: isoTime(row.last_seen_at),
  });
  const all = async (): Promise<Mistake[]> =>
    (await db.selectFrom('mistakes').selectAll().orderBy('last_seen_at', 'desc').execute()).map(mistakeOf);
  const known = async (session: string): Promise<Mistake[]> =>
    (await all()).filter((mistake) => mistake.promoted || mistake.session_id === session);

  return {
    known,
    report: async (given: NewMistake): Promise<{ mistake: Mistake; again: boolean }> => {
      const mistake = clean(given);
      const now = clock.now();
      // The same mistake of another session counts, though it is not shown: twice is twice.
      const before = (await all())
        .map((other) => ({ other, likeness: wordLikeness(other.pattern, mistake.pattern) }))
        .sort((a, b) => b.likeness - a.likeness)[0];
      if (before && before.likeness >= sameThing) {
        const { other } = before;
        // Nobody else's words take the place of a person's.
        const isTheirs = other.author.kind === 'person' && mistake.author.kind !== 'person';
        const seen = {
          occurrences: other.occurrences + 1,
          confidence: Math.min(1, other.confidence + reinforcement),
          fix: (isTheirs ? '' : mistake.fix) || other.fix,
        };
        const tags = [...new Set([...other.tags, ...(mistake.tags ?? [])])];
        await db
          .updateTable('mistakes')
          .set({ ...seen, last_seen_at: now, promoted: 1, tags: JSON.stringify(tags) })
          .where('id', '=', other.id)
          .execute();
        return {
          mistake: { ...other, ...seen, last_seen_at: isoTime(now), promoted: true, tags },
          again: true,
        };
      }
      // A caller may hand over more than a mistake has.
      const { session_id, pattern, error, fix, author, tags = [], context = '' } = mistake;
      const row = {
        id: newId('mis', now),
        session_id,
        pattern,
        error,
        fix,
        context,
        tags: JSON.stringify(tags),
        confidence: initialConfidence,
        occurrences: 1,
        promoted: author.kind === 'person' ? 1 : 0,
        reported_by: `${author.kind} ${author.name}`.trim(),
        created_at: now,
        last_seen_at: now,
      };
      await db.insertInto('mistakes').values(row).execute();
      return { mistake: mistakeOf(row), again: false };
    },
    /** Known mistakes that an approach comes near to in words or meaning, the most alike and most certain first. */
    check: async (session: string, approach: string): Promise<Mistake[]> => {
      const all = await known(session);
      const near = await meaning
        ?.likeness(
          approach,
          all.map(({ pattern, context }) => `${pattern} ${context}`),
        )
        .catch(() => undefined);
      return all
        .map((mistake, at) => {
          const meant = near?.[at] ?? 0;
          return {
            mistake,
            score: Math.max(meant >= sameMeaning ? meant : 0, wordLikeness(approach, mistake.pattern)),
          };
        })
        .filter(({ score }) => score >= worthWarning)
        .sort((a, b) => b.score * b.mistake.confidence - a.score * a.mistake.confidence)
        .slice(0, 10)
        .map(({ mistake }) => mistake);
    },
    promote: async (id: string): Promise<boolean> =>
      Number(
        (await db.updateTable('mistakes').set({ promoted: 1 }).where('id', '=', id).executeTakeFirst())
          .numUpdatedRows,
      ) === 1,
  };
}

/** Kept as `agent claude-code`; older rows hold the first word alone. */
function authorOf(reportedBy: string): Author {
  const [kind, ...name] = reportedBy.split(' ');
  return { kind: kind === 'person' || kind === 'agent' ? kind : 'unknown', name: name.join(' ') };
}

/** Share of the rarer side's stems that the other side has too. */
export function wordLikeness(left: string, right: string): number {
  const [a, b] = [new Set(searchWords(left)), new Set(searchWords(right))];
  if (a.size === 0 || b.size === 0) return 0;
  let shared = 0;
  for (const word of a) if (b.has(word)) shared++;
  return shared / Math.max(2, Math.min(a.size, b.size));
}
