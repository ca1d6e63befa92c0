import { readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { fixtureRepository } from './support/fixture-repository.ts';
import { sylk } from './support/sylk.ts';

/** The library of a repository, wherever it is kept. */
function libraryOf(root: string): string {
  const found = readdirSync(root, { recursive: true, encoding: 'utf8' }).find((name) =>
    /(^|\/)(sylk|library)\.db$/.test(name),
  );
  return join(root, found ?? 'missing');
}

test('the command that meets a damaged library does its work, says what was saved and lost, and fails once', () => {
  const { path: root } = fixtureRepository();
  expect(sylk(root, ['memory', 'add', 'Invoices are rounded half up.', '--category', 'decision']).code).toBe(
    0,
  );
  expect(sylk(root, ['memory', 'add', 'Orders are never deleted.', '--category', 'decision']).code).toBe(0);
  const library = libraryOf(root);
  const bytes = readFileSync(library);
  // The encoding of text, in the header: SQLite alone would read no text of this file.
  bytes[59] = 3;
  writeFileSync(library, bytes);
  const met = sylk(root, ['memory', 'search', 'invoices rounded']);
  expect(met.err).toMatch(
    /The library was damaged: \d+ rows saved, 0 lost\. .*The damaged file is saved as .*\.corrupt\./,
  );
  expect([met.code, met.out.includes('Invoices are rounded half up.')]).toEqual([1, true]);
  const next = sylk(root, ['memory', 'search', 'orders deleted']);
  expect([next.code, next.err, next.out.includes('Orders are never deleted.')]).toEqual([0, '', true]);
});

test('a library that lost tables is whole again after the salvage, with or without a copy', () => {
  for (const hasCopy of [true, false]) {
    const { path: root } = fixtureRepository();
    const add = (text: string) => sylk(root, ['memory', 'add', text, '--category', 'decision']);
    for (const text of ['Invoices are rounded half up.', 'Orders are never deleted.'])
      expect(add(text).code).toBe(0);
    const library = libraryOf(root);
    if (!hasCopy) rmSync(join(dirname(library), 'backups'), { recursive: true });
    truncateSync(library, Math.floor(statSync(library).size * 0.6));
    const met = sylk(root, ['memory', 'search', 'invoices']);
    expect([met.code, met.err]).toEqual([1, expect.stringContaining('The library was damaged')]);
    const added = add('Refunds need a second person.');
    expect([added.code, added.err]).toEqual([0, '']);
  }
});

test('doctor names tables that a library lacks, and they are there afterwards', () => {
  const { path: root } = fixtureRepository();
  expect(sylk(root, ['memory', 'add', 'Orders are never deleted.', '--category', 'decision']).code).toBe(0);
  const database = new DatabaseSync(libraryOf(root));
  database.exec('PRAGMA foreign_keys = OFF; DROP TABLE ref_edges; DROP TABLE ref_nodes;');
  database.close();
  const met = sylk(root, ['doctor']);
  expect(met.out).toMatch(/table\(s\) were missing: .*ref_nodes/);
  expect(met.code).not.toBe(0);
  expect(sylk(root, ['doctor']).out).not.toContain('were missing');
  const added = sylk(root, ['memory', 'add', 'Refunds need a second person.', '--category', 'decision']);
  expect([added.code, added.err]).toEqual([0, '']);
});

test('a library that is gone while there are copies of it is said, and the copies are listed', () => {
  const { path: root } = fixtureRepository();
  for (const text of ['Invoices are rounded half up.', 'Orders are never deleted.'])
    expect(sylk(root, ['memory', 'add', text, '--category', 'decision']).code).toBe(0);
  rmSync(libraryOf(root));
  const met = sylk(root, ['memory', 'search', 'invoices']);
  expect(met.err).toContain('sylk library restore --list');
  expect(met.code).toBe(1);
  const listed = sylk(root, ['library', 'restore', '--list']);
  expect([listed.code, listed.out]).toEqual([0, expect.stringMatching(/-daily-\d{4}-\d\d-\d\dT/)]);
  const name = listed.out.split(/\s/)[0] ?? '';
  const refused = sylk(root, ['library', 'restore', name, '--no-input']);
  expect(refused.code).toBe(5);
  expect(refused.err).toContain("needs a person's answer");
});
