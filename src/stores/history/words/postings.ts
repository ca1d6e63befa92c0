import type { Sqlite } from '../../../base/sqlite/index.ts';
import { createBytes, createNumbers, readBytes } from '../packed.ts';
import type { WordTable } from './tokenise.ts';

/** Which text a word stood in. */
export const wordFields = { message: 0, path: 1 } as const;
export type WordField = (typeof wordFields)[keyof typeof wordFields];

/** One place where a word stands: a commit or a path, how often in the title (subject, file name) and in the rest. */
export interface Posting {
  id: number;
  title: number;
  rest: number;
  /** Words of the whole document, at most 255. */
  length: number;
}

/** Gathers the words of many documents and writes them as one chunk for each word. */
export interface PostingsWriter {
  /** Ends with the document: `title` and `rest` are byte ranges of `buffer`. Answers its length in words. */
  add(id: number, title: Range, rest: Range[]): number;
  /** True when enough is held in memory that it should be written. */
  readonly full: boolean;
  flush(): void;
}

export interface Range {
  buffer: Buffer;
  start: number;
  end: number;
}

const holdAtMost = 1_500_000;
const appendUpTo = 2048;

export function createPostingsWriter(sqlite: Sqlite, field: WordField, table: WordTable): PostingsWriter {
  let heldWords = createNumbers(1 << 12);
  let heldIds = createNumbers(1 << 12);
  let heldTallies = createNumbers(1 << 12);
  const tally = createNumbers(1024);
  const document: number[] = [];
  let counting = 1;
  const count = (word: number) => {
    if (word >= tally.length || tally.array[word] === 0) {
      tally.set(word, 0);
      document.push(word);
    }
    const now = tally.array[word]!;
    const part = counting === 1 ? now & 0xff : now >> 8;
    if (part < 15) tally.array[word] = now + (counting === 1 ? 1 : 256);
  };
  const flush = () => {
    const words = heldWords.view();
    const perWord = new Int32Array(table.size + 1);
    for (const word of words) perWord[word + 1]!++;
    for (let at = 1; at < perWord.length; at++) perWord[at]! += perWord[at - 1]!;
    const order = new Int32Array(words.length);
    const next = perWord.slice();
    for (let at = 0; at < words.length; at++) order[next[words[at]!]!++] = at;
    const present: number[] = [];
    for (let word = 0; word < table.size; word++) if (perWord[word + 1]! > perWord[word]!) present.push(word);
    present.sort((a, b) => (table.text(a) < table.text(b) ? -1 : 1));
    const newest = sqlite.prepare(
      'SELECT chunk, count, data FROM postings WHERE word = ? AND field = ? ORDER BY chunk DESC LIMIT 1',
    );
    if (words.length === 0) return;
    const empty = !sqlite.get('SELECT 1 AS there FROM postings WHERE field = ? LIMIT 1', field);
    const insert = sqlite.prepare(
      `INSERT ${empty ? '' : 'OR REPLACE '}INTO postings (word, field, chunk, count, data) VALUES (?, ?, ?, ?, ?)`,
    );
    const bytes = createBytes(1 << 12);
    for (const word of present) {
      const text = table.text(word);
      const last = empty ? undefined : (newest.get(text, field) as StoredChunk | undefined);
      const joined = last && last.data.length < appendUpTo ? last : undefined;
      bytes.reset();
      let before = 0;
      if (joined) {
        bytes.append(joined.data);
        for (const posting of decode(joined.data)) before = posting.id;
      }
      for (let at = perWord[word]!; at < perWord[word + 1]!; at++) {
        const held = order[at]!;
        const packed = heldTallies.array[held]!;
        bytes.signed(heldIds.array[held]! - before);
        bytes.number(packed & 0xff);
        bytes.number(packed >> 8);
        before = heldIds.array[held]!;
      }
      const total = perWord[word + 1]! - perWord[word]! + (joined?.count ?? 0);
      const chunk = joined ? joined.chunk : last ? last.chunk + 1 : 0;
      insert.run(text, field, chunk, total, bytes.copy());
    }
    heldWords = createNumbers(1 << 12);
    heldIds = createNumbers(1 << 12);
    heldTallies = createNumbers(1 << 12);
  };
  return {
    get full() {
      return heldWords.length >= holdAtMost;
    },
    add: (id, title, rest) => {
      let length = 0;
      const see = (word: number) => {
        length++;
        count(word);
      };
      counting = 1;
      table.eachWord(title.buffer, title.start, title.end, see);
      counting = 2;
      for (const range of rest) table.eachWord(range.buffer, range.start, range.end, see);
      const norm = Math.min(255, length);
      for (const word of document) {
        const parts = tally.array[word]!;
        heldWords.push(word);
        heldIds.push(id);
        heldTallies.push(((parts & 0xff) | ((parts >> 8) << 4)) + norm * 256);
        tally.array[word] = 0;
      }
      document.length = 0;
      return length;
    },
    flush,
  };
}

interface StoredChunk {
  chunk: number;
  count: number;
  data: Uint8Array;
}

function* decode(data: Uint8Array): Generator<Posting> {
  const reader = readBytes(data);
  let id = 0;
  while (reader.at < reader.end) {
    id += reader.signed();
    const parts = reader.number();
    yield { id, title: parts & 15, rest: parts >> 4, length: reader.number() };
  }
}

/** Calls `see` for every place of a word. */
export function eachPosting(
  sqlite: Sqlite,
  word: string,
  field: WordField,
  see: (id: number, title: number, rest: number, length: number) => void,
): void {
  const chunks = sqlite.all<{ data: Uint8Array }>(
    'SELECT data FROM postings WHERE word = ? AND field = ? ORDER BY chunk',
    word,
    field,
  );
  for (const { data } of chunks) {
    const reader = readBytes(data);
    let id = 0;
    while (reader.at < reader.end) {
      id += reader.signed();
      const parts = reader.number();
      see(id, parts & 15, parts >> 4, reader.number());
    }
  }
}
