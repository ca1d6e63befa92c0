import type { Index } from 'usearch';
import { similarity } from '../embedding/index.ts';
import type { Sqlite } from '../sqlite/index.ts';
import { compactInThread } from './compact.ts';
import { appendRows, type Scored, scan, type Tail } from './exact-scan.ts';
import { dropGraph, type GraphRecord, graphPath, openGraph, readRecord } from './graph-file.ts';
import { openVectorTable, type VectorMatch, type VectorRow } from './vector-table.ts';

export interface VectorSpaceState {
  count: number;
  /** Rows that the graph does not hold yet; they are compared one by one. */
  tail: number;
  mode: 'exact' | 'mapped';
  /** Why the graph is not used although there could be one. */
  problem?: 'damaged' | 'no-runtime';
}

export interface VectorSpace {
  readonly name: string;
  readonly dimensions: number;
  put(rows: VectorRow[]): void;
  remove(keys: string[]): void;
  /** Leaves no trace of the vectors either: a graph that holds one of them goes with them, and is made anew later. */
  erase(keys: string[]): void;
  having(keys: string[], tier?: number): Set<string>;
  get(key: string): Float32Array | undefined;
  /** Nearest first. With `accept`, the search widens until `limit` accepted rows are found or none are left. */
  search(query: Float32Array, limit: number, accept?: (key: string) => boolean): VectorMatch[];
  state(): VectorSpaceState;
  /** True when enough rows have gathered outside the graph that taking them in is worth it. */
  needsCompaction(): boolean;
  /** Takes all rows into the graph, in a thread; searches go on meanwhile. */
  compact(): Promise<void>;
  clear(): void;
}

export interface VectorSpaceOptions {
  sqlite: Sqlite;
  /** Where the graph's file lies. */
  directory: string;
  name: string;
  dimensions: number;
  /** Below this many rows there is no graph. */
  exactBelow?: number;
}

/** Rows that are compared with their exact vectors for each one wanted: the graph's own distances are rounded. */
const compared = 1.2;
const leastSpare = 8;
/** What the graph is asked for on top of that: the further it looks around, the less it misses. */
const asked = 4;
const heldRows = 20_000;

export function openVectorSpace(options: VectorSpaceOptions): VectorSpace {
  const { sqlite, directory, name, dimensions, exactBelow = 1024 } = options;
  const table = openVectorTable(sqlite, name, dimensions);
  let graph: Index | undefined;
  let record: GraphRecord | undefined;
  let problem: VectorSpaceState['problem'];
  let tail: Tail = { sequences: [], values: new Float32Array(0) };
  let tailFrom = -1;

  /** Another process may have made a newer graph or added rows: both are seen here. */
  const refresh = () => {
    const current = readRecord(sqlite, name);
    if (current?.generation !== record?.generation || tailFrom < 0) {
      record = current;
      graph = undefined;
      problem = undefined;
      if (current) {
        const opened = openGraph(
          graphPath(directory, name, current.generation),
          current,
          dimensions,
          'mapped',
        );
        if ('graph' in opened) graph = opened.graph;
        else problem = opened.problem;
      }
      tail = { sequences: [], values: new Float32Array(0) };
      tailFrom = graph && record ? record.watermark : 0;
    }
    const last = table.lastSequence();
    for (;;) {
      const from = tail.sequences.at(-1) ?? tailFrom;
      if (from >= last || tail.sequences.length >= heldRows) return;
      const rows = table.after(from, 2048);
      if (rows.length === 0) return;
      appendRows(tail, rows, dimensions);
    }
  };

  /** The `wanted` nearest rows of the graph and as many of those outside it, as they were when they were put there. */
  const candidates = (query: Float32Array, wanted: number): number[] => {
    const found = scan(tail, query, wanted);
    if (tail.sequences.length >= heldRows)
      found.push(...scanStored(tail.sequences.at(-1) ?? 0, query, wanted));
    const sequences = found.map((each) => each.sequence);
    if (!graph || graph.size() === 0) return sequences;
    const near = graph.search(query, Math.min(wanted * asked, graph.size()), 1);
    for (const label of near.keys.subarray(0, wanted)) sequences.push(Number(label));
    return sequences;
  };

  /** Without a graph and with more rows than memory should hold, the rest is read through. */
  const scanStored = (after: number, query: Float32Array, wanted: number): Scored[] => {
    let best: Scored[] = [];
    for (let from = after; ; ) {
      const rows = table.after(from, 4096);
      const last = rows.at(-1);
      if (!last) return best;
      from = last.sequence;
      for (const { sequence, vector } of rows) best.push({ sequence, score: similarity(query, vector) });
      best = best.sort((left, right) => right.score - left.score).slice(0, wanted);
    }
  };

  const search: VectorSpace['search'] = (query, limit, accept) => {
    refresh();
    const total = tail.sequences.length + (graph?.size() ?? 0);
    for (let wanted = Math.ceil(limit * compared) + leastSpare; ; wanted *= 4) {
      const sequences = candidates(query, wanted);
      const rows = table.compare(query, sequences);
      const matches = rows
        .filter((row) => !accept || accept(row.key))
        .sort((left, right) => right.score - left.score || (left.key < right.key ? -1 : 1))
        .slice(0, limit);
      // What is gone took the place of something further away.
      const whole = sequences.length - rows.length <= wanted - limit;
      if ((matches.length >= limit && whole) || wanted >= total) return matches;
    }
  };

  const outside = () => table.countAfter(graph && record ? record.watermark : 0);
  return {
    name,
    dimensions,
    put: table.put,
    remove: table.remove,
    erase: (keys) => {
      const known = table.having(keys).size > 0;
      table.remove(keys);
      if (!known) return;
      graph = undefined;
      dropGraph({ sqlite, directory, name });
      refresh();
    },
    having: table.having,
    get: table.get,
    search,
    state: () => {
      refresh();
      return {
        count: table.count(),
        tail: outside(),
        mode: graph ? 'mapped' : 'exact',
        problem,
      };
    },
    needsCompaction: () => {
      refresh();
      if (problem === 'no-runtime') return false;
      const count = table.count();
      return count >= exactBelow && outside() > Math.max(512, count * 0.1);
    },
    compact: async () => {
      await compactInThread({ database: sqlite.path, directory, name, dimensions });
      refresh();
    },
    clear: table.clear,
  };
}
