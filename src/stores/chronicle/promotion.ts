import { SylkError } from '../../base/errors.ts';
import { parseJsonTexts } from '../../base/json.ts';
import { type ChronicleContext, raiseVisibility } from './context.ts';
import type { Entry, PromotionRule } from './entry.ts';
import { type EntryRow, entryOf } from './rows.ts';

export interface PromotionPolicy {
  /** Successful uses that promote a pattern, and the minimum number of sessions. */
  uses: number;
  sessions: number;
}

/** Promotion from one session to all: four rules, each recorded with the entry, and one rollback. */
export function createPromotion(context: ChronicleContext, policy: PromotionPolicy) {
  const { db, clock } = context;
  const load = async (id: string): Promise<EntryRow> => {
    const row = await db
      .selectFrom('entries')
      .selectAll()
      .where('id', '=', id)
      .where('archived', '=', 0)
      .executeTakeFirst();
    if (!row)
      throw new SylkError('NOT_FOUND', `Unknown entry ${JSON.stringify(id.slice(0, 80))}.`, {
        hint: 'Run `sylk memory search` to find entries with their ids.',
      });
    return row;
  };
  const set = async (
    id: string,
    values: { promoted: number; promoted_by: string; promoted_at: number | null },
  ): Promise<Entry> => {
    await db.updateTable('entries').set(values).where('id', '=', id).execute();
    await raiseVisibility(db);
    return entryOf(await load(id));
  };

  const promote = async (id: string, rule: PromotionRule, by: string): Promise<Entry> => {
    const row = await load(id);
    if (row.promoted === 1) return entryOf(row);
    if (row.superseded_by) {
      throw new SylkError('CONFLICT', `Entry ${id} was superseded by ${row.superseded_by}.`, {
        hint: `Promote ${row.superseded_by} instead.`,
      });
    }
    return set(id, { promoted: 1, promoted_by: `${rule}: ${by}`, promoted_at: clock.now() });
  };

  return {
    promote,
    /** Returns an entry to its session; what others derived from it stays visible as theirs. */
    rollback: async (id: string, by: string): Promise<Entry> => {
      const row = await load(id);
      if (row.promoted !== 1)
        throw new SylkError('INVALID_OPERATION', `Entry ${id} is not promoted.`, {
          hint: 'Only promoted entries can be rolled back.',
        });
      return set(id, { promoted: 0, promoted_by: `rolled back: ${by}`, promoted_at: null });
    },
    /** Rule one: a session that ended well shares its undisputed decisions, patterns and failures; the rest is listed. */
    completeSession: async (session: string): Promise<{ promoted: Entry[]; waiting: Entry[] }> => {
      const rows = await db
        .selectFrom('entries')
        .selectAll()
        .where('session_id', '=', session)
        .where('category', 'in', ['decision', 'pattern', 'failure'])
        .where('archived', '=', 0)
        .where('promoted', '=', 0)
        .where('superseded_by', 'is', null)
        .orderBy('created_at')
        .execute();
      const promoted: Entry[] = [];
      const waiting: Entry[] = [];
      for (const row of rows) {
        // Nothing in the code bears a failure out or refutes it: it happened.
        const isSound = row.verification !== 'none' || row.category === 'failure';
        if (isSound && row.needs_review === 0)
          promoted.push(await promote(row.id, 'session_completed', session));
        else waiting.push(entryOf(row));
      }
      return { promoted, waiting };
    },
    /** Rule four: a pattern used successfully often enough, in enough sessions, is shared. */
    recordUse: async (id: string, session: string, success: boolean): Promise<Entry> => {
      const row = await load(id);
      if (!success) return entryOf(row);
      const sessions = [...new Set([...parseJsonTexts(row.use_sessions), session])];
      await db
        .updateTable('entries')
        .set({ uses: row.uses + 1, use_sessions: JSON.stringify(sessions) })
        .where('id', '=', id)
        .execute();
      if (
        row.promoted === 0 &&
        row.category === 'pattern' &&
        row.uses + 1 >= policy.uses &&
        sessions.length >= policy.sessions
      ) {
        return promote(id, 'used', `${row.uses + 1} uses in ${sessions.length} sessions`);
      }
      return entryOf(await load(id));
    },
  };
}
