import { compileGlob, type PathTest } from '../../base/glob/index.ts';

/** Finds the atoms that match a path without trying every pattern. */
export interface PathIndex {
  set(atom: string, patterns: string[]): void;
  remove(atom: string): void;
  /** Matching atoms, each once. */
  match(path: string): string[];
  readonly atoms: number;
}

interface Pattern {
  atom: string;
  text: string;
  test: PathTest | undefined;
  /** Its bucket. */
  key: string;
}

/** Longer than any path in a repository; longer ones get no answer instead of a slow one. */
const longestPath = 4096;

/**
 * Every pattern is in one bucket, keyed by text that a matching path must contain: the literal start of the pattern,
 * its literal end, a whole segment, or the start of one. A path checks only the buckets of its own text.
 */
export function createPathIndex(): PathIndex {
  const owned = new Map<string, Pattern[]>();
  const buckets = new Map<string, Pattern[]>();
  const starts = createLengths();
  const ends = createLengths();
  const segmentStarts = createLengths();

  const drop = (atom: string) => {
    for (const pattern of owned.get(atom) ?? []) {
      const bucket = buckets.get(pattern.key) ?? [];
      bucket.splice(bucket.indexOf(pattern), 1);
      if (bucket.length === 0) buckets.delete(pattern.key);
      count(pattern.key, -1);
    }
    owned.delete(atom);
  };
  const count = (key: string, by: number) => {
    if (key.startsWith('<')) starts.add(key.length - 1, by);
    else if (key.startsWith('>')) ends.add(key.length - 1, by);
    else if (key.startsWith('^')) segmentStarts.add(key.length - 1, by);
  };
  const put = (atom: string, text: string): Pattern => {
    const keys = bucketKeys(text);
    let [key = '*'] = keys;
    for (const other of keys)
      if ((buckets.get(other)?.length ?? 0) < (buckets.get(key)?.length ?? 0)) key = other;
    const pattern = { atom, text, test: undefined, key };
    const bucket = buckets.get(key);
    if (bucket) bucket.push(pattern);
    else buckets.set(key, [pattern]);
    count(key, 1);
    return pattern;
  };
  const look = (key: string, path: string, found: Set<string>) => {
    for (const pattern of buckets.get(key) ?? []) {
      if (found.has(pattern.atom)) continue;
      pattern.test ??= testOf(pattern.text);
      if (pattern.test(path)) found.add(pattern.atom);
    }
  };
  return {
    set: (atom, patterns) => {
      drop(atom);
      owned.set(
        atom,
        patterns.map((text) => put(atom, text)),
      );
    },
    remove: drop,
    match: (path) => {
      const found = new Set<string>();
      if (path.length > longestPath) return [];
      for (const length of starts.upTo(path.length)) look(`<${path.slice(0, length)}`, path, found);
      for (const length of ends.upTo(path.length)) look(`>${path.slice(path.length - length)}`, path, found);
      for (const segment of path.split('/')) {
        look(`/${segment}`, path, found);
        for (const length of segmentStarts.upTo(segment.length))
          look(`^${segment.slice(0, length)}`, path, found);
      }
      look('*', path, found);
      return [...found];
    },
    get atoms() {
      return owned.size;
    },
  };
}

/** Literals and whole folders need no glob matching. */
function testOf(text: string): PathTest {
  const folder = text.endsWith('/**') ? text.slice(0, -3) : undefined;
  if (folder !== undefined && !special.test(folder))
    return (path) =>
      path.startsWith(folder) && (path.length === folder.length || path[folder.length] === '/');
  if (!special.test(text)) return (path) => path === text;
  return compileGlob(text);
}

const special = /[*?[\]{}()!+@\\|^$]/;

/** Texts that every matching path contains, most selective first; `*` when there is none. */
function bucketKeys(pattern: string): string[] {
  const first = pattern.search(special);
  if (first < 0) return [`<${pattern}`];
  const keys: string[] = [];
  const start = pattern.slice(0, first).replace(/\/$/, '');
  if (start !== '') keys.push(`<${start}`);
  let last = pattern.length - 1;
  while (!special.test(pattern.charAt(last))) last--;
  const end = pattern.slice(last + 1).replace(/^\//, '');
  if (end !== '') keys.push(`>${end}`);
  if (!/[{}[\]()\\]/.test(pattern))
    for (const segment of pattern.split('/')) {
      const literal = segment.slice(0, segment.search(special));
      if (segment !== '' && !special.test(segment)) keys.push(`/${segment}`);
      else if (literal !== '') keys.push(`^${literal}`);
    }
  return keys.length > 0 ? keys : ['*'];
}

/** The lengths in use, ascending. */
function createLengths() {
  const counts = new Map<number, number>();
  let sorted: number[] | undefined;
  return {
    add: (length: number, by: number): void => {
      const count = (counts.get(length) ?? 0) + by;
      if (count > 0) counts.set(length, count);
      else counts.delete(length);
      sorted = undefined;
    },
    upTo: (longest: number): number[] => {
      sorted ??= [...counts.keys()].sort((a, b) => a - b);
      return (sorted.at(-1) ?? 0) <= longest ? sorted : sorted.filter((length) => length <= longest);
    },
  };
}
