import type { Sqlite } from '../../../base/sqlite/index.ts';
import { createBytes, createNumbers, readBytes } from '../packed.ts';
import type { WordTable } from './tokenise.ts';

/** The kind of text a word occurred in. */
export const wordFields = { message: 0, path: 1 } as const;
type WordField = (typeof wordFields)[keyof typeof wordFields];

const holdAtMost = 1_500_000;
const appendUpTo = 2048;

interface StoredChunk {
  chunk: number;
  count: number;
  data: Uint8Array;
}

/** Collects the words of many documents and writes one chunk per word. */
export function createPostingsWriter(sqlite: Sqlite, field: WordField, table: WordTable) {
  const start = () => ({ words: createNumbers(), ids: createNumbers(), tallies: createNumbers() });
  let held = start();
  /** By word, for the current document: count in the title, plus 256 times the count in the rest. */
  const counts = createNumbers();
  const document: number[] = [];
  const count = (text: Uint8Array, one: 1 | 256): number => {
    let length = 0;
    table.eachWord(text, (word) => {
      length++;
      const now = counts.get(word);
      if (now === 0) document.push(word);
      if ((one === 1 ? now & 0xff : now >> 8) < 15) counts.set(word, now + one);
    });
    return length;
  };
  /** Target positions of the collected occurrences, so that those of one word are together in order. */
  const byWord = () => {
    const ends = new Int32Array(table.size + 1);
    for (let at = 0; at < held.words.length; at++) bump(ends, held.words.get(at) + 1, 1);
    for (let word = 1; word <= table.size; word++) bump(ends, word, ends[word - 1] ?? 0);
    const next = ends.slice();
    const order = new Int32Array(held.words.length);
    for (let at = 0; at < order.length; at++) order[bump(next, held.words.get(at), 1) - 1] = at;
    return { placesOf: (word: number) => order.subarray(ends[word], ends[word + 1]) };
  };
  const flush = () => {
    if (held.words.length === 0) return;
    const { placesOf } = byWord();
    const words: Array<[string, Int32Array]> = [];
    for (let word = 0; word < table.size; word++) {
      const places = placesOf(word);
      if (places.length > 0) words.push([table.text(word), places]);
    }
    const isEmpty = sqlite.value('SELECT 1 FROM postings WHERE field = ? LIMIT 1', field) === undefined;
    const newest = sqlite.prepare<StoredChunk>(
      'SELECT chunk, count, data FROM postings WHERE word = ? AND field = ? ORDER BY chunk DESC LIMIT 1',
    );
    const insert = sqlite.prepare(
      `INSERT ${isEmpty ? '' : 'OR REPLACE '}INTO postings (word, field, chunk, count, data) VALUES (?, ?, ?, ?, ?)`,
    );
    const bytes = createBytes(1 << 12);
    for (const [word, places] of words.sort(([a], [b]) => (a < b ? -1 : 1))) {
      const last = isEmpty ? undefined : newest.get(word, field);
      const joined = last && last.data.length < appendUpTo ? last : undefined;
      let before = 0;
      bytes.reset();
      if (joined) {
        bytes.append(joined.data);
        eachIn(joined.data, (id) => {
          before = id;
        });
      }
      for (const place of places) {
        const [id, tally] = [held.ids.get(place), held.tallies.get(place)];
        bytes.signed(id - before);
        bytes.number(tally & 0xff);
        bytes.number(tally >> 8);
        before = id;
      }
      const chunk = joined?.chunk ?? (last?.chunk ?? -1) + 1;
      insert.run(word, field, chunk, places.length + (joined?.count ?? 0), bytes.view());
    }
    held = start();
  };
  return {
    /** `title` is the subject or the file name, `rest` everything else. Returns the length in words. */
    add: (id: number, title: Uint8Array, rest: Uint8Array): number => {
      const length = count(title, 1) + count(rest, 256);
      for (const word of document) {
        const parts = counts.get(word);
        held.words.push(word);
        held.ids.push(id);
        held.tallies.push(((parts & 0xff) | ((parts >> 8) << 4)) + Math.min(255, length) * 256);
        counts.set(word, 0);
      }
      document.length = 0;
      if (held.words.length >= holdAtMost) flush();
      return length;
    },
    flush,
  };
}

const bump = (values: Int32Array, at: number, by: number): number => {
  const value = (values[at] ?? 0) + by;
  values[at] = value;
  return value;
};

type SeePosting = (id: number, title: number, rest: number, length: number) => void;

function eachIn(data: Uint8Array, see: SeePosting): void {
  const reader = readBytes(data);
  let id = 0;
  while (reader.at < reader.end) {
    id += reader.signed();
    const tally = reader.number();
    see(id, tally & 15, tally >> 4, reader.number());
  }
}

/** Every occurrence of a word: a commit or a path, count in the title and in the rest, words of the document up to 255. */
export function eachPosting(sqlite: Sqlite, word: string, field: WordField, see: SeePosting): void {
  const sql = 'SELECT data FROM postings WHERE word = ? AND field = ? ORDER BY chunk';
  for (const data of sqlite.column<Uint8Array>(sql, word, field)) eachIn(data, see);
}
