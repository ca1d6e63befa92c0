import { fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Flip,
  type FlipLibrary,
  flipLibrary,
  schemaBytes,
  tryFlip,
} from '../tests/support/bit-flips.ts';
import { randomNumbers, shuffled } from './random.ts';
import type { Bench } from './run-named.ts';

/**
 * A library of 500 rows over several stores, one bit wrong at a time: 1,000 random bits of the file, 1,000 of the
 * write-ahead log, and one random bit of every byte of the schema pages. Each time the library is opened as the product
 * opens it: all rows are equal, or what was saved and lost is said and adds up to 500. Two processes share the work; each
 * group gets its share of `--minutes`, and bytes of the schema are taken in a random order until they are over; the order
 * is the same every time, so that `bit-flips 20000` goes on behind the first 20,000 of them. With TMPDIR in memory it
 * waits for no disk.
 */
const seed = 20_261_116;
const processes = 2;

interface Tally {
  group: string;
  tried: number;
  outcomes: Record<string, number>;
  lostRows: number;
  violations: string[];
}

async function plan(
  directory: string,
  skip: number,
): Promise<{ groups: Array<[string, FlipLibrary, Flip[]]> }> {
  const random = randomNumbers(seed);
  const bits = (length: number, count: number) =>
    Array.from({ length: count }, () => Math.floor(random() * length * 8));
  const made = await flipLibrary(join(directory, 'file'));
  const logged = await flipLibrary(join(directory, 'log'), { inLog: true });
  writeFileSync(join(directory, 'original.db'), made.file);
  const schema = shuffled(schemaBytes(join(directory, 'original.db')), random);
  const groups: Array<[string, FlipLibrary, Flip[]]> = [
    ['file, random bits', made, bits(made.file.length, 1000).map((bit) => ({ where: 'file', bit }))],
    ['log, random bits', logged, bits(logged.wal.length, 1000).map((bit) => ({ where: 'wal', bit }))],
    [
      'schema pages, a bit of every byte',
      made,
      schema.map((byte): Flip => ({ where: 'file', bit: byte * 8 + Math.floor(random() * 8) })).slice(skip),
    ],
  ];
  return { groups: skip > 0 ? groups.slice(-1) : groups };
}

async function work(share: number, deadline: number, skip: number): Promise<Tally[]> {
  const directory = mkdtempSync(join(tmpdir(), 'bit-flips-'));
  try {
    const { groups } = await plan(directory, skip);
    const tallies: Tally[] = [];
    for (const [group, made, flips] of groups) {
      const tally: Tally = { group, tried: 0, outcomes: {}, lostRows: 0, violations: [] };
      const end = Date.now() + (deadline - Date.now()) / (groups.length - tallies.length);
      for (const flip of flips.filter((_, at) => at % processes === share)) {
        if (Date.now() > end) break;
        tally.tried++;
        try {
          const { outcome, lost } = await tryFlip(join(directory, 'flipped'), made, flip);
          tally.outcomes[outcome] = (tally.outcomes[outcome] ?? 0) + 1;
          tally.lostRows += lost;
        } catch (error) {
          tally.violations.push((error as Error).message);
        }
      }
      tallies.push(tally);
    }
    return tallies;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

const run: Bench = async ({ minutes, words: [skip = '0'] }) => {
  const deadline = Date.now() + minutes * 60_000;
  const shares = Array.from(
    { length: processes },
    (_, share) =>
      new Promise<Tally[]>((resolve, reject) => {
        const child = fork(import.meta.filename, ['share', `${share}`, `${deadline}`, skip]);
        child.on('message', (tallies) => resolve(tallies as Tally[]));
        child.on('exit', (code) => code !== 0 && reject(new Error(`a process ended with ${code}`)));
      }),
  );
  const [first = [], ...others] = await Promise.all(shares);
  let violations = 0;
  for (const [at, tally] of first.entries()) {
    const all = [tally, ...others.flatMap((each) => each[at] ?? [])];
    const sum = (count: (each: Tally) => number) => all.reduce((total, each) => total + count(each), 0);
    const outcome = (name: string) => sum(({ outcomes }) => outcomes[name] ?? 0);
    const broken = all.flatMap((each) => each.violations);
    violations += broken.length;
    console.log(
      `${tally.group}: ${sum((each) => each.tried)} flips: ${outcome('equal')} all rows equal, ${outcome('saved all')} told with every row saved, ${outcome('lost some')} told with ${sum((each) => each.lostRows)} rows lost in all, ${broken.length} broken promises`,
    );
    for (const line of broken.slice(0, 10)) console.log(`  ${line}`);
  }
  if (violations > 0) process.exitCode = 1;
};

export default run;

if (process.argv[2] === 'share' && process.send) {
  const tallies = await work(Number(process.argv[3]), Number(process.argv[4]), Number(process.argv[5]));
  process.send(tallies, () => process.exit(0));
}
