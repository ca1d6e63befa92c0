/**
 * Answers "surely not there" for a word without asking the index. A static filter (xor, nine bits a word) holds what
 * was known when it was made; a growing one (Bloom) holds what came since. It may say yes wrongly, never no.
 */
export interface TopicFilter {
  has(term: string): boolean;
  /** Words of something that was just written. */
  add(terms: Iterable<string>): void;
  /** Makes the static part anew; words that arrive meanwhile are kept. */
  rebuild(terms: Iterable<string>): void;
}

export function createTopicFilter(): TopicFilter {
  let settled: XorFilter | undefined;
  let recent = createBloom();
  return {
    has: (term) => {
      const hash = hashOf(term);
      return (settled?.has(hash) ?? false) || recent.has(hash);
    },
    add: (terms) => {
      for (const term of terms) recent.add(hashOf(term));
    },
    rebuild: (terms) => {
      // Two buffers: what is added while the terms are read lands in the one that stays.
      const before = recent;
      const next = createBloom();
      recent = { has: (hash) => before.has(hash) || next.has(hash), add: next.add };
      const made = buildXor([...new Set([...terms].map(hashOf))]);
      settled = made;
      recent = next;
    },
  };
}

/** FNV-1a over UTF-16 units, in two halves of 32 bits. */
type Hash = bigint;

function hashOf(term: string): Hash {
  let low = 0x811c9dc5;
  let high = 0x01000193;
  for (let at = 0; at < term.length; at++) {
    const unit = term.charCodeAt(at);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ (unit + at), 0x85ebca6b);
  }
  return (BigInt(high >>> 0) << 32n) | BigInt(mix(low ^ (high >>> 7)));
}

const mix = (value: number): number => {
  let mixed = value;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
  return (mixed ^ (mixed >>> 16)) >>> 0;
};

interface XorFilter {
  has(hash: Hash): boolean;
}

/** Three places for each key in three thirds of a table; peeled like a hypergraph (Graf and Lemire 2019). */
function buildXor(keys: Hash[]): XorFilter {
  const third = Math.max(8, Math.ceil((1.23 * keys.length + 32) / 3));
  for (let seed = 1; ; seed++) {
    const places = (hash: Hash): [number, number, number, number] => {
      const low = mix(Number(hash & 0xffffffffn) ^ Math.imul(seed, 0x9e3779b9));
      const high = mix(Number(hash >> 32n) ^ low);
      const other = mix(high ^ Math.imul(low, 0x27d4eb2f));
      return [low % third, third + (high % third), 2 * third + (other % third), (low ^ high) & 0xff];
    };
    const order = peel(keys, places, third * 3);
    if (!order) continue;
    const table = new Uint8Array(third * 3);
    for (const { key, place } of order.reverse()) {
      const [a, b, c, print] = places(key);
      table[place] = print ^ table[a]! ^ table[b]! ^ table[c]! ^ table[place]!;
    }
    return {
      has: (hash) => {
        const [a, b, c, print] = places(hash);
        return (table[a]! ^ table[b]! ^ table[c]!) === print;
      },
    };
  }
}

function peel(
  keys: Hash[],
  places: (hash: Hash) => [number, number, number, number],
  size: number,
): Array<{ key: Hash; place: number }> | undefined {
  const count = new Uint32Array(size);
  const mask = new BigUint64Array(size);
  for (const key of keys) {
    const [a, b, c] = places(key);
    for (const place of [a, b, c]) {
      count[place]!++;
      mask[place]! ^= key;
    }
  }
  const single: number[] = [];
  for (let place = 0; place < size; place++) if (count[place] === 1) single.push(place);
  const order: Array<{ key: Hash; place: number }> = [];
  while (single.length > 0) {
    const place = single.pop()!;
    if (count[place] !== 1) continue;
    const key = mask[place]!;
    order.push({ key, place });
    const [a, b, c] = places(key);
    for (const each of [a, b, c]) {
      count[each]!--;
      mask[each]! ^= key;
      if (count[each] === 1) single.push(each);
    }
  }
  return order.length === keys.length ? order : undefined;
}

interface Bloom {
  has(hash: Hash): boolean;
  add(hash: Hash): void;
}

const bloomBits = 1 << 17;

function createBloom(): Bloom {
  const bits = new Uint8Array(bloomBits >> 3);
  const placesOf = (hash: Hash): number[] => {
    const low = Number(hash & 0xffffffffn);
    const high = Number(hash >> 32n) | 1;
    return [0, 1, 2, 3, 4, 5].map((round) => (low + Math.imul(round, high)) & (bloomBits - 1));
  };
  return {
    add: (hash) => {
      for (const place of placesOf(hash)) bits[place >> 3]! |= 1 << (place & 7);
    },
    has: (hash) => placesOf(hash).every((place) => (bits[place >> 3]! >> (place & 7)) & 1),
  };
}
