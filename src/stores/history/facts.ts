import type { ChangeKind } from './git/raw-parser.ts';
import { type Bytes, createBytes, createNumbers, readBytes } from './packed.ts';

/** Bits of `flags`. */
export const commitFlags = { bot: 1, tagged: 2 } as const;

const pageSize = 256;

/** A change as numbers: the path with its kind, and the old path of a rename. */
export function packChange(bytes: Bytes, path: number, kind: ChangeKind, from: number): void {
  bytes.number(path * 4 + kind);
  if (kind === 3) bytes.number(from);
}

const kinds: readonly ChangeKind[] = [0, 1, 2, 3];

interface CommitFact {
  committed: number;
  authored: number;
  flags: number;
  /** Number of words in the message, for the document length. */
  words: number;
  parents: number[];
}

/**
 * Everything about commits that queries and derivations need, in arrays by commit id: dates, parents, changed
 * paths. A hundred thousand commits take a few megabytes and load in milliseconds.
 */
export type Facts = ReturnType<typeof createFacts>;

/** `load` reads a stored page on first use of one of its commits. Ids run from 0 to count - 1. */
export function createFacts(stored: number, load: (page: number) => Uint8Array | undefined) {
  const committed = createNumbers(0, [], Float64Array);
  const authored = createNumbers(0, [], Float64Array);
  const flags = createNumbers(-1);
  const words = createNumbers();
  const parentStart = createNumbers();
  const parentCount = createNumbers();
  const parentList = createNumbers();
  const sizes = createNumbers();
  const start = createNumbers();
  const end = createNumbers();
  const heap = createBytes(1 << 16);
  let count = stored;
  const unread = new Uint8Array(Math.ceil(stored / pageSize)).fill(1);
  const touch = (id: number) => {
    const page = Math.floor(id / pageSize);
    if (page >= unread.length || unread[page] === 0) return;
    unread[page] = 0;
    const data = load(page);
    if (data) readPage(page, data);
  };
  const by = (numbers: typeof flags) => (id: number) => {
    touch(id);
    return numbers.get(id);
  };
  const add = (id: number, fact: CommitFact) => {
    touch(id);
    if (id >= count) count = id + 1;
    committed.set(id, fact.committed);
    authored.set(id, fact.authored);
    flags.set(id, fact.flags);
    words.set(id, fact.words);
    parentStart.set(id, parentList.length);
    parentCount.set(id, fact.parents.length);
    for (const parent of fact.parents) parentList.push(parent);
  };
  const setChanges = (id: number, size: number, packed: Uint8Array) => {
    touch(id);
    sizes.set(id, size);
    start.set(id, heap.length);
    heap.append(packed);
    end.set(id, heap.length);
  };
  const known = (id: number): boolean => {
    touch(id);
    return flags.get(id) >= 0;
  };
  const parents = (id: number): number[] => {
    touch(id);
    return Array.from({ length: parentCount.get(id) }, (_, at) => parentList.get(parentStart.get(id) + at));
  };
  const write = (bytes: Bytes, id: number) => {
    if (!known(id)) return bytes.number(0);
    bytes.number(flags.get(id) + 1);
    bytes.signed(committed.get(id));
    bytes.signed(authored.get(id) - committed.get(id));
    bytes.number(words.get(id));
    bytes.number(parentCount.get(id));
    for (const parent of parents(id)) bytes.signed(parent - id);
    const changes = heap.view(start.get(id), end.get(id));
    bytes.number(sizes.get(id));
    bytes.number(changes.length);
    bytes.append(changes);
  };
  const readPage = (page: number, data: Uint8Array) => {
    const reader = readBytes(data);
    for (let id = page * pageSize; reader.at < reader.end; id++) {
      const mark = reader.number();
      if (mark === 0) continue;
      const at = reader.signed();
      const fact = { flags: mark - 1, committed: at, authored: at + reader.signed(), words: reader.number() };
      add(id, { ...fact, parents: Array.from({ length: reader.number() }, () => id + reader.signed()) });
      const size = reader.number();
      const length = reader.number();
      setChanges(id, size, data.subarray(reader.at, reader.at + length));
      reader.at += length;
    }
  };
  return {
    get count() {
      return count;
    },
    known,
    committed: by(committed),
    authored: by(authored),
    flags: by(flags),
    words: by(words),
    parents,
    /** How many files the commit touched. */
    size: by(sizes),
    eachChange: (id: number, see: (path: number, kind: ChangeKind, from: number) => void) => {
      touch(id);
      const reader = heap.reader(start.get(id), end.get(id));
      while (reader.at < reader.end) {
        const value = reader.number();
        const kind = kinds[value & 3] ?? 0;
        see((value - kind) / 4, kind, kind === 3 ? reader.number() : -1);
      }
    },
    add,
    setChanges,
    /** Pages with the commits from `first` on, ready to be stored. */
    pagesFrom: function* (first: number) {
      const bytes = createBytes(1 << 14);
      for (let page = Math.floor(first / pageSize); page * pageSize < count; page++) {
        bytes.reset();
        for (let id = page * pageSize; id < Math.min(count, (page + 1) * pageSize); id++) write(bytes, id);
        yield { page, data: bytes.view() };
      }
    },
  };
}
