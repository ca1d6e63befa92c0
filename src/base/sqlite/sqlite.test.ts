import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../../tests/support/temporary.ts';
import {
  backUp,
  ensureDerived,
  isBusy,
  isConstraint,
  listBackups,
  migrate,
  openSqlite,
  versionOf,
} from './index.ts';

const fresh = (name = 'x.db') => {
  const path = join(temporaryDirectory('sqlite'), name);
  return { path, sqlite: openSqlite(path) };
};

test('every connection has the write-ahead log, waits for others and checks references', () => {
  const { sqlite } = fresh();
  const pragma = (name: string) => Object.values(sqlite.get(`PRAGMA ${name}`)!)[0];
  expect(pragma('journal_mode')).toBe('wal');
  expect(pragma('busy_timeout')).toBeGreaterThanOrEqual(5000);
  expect(pragma('foreign_keys')).toBe(1);
  expect(pragma('synchronous')).toBe(2);
  expect(pragma('journal_size_limit')).toBeGreaterThan(0);
  sqlite.close();
});

test('a write is whole or nothing, and a write inside of a write joins it', () => {
  const { sqlite } = fresh();
  sqlite.exec('CREATE TABLE t (x INTEGER UNIQUE)');
  expect(() =>
    sqlite.write(() => {
      sqlite.run('INSERT INTO t VALUES (1)');
      sqlite.write(() => sqlite.run('INSERT INTO t VALUES (2)'));
      throw new Error('stop');
    }),
  ).toThrow('stop');
  expect(sqlite.all('SELECT x FROM t')).toEqual([]);
  expect(sqlite.write(() => sqlite.run('INSERT INTO t VALUES (3)').changes)).toBe(1);
  try {
    sqlite.run('INSERT INTO t VALUES (3)');
    expect.unreachable();
  } catch (error) {
    expect([isConstraint(error), isBusy(error)]).toEqual([true, false]);
  }
  sqlite.close();
});

test('more statements than are kept at once still work', () => {
  const { sqlite } = fresh();
  for (let n = 0; n < 1200; n++) expect(sqlite.get(`SELECT ${n} AS n`)).toEqual({ n });
  sqlite.close();
});

const steps = ['CREATE TABLE a (x)', 'ALTER TABLE a ADD y', 'CREATE TABLE b (z)'];

test('tables that are missing are created as all steps left them; the others keep their rows', () => {
  const { sqlite } = fresh();
  const store = {
    store: 's',
    steps: [...steps, 'CREATE TABLE old (x); CREATE INDEX a_x ON a (x)', 'DROP TABLE old'],
  };
  expect(migrate(sqlite, store)).toEqual([]);
  sqlite.exec('INSERT INTO b VALUES (1); DROP TABLE a');
  expect(migrate(sqlite, store)).toEqual(['a']);
  expect(migrate(sqlite, store)).toEqual([]);
  sqlite.run('INSERT INTO a (x, y) VALUES (1, 2)');
  expect(sqlite.column("SELECT name FROM sqlite_master WHERE name IN ('a_x', 'old')")).toEqual(['a_x']);
  expect(sqlite.all('SELECT z FROM b')).toEqual([{ z: 1 }]);
  sqlite.close();
});

test('a store goes forward step by step, with a copy of the old state, and twice is once', () => {
  const { sqlite, path } = fresh();
  migrate(sqlite, { store: 'one', steps: steps.slice(0, 1) });
  sqlite.run("INSERT INTO a VALUES ('kept')");
  migrate(sqlite, { store: 'one', steps });
  migrate(sqlite, { store: 'one', steps });
  expect(versionOf(sqlite, 'one')).toBe(3);
  expect(sqlite.all('SELECT x FROM a')).toEqual([{ x: 'kept' }]);
  const copies = readdirSync(join(path, '..', 'backups'));
  expect(copies).toHaveLength(1);
  const copy = openSqlite(join(path, '..', 'backups', copies[0]!), { readOnly: true });
  expect(copy.get('PRAGMA integrity_check')).toEqual({ integrity_check: 'ok' });
  expect(copy.all('SELECT x FROM a')).toEqual([{ x: 'kept' }]);
  copy.close();
  sqlite.close();
});

test('a failing step leaves the old version and no trace of the new one', () => {
  const { sqlite } = fresh();
  migrate(sqlite, { store: 'one', steps: steps.slice(0, 1) });
  expect(() => migrate(sqlite, { store: 'one', steps: [...steps, 'CREATE TABEL oops'] })).toThrow(/syntax/);
  expect(versionOf(sqlite, 'one')).toBe(1);
  expect(sqlite.get("SELECT 1 FROM sqlite_master WHERE name = 'b'")).toBeUndefined();
  sqlite.close();
});

test('a database of a newer Sylk is refused with both versions named, and not touched', () => {
  const { sqlite, path } = fresh();
  migrate(sqlite, { store: 'work', steps });
  const refused = expect.objectContaining({
    code: 'UNAVAILABLE',
    message: expect.stringMatching(new RegExp(`${path}.*work has version 3, this Sylk supports version 1`)),
    hint: expect.stringContaining('Upgrade'),
  });
  expect(() => migrate(sqlite, { store: 'work', steps: steps.slice(0, 1) })).toThrow(refused);
  expect(() =>
    ensureDerived(sqlite, { store: 'work', version: 1, tables: ['a'], create: 'CREATE TABLE a (x)' }),
  ).toThrow(refused);
  expect(versionOf(sqlite, 'work')).toBe(3);
  expect(existsSync(join(path, '..', 'backups'))).toBe(false);
  sqlite.close();
});

test('derived tables are made anew by a new version and kept by the same', () => {
  const { sqlite } = fresh();
  const schema = (version: number) => ({
    store: 'd',
    version,
    tables: ['d'],
    create: `CREATE TABLE d (v${version})`,
  });
  expect(ensureDerived(sqlite, schema(1))).toBe('created');
  sqlite.run('INSERT INTO d VALUES (1)');
  expect(ensureDerived(sqlite, schema(1))).toBe('kept');
  expect(sqlite.all('SELECT * FROM d')).toHaveLength(1);
  expect(ensureDerived(sqlite, schema(2))).toBe('created');
  expect(sqlite.all('SELECT * FROM d')).toEqual([]);
  sqlite.close();
});

test('copies of one moment have names of their own, and the earlier one stays', () => {
  const { sqlite, path } = fresh();
  sqlite.exec('CREATE TABLE t (x)');
  const now = Date.UTC(2026, 0, 1);
  const copies = [backUp(sqlite, 'test', now), backUp(sqlite, 'test', now)];
  expect(
    listBackups(path)
      .map((copy) => copy.path)
      .sort(),
  ).toEqual(copies);
  sqlite.close();
});

test('a copy can be taken while another connection writes, and only the newest five stay', () => {
  const { sqlite, path } = fresh();
  sqlite.exec('CREATE TABLE t (x)');
  const other = openSqlite(path);
  for (let n = 0; n < 8; n++) {
    other.run('INSERT INTO t VALUES (?)', n);
    backUp(sqlite, 'test');
  }
  expect(readdirSync(join(path, '..', 'backups'))).toHaveLength(5);
  other.close();
  sqlite.close();
});
