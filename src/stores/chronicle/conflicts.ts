import { isoTime } from '../../base/clock.ts';
import { SylkError } from '../../base/errors.ts';
import { type ChronicleContext, raiseVisibility } from './context.ts';
import { type Viewer, visible } from './query.ts';
import { entryOf } from './rows.ts';

export const conflictAnswers = ['keep_left', 'keep_right', 'keep_both'] as const;

/** Entries that contradict each other: stored once, shown until a person or an agent resolves them. */
export function createConflicts({ db, clock }: ChronicleContext) {
  return {
    list: async (viewer: Viewer, includeResolved = false) => {
      let query = db.selectFrom('entry_conflicts').selectAll().orderBy('created_at', 'desc');
      if (!includeResolved) query = query.where('resolved_at', 'is', null);
      const seen = async (id: string) =>
        await visible(db, viewer, { include_superseded: true })
          .selectAll()
          .where('id', '=', id)
          .executeTakeFirst();
      const conflicts = [];
      for (const row of await query.execute()) {
        const [left, right] = [await seen(row.left_id), await seen(row.right_id)];
        if (!left || !right) continue;
        conflicts.push({
          id: row.id,
          left: entryOf(left),
          right: entryOf(right),
          created_at: isoTime(row.created_at),
          resolution: row.resolution,
        });
      }
      return conflicts;
    },
    resolve: async (viewer: Viewer, id: string, answer: (typeof conflictAnswers)[number], reason: string) => {
      const row = await db.selectFrom('entry_conflicts').selectAll().where('id', '=', id).executeTakeFirst();
      const ends = row
        ? await visible(db, viewer, { include_superseded: true })
            .select('id')
            .where('id', 'in', [row.left_id, row.right_id])
            .execute()
        : [];
      if (!row || ends.length < 2)
        throw new SylkError('NOT_FOUND', `Unknown conflict ${JSON.stringify(id.slice(0, 80))}.`, {
          hint: 'Run `sylk graph conflicts` to list them.',
        });
      if (row.resolved_at !== null)
        throw new SylkError('CONFLICT', `Conflict ${id} is already resolved: ${row.resolution}`, {
          hint: 'Add a new decision that supersedes the old one.',
        });
      await db.transaction().execute(async (trx) => {
        const [kept, dropped] =
          answer === 'keep_left' ? [row.left_id, row.right_id] : [row.right_id, row.left_id];
        if (answer !== 'keep_both')
          await trx.updateTable('entries').set({ superseded_by: kept }).where('id', '=', dropped).execute();
        await trx
          .updateTable('entry_conflicts')
          .set({ resolved_at: clock.now(), resolution: `${answer}: ${reason}` })
          .where('id', '=', id)
          .execute();
        for (const entry of [row.left_id, row.right_id]) {
          const open = await trx
            .selectFrom('entry_conflicts')
            .select('id')
            .where('resolved_at', 'is', null)
            .where((where) => where.or([where('left_id', '=', entry), where('right_id', '=', entry)]))
            .execute();
          if (open.length === 0)
            await trx.updateTable('entries').set({ needs_review: 0 }).where('id', '=', entry).execute();
        }
        await raiseVisibility(trx);
      });
      return { id, resolution: answer };
    },
  };
}
