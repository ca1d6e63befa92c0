import { join } from 'node:path';
import { expect, test } from 'vitest';
import { randomOf } from '../../../tests/support/graph-model.ts';
import { temporaryDirectory } from '../../../tests/support/temporary.ts';
import { ensureDerived, openSqlite } from '../sqlite/index.ts';
import { bm25, createWordIndex } from './index.ts';

const vocabulary =
  'cooki session socket header router cursor window ledger parser buffer schema branch'.split(' ');
const weights = [2.5, 1];

function open(directory = temporaryDirectory('words')) {
  const sqlite = openSqlite(join(directory, 'index.db'), { durability: 'normal' });
  const words = createWordIndex('words', { place: weights[0]!, body: weights[1]! });
  ensureDerived(sqlite, { store: 'words', version: 1, tables: words.tables, create: words.create });
  return { directory, sqlite, words };
}

type Documents = Map<number, string[][]>;

function random(seed: number, count: number): Documents {
  const next = randomOf(seed);
  const words = (most: number) =>
    Array.from({ length: 1 + next(most) }, () => vocabulary[next(next(vocabulary.length) + 1)]!);
  return new Map(Array.from({ length: count }, (_, at) => [at + 1, [words(2), words(40)]]));
}

const add = ({ sqlite, words }: ReturnType<typeof open>, documents: Documents) =>
  sqlite.write(() =>
    words.add(
      sqlite,
      [...documents].map(([id, fields]) => ({ id, fields })),
    ),
  );

/** BM25 as the formula says, over every word of every document. */
function expected(documents: Documents, terms: string[], limit: number) {
  const lengths = new Map([...documents].map(([id, fields]) => [id, fields.flat().length]));
  const averageLength = [...lengths.values()].reduce((sum, each) => sum + each, 0) / documents.size;
  const amount = (id: number, term: string) =>
    documents
      .get(id)!
      .reduce((sum, field, at) => sum + weights[at]! * field.filter((word) => word === term).length, 0);
  const gains = terms.map((term) => {
    const holding = [...documents.keys()].filter((id) => amount(id, term) > 0).length;
    return bm25({ documents: documents.size, averageLength }, holding);
  });
  const scored = [...documents.keys()].map((id) => ({
    id,
    score: terms.reduce((sum, term, at) => sum + gains[at]!(amount(id, term), lengths.get(id)!), 0),
  }));
  return scored
    .filter(({ score }) => score > 0)
    .sort((one, two) => two.score - one.score || one.id - two.id)
    .slice(0, limit);
}

test('documents are ranked by BM25 over their fields, whatever was added and removed before', () => {
  for (const seed of [3, 17, 20_261_116]) {
    const index = open();
    const documents = random(seed, 120);
    add(index, documents);
    for (const gone of [1, 5, 77, 120]) documents.delete(gone);
    index.words.remove(index.sqlite, [1, 5, 77, 120, 4000]);
    for (const terms of [
      ['cooki'],
      ['cooki', 'session'],
      ['ledger', 'branch', 'cooki', 'nowher'],
      ['nowher'],
    ])
      for (const limit of [1, 10, 1000]) {
        const ours = index.words.rank(index.sqlite, { terms, limit });
        const theirs = expected(documents, terms, limit);
        expect(
          ours.map(({ id }) => id),
          `seed ${seed}`,
        ).toEqual(theirs.map(({ id }) => id));
        for (const [at, { score }] of ours.entries()) expect(score).toBeCloseTo(theirs[at]!.score, 10);
      }
    expect(index.words.size(index.sqlite)).toBe(documents.size);
  }
});

test('what another process added is found at once, and what it removed is not', () => {
  const reader = open();
  const writer = open(reader.directory);
  add(reader, random(5, 50));
  const found = () => reader.words.rank(reader.sqlite, { terms: ['zebra'], limit: 9 }).map(({ id }) => id);
  add(reader, new Map([[100, [[], ['zebra', 'cross']]]]));
  expect(found()).toEqual([100]);
  add(writer, new Map([[101, [[], ['zebra', 'zebra', 'zebra']]]]));
  expect(found()).toEqual([101, 100]);
  expect(reader.words.frequencies(reader.sqlite, ['zebra', 'nowher'])).toEqual(new Map([['zebra', 2]]));
  writer.words.remove(writer.sqlite, [100, 101]);
  expect(found()).toEqual([]);
  expect(reader.words.frequencies(reader.sqlite, ['zebra']).size).toBe(0);
});

test('after what is gone was written out, ranks are the same and its words are not in the index', () => {
  const index = open();
  add(index, random(9, 200));
  add(index, new Map([[900, [['zebra'], ['zebra']]]]));
  index.words.remove(index.sqlite, [900, 3, 4]);
  const request = { terms: ['cooki', 'session'], limit: 500 };
  const before = index.words.rank(index.sqlite, request);
  index.words.settle(index.sqlite);
  expect(index.words.rank(index.sqlite, request)).toEqual(before);
  expect(index.sqlite.all('SELECT 1 FROM words_terms WHERE term = ?', 'zebra')).toEqual([]);
});

test('only accepted documents take places', () => {
  const index = open();
  add(index, random(11, 200));
  const accept = new Set([7, 8, 150]);
  const all = index.words.rank(index.sqlite, { terms: vocabulary, limit: 500 });
  expect(index.words.rank(index.sqlite, { terms: vocabulary, limit: 2, accept })).toEqual(
    all.filter(({ id }) => accept.has(id)).slice(0, 2),
  );
});
