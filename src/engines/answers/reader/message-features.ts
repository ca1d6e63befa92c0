/** What the weights know a message by: places in a table of this size, with how much of each there is. */
export const buckets = 6144;

export interface MessageFeatures {
  at: Uint16Array;
  /** Of unit length, so that long messages weigh no more than short ones. */
  value: Float32Array;
}

const longestRead = 600;
const offset = 0x811c9dc5;
const prime = 0x01000193;
const step = (hash: number, code: number): number => Math.imul(hash ^ code, prime);

const tokenShape = /[\p{L}\p{N}_$@#][\p{L}\p{N}_$./:#*()-]*[\p{L}\p{N}_$()]|[\p{L}\p{N}]|[?!.,;:]+|'\p{L}+/gu;

/**
 * Words, neighbours, how it begins and ends, and pieces of words, which outlive typing errors. Names of code and numbers
 * stand for their kind: which one it is says nothing about who is asked.
 */
export function messageFeatures(text: string): MessageFeatures {
  const amounts = new Map<number, number>();
  const add = (hash: number, amount: number) => {
    const place = (hash >>> 0) % buckets;
    amounts.set(place, (amounts.get(place) ?? 0) + amount);
  };
  const words = wordsOf(text);
  for (const [at, word] of words.entries()) {
    add(hashOf(`w:${word}`), 1);
    if (at > 0) add(hashOf(`b:${words[at - 1]} ${word}`), 1);
    if (word.length > 3 && !word.startsWith('<')) addPieces(word, add);
  }
  const said = words.filter((word) => word !== '?');
  for (const length of [1, 2, 3])
    add(hashOf(`^${length}:${words.slice(0, length).join(' ')}`), length < 3 ? 1 : 0.7);
  add(hashOf(`$:${said.at(-1) ?? ''}`), 1);
  add(hashOf(`asked:${/\?\s*$/.test(text)}`), 1);
  add(hashOf(`length:${Math.min(4, Math.floor(Math.log2(words.length + 1)))}`), 1);
  return unit(amounts);
}

const wordsOf = (text: string): string[] =>
  (text.normalize('NFKC').slice(0, longestRead).replace(/’/g, "'").match(tokenShape) ?? [])
    .map(kindOrWord)
    .filter((token) => /[\p{L}\p{N}<'?]/u.test(token));

function kindOrWord(token: string): string {
  if (/^#?\d[\d.,]*$/.test(token)) return '<number>';
  if (/[\p{Ll}\p{N}]\p{Lu}|_|\p{L}[./:]\p{L}|\(\)|\*/u.test(token)) return '<name>';
  return token.toLowerCase();
}

/** Runs of three to five letters, with the word's ends marked. */
function addPieces(word: string, add: (hash: number, amount: number) => void) {
  const marked = `#${word}#`;
  for (let from = 0; from + 3 <= marked.length; from++) {
    let hash = hashOf('c:');
    for (let length = 1; length <= 5 && from + length <= marked.length; length++) {
      hash = step(hash, marked.charCodeAt(from + length - 1));
      if (length >= 3) add(hash, 0.35);
    }
  }
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = offset;
  for (let at = 0; at < text.length; at++) hash = step(hash, text.charCodeAt(at));
  return hash;
}

function unit(amounts: Map<number, number>): MessageFeatures {
  let sum = 0;
  for (const amount of amounts.values()) sum += amount * amount;
  const scale = 1 / (Math.sqrt(sum) || 1);
  return {
    at: Uint16Array.from(amounts.keys()),
    value: Float32Array.from(amounts.values(), (amount) => amount * scale),
  };
}
