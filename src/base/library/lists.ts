import { type RawBuilder, sql } from 'kysely';

/** One bound value for a list of any length: the statement stays the same and stays prepared. */
const listed = (values: Iterable<string | number>) =>
  sql`json_each(CAST(${JSON.stringify([...values])} AS TEXT))`;

/** `id IN ${texts(ids)}`, or `FROM ${texts(ids)} AS f`, which has one column, `value`. */
export const texts = (values: Iterable<string>): RawBuilder<never> =>
  sql`(SELECT value FROM ${listed(values)})`;

export const numbers = (values: Iterable<number>): RawBuilder<never> =>
  sql`(SELECT CAST(value AS BIGINT) AS value FROM ${listed(values)})`;

/** Milliseconds since 1970 by the clock of the database, which is one for all who share it. */
export const databaseNow: RawBuilder<number> = sql`CAST(unixepoch('subsec') * 1000 AS BIGINT)`;

/** The index to use, where SQLite would choose a wrong one; PostgreSQL chooses by what the tables hold. */
export const indexedBy = ({ embedded }: { embedded: object | undefined }, index: string): RawBuilder<never> =>
  sql.raw(embedded ? `INDEXED BY ${index}` : '');

/** `EXISTS (SELECT 1 FROM ${itemsOf('entries.tags')} AS tag WHERE tag.value = …)`: the texts of a JSON list in a column. */
export const itemsOf = (column: string): RawBuilder<never> => sql`json_each(${sql.ref(column)})`;
