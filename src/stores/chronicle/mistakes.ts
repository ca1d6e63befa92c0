import { z } from 'zod';
import { isoTime } from '../../base/clock.ts';
import { newId } from '../../base/ids.ts';
import { parseJsonTexts } from '../../base/json.ts';
import { searchWords } from '../../base/text/index.ts';
import { type ChronicleContext, clean } from './context.ts';
import { type Author, authorSchema, type Entry, textOfEntry } from './entry.ts';
import { findEntries, type Viewer } from './query.ts';
import type { ChronicleTables } from './tables.ts';

/** A mistake in a warning. */
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

export type NewMistake = Pick<Mistake, 'session_id' | 'pattern' | 'error' | 'fix' | 'author'> & {
  /** Warns every session from the start. */
  shared?: boolean | undefined;
  context?: string | undefined;
  tags?: string[] | undefined;
};

const initialConfidence = 0.7;
const reinforcement = 0.05;
const sameThing = 0.75;
const worthWarning = 0.3;
/** For static vectors: nine in ten unrelated texts score below. */
const sameMeaning = 0.55;

/** Share of an approach's words that a failure must have too: its text is longer than the pattern of a mistake. */
const failureLikeness = 0.5;

/** What went wrong before. In a named session a mistake is private until it is reported twice or promoted. */
export function createMistakes(chronicle: ChronicleContext) {
  const { db, clock, meaning } = chronicle;
  const mistakeOf = ({ reported_by, ...row }: ChronicleTables['mistakes']): Mistake => ({
    ...row,
    tags: parseJsonTexts(row.tags),
    promoted: row.promoted === 1,
    author: authorOf(reported_by),
    created_at: isoTime(row.created_at),
    last_seen_at: isoTime(row.last_seen_at),
  });
  const all = async (): Promise<Mistake[]> =>
    (await db.selectFrom('mistakes').selectAll().orderBy('last_seen_at', 'desc').execute()).map(mistakeOf);
  const isVisible = (viewer: Viewer) => (mistake: Mistake) =>
    viewer.sees_all || mistake.promoted || mistake.session_id === viewer.session_id;
  const known = async (viewer: Viewer): Promise<Mistake[]> => (await all()).filter(isVisible(viewer));

  /** Adds a report to a mistake that the reporter may see. A person's words take the place of an agent's, never the reverse. */
  const repeat = async (other: Mistake, report: NewMistake): Promise<Mistake> => {
    const isByPerson = report.author.kind === 'person';
    const isTheirs = other.author.kind === 'person' && !isByPerson;
    const words = isByPerson
      ? { pattern: report.pattern, error: report.error, context: report.context || other.context }
      : {};
    const seen = {
      ...words,
      occurrences: other.occurrences + 1,
      confidence: Math.min(1, other.confidence + reinforcement),
      fix: (isTheirs ? '' : report.fix) || other.fix,
    };
    const tags = [...new Set([...other.tags, ...(report.tags ?? [])])];
    const now = clock.now();
    const author = isByPerson ? report.author : other.author;
    await db
      .updateTable('mistakes')
      .set({
        ...seen,
        last_seen_at: now,
        promoted: 1,
        tags: JSON.stringify(tags),
        reported_by: authorName(author),
      })
      .where('id', '=', other.id)
      .execute();
    return { ...other, ...seen, author, last_seen_at: isoTime(now), promoted: true, tags };
  };

  return {
    known,
    report: async (given: NewMistake): Promise<{ mistake: Mistake; again: boolean }> => {
      const report = clean(given);
      const now = clock.now();
      const [before] = (await all())
        .map((other) => ({ other, likeness: wordLikeness(other.pattern, report.pattern) }))
        .filter(({ likeness }) => likeness >= sameThing)
        .sort((a, b) => b.likeness - a.likeness)
        .map(({ other }) => other);
      const viewer = { session_id: report.session_id, sees_all: report.author.kind === 'person' };
      const isKnown = before !== undefined && isVisible(viewer)(before);
      if (isKnown && (before.promoted || before.session_id === report.session_id))
        return { mistake: await repeat(before, report), again: true };
      // The same mistake of another session counts, but its words stay there: twice is twice.
      const { session_id, pattern, error, fix, author, tags = [], context = '' } = report;
      const row = {
        id: newId('mis', now),
        session_id,
        pattern,
        error,
        fix,
        context,
        tags: JSON.stringify(tags),
        confidence: Math.min(1, initialConfidence + (before ? reinforcement : 0)),
        occurrences: 1 + (before?.occurrences ?? 0),
        promoted: report.shared || before || author.kind === 'person' ? 1 : 0,
        reported_by: authorName(author),
        created_at: now,
        last_seen_at: now,
      };
      await db.insertInto('mistakes').values(row).execute();
      return { mistake: mistakeOf(row), again: before !== undefined };
    },
    /** Known mistakes similar to an approach in words or meaning, the most similar and certain first. */
    check: async (viewer: Viewer, approach: string): Promise<Mistake[]> => {
      const mistakes = await known(viewer);
      const near = await meaning
        ?.likeness(
          approach,
          mistakes.map(({ pattern, context }) => `${pattern} ${context}`),
        )
        .catch(() => undefined);
      return mistakes
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
    /** Failures that an approach would repeat, in the form of a mistake, the most alike first. */
    failures: async (viewer: Viewer, approach: string): Promise<Mistake[]> => {
      const found = await findEntries(chronicle, viewer, {
        text: approach,
        categories: ['failure'],
        limit: 20,
      });
      return found
        .filter((entry) => wordLikeness(approach, textOfEntry(entry)) >= failureLikeness)
        .slice(0, 10)
        .map(failureAsMistake);
    },
    promote: async (id: string): Promise<boolean> =>
      Number(
        (await db.updateTable('mistakes').set({ promoted: 1 }).where('id', '=', id).executeTakeFirst())
          .numUpdatedRows,
      ) === 1,
  };
}

function failureAsMistake(entry: Entry): Mistake {
  const kind = entry.source_kind === 'person' ? 'person' : 'agent';
  return {
    id: entry.id,
    session_id: entry.session_id,
    author: { kind, name: entry.source },
    pattern: entry.title,
    error: entry.content,
    fix: entry.resolution,
    context: '',
    tags: entry.tags,
    confidence: entry.confidence,
    occurrences: 1,
    promoted: entry.promoted,
    created_at: entry.created_at,
    last_seen_at: entry.updated_at,
  };
}

const authorName = ({ kind, name }: Author): string => `${kind} ${name}`.trim();

/** Stored as `agent claude-code`; older rows hold the first word only. */
function authorOf(reportedBy: string): Author {
  const [kind, ...name] = reportedBy.split(' ');
  return { kind: kind === 'person' || kind === 'agent' ? kind : 'unknown', name: name.join(' ') };
}

/** Share of the shorter side's stems that the other side also has. */
export function wordLikeness(left: string, right: string): number {
  const [a, b] = [new Set(searchWords(left)), new Set(searchWords(right))];
  if (a.size === 0 || b.size === 0) return 0;
  let shared = 0;
  for (const word of a) if (b.has(word)) shared++;
  return shared / Math.max(2, Math.min(a.size, b.size));
}
