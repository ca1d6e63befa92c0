import type { ChangeKind } from './git/raw-parser.ts';
import { type Bytes, createBytes, createNumbers, readBytes } from './packed.ts';

/**
 * Everything about commits that questions and derivations look at, in arrays by commit id: dates, parents, what was
 * touched. A hundred thousand commits are a few megabytes and load in milliseconds.
 */
export interface Facts {
  /** Ids run from 0 to count - 1. */
  readonly count: number;
  known(id: number): boolean;
  committed(id: number): number;
  authored(id: number): number;
  flags(id: number): number;
  /** Words of the message, for the length of a document. */
  words(id: number): number;
  parents(id: number): number[];
  /** How many files the commit touched. */
  size(id: number): number;
  eachChange(id: number, see: (path: number, kind: ChangeKind, from: number) => void): void;
  add(id: number, fact: CommitFact): void;
  setChanges(id: number, size: number, packed: Uint8Array): void;
  /** Pages that hold commits from `first` on, ready to be stored. */
  pagesFrom(first: number): Iterable<{ page: number; data: Uint8Array }>;
}

export interface CommitFact {
  committed: number;
  authored: number;
  flags: number;
  words: number;
  parents: number[];
}

/** Bits of `flags`. */
export const commitFlags = { bot: 1, tagged: 2 } as const;

const pageSize = 256;

/** A change as numbers: the path with its kind, and where a rename came from. */
export function packChange(bytes: Bytes, path: number, kind: ChangeKind, from: number): void {
  bytes.number(path * 4 + kind);
  if (kind === 3) bytes.number(from);
}

/** Where stored pages come from; each is read when one of its commits is first looked at. */
export interface FactPages {
  count: number;
  load(page: number): Uint8Array | undefined;
}

export function createFacts(stored: FactPages = { count: 0, load: () => undefined }): Facts {
  const committed = createDoubles();
  const authored = createDoubles();
  const flags = createNumbers(1024, -1);
  const words = createNumbers();
  const parentStart = createNumbers();
  const parentCount = createNumbers();
  const parentList = createNumbers();
  const sizes = createNumbers();
  const start = createNumbers();
  const end = createNumbers();
  const heap = createBytes(1 << 16);
  let count = stored.count;
  const unread = new Uint8Array(Math.ceil(stored.count / pageSize)).fill(1);
  const touch = (id: number) => {
    const page = Math.floor(id / pageSize);
    if (page >= unread.length || unread[page] === 0) return;
    unread[page] = 0;
    const data = stored.load(page);
    if (data) readPage(page, data);
  };

  const facts: Facts = {
    get count() {
      return count;
    },
    known: (id) => {
      touch(id);
      return id >= 0 && id < flags.length && flags.array[id]! >= 0;
    },
    committed: (id) => {
      touch(id);
      return committed.get(id);
    },
    authored: (id) => {
      touch(id);
      return authored.get(id);
    },
    flags: (id) => {
      touch(id);
      return flags.array[id]!;
    },
    words: (id) => {
      touch(id);
      return words.array[id]!;
    },
    parents: (id) => {
      touch(id);
      const from = parentStart.array[id]!;
      const parents: number[] = [];
      for (let at = from; at < from + parentCount.array[id]!; at++) parents.push(parentList.array[at]!);
      return parents;
    },
    size: (id) => {
      touch(id);
      return sizes.array[id] ?? 0;
    },
    eachChange: (id, see) => {
      touch(id);
      const reader = readBytes(heap.array, start.array[id] ?? 0, end.array[id] ?? 0);
      while (reader.at < reader.end) {
        const value = reader.number();
        const kind = (value & 3) as ChangeKind;
        see((value - kind) / 4, kind, kind === 3 ? reader.number() : -1);
      }
    },
    add: (id, fact) => {
      touch(id);
      if (id >= count) count = id + 1;
      committed.set(id, fact.committed);
      authored.set(id, fact.authored);
      flags.set(id, fact.flags);
      words.set(id, fact.words);
      parentStart.set(id, parentList.length);
      parentCount.set(id, fact.parents.length);
      for (const parent of fact.parents) parentList.push(parent);
    },
    setChanges: (id, size, packed) => {
      touch(id);
      sizes.set(id, size);
      start.set(id, heap.length);
      heap.append(packed);
      end.set(id, heap.length);
    },
    pagesFrom: function* (first) {
      const bytes = createBytes(1 << 14);
      for (let page = Math.floor(first / pageSize); page * pageSize < count; page++) {
        bytes.reset();
        for (let id = page * pageSize; id < Math.min(count, (page + 1) * pageSize); id++) write(bytes, id);
        yield { page, data: bytes.copy() };
      }
    },
  };

  const write = (bytes: Bytes, id: number) => {
    if (!facts.known(id)) return bytes.number(0);
    bytes.number(flags.array[id]! + 1);
    bytes.signed(committed.get(id));
    bytes.signed(authored.get(id) - committed.get(id));
    bytes.number(words.array[id]!);
    const parents = facts.parents(id);
    bytes.number(parents.length);
    for (const parent of parents) bytes.signed(parent - id);
    const from = start.array[id] ?? 0;
    const to = end.array[id] ?? 0;
    bytes.number(sizes.array[id] ?? 0);
    bytes.number(to - from);
    bytes.append(heap.array.subarray(from, to));
  };

  const readPage = (page: number, data: Uint8Array) => {
    const reader = readBytes(data);
    for (let id = page * pageSize; reader.at < reader.end; id++) {
      const mark = reader.number();
      if (mark === 0) continue;
      const at = reader.signed();
      const fact = { flags: mark - 1, committed: at, authored: at + reader.signed(), words: reader.number() };
      const parents = Array.from({ length: reader.number() }, () => id + reader.signed());
      facts.add(id, { ...fact, parents });
      const size = reader.number();
      const length = reader.number();
      facts.setChanges(id, size, data.subarray(reader.at, reader.at + length));
      reader.at += length;
    }
  };
  return facts;
}

function createDoubles() {
  let array = new Float64Array(1024);
  return {
    get: (at: number) => array[at]!,
    set: (at: number, value: number) => {
      if (at >= array.length) {
        const larger = new Float64Array(Math.max(array.length * 2, at + 1));
        larger.set(array);
        array = larger;
      }
      array[at] = value;
    },
  };
}
