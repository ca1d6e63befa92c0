import { expect, test } from 'vitest';
import { openTestCode } from '../../../../tests/support/code.ts';
import { testRepository } from '../../../../tests/support/repository.ts';

/* The part of protobuf's wire format that an index needs. */
const varint = (value: number): number[] =>
  value < 128 ? [value] : [(value & 127) | 128, ...varint(Math.floor(value / 128))];
const part = (field: number, bytes: number[]): number[] => [
  ...varint(field * 8 + 2),
  ...varint(bytes.length),
  ...bytes,
];
const text = (field: number, value: string): number[] => part(field, [...Buffer.from(value)]);

type Mention = [symbol: string, range: number[], roles?: number];
const indexOf = (documents: Record<string, Mention[]>): Uint8Array =>
  Uint8Array.from([
    ...part(1, text(2, 'a tool')),
    ...Object.entries(documents).flatMap(([path, mentions]) =>
      part(2, [
        ...text(1, path),
        ...mentions.flatMap(([symbol, range, roles = 0]) =>
          part(2, [...part(1, range.flatMap(varint)), ...text(2, symbol), ...varint(24), ...varint(roles)]),
        ),
      ]),
    ),
  ]);

const files = {
  'store.py': 'class Store:\n    def write(self):\n        pass\n',
  'use.py': 'def save(thing):\n    thing.write()\n    return thing.write\n',
  'other.py': 'from store import (\n    Store as Shelf,\n)\nShelf().write()\n',
};
const store = 'scip-python python shop 1 store/Store#';
const documents: Record<string, Mention[]> = {
  'store.py': [
    [store, [0, 6, 11], 1],
    [`${store}write().`, [1, 8, 13], 1],
  ],
  'use.py': [
    [`${store}write().`, [1, 10, 15]],
    [`${store}write().`, [2, 17, 22]],
    ['local 0', [0, 9, 14], 1],
  ],
  'other.py': [
    [store, [1, 4, 9]],
    [store, [3, 0, 5]],
    [`${store}write().`, [3, 8, 13]],
  ],
};

async function indexed() {
  const repository = testRepository();
  repository.commit('one', files);
  const { code } = openTestCode(repository.path);
  await code.update();
  const uses = () =>
    code
      .uses(code.symbols('Store.write')[0]!)
      .map((one) => `${one.path}:${one.at_line} ${one.edge} ${one.known}`)
      .sort();
  return { repository, code, uses };
}

test('links of a SCIP index replace those of the files that it fits, and say where they are from', async () => {
  const { repository, code, uses } = await indexed();
  expect(uses()).toEqual(['other.py:4 calls imports']);
  expect(code.importScip(indexOf(documents))).toEqual({ files: 3, links: 4, refused: [] });
  expect(uses()).toEqual(['other.py:4 calls scip', 'use.py:2 calls scip', 'use.py:3 references scip']);
  // Under the name that an import gave it; the import itself is no use.
  const shelf = code
    .uses(code.symbols('Store')[0]!)
    .filter(({ known, edge }) => known === 'scip' && edge === 'calls');
  expect(shelf.map(({ path, at_line }) => `${path}:${at_line}`)).toContain('other.py:4');
  // An edited file has its own links again.
  repository.write('use.py', `${files['use.py']}\n`);
  await code.update();
  expect(uses()).toEqual(['other.py:4 calls scip']);
});

test('a range that is not the name in the text is dropped, and a document of another text refused', async () => {
  const { code, uses } = await indexed();
  const wrong: Mention[] = [[`${store}write().`, [0, 5, 9]]];
  const report = code.importScip(
    indexOf({ ...documents, 'use.py': wrong, '../outside.py': wrong, 'missing.py': wrong }),
  );
  expect(report).toMatchObject({
    files: 2,
    refused: [
      { path: 'use.py', reason: 'its text is another one' },
      { path: '../outside.py', reason: 'not indexed here' },
      { path: 'missing.py', reason: 'not indexed here' },
    ],
  });
  expect(uses()).toEqual(['other.py:4 calls scip']);
});

test('bytes that are no index are refused', async () => {
  const { code } = await indexed();
  expect(() => code.importScip(Buffer.from('# not an index, but a text'))).toThrow(/not a SCIP index/);
});
