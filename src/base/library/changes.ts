import { hash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { newUuid } from '../ids.ts';
import { coverRows, isCovered, type Sqlite } from '../sqlite/index.ts';
import { texts } from './lists.ts';
import { createMarks, type MarkTables } from './marks.ts';

/** Held until the end of a transaction in PostgreSQL: writers of one library run one after another, as in SQLite. */
export const takeWriteLock = "pg_advisory_xact_lock(hashtext('sylk ' || current_schema()))";

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
 * another, under one lock for each library: whoever sees a number sees all lower ones. Not within a write, whose numbers
 * are given again if it fails.
 */
export async function changesSince(
  db: Kysely<ChangeTables>,
  position: string | undefined,
  limit: number,
): Promise<Changes> {
  const epoch = (await createMarks(() => db, space).get('epoch')) ?? '';
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

/** Takes refs out of the feed. A new epoch makes followers drop what they derived from them. */
export async function eraseRefs(db: Kysely<ChangeTables>, refs: string[]): Promise<void> {
  await db
    .deleteFrom('_changes')
    .where(sql<boolean>`ref IN ${texts(refs)}`)
    .execute();
  await createMarks(() => db, space).set('epoch', newUuid());
}

/** Positions of before mean nothing any more: for a library whose rows are others than they were. */
export function startEpoch(sqlite: Sqlite): void {
  sqlite.run(forSqlite(setMark), space, 'epoch', newUuid());
}

/** Installs the triggers of a store's tables, and tells every row once; again in each epoch. */
export function followInSqlite(sqlite: Sqlite, store: string, tables: FollowedTable[]): void {
  const text = tables.map(sqliteTriggers).join('\n');
  const markOf = (name: string) => sqlite.value<string>(forSqlite(getMark), space, name);
  const wanted = () => `${markOf('epoch')} ${hash('sha256', text, 'hex')}`;
  if (markOf(store) === wanted()) return;
  sqlite.write(() => {
    if (markOf('epoch') === undefined) startEpoch(sqlite);
    if (markOf(store) === wanted()) return;
    sqlite.exec(text);
    for (const table of tables) sqlite.exec(tellAll(table));
    sqlite.run(forSqlite(setMark), space, store, wanted());
    if (isCovered(sqlite)) coverRows(sqlite);
  });
}

/** The same, within the transaction of a migration. */
export async function followInPostgres(
  query: (text: string, values?: string[]) => Promise<{ rows: Array<{ value: string }> }>,
  store: string,
  tables: FollowedTable[],
): Promise<void> {
  const text = tables.map(postgresTriggers).join('\n');
  const markOf = async (name: string) => (await query(getMark, [space, name])).rows[0]?.value;
  if ((await markOf('epoch')) === undefined) await query(setMark, [space, 'epoch', newUuid()]);
  const wanted = `${await markOf('epoch')} ${hash('sha256', text, 'hex')}`;
  if ((await markOf(store)) === wanted) return;
  await query([text, ...tables.map(tellAll)].join(';\n'));
  await query(setMark, [space, store, wanted]);
}

const last = '(SELECT coalesce(max(number), 0) FROM _changes)';
const replaceNumber = 'ON CONFLICT (ref) DO UPDATE SET number = excluded.number';

/** Every row of the table as a change. */
const tellAll = ({ table, ref }: FollowedTable): string =>
  `INSERT INTO _changes (ref, number) SELECT ref, ${last} + row_number() OVER ()
   FROM (SELECT DISTINCT ${ref(table)} AS ref FROM ${table}) AS rows WHERE true ${replaceNumber}`;

const tell = (ref: string) =>
  `INSERT INTO _changes (ref, number) VALUES (${ref}, ${last} + 1) ${replaceNumber};`;

function sqliteTriggers({ table, ref }: FollowedTable): string {
  const trigger = (event: string, row: string) => `DROP TRIGGER IF EXISTS changes_of_${table}_${event};
    CREATE TRIGGER changes_of_${table}_${event} AFTER ${event} ON ${table} BEGIN
      ${tell(ref(row))} END;`;
  return [trigger('insert', 'NEW'), trigger('update', 'NEW'), trigger('delete', 'OLD')].join('\n');
}

/** The lock is the one that writers have anyway; another program that writes has to take it too. */
const postgresTriggers = ({ table, ref }: FollowedTable): string => `
  CREATE OR REPLACE FUNCTION changes_of_${table}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    PERFORM ${takeWriteLock};
    IF TG_OP = 'DELETE' THEN ${tell(ref('OLD'))} ELSE ${tell(ref('NEW'))} END IF;
    RETURN NULL; END $$;
  DROP TRIGGER IF EXISTS changes_of_${table} ON ${table};
  CREATE TRIGGER changes_of_${table} AFTER INSERT OR UPDATE OR DELETE ON ${table}
    FOR EACH ROW EXECUTE FUNCTION changes_of_${table}();`;

const getMark = 'SELECT value FROM _marks WHERE space = $1 AND name = $2';
const setMark = `INSERT INTO _marks (space, name, value) VALUES ($1, $2, $3)
  ON CONFLICT (space, name) DO UPDATE SET value = excluded.value`;
const forSqlite = (text: string) => text.replace(/\$\d/g, '?');
