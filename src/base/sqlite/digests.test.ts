import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../../tests/support/temporary.ts';
import { embeddedOf, openLibrary } from '../library/index.ts';
import { findDamagedRows } from './digests.ts';

const things = {
  store: 'things',
  steps: [
    `CREATE TABLE things (id TEXT PRIMARY KEY, a REAL, b INTEGER, c NUMERIC, d BLOB, e, parent TEXT REFERENCES things (id) ON DELETE CASCADE);
     CREATE TABLE pairs (one TEXT, two INTEGER, text TEXT NOT NULL DEFAULT 'none', PRIMARY KEY (two, one)) WITHOUT ROWID;`,
    `ALTER TABLE things ADD COLUMN late TEXT NOT NULL DEFAULT 'later'; UPDATE things SET e = 'changed' WHERE id = 'x';`,
  ],
};

function open(path: string, steps = things.steps) {
  const library = openLibrary({ url: path });
  library.migrate({ store: 'things', steps });
  return library;
}

function fill(library: ReturnType<typeof open>): void {
  const sqlite = embeddedOf(library);
  const values = [1, 1.5, -0.1, 2n ** 60n, 'text', 'ünï\u0000cödé', '', null, new Uint8Array([0, 255, 3])];
  for (const [at, value] of values.entries())
    sqlite.run(
      'INSERT INTO things (id, a, b, c, d, e, parent) VALUES (?, ?, ?, ?, ?, ?, ?)',
      `t${at}`,
      value,
      value,
      value,
      value,
      value,
      at > 5 ? 't0' : null,
    );
  for (let at = 0; at < 40; at++)
    sqlite.run('INSERT INTO pairs VALUES (?, ?, ?)', `p${at}`, at, `marker-${at}-${'z'.repeat(at * 9)}`);
}

/** Changes bytes of a closed file as a failing disk would. */
function overwrite(path: string, find: string, put: string): void {
  const bytes = readFileSync(path);
  const at = bytes.indexOf(find);
  expect(at).toBeGreaterThan(0);
  bytes.write(put, at);
  writeFileSync(path, bytes);
}

test('rows of every kind keep their digests through every kind of change and through migrations', async () => {
  const path = join(temporaryDirectory('digests'), 'sylk.db');
  const library = open(path, things.steps.slice(0, 1));
  const sqlite = embeddedOf(library);
  fill(library);
  expect(findDamagedRows(sqlite)).toBeUndefined();
  sqlite.run("INSERT OR REPLACE INTO things (id, e) VALUES ('t1', 'replaced')");
  sqlite.run("INSERT OR REPLACE INTO pairs VALUES ('p1', 1, 'replaced')");
  sqlite.run("INSERT INTO pairs VALUES ('p2', 2, 'new') ON CONFLICT DO UPDATE SET text = excluded.text");
  sqlite.run("UPDATE OR REPLACE pairs SET one = 'p4', two = 4 WHERE one = 'p3'");
  sqlite.run("INSERT OR IGNORE INTO pairs VALUES ('p5', 5, 'ignored')");
  sqlite.run("DELETE FROM things WHERE id = 't0'");
  expect(sqlite.get("SELECT count(*) AS n FROM things WHERE parent = 't0'")).toEqual({ n: 0 });
  expect(findDamagedRows(sqlite)).toBeUndefined();
  library.migrate(things);
  expect(findDamagedRows(sqlite)).toBeUndefined();
  await library.close();
  const again = open(path);
  expect(again.notice).toBeUndefined();
  await again.close();
});

test('a program without the digests cannot write rows that would pass for damaged', async () => {
  const path = join(temporaryDirectory('foreign'), 'sylk.db');
  const library = open(path);
  fill(library);
  await library.close();
  const foreign = new DatabaseSync(path);
  expect(() => foreign.exec("UPDATE pairs SET text = 'foreign'")).toThrow(/sylk_row_digest/);
  foreign.exec(
    'ALTER TABLE things ADD COLUMN foreign_column TEXT; CREATE TABLE foreign_table (id INTEGER PRIMARY KEY)',
  );
  foreign.close();
  const again = open(path);
  expect(again.notice).toBeUndefined();
  embeddedOf(again).run("UPDATE things SET foreign_column = 'x'");
  expect(findDamagedRows(embeddedOf(again))).toBeUndefined();
  await again.close();
});

test('a silently changed row is kept out and counted as lost, once; with a backup it comes back as it was', async () => {
  const directory = temporaryDirectory('silent');
  const path = join(directory, 'sylk.db');
  const library = open(path);
  fill(library);
  const rows = embeddedOf(library).all('SELECT * FROM pairs ORDER BY two');
  await library.close();
  overwrite(path, 'marker-39', 'Marker-39');
  const damaged = open(path);
  expect(damaged.notice).toMatch(
    /^The library was damaged: \d+ rows saved, 1 lost \(pairs 1\)\. The damaged file is saved as/,
  );
  expect(damaged.damaged).toBe(true);
  expect(embeddedOf(damaged).all('SELECT * FROM pairs ORDER BY two')).toEqual(rows.slice(0, -1));
  await damaged.close();
  const after = open(path);
  expect(after.notice).toBeUndefined();
  expect(readdirSync(join(directory, 'backups'))).toHaveLength(1);
  await after.close();
  overwrite(path, 'marker-38', 'Marker-38');
  const restored = open(path);
  expect(restored.notice).toMatch(/ 0 lost\. 1 of them restored from sylk-daily-\d{4}-/);
  expect(embeddedOf(restored).all('SELECT * FROM pairs ORDER BY two')).toEqual(rows.slice(0, -1));
  await restored.close();
});

test('a changed definition in the schema costs no row', async () => {
  const path = join(temporaryDirectory('schema'), 'sylk.db');
  const library = open(path);
  fill(library);
  await library.close();
  overwrite(path, 'CREATE TABLE pairs', 'CREATA TABLE pairs');
  const opened = open(path);
  expect(opened.notice).toMatch(/ rows saved, 0 lost\./);
  expect(embeddedOf(opened).get('SELECT count(*) AS n FROM pairs')).toEqual({ n: 40 });
  await opened.close();
});
