import { type Kysely, sql } from 'kysely';
import { type ChronicleContext, raiseVisibility } from './context.ts';
import type { ChronicleTables } from './tables.ts';

export interface ForgetRequest {
  entry?: string | undefined;
  session?: string | undefined;
  /** Any ref: everything derived from it goes, and what was derived from that. */
  derived_from?: string | undefined;
}

export interface Forgotten {
  entries: number;
  notes: number;
  checkpoints: number;
  mistakes: number;
  files: number;
}

/** Forgetting is real: rows, words, vectors and lineage go, and the freed pages are overwritten. */
export async function forget(
  { db, library, meaning }: ChronicleContext,
  request: ForgetRequest,
): Promise<Forgotten> {
  library.sqlite.exec('PRAGMA secure_delete = ON');
  const forgotten = await db.transaction().execute(async (trx) => {
    const ids = new Set<string>();
    if (request.entry) ids.add(request.entry);
    if (request.session)
      for (const row of await trx
        .selectFrom('entries')
        .select('id')
        .where('session_id', '=', request.session)
        .execute())
        ids.add(row.id);
    const sources = [
      ...(request.derived_from ? [request.derived_from] : []),
      ...[...ids].map((id) => `entry:${id}`),
    ];
    for (const id of await derived(trx, sources)) ids.add(id);
    const removed: Forgotten = { entries: 0, notes: 0, checkpoints: 0, mistakes: 0, files: 0 };
    for (const id of ids) {
      const row = await trx.selectFrom('entries').select('seq').where('id', '=', id).executeTakeFirst();
      if (!row) continue;
      await sql`DELETE FROM entry_words WHERE rowid = ${row.seq!}`.execute(trx);
      await trx.deleteFrom('entries').where('id', '=', id).execute();
      removed.entries++;
    }
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
  await sql`INSERT INTO entry_words (entry_words) VALUES ('optimize')`.execute(db);
  library.sqlite.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  meaning?.keepOnly((await db.selectFrom('entries').select('id').execute()).map(({ id }) => id));
  return forgotten;
}

async function derived(db: Kysely<ChronicleTables>, sources: string[]): Promise<Set<string>> {
  const found = new Set<string>();
  const queue = [...sources];
  while (queue.length > 0) {
    const source = queue.pop()!;
    const { rows } = await sql<{
      id: string;
    }>`SELECT entries.id FROM entries, json_each(entries.derived_from) WHERE json_each.value = ${source}`.execute(
      db,
    );
    for (const { id } of rows) {
      if (found.has(id)) continue;
      found.add(id);
      queue.push(`entry:${id}`);
    }
  }
  return found;
}
