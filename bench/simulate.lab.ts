import { hash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunEvent } from '../src/stores/runs/index.ts';
import { allPairs } from '../tests/support/run-pairs.ts';
import { add, type Coverage, newCoverage, rarePlaces } from '../tests/support/simulated-coverage.ts';
import { simulateRun } from '../tests/support/simulated-run.ts';
import { randomNumbers } from './random.ts';
import type { Bench } from './run-named.ts';

/** What a slice of runs leaves behind, so that it counts even if the lab is ended before the last one. */
interface Slice {
  name: string;
  /** Of `decide` and of the plan check. */
  version: string;
  runs: number;
  events: number;
  crashes: number;
  late: number;
  refused: number;
  seconds: number;
  ends: Array<[string, number]>;
  pairs: Array<[string, number]>;
  failures: string[];
}

const runsOfSlice = 100;
/** How often each pair that can be met has to be met. */
const enough = 100;

/**
 * `npm run lab -- simulate [RUNS] [--seed N] [--minutes N] [--from DIRECTORY]`: random runs of the orchestrator, every rule checked
 * after every event. Slices of runs are kept in the directory: the same call again goes on after them, and several processes with seeds
 * of their own share the work and the ways to places that are seldom reached.
 */
const simulate: Bench = async ({ words, seed = '1', minutes, from: [directory] }) => {
  const wanted = Number(words[0] ?? 50_000);
  const version = versionOfDecide();
  const slices: Slice[] = [];
  const coverage = newCoverage();
  const end = Date.now() + (minutes || 60) * 60_000;
  let own = 0;
  for (;;) {
    if (directory !== undefined) readShared(directory, version, slices, coverage);
    coverage.rare = rarePlaces(coverage, enough * 1.3);
    const played = slices.reduce((sum, { runs }) => sum + runs, 0);
    if (played >= wanted || Date.now() > end) break;
    const first = Number(seed) + own;
    const slice = playSlice(coverage, first, Math.min(runsOfSlice, wanted - played), version);
    own += slice.runs;
    slices.push(slice);
    if (directory !== undefined) writeShared(directory, slice, coverage);
  }
  report(version, slices);
};

/** What other processes, or this one before it was ended, have left since the last look. */
function readShared(directory: string, version: string, slices: Slice[], coverage: Coverage): void {
  mkdirSync(directory, { recursive: true });
  const known = new Set(slices.map(({ name }) => name));
  for (const name of readdirSync(directory)) {
    if (!name.startsWith(`slice-${version}-`) || known.has(name)) continue;
    const { ways, ...slice }: Slice & { ways: Array<[string, RunEvent[]]> } = JSON.parse(
      readFileSync(join(directory, name), 'utf8'),
    );
    slices.push(slice);
    for (const [pair, count] of slice.pairs) add(coverage.pairs, pair, count);
    for (const [place, events] of ways)
      if (!coverage.ways.has(place)) coverage.ways.set(place, [{ run: -1, events }]);
  }
}

/** A slice, with the shortest way to each place of the pairs that are still rare. */
function writeShared(directory: string, slice: Slice, coverage: Coverage): void {
  const ways = coverage.rare.flatMap((place): Array<[string, readonly RunEvent[]]> => {
    const [way] = (coverage.ways.get(place) ?? []).toSorted(
      (left, right) => left.events.length - right.events.length,
    );
    return way ? [[place, way.events]] : [];
  });
  const half = join(directory, `half-${slice.name}`);
  writeFileSync(half, JSON.stringify({ ...slice, ways }));
  renameSync(half, join(directory, slice.name));
}

function versionOfDecide(): string {
  const folder = join(import.meta.dirname, '../src/engines/orchestrator');
  const files = [
    ...readdirSync(join(folder, 'decide')).map((name) => `decide/${name}`),
    'plan-check.ts',
    'touches.ts',
  ];
  return hash(
    'sha256',
    files
      .sort()
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join(''),
  ).slice(0, 12);
}

function playSlice(coverage: Coverage, first: number, runs: number, version: string): Slice {
  const started = Date.now();
  const before = { ...coverage, pairs: new Map(coverage.pairs), ends: new Map(coverage.ends) };
  const failures: string[] = [];
  for (let seed = first; seed < first + runs; seed++) {
    const run = simulateRun(randomNumbers(seed * 7919), coverage);
    try {
      run.play();
    } catch (error) {
      coverage.played++;
      failures.push(`seed ${seed}: ${String(error)}; ${run.describe()}; ${JSON.stringify(run.log)}`);
    }
  }
  const grown = (now: Map<string, number>, old: Map<string, number>) =>
    [...now].map(([name, count]): [string, number] => [name, count - (old.get(name) ?? 0)]);
  return {
    name: `slice-${version}-${first}.json`,
    version,
    runs,
    events: coverage.events - before.events,
    crashes: coverage.crashes - before.crashes,
    late: coverage.late - before.late,
    refused: coverage.refused - before.refused,
    seconds: (Date.now() - started) / 1000,
    ends: grown(coverage.ends, before.ends),
    pairs: grown(coverage.pairs, before.pairs).filter(([, count]) => count > 0),
    failures,
  };
}

function report(version: string, slices: Slice[]): void {
  const sum = (of: (slice: Slice) => number) => slices.reduce((total, slice) => total + of(slice), 0);
  const ends = new Map<string, number>();
  const pairs = new Map<string, number>();
  for (const slice of slices) {
    for (const [status, count] of slice.ends) add(ends, status, count);
    for (const [pair, count] of slice.pairs) add(pairs, pair, count);
  }
  console.log(
    `${sum(({ runs }) => runs)} runs of decide ${version}, ${sum(({ events }) => events)} events, ${sum(({ crashes }) => crashes)} crashes, ${sum(({ late }) => late)} late answers, ${sum(({ refused }) => refused)} refused moves, ${Math.round(sum(({ seconds }) => seconds))} s`,
  );
  console.log(`ended: ${[...ends].map(([status, count]) => `${status} ${count}`).join(', ')}`);
  const broken = [...reportPairs(pairs), ...slices.flatMap(({ failures }) => failures)];
  console.log(broken.length === 0 ? 'every rule held' : `${broken.length} broken:\n${broken.join('\n')}`);
  if (broken.length > 0) process.exitCode = 1;
}

/** Prints how often each pair was met, and answers what is wrong with the counts. */
function reportPairs(pairs: Map<string, number>): string[] {
  const reachable = allPairs.filter(({ unreachable }) => unreachable === undefined);
  const places = Map.groupBy(reachable, ({ name }) => name.split(' × ')[0] ?? '');
  for (const [place, events] of places)
    console.log(
      `  ${place}: ${events.map(({ name }) => `${name.split(' × ')[1]} ${pairs.get(name) ?? 0}`).join(', ')}`,
    );
  const rare = reachable.filter(({ name }) => (pairs.get(name) ?? 0) < enough);
  const reasons = Map.groupBy(allPairs, ({ unreachable }) => unreachable);
  for (const [reason, members] of reasons)
    if (reason !== undefined) console.log(`  ${members.length} can't be met: ${reason}`);
  const known = new Map(allPairs.map((pair) => [pair.name, pair]));
  const surprising = [...pairs].filter(([name]) => !known.has(name) || known.get(name)?.unreachable);
  console.log(
    `${reachable.length} pairs of state and event can be met, ${rare.length} of them were met less than ${enough} times; ${allPairs.length - reachable.length} can't be met, and ${surprising.length} of them were`,
  );
  return [
    ...rare.map(({ name }) => `${pairs.get(name) ?? 0} × ${name}`),
    ...surprising.map(([name, count]) => `${count} × ${name}, which can't be met`),
  ];
}

export default simulate;
