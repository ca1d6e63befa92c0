import { isStopWord, searchWords, stem } from '../../../base/text/index.ts';

/**
 * The words of a byte range, as numbers: the same words that `searchWords` finds, without making a string for each
 * occurrence. Every distinct spelling is lower-cased, checked and stemmed once.
 */
export interface WordTable {
  /** Calls `see` for each word between start and end; stop words are left out. */
  eachWord(buffer: Buffer, start: number, end: number, see: (word: number) => void): void;
  text(word: number): string;
  readonly size: number;
}

const upper = 1;
const lower = 2;
const digit = 3;
const classes = new Uint8Array(256);
for (let code = 0x41; code <= 0x5a; code++) classes[code] = upper;
for (let code = 0x61; code <= 0x7a; code++) classes[code] = lower;
for (let code = 0x30; code <= 0x39; code++) classes[code] = digit;

const longest = 64;

export function createWordTable(): WordTable {
  const words: string[] = [];
  const idOf = new Map<string, number>();
  const wordId = (text: string): number => {
    let id = idOf.get(text);
    if (id === undefined) {
      id = words.length;
      words.push(text);
      idOf.set(text, id);
    }
    return id;
  };

  // Spellings: open addressing over the bytes; `meaning` is the word's id + 1, or 0 for a stop word.
  let capacity = 1 << 14;
  let slots = new Int32Array(capacity).fill(-1);
  let hashes = new Int32Array(capacity);
  const offsets: number[] = [0];
  const meaning: number[] = [];
  let heap = Buffer.alloc(1 << 18);
  let used = 0;

  const grow = () => {
    const old = slots;
    const oldHashes = hashes;
    capacity *= 2;
    slots = new Int32Array(capacity).fill(-1);
    hashes = new Int32Array(capacity);
    for (let at = 0; at < old.length; at++) {
      if (old[at] === -1) continue;
      let slot = oldHashes[at]! & (capacity - 1);
      while (slots[slot] !== -1) slot = (slot + 1) & (capacity - 1);
      slots[slot] = old[at]!;
      hashes[slot] = oldHashes[at]!;
    }
  };

  const spelling = (buffer: Buffer, start: number, end: number): number => {
    let hash = 0x811c9dc5;
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ (buffer[at]! | 0x20), 0x01000193);
    hash ^= hash >>> 15;
    let slot = hash & (capacity - 1);
    const length = end - start;
    search: for (;;) {
      const found = slots[slot]!;
      if (found === -1) break;
      if (hashes[slot] === hash && offsets[found + 1]! - offsets[found]! === length) {
        let at = offsets[found]!;
        for (let from = start; from < end; from++, at++) {
          if (heap[at] !== (buffer[from]! | 0x20)) {
            slot = (slot + 1) & (capacity - 1);
            continue search;
          }
        }
        return meaning[found]!;
      }
      slot = (slot + 1) & (capacity - 1);
    }
    const id = meaning.length;
    slots[slot] = id;
    hashes[slot] = hash;
    if (used + length > heap.length) heap = Buffer.concat([heap], heap.length * 2);
    for (let from = start; from < end; from++) heap[used++] = buffer[from]! | 0x20;
    offsets.push(used);
    const text = heap.toString('latin1', used - length, used);
    const value = isStopWord(text) ? 0 : wordId(stem(text)) + 1;
    meaning.push(value);
    if (meaning.length * 2 > capacity) grow();
    return value;
  };

  return {
    get size() {
      return words.length;
    },
    text: (word) => words[word]!,
    eachWord: (buffer, start, end, see) => {
      for (let at = start; at < end; at++) {
        if (buffer[at]! < 0x80) continue;
        for (const word of searchWords(buffer.toString('utf8', start, end))) see(wordId(word));
        return;
      }
      let at = start;
      while (at < end) {
        if (classes[buffer[at]!] === 0) {
          at++;
          continue;
        }
        const from = at;
        at = wordEnd(buffer, at, end);
        if (at - from > longest) continue;
        const value = spelling(buffer, from, at);
        if (value > 0) see(value - 1);
      }
    },
  };
}

/** `getHTTPResponse2Go` is get, http, response2, go. */
function wordEnd(buffer: Buffer, start: number, end: number): number {
  let at = start + 1;
  let before = classes[buffer[start]!]!;
  while (at < end) {
    const now = classes[buffer[at]!]!;
    if (now === 0) return at;
    if (now === upper) {
      if (before !== upper) return at;
      if (at + 1 < end && classes[buffer[at + 1]!] === lower) return at;
    }
    before = now;
    at++;
  }
  return at;
}
