import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { normalise } from '../src/base/embedding/index.ts';
import { openSqlite } from '../src/base/sqlite/index.ts';
import { openVectorSpace } from '../src/base/vectors/index.ts';
import { loadUsearch } from '../src/base/vectors/native.ts';
import type { BenchOptions } from './run-named.ts';

const dimensions = 384;

/** P7: search, opening and recall of the vector index at three sizes, beside usearch alone. Words: sizes. */
export default async function run({ words }: BenchOptions): Promise<void> {
  const sizes = words.length > 0 ? words.map(Number) : [1000, 10_000, 100_000];
  for (const size of sizes) await measure(size);
}

async function measure(size: number): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'sylk-vectors-'));
  const random = randomOf(11);
  const centres = Array.from({ length: 400 }, () => Float32Array.from({ length: dimensions }, random));
  const vectorNear = (at: number) =>
    normalise(Float32Array.from(centres[at % 400]!, (value) => value + random() * 1.1));
  const sqlite = openSqlite(join(directory, 'index.db'), { durability: 'normal' });
  const options = { sqlite, directory, name: 'bench', dimensions };
  const space = openVectorSpace(options);
  const flat = new Float32Array(size * dimensions);
  for (let from = 0; from < size; from += 2000) {
    const rows = Array.from({ length: Math.min(2000, size - from) }, (_, at) => {
      const vector = vectorNear(from + at);
      flat.set(vector, (from + at) * dimensions);
      return { key: String(from + at), vector };
    });
    space.put(rows);
  }
  const building = performance.now();
  if (space.needsCompaction()) await space.compact();
  const built = performance.now() - building;
  const opening = performance.now();
  const opened = openVectorSpace(options);
  opened.state();
  const open = performance.now() - opening;
  const usearch = loadUsearch()!;
  const inARow: number[] = [];
  for (let at = 0; at < 240; at++) {
    const query = vectorNear(at * 11);
    const started = performance.now();
    opened.search(query, 10);
    inARow.push(performance.now() - started);
  }
  // The same beside the exact answer, which goes through all vectors and leaves none of the graph in the processor's caches.
  const ours: number[] = [];
  const exact: number[] = [];
  let hits = 0;
  for (let at = 0; at < 60; at++) {
    const query = vectorNear(at * 7);
    let started = performance.now();
    const found = opened.search(query, 10);
    ours.push(performance.now() - started);
    started = performance.now();
    const gold = usearch.exactSearch(flat, query, dimensions, 10, usearch.MetricKind.Cos, 1);
    exact.push(performance.now() - started);
    const right = new Set([...gold.keys].map(String));
    hits += found.filter((match) => right.has(match.key)).length;
  }
  const { mode } = opened.state();
  console.log(
    `${size} × ${dimensions} (${mode}): search p50 ${middle(inARow)} ms, right after an exact scan ${middle(ours)} ms, exact scan by usearch p50 ${middle(exact)} ms, recall@10 ${(hits / 600).toFixed(3)}, open ${open.toFixed(1)} ms, build ${(built / 1000).toFixed(1)} s`,
  );
  sqlite.close();
  rmSync(directory, { recursive: true, force: true });
}

const middle = (values: number[]): string =>
  values.sort((left, right) => left - right)[values.length >> 1]!.toFixed(2);

function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
}
