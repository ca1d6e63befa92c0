import pg from 'pg';
import { expect, test } from 'vitest';
import { openForTest } from '../../../tests/support/libraries.ts';
import { freshPostgres } from '../../../tests/support/postgres.ts';
import { repositoryPlaceOf } from './index.ts';

/** Databases have superusers who pass everything: a team connects as somebody else. */
async function asOwner(): Promise<URL> {
  const url = new URL(await freshPostgres());
  url.searchParams.delete('options');
  const admin = new pg.Client(url.href);
  await admin.connect();
  const name = `team_${crypto.randomUUID().slice(0, 8)}`;
  await admin.query(`CREATE ROLE ${name} LOGIN`);
  await admin.query(`GRANT CREATE ON DATABASE postgres TO ${name}`);
  await admin.end();
  url.username = name;
  url.searchParams.set('schema', name);
  return url;
}

test('rows of a repository are there for its own connection only, whatever a statement asks for', async () => {
  const team = await asOwner();
  const places = ['shop', 'site'].map((name) => repositoryPlaceOf(team.href, name));
  const schemas = places.map((place) => new URL(place).searchParams.get('schema') ?? '');
  for (const [at, place] of places.entries()) {
    const library = openForTest(place);
    await library.marks('test').set('secret', `of ${at}`);
    expect(await library.marks('test').get('secret')).toBe(`of ${at}`);
  }
  const ask = async (setting: string | undefined, statement: string) => {
    const url = new URL(team);
    url.searchParams.delete('schema');
    if (setting !== undefined) url.searchParams.set('options', `-c sylk.library=${setting}`);
    const client = new pg.Client(url.href);
    await client.connect();
    try {
      return (await client.query(statement)).rows.length;
    } finally {
      await client.end();
    }
  };
  const [shop = '', site = ''] = schemas;
  expect(shop).not.toBe(site);
  for (const table of ['_marks', '_schema', '_changes']) {
    const statement = `SELECT * FROM ${site}.${table}`;
    const own = await ask(site, statement);
    expect([await ask(undefined, statement), await ask(shop, statement)], table).toEqual([0, 0]);
    if (table !== '_changes') expect(own, table).toBeGreaterThan(0);
  }
  const insert = `INSERT INTO ${site}._marks (space, name, value) VALUES ('a', 'b', 'c')`;
  for (const setting of [undefined, shop])
    await expect(ask(setting, insert)).rejects.toThrow(/row-level security/);
  expect(await ask(shop, `UPDATE ${site}._marks SET value = 'x' RETURNING value`)).toBe(0);
  expect(await ask(shop, `DELETE FROM ${site}._marks RETURNING value`)).toBe(0);
  const open = `SELECT 1 FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE relkind = 'r' AND nspname IN ('${shop}', '${site}') AND NOT relforcerowsecurity`;
  expect(await ask(undefined, open)).toBe(0);
});
