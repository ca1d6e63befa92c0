import { hash } from 'node:crypto';
import type { Kysely } from 'kysely';
import { newUuid } from '../ids.ts';
import { coverRows, isCovered, type Sqlite } from '../sqlite/index.ts';
import type { MarkTables } from './marks.ts';

/** A table whose rows others derive something from. A store names it in its migrations. */
export interface FollowedTable {
  table: string;
  /** The ref of a row, as SQL over the row's name: `'entry:' || ${row}.id`. Several tables may tell the same ref. */
  ref(row: string): string;
}

/** What a follower reads. */
export interface Changes {
  /**
   * Refs whose rows were added, changed or removed since the position, each once, in the order of their last change. A
   * ref says nothing about what happened: read it from its store, and drop what was derived where the store has none.
   * A change of who may read a row is a change of the row.
   */
  refs: string[];
  /** Where to go on. Keep it with what was derived, in the same transaction. */
  position: string;
  /** There are more changes than `limit`: ask again with the position. */
  more: boolean;
  /**
   * The position is not one of this library as it is now: the first look, or a library that was restored or salvaged.
   * Drop everything that was derived; `refs` starts from the beginning, which is every row that there is.
   */
  restart: boolean;
}

export interface ChangeTables extends MarkTables {
  /** One row for each ref that was ever told, with the number of its last change. */
  _changes: { ref: string; number: number };
}

export const changeTables = `CREATE TABLE _changes (ref TEXT PRIMARY KEY, number INTEGER NOT NULL);
  CREATE UNIQUE INDEX _changes_by_number ON _changes (number);`;

/** Marks of the feed: its epoch, and by store what was installed in which epoch. */
const space = 'changes';

/**
 * Changes are numbered by triggers inside the transaction that makes them, and transactions that write run one after
 * another: whoever sees a number sees all lower ones. Not within a write, whose numbers are given again if it fails.
 */
export async function changesSince(
  db: Kysely<ChangeTables>,
  position: string | undefined,
  limit: number,
): Promise<Changes> {
  const mark = await db
    .selectFrom('_marks')
    .select('value')
    .where('space', '=', space)
    .where('name', '=', 'epoch')
    .executeTakeFirst();
  const epoch = mark?.value ?? '';
  const { latest } = await db
    .selectFrom('_changes')
    .select(({ fn }) => fn.max('number').as('latest'))
    .executeTakeFirstOrThrow();
  const [given, number] = position?.split(' ') ?? [];
  const restart = given !== epoch || !(Number(number) <= (latest ?? 0));
  const after = restart ? 0 : Number(number);
  const found = await db
    .selectFrom('_changes')
    .selectAll()
    .where('number', '>', after)
    .orderBy('number')
    .limit(limit + 1)
    .execute();
  const rows = found.slice(0, limit);
  return {
    refs: rows.map(({ ref }) => ref),
    position: `${epoch} ${rows.at(-1)?.number ?? after}`,
    more: found.length > limit,
    restart,
  };
}

/** Positions of before mean nothing any more: for a library whose rows are others than they were. */
export function startEpoch(sqlite: Sqlite): void {
  setMark(sqlite, 'epoch', newUuid());
}

/** Installs the triggers of a store's tables, and tells every row once; again in each epoch. */
export function follow(sqlite: Sqlite, store: string, tables: FollowedTable[]): void {
  const text = tables.map(triggers).join('\n');
  const wanted = () => `${markOf(sqlite, 'epoch')} ${hash('sha256', text, 'hex')}`;
  if (markOf(sqlite, store) === wanted()) return;
  sqlite.write(() => {
    if (markOf(sqlite, 'epoch') === undefined) startEpoch(sqlite);
    if (markOf(sqlite, store) === wanted()) return;
    sqlite.exec(text);
    for (const table of tables) sqlite.exec(tellAll(table));
    setMark(sqlite, store, wanted());
    if (isCovered(sqlite)) coverRows(sqlite);
  });
}

const last = '(SELECT coalesce(max(number), 0) FROM _changes)';
const replaceNumber = 'ON CONFLICT (ref) DO UPDATE SET number = excluded.number';

/** Every row of the table as a change. */
const tellAll = ({ table, ref }: FollowedTable): string =>
  `INSERT INTO _changes (ref, number) SELECT ref, ${last} + row_number() OVER ()
   FROM (SELECT DISTINCT ${ref(table)} AS ref FROM ${table}) AS rows WHERE true ${replaceNumber}`;

function triggers({ table, ref }: FollowedTable): string {
  const trigger = (event: string, row: string) => `DROP TRIGGER IF EXISTS changes_of_${table}_${event};
    CREATE TRIGGER changes_of_${table}_${event} AFTER ${event} ON ${table} BEGIN
      INSERT INTO _changes (ref, number) VALUES (${ref(row)}, ${last} + 1) ${replaceNumber}; END;`;
  return [trigger('insert', 'NEW'), trigger('update', 'NEW'), trigger('delete', 'OLD')].join('\n');
}

function markOf(sqlite: Sqlite, name: string): string | undefined {
  return sqlite.get<{ value: string }>('SELECT value FROM _marks WHERE space = ? AND name = ?', space, name)
    ?.value;
}

function setMark(sqlite: Sqlite, name: string, value: string): void {
  sqlite.run(
    `INSERT INTO _marks (space, name, value) VALUES (?, ?, ?)
     ON CONFLICT (space, name) DO UPDATE SET value = excluded.value`,
    ...[space, name, value],
  );
}
