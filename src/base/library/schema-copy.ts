import type { PoolClient } from 'pg';

/** Copies of a schema that are left; older ones are dropped when another one is made. */
const keptCopies = 3;
/** Stores come up to date one after another: they share the copy of the first one. */
const sharedForMs = 3_600_000;

const stampOf = (time: number): string => new Date(time).toISOString().replace(/\D/g, '').slice(0, 14);

/**
 * Copies the tables of a library, with their rows, indexes, keys and triggers, to a schema beside it, within the transaction of the
 * caller, who has the write lock. It needs no program and no password, and renaming is all that bringing it back takes. Answers the
 * name, or undefined where a copy of the last hour serves.
 */
export async function copySchema(
  client: PoolClient,
  now = Date.now(),
): Promise<{ from: string; to: string } | undefined> {
  const read = async (text: string, ...values: string[]): Promise<string[][]> =>
    (await client.query({ text, values, rowMode: 'array' })).rows;
  const [[from = ''] = []] = await read('SELECT current_schema()');
  const prefix = `${from.slice(0, 40)}_before_`;
  const copies = (
    await read(
      'SELECT nspname FROM pg_namespace WHERE starts_with(nspname, $1) ORDER BY nspname DESC',
      prefix,
    )
  ).flat();
  if ((copies[0] ?? '') >= prefix + stampOf(now - sharedForMs)) return undefined;
  const to = prefix + stampOf(now);
  const change = (...statements: string[]) => client.query(statements.join(';\n'));
  // Names come qualified where nothing is searched.
  await change(`SET LOCAL search_path TO pg_catalog`, `CREATE SCHEMA ${to}`);
  const tables = (
    await read('SELECT tablename FROM pg_tables WHERE schemaname = $1 AND tableowner = current_user', from)
  ).flat();
  for (const table of tables)
    await change(
      `CREATE TABLE ${to}."${table}" (LIKE ${from}."${table}" INCLUDING ALL)`,
      `INSERT INTO ${to}."${table}" SELECT * FROM ${from}."${table}"`,
    );
  const moved = (text: string) =>
    text.replaceAll(new RegExp(`(ON|FUNCTION|REFERENCES) ${from}\\.`, 'g'), `$1 ${to}.`);
  const numbered = await read(
    `SELECT format('SELECT setval(pg_get_serial_sequence(''${to}.%I'', %L), max(%I)) FROM ${to}.%I', table_name, column_name, column_name, table_name)
     FROM information_schema.columns WHERE table_schema = $1 AND is_identity = 'YES' AND table_name = ANY ($2::text[])`,
    from,
    `{${tables.map((table) => `"${table}"`).join()}}`,
  );
  const keys = await read(
    `SELECT format('ALTER TABLE ${to}.%I ADD CONSTRAINT %I %s', relname, conname, pg_get_constraintdef(c.oid))
     FROM pg_constraint c JOIN pg_class r ON r.oid = conrelid WHERE connamespace = to_regnamespace($1) AND contype = 'f'`,
    from,
  );
  const functions = await read(
    `SELECT pg_get_functiondef(oid) FROM pg_proc p WHERE pronamespace = to_regnamespace($1) AND proowner = current_user::regrole
     AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = p.oid AND deptype = 'e')`,
    from,
  );
  const triggers = await read(
    `SELECT pg_get_triggerdef(t.oid) FROM pg_trigger t JOIN pg_class r ON r.oid = tgrelid
     WHERE relnamespace = to_regnamespace($1) AND NOT tgisinternal`,
    from,
  );
  await change(
    ...[numbered, keys, functions, triggers].flat(2).map(moved),
    `SET LOCAL search_path TO ${from}`,
  );
  for (const old of copies.slice(keptCopies - 1)) await change(`DROP SCHEMA ${old} CASCADE`);
  return { from, to };
}
