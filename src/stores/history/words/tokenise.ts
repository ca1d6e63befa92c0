import { isStopWord, searchWords, stem } from '../../../base/text/index.ts';

const [upper, lower, digit] = [1, 2, 3];
const classes = new Uint8Array(256);
classes.fill(upper, 0x41, 0x5b).fill(lower, 0x61, 0x7b).fill(digit, 0x30, 0x3a);

const longest = 64;

export type WordTable = ReturnType<typeof createWordTable>;

/**
 * The words of bytes, as numbers: the same words that `searchWords` finds, without creating a string for each
 * occurrence, which would double the time of a first index. Every distinct spelling is lowercased, checked and
 * stemmed once.
 */
export function createWordTable() {
  const words: string[] = [];
  const idOf = new Map<string, number>();
  const wordId = (text: string): number => {
    const id = idOf.get(text) ?? words.length;
    if (id === words.length) {
      words.push(text);
      idOf.set(text, id);
    }
    return id;
  };

  // Spellings by the hash of their bytes, in open addressing; `meaning` is the word's id + 1, or 0 for a stop word.
  let slots = new Int32Array(1 << 14).fill(-1);
  const hashes: number[] = [];
  const starts: number[] = [0];
  const meaning: number[] = [];
  let heap = Buffer.alloc(1 << 18);

  const grow = () => {
    slots = new Int32Array(slots.length * 2).fill(-1);
    for (const [spelling, hash] of hashes.entries()) {
      let slot = hash & (slots.length - 1);
      while (slots[slot] !== -1) slot = (slot + 1) & (slots.length - 1);
      slots[slot] = spelling;
    }
  };
  const isAt = (spelling: number, hash: number, bytes: Uint8Array, start: number, end: number): boolean => {
    const from = starts[spelling] ?? 0;
    if (hashes[spelling] !== hash || (starts[spelling + 1] ?? 0) - from !== end - start) return false;
    for (let at = start; at < end; at++)
      if (heap[from + at - start] !== ((bytes[at] ?? 0) | 0x20)) return false;
    return true;
  };
  const meaningOf = (bytes: Uint8Array, start: number, end: number): number => {
    let hash = 0x811c9dc5;
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ ((bytes[at] ?? 0) | 0x20), 0x01000193);
    hash ^= hash >>> 15;
    let slot = hash & (slots.length - 1);
    for (let found = slots[slot] ?? -1; found !== -1; found = slots[slot] ?? -1) {
      if (isAt(found, hash, bytes, start, end)) return meaning[found] ?? 0;
      slot = (slot + 1) & (slots.length - 1);
    }
    slots[slot] = meaning.length;
    hashes.push(hash);
    let used = starts.at(-1) ?? 0;
    if (used + end - start > heap.length) heap = Buffer.concat([heap], heap.length * 2);
    for (let at = start; at < end; at++) heap[used++] = (bytes[at] ?? 0) | 0x20;
    const text = heap.toString('latin1', starts.at(-1), used);
    starts.push(used);
    const value = isStopWord(text) ? 0 : wordId(stem(text)) + 1;
    meaning.push(value);
    if (meaning.length * 2 > slots.length) grow();
    return value;
  };

  return {
    get size() {
      return words.length;
    },
    text: (word: number): string => words[word] ?? '',
    /** Calls `see` for each word, without stop words. */
    eachWord: (bytes: Uint8Array, see: (word: number) => void): void => {
      if (bytes.some((byte) => byte >= 0x80)) {
        for (const word of searchWords(Buffer.from(bytes).toString('utf8'))) see(wordId(word));
        return;
      }
      for (let at = 0; at < bytes.length; ) {
        const start = at;
        at = wordEnd(bytes, at);
        if (classes[bytes[start] ?? 0] === 0 || at - start > longest) continue;
        const value = meaningOf(bytes, start, at);
        if (value > 0) see(value - 1);
      }
    },
  };
}

/** `getHTTPResponse2Go` is get, http, response2, go. */
function wordEnd(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  for (let before = classes[bytes[start] ?? 0]; before !== 0; at++) {
    const now = classes[bytes[at] ?? 0];
    if (now === 0) return at;
    const isStart = before !== upper || classes[bytes[at + 1] ?? 0] === lower;
    if (now === upper && isStart) return at;
    before = now;
  }
  return at;
}
