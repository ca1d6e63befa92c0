import { isoTime } from '../../base/clock.ts';
import { type ChronicleContext, clean } from './context.ts';
import { listOf } from './rows.ts';

export interface InferredPreference {
  value: string;
  confidence: number;
  evidence: string[];
  observed_at: string;
}

export interface Preferences {
  explicit: Record<string, string>;
  implicit: Record<string, InferredPreference>;
  session_overrides: Record<string, string>;
}

const newConfidence = 0.6;
const accepted = 0.1;
const rejected = 0.2;

/** What a person wants: said, or learnt from what they took and refused. */
export function createPreferences({ db, clock }: ChronicleContext) {
  const put = async (
    kind: 'explicit' | 'inferred' | 'session',
    session: string,
    category: string,
    value: string,
    confidence: number,
    evidence: string[],
  ): Promise<void> => {
    const row = {
      value: clean(value),
      confidence,
      evidence: JSON.stringify(clean(evidence).slice(-50)),
      observed_at: clock.now(),
    };
    await db
      .insertInto('preferences')
      .values({ kind, session_id: session, category: clean(category), ...row })
      .onConflict((conflict) => conflict.columns(['kind', 'session_id', 'category']).doUpdateSet(row))
      .execute();
  };
  const inferred = async (category: string) =>
    db
      .selectFrom('preferences')
      .selectAll()
      .where('kind', '=', 'inferred')
      .where('category', '=', clean(category))
      .executeTakeFirst();

  return {
    setExplicit: (category: string, value: string) => put('explicit', '', category, value, 1, []),
    override: (session: string, category: string, value: string) =>
      put('session', session, category, value, 1, []),
    /** Taken once is a guess, taken again is a habit; refused makes it less likely. */
    learn: async (category: string, suggestion: string, response: 'accepted' | 'rejected'): Promise<void> => {
      const before = await inferred(category);
      const same = before?.value === clean(suggestion);
      if (response === 'accepted' && same) {
        await put('inferred', '', category, suggestion, Math.min(1, round(before.confidence + accepted)), [
          ...listOf(before.evidence),
          `accepted: ${suggestion}`,
        ]);
      } else if (response === 'accepted') {
        await put('inferred', '', category, suggestion, newConfidence, [`accepted: ${suggestion}`]);
      } else if (same) {
        await put('inferred', '', category, suggestion, Math.max(0, round(before.confidence - rejected)), [
          ...listOf(before.evidence),
          `rejected: ${suggestion}`,
        ]);
      }
    },
    get: async (session: string, category = 'all'): Promise<Preferences> => {
      const rows = await db.selectFrom('preferences').selectAll().orderBy('category').execute();
      const wanted = rows.filter(
        (row) => category === 'all' || row.category === category || row.category.startsWith(`${category}.`),
      );
      const plain = (kind: string, owner: string) =>
        Object.fromEntries(
          wanted
            .filter((row) => row.kind === kind && row.session_id === owner)
            .map((row) => [row.category, row.value]),
        );
      return {
        explicit: plain('explicit', ''),
        implicit: Object.fromEntries(
          wanted
            .filter((row) => row.kind === 'inferred')
            .map((row) => [
              row.category,
              {
                value: row.value,
                confidence: row.confidence,
                evidence: listOf(row.evidence),
                observed_at: isoTime(row.observed_at),
              },
            ]),
        ),
        session_overrides: plain('session', session),
      };
    },
    remove: async (category: string): Promise<number> =>
      Number(
        (await db.deleteFrom('preferences').where('category', '=', category).executeTakeFirst())
          .numDeletedRows,
      ),
  };
}

const round = (value: number): number => Math.round(value * 1000) / 1000;
