import { join } from 'node:path';
import { expect, test } from 'vitest';
import { randomOf } from '../../../tests/support/graph-model.ts';
import { temporaryDirectory } from '../../../tests/support/temporary.ts';
import { openSqlite } from '../../base/sqlite/index.ts';
import { openPassages } from './index.ts';
import { rankByMatch, rankByWords } from './word-ranking.ts';

const vocabulary =
  'cookie session socket header router cursor window ledger parser buffer schema branch'.split(' ');

function open(directory = temporaryDirectory('words')) {
  const sqlite = openSqlite(join(directory, 'index.db'), { durability: 'normal' });
  return { directory, sqlite, passages: openPassages(() => sqlite) };
}

type Opened = ReturnType<typeof open>;

const file = ({ passages }: Opened, owner: string, bodies: string[]) =>
  passages.replace(
    { domain: 'code', owner, hash: bodies.join() },
    bodies.map((body, at) => ({
      startLine: at + 1,
      endLine: at + 1,
      heading: [],
      place: owner,
      body,
      embedded: body,
    })),
  );

function filled(seed: number): Opened {
  const opened = open();
  const random = randomOf(seed);
  const words = (most: number) =>
    Array.from({ length: 1 + random(most) }, () => vocabulary[random(random(vocabulary.length) + 1)]).join(
      ' ',
    );
  for (let at = 0; at < 120; at++)
    file(
      opened,
      `${words(2).replace(' ', '/')}-${at}.ts`,
      Array.from({ length: 1 + random(4) }, () => words(40)),
    );
  return opened;
}

const found = ({ passages }: Opened, text: string, path?: string) =>
  passages.search({ text, domain: 'code', limit: 20, ...(path ? { path } : {}) }).map(({ owner }) => owner);

test('passages are ranked exactly as the text index itself ranks them, scores included', () => {
  for (const seed of [3, 17, 20_261_116]) {
    const { sqlite } = filled(seed);
    for (const terms of [
      ['cooki'],
      ['cooki', 'session'],
      ['ledger', 'branch', 'cooki', 'nowher'],
      ['nowher'],
    ])
      for (const limit of [1, 10, 1000]) {
        const request = { terms, limit };
        const ours = rankByWords(sqlite, 'code', request);
        const theirs = rankByMatch(sqlite, 'code', request);
        expect(
          ours.map(({ id }) => id),
          `seed ${seed}`,
        ).toEqual(theirs.map(({ id }) => id));
        for (const [at, { score }] of ours.entries()) expect(score).toBeCloseTo(theirs[at]!.score, 10);
      }
  }
});

test('what was replaced or removed is not found, and what was added is, whoever wrote it', () => {
  const reader = filled(5);
  const writer = open(reader.directory);
  file(reader, 'kept.ts', ['zebra crossing']);
  expect(found(reader, 'zebra')).toEqual(['kept.ts']);
  file(writer, 'other.ts', ['zebra zebra zebra']);
  expect(found(reader, 'zebra')).toEqual(['other.ts', 'kept.ts']);
  file(writer, 'other.ts', ['nothing of it']);
  expect(found(reader, 'zebra')).toEqual(['kept.ts']);
  expect(reader.passages.frequencies('code', ['zebra', 'noth'])).toEqual(
    new Map([
      ['zebra', 1],
      ['noth', 1],
    ]),
  );
  const before = reader.passages.size('code');
  writer.passages.remove('code', ['kept.ts']);
  expect(found(reader, 'zebra')).toEqual([]);
  expect(reader.passages.size('code')).toBe(before - 1);
  expect(reader.passages.frequencies('code', ['zebra']).size).toBe(0);
});

test('after rows went and came, a score still is what the words left over give', () => {
  const opened = filled(9);
  const owners = opened.passages.owners('code').map(({ owner }) => owner);
  opened.passages.remove('code', owners.slice(0, 60));
  file(opened, 'new.ts', ['cookie cookie session', 'session']);
  const request = { terms: ['cooki', 'session'], limit: 500 };
  const ours = rankByWords(opened.sqlite, 'code', request);
  const theirs = rankByMatch(opened.sqlite, 'code', request);
  expect(new Set(ours.map(({ id }) => id))).toEqual(new Set(theirs.map(({ id }) => id)));
  opened.passages.settle('code');
  expect(rankByWords(opened.sqlite, 'code', request)).toEqual(ours);
});

test('a folder narrows the search to what lies in it', () => {
  const opened = open();
  for (const owner of ['src/a.ts', 'src/deep/b.ts', 'source/c.ts', 'src.ts']) file(opened, owner, ['zebra']);
  expect(new Set(found(opened, 'zebra', 'src/'))).toEqual(new Set(['src/a.ts', 'src/deep/b.ts']));
  expect(found(opened, 'zébra', 'source')).toEqual(['source/c.ts']);
});

test('a word is found with its marks and without', () => {
  const opened = open();
  file(opened, 'a.md', ['der Zähler zählt']);
  file(opened, 'b.md', ['日本語 text']);
  expect(found(opened, 'Zähler')).toEqual(['a.md']);
  expect(found(opened, '日本語')).toEqual(['b.md']);
});
