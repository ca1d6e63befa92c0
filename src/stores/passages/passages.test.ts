import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../../tests/support/temporary.ts';
import { openSqlite } from '../../base/sqlite/index.ts';
import { openPassages, type Passages } from './index.ts';

const open = () => {
  const sqlite = openSqlite(join(temporaryDirectory('words'), 'index.db'), { durability: 'normal' });
  return openPassages(() => sqlite);
};

const file = (passages: Passages, owner: string, body: string) =>
  passages.replace({ domain: 'code', owner, hash: body }, [
    { startLine: 1, endLine: 1, heading: [], place: owner, body, embedded: body },
  ]);

const found = (passages: Passages, text: string, path?: string) =>
  passages.search({ text, domain: 'code', limit: 20, ...(path ? { path } : {}) }).map(({ owner }) => owner);

test('a folder narrows the search to what lies in it', () => {
  const passages = open();
  for (const owner of ['src/a.ts', 'src/deep/b.ts', 'source/c.ts', 'src.ts']) file(passages, owner, 'zebra');
  expect(new Set(found(passages, 'zebra', 'src/'))).toEqual(new Set(['src/a.ts', 'src/deep/b.ts']));
  expect(found(passages, 'zébra', 'source')).toEqual(['source/c.ts']);
});

test('a word is found with its marks and without', () => {
  const passages = open();
  file(passages, 'a.md', 'der Zähler zählt');
  file(passages, 'b.md', '日本語 text');
  expect(found(passages, 'Zähler')).toEqual(['a.md']);
  expect(found(passages, 'zahler')).toEqual(['a.md']);
  expect(found(passages, '日本語')).toEqual(['b.md']);
});

test('a file that is replaced is found by its new words only', () => {
  const passages = open();
  file(passages, 'a.ts', 'zebra crossing');
  file(passages, 'a.ts', 'nothing of it');
  expect(found(passages, 'zebra')).toEqual([]);
  expect(found(passages, 'nothing')).toEqual(['a.ts']);
});
