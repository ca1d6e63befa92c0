import { type Kysely, sql } from 'kysely';
import type { Clock } from '../../base/clock.ts';
import type { Library } from '../../base/library/index.ts';
import { redactValue } from '../../base/redact.ts';
import type { DocumentIndex, TextVectors } from '../../base/search/index.ts';
import type { ChronicleTables } from './tables.ts';

/** Shared by all parts of the store. */
export interface ChronicleContext {
  library: Library;
  db: Kysely<ChronicleTables>;
  clock: Clock;
  /** Vectors of entries, if search by meaning is enabled. */
  meaning?: TextVectors | undefined;
  /** The word index of entries. */
  words: DocumentIndex;
}

/** Redacts secrets before storing; text is bounded so that one entry cannot fill the library. */
export const clean = <T>(value: T): T => redactValue(value);
export const maxContent = 100_000;

/**
 * Incremented by everything that changes what a viewer can see; part of every cache key. A change in one session
 * does not affect the others.
 */
export async function raiseVisibility(db: Kysely<ChronicleTables>, session?: string): Promise<void> {
  const keys = ['visibility', session === undefined ? 'visibility of all' : `visibility of ${session}`];
  await db
    .insertInto('chronicle_meta')
    .values(keys.map((key) => ({ key, value: 1 })))
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({ value: sql<number>`chronicle_meta.value + 1` }),
    )
    .execute();
}

/** For a session: the shared part and its own. Without a session: everything. */
export async function visibilityVersion(db: Kysely<ChronicleTables>, session?: string): Promise<string> {
  const keys = session === undefined ? ['visibility'] : ['visibility of all', `visibility of ${session}`];
  const rows = await db.selectFrom('chronicle_meta').selectAll().where('key', 'in', keys).execute();
  return keys.map((key) => rows.find((row) => row.key === key)?.value ?? 0).join('.');
}

/** Changes with everything that a session records besides entries: files, notes, checkpoints, mistakes. */
export async function activityMark(db: Kysely<ChronicleTables>, session?: string): Promise<string> {
  const own = session === undefined ? sql`true` : sql`session_id = ${session}`;
  const { rows } = await sql<Record<string, number | null>>`SELECT
    (SELECT max(id) FROM file_log WHERE ${own}) AS files,
    (SELECT count(*) || '/' || coalesce(max(updated_at), 0) FROM checkpoints WHERE ${own}) AS checkpoints,
    (SELECT count(*) || '/' || coalesce(max(updated_at), 0) FROM scratchpad WHERE ${own}) AS notes,
    (SELECT count(*) || '/' || coalesce(max(last_seen_at), 0) FROM mistakes WHERE ${own}) AS mistakes`.execute(
    db,
  );
  return Object.values(rows[0] ?? {}).join(' ');
}
