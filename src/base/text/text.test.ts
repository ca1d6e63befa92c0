import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapeLike, isStopWord, matchAll, matchAny, searchWords, splitWords, stem } from './index.ts';

test.each([
  ['getHTTPResponse', ['get', 'http', 'response']],
  ['snake_case-and.dots/slash', ['snake', 'case', 'and', 'dots', 'slash']],
  ['XMLHttpRequest2', ['xml', 'http', 'request2']],
  ['Übergröße naïve', ['übergröße', 'naïve']],
  ['日本語 text', ['日本語', 'text']],
  ['  ...  ', []],
])('%j is split into its words', (text, words) => {
  expect(splitWords(text)).toEqual(words);
});

test('words are asked for as they are indexed: stems, without stop words', () => {
  expect(searchWords('how are the retries of Connections handled')).toEqual(
    searchWords('retry connection handle'),
  );
  expect(isStopWord('the')).toBe(true);
  expect(stem('日本')).toBe('日本');
  expect(searchWords('x'.repeat(100))).toEqual([]);
});

test('whatever a person types, a full text query built from it is valid and finds itself', () => {
  const database = new DatabaseSync(':memory:');
  database.exec("CREATE VIRTUAL TABLE t USING fts5(text); INSERT INTO t VALUES ('multi agent system')");
  const ask = database.prepare('SELECT count(*) AS n FROM t WHERE t MATCH ?');
  const hostile = [
    'multi-agent',
    '"',
    '""',
    'a" OR "b',
    'NEAR(',
    'text:x',
    '*',
    '^x',
    'AND OR NOT',
    "'; DROP TABLE t; --",
    '\u0000',
    '(((',
    'x AND',
    '{a b}:c',
    '-x',
    '\ud800',
  ];
  const check = (text: string) => {
    for (const build of [matchAny, matchAll])
      for (const words of [text.split(' '), splitWords(text), [text]]) {
        const query = build(words);
        if (query !== undefined) ask.get(query);
      }
  };
  for (const text of hostile) check(text);
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 60 }), check), { seed: 11, numRuns: 1000 });
  expect(ask.get(matchAll(splitWords('multi-agent'))!)).toMatchObject({ n: 1 });
  expect(matchAny([])).toBeUndefined();
  expect(matchAll(['---', '"'])).toBeUndefined();
  expect(database.prepare('SELECT count(*) AS n FROM t').get()).toMatchObject({ n: 1 });
});

test('a query of a thousand words is bounded', () => {
  const words = Array.from({ length: 1000 }, (_, at) => `w${at}`);
  expect(matchAny(words)!.split(' OR ')).toHaveLength(64);
});

test('LIKE finds a text literally', () => {
  const database = new DatabaseSync(':memory:');
  database.exec("CREATE TABLE t (x TEXT); INSERT INTO t VALUES ('100%_a\\b'), ('100xya-b')");
  const found = database
    .prepare("SELECT x FROM t WHERE x LIKE ? ESCAPE '\\'")
    .all(`%${escapeLike('%_a\\')}%`);
  expect(found).toHaveLength(1);
});
