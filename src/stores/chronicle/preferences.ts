import { isoTime } from '../../base/clock.ts';
import { parseJsonTexts } from '../../base/json.ts';
import { type ChronicleContext, clean } from './context.ts';
import type { Author } from './entry.ts';
import { createProposals } from './proposals.ts';
import type { ChronicleTables } from './tables.ts';

export interface SaidPreference {
  value: string;
  author: Author;
  at: string;
  /** Applies in every repository of the person. */
  everywhere: boolean;
}

export interface InferredPreference {
  value: string;
  confidence: number;
  evidence: string[];
  author: Author;
  observed_at: string;
}

export interface Preferences {
  explicit: Record<string, SaidPreference>;
  implicit: Record<string, InferredPreference>;
  session_overrides: Record<string, SaidPreference>;
}

/** A preference of one repository (its path), of all (`''`), of one session, or inferred. */
interface PreferenceKey {
  kind: 'explicit' | 'inferred' | 'session';
  repository: string;
  session_id: string;
  category: string;
}

const newConfidence = 0.6;
const accepted = 0.1;
const rejected = 0.2;

/** What a person wants: stated by them, proposed for them, or inferred from what they accepted and rejected. */
export function createPreferences(context: ChronicleContext) {
  const { db, clock } = context;
  const put = async (
    key: PreferenceKey,
    given: { value: string; author: Author; confidence?: number; evidence?: string[] },
  ): Promise<void> => {
    const row = {
      value: clean(given.value),
      confidence: given.confidence ?? 1,
      evidence: JSON.stringify(clean(given.evidence ?? []).slice(-50)),
      author_kind: given.author.kind,
      author: clean(given.author.name),
      observed_at: clock.now(),
    };
    await db
      .insertInto('preferences')
      .values({ ...key, category: clean(key.category), ...row })
      .onConflict((conflict) =>
        conflict.columns(['kind', 'repository', 'session_id', 'category']).doUpdateSet(row),
      )
      .execute();
  };
  const learnt = (category: string): PreferenceKey => ({
    kind: 'inferred',
    repository: '',
    session_id: '',
    category,
  });

  return {
    proposals: createProposals(context),
    /** The person's own words, for one repository or, with `''`, for all. */
    say: (repository: string, category: string, value: string, author: Author) =>
      put({ kind: 'explicit', repository, session_id: '', category }, { value, author }),
    /** Returns how many there were. */
    takeBack: async (repositories: string[], category: string): Promise<number> =>
      Number(
        (
          await db
            .deleteFrom('preferences')
            .where('kind', '=', 'explicit')
            .where('repository', 'in', repositories)
            .where('category', '=', category)
            .executeTakeFirst()
        ).numDeletedRows,
      ),
    override: (session: string, category: string, value: string, author: Author) =>
      put({ kind: 'session', repository: '', session_id: session, category }, { value, author }),
    /** Accepted once is a guess, accepted again is a habit; a rejection lowers the confidence. */
    learn: async (
      category: string,
      suggestion: string,
      response: 'accepted' | 'rejected',
      author: Author,
    ): Promise<void> => {
      const before = await db
        .selectFrom('preferences')
        .selectAll()
        .where('kind', '=', 'inferred')
        .where('category', '=', clean(category))
        .executeTakeFirst();
      const same = before?.value === clean(suggestion);
      if (response === 'rejected' && !same) return;
      const moved = (before?.confidence ?? 0) + (response === 'accepted' ? accepted : -rejected);
      const confidence = same ? Math.min(1, Math.max(0, round(moved))) : newConfidence;
      const evidence = [
        ...(before && same ? parseJsonTexts(before.evidence) : []),
        `${response}: ${suggestion}`,
      ];
      await put(learnt(category), { value: suggestion, author, confidence, evidence });
    },
    /** What holds in a repository: its own goes before what holds everywhere, its present path before earlier ones. */
    get: async (where: {
      session: string;
      repositories: string[];
      category?: string | undefined;
    }): Promise<Preferences> => {
      const { category = 'all' } = where;
      const rows = (await db.selectFrom('preferences').selectAll().orderBy('category').execute()).filter(
        (row) => category === 'all' || row.category === category || row.category.startsWith(`${category}.`),
      );
      const said = (kind: PreferenceKey['kind'], session: string, repository: string) =>
        rows
          .filter((row) => row.kind === kind && row.session_id === session && row.repository === repository)
          .map((row): [string, SaidPreference] => [row.category, saidOf(row)]);
      return {
        explicit: Object.fromEntries([
          ...said('explicit', '', ''),
          ...where.repositories.toReversed().flatMap((path) => said('explicit', '', path)),
        ]),
        implicit: Object.fromEntries(
          rows.filter(({ kind }) => kind === 'inferred').map((row) => [row.category, inferredOf(row)]),
        ),
        session_overrides: Object.fromEntries(said('session', where.session, '')),
      };
    },
  };
}

const authorOf = (row: ChronicleTables['preferences']): Author => ({
  kind: row.author_kind,
  name: row.author,
});

const saidOf = (row: ChronicleTables['preferences']): SaidPreference => ({
  value: row.value,
  author: authorOf(row),
  at: isoTime(row.observed_at),
  everywhere: row.repository === '',
});

const inferredOf = (row: ChronicleTables['preferences']): InferredPreference => ({
  value: row.value,
  confidence: row.confidence,
  evidence: parseJsonTexts(row.evidence),
  author: authorOf(row),
  observed_at: isoTime(row.observed_at),
});

const round = (value: number): number => Math.round(value * 1000) / 1000;
