import { type Kysely, sql } from 'kysely';
import { parseJsonTexts } from '../../base/json.ts';
import { itemsOf, texts } from '../../base/library/index.ts';
import { refOf } from '../../base/ref.ts';
import { type ChronicleContext, raiseVisibility } from './context.ts';
import { derived } from './standing.ts';
import type { ChronicleTables } from './tables.ts';

export interface ForgetRequest {
  entries?: string[] | undefined;
  session?: string | undefined;
  /** Any ref: everything derived from it is deleted, recursively. */
  derived_from?: string | undefined;
}

export interface Forgotten {
  entries: number;
  notes: number;
  checkpoints: number;
  mistakes: number;
  files: number;
}

/** Deletes rows, words, vectors and lineage, and overwrites the freed pages. */
export async function forget(
  { db, meaning, words }: ChronicleContext,
  request: ForgetRequest,
): Promise<Forgotten> {
  const forgotten = await db.transaction().execute(async (trx) => {
    const ids = new Set<string>(request.entries ?? []);
    if (request.session)
      for (const row of await trx
        .selectFrom('entries')
        .select('id')
        .where('session_id', '=', request.session)
        .execute())
        ids.add(row.id);
    const sources = [
      ...(request.derived_from ? [request.derived_from] : []),
      ...[...ids].map((id) => refOf('entry', id)),
    ];
    for (const id of await derived(trx, sources)) ids.add(id);
    const removed: Forgotten = { entries: 0, notes: 0, checkpoints: 0, mistakes: 0, files: 0 };
    for (const id of ids) {
      const row = await trx.selectFrom('entries').select('seq').where('id', '=', id).executeTakeFirst();
      if (!row) continue;
      await trx.deleteFrom('entries').where('id', '=', id).execute();
      removed.entries++;
    }
    await dropMentions(trx, ids);
    if (request.session) {
      const count = async (table: 'scratchpad' | 'checkpoints' | 'mistakes' | 'file_log') =>
        Number(
          (await trx.deleteFrom(table).where('session_id', '=', request.session!).executeTakeFirst())
            .numDeletedRows,
        );
      removed.notes = await count('scratchpad');
      removed.checkpoints = await count('checkpoints');
      removed.mistakes = await count('mistakes');
      removed.files = await count('file_log');
    }
    await raiseVisibility(trx);
    return removed;
  });
  await words.erase();
  meaning?.keepOnly((await db.selectFrom('entries').select('id').execute()).map(({ id }) => id));
  return forgotten;
}

/** Removes the deleted ids from other entries. */
async function dropMentions(db: Kysely<ChronicleTables>, ids: Iterable<string>): Promise<void> {
  const gone = new Set([...ids].map((id) => refOf('entry', id)));
  const without = (list: string) => JSON.stringify(parseJsonTexts(list).filter((ref) => !gone.has(ref)));
  const names = (column: string) =>
    sql<boolean>`EXISTS (SELECT 1 FROM ${itemsOf(column)} AS ref WHERE ref.value IN ${texts(gone)})`;
  const rows = await db
    .selectFrom('entries')
    .select(['id', 'refs', 'derived_from'])
    .where((where) => where.or([names('entries.refs'), names('entries.derived_from')]))
    .execute();
  for (const { id, refs, derived_from } of rows)
    await db
      .updateTable('entries')
      .set({ refs: without(refs), derived_from: without(derived_from) })
      .where('id', '=', id)
      .execute();
}
