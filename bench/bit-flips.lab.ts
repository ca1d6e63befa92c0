import { fork } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Flip,
  type FlipLibrary,
  flipLibrary,
  schemaBytes,
  tryFlip,
} from '../tests/support/bit-flips.ts';
import { openJournal } from './journal.ts';
import { randomNumbers, shuffled } from './random.ts';
import type { Bench } from './run-named.ts';

/**
 * A library of 500 rows over several stores, one bit wrong at a time: 1,000 random bits of the file, 1,000 of the
 * write-ahead log, and one random bit of every byte of the schema pages. Each time the library is opened as the product
 * opens it: all rows are equal, or what was saved and lost is reported and adds up to 500. Two processes share the work.
 * `--journal DIRECTORY` keeps the two libraries and every flip that was tried: the next take continues with the same files,
 * so that all flips are of one layout. With TMPDIR in memory it waits for no disk.
 */
const seed = 20_261_116;
const processes = 2;

interface Tried {
  group: string;
  bit: number;
  outcome: string;
  lost: number;
}

/** The library with and without a log, made by the first take and read by the others. */
async function libraryAt(directory: string, inLog: boolean): Promise<FlipLibrary> {
  const [db, wal, rows] = ['file.db', 'file.wal', 'rows.json'].map((name) => join(directory, name));
  if (!db || !wal || !rows) throw new Error('three names');
  if (!existsSync(rows)) {
    const made = await flipLibrary(join(directory, 'making'), { inLog });
    rmSync(join(directory, 'making'), { recursive: true });
    writeFileSync(db, made.file);
    writeFileSync(wal, made.wal);
    writeFileSync(rows, JSON.stringify(made.rows));
  }
  return { file: readFileSync(db), wal: readFileSync(wal), rows: JSON.parse(readFileSync(rows, 'utf8')) };
}

async function plan(directory: string): Promise<Array<[group: string, library: FlipLibrary, flips: Flip[]]>> {
  const random = randomNumbers(seed);
  const bits = (length: number, count: number) =>
    Array.from({ length: count }, () => Math.floor(random() * length * 8));
  const made = await libraryAt(join(directory, 'file'), false);
  const logged = await libraryAt(join(directory, 'log'), true);
  const schema = shuffled(schemaBytes(join(directory, 'file', 'file.db')), random);
  return [
    ['file, random bits', made, bits(made.file.length, 1000).map((bit) => ({ where: 'file', bit }))],
    ['log, random bits', logged, bits(logged.wal.length, 1000).map((bit) => ({ where: 'wal', bit }))],
    [
      'schema pages, a bit of every byte',
      made,
      schema.map((byte) => ({ where: 'file', bit: byte * 8 + Math.floor(random() * 8) })),
    ],
  ];
}

async function work(directory: string, share: number, deadline: number): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'bit-flips-'));
  const journal = openJournal<Tried>(join(directory, `share-${share}.jsonl`));
  const done = new Set(journal.lines.map(({ group, bit }) => `${group} ${bit}`));
  try {
    for (const [group, made, flips] of await plan(directory))
      for (const flip of flips.filter((_, at) => at % processes === share)) {
        if (Date.now() > deadline) return;
        if (done.has(`${group} ${flip.bit}`)) continue;
        const verdict = await tryFlip(join(scratch, 'flipped'), made, flip).catch((error: Error) => ({
          outcome: error.message,
          lost: 0,
        }));
        journal.add({ group, bit: flip.bit, ...verdict });
      }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

const run: Bench = async ({ minutes, journal }) => {
  const directory = journal ?? mkdtempSync(join(tmpdir(), 'bit-flips-journal-'));
  for (const name of ['file', 'log']) mkdirSync(join(directory, name), { recursive: true });
  const groups = await plan(directory);
  const deadline = Date.now() + minutes * 60_000;
  await Promise.all(
    Array.from({ length: processes }, (_, share) => {
      const child = fork(import.meta.filename, ['share', directory, `${share}`, `${deadline}`]);
      return new Promise<void>((resolve, reject) =>
        child.on('exit', (code) =>
          code === 0 ? resolve() : reject(new Error(`a process ended with ${code}`)),
        ),
      );
    }),
  );
  const all = Array.from({ length: processes }, (_, share) =>
    openJournal<Tried>(join(directory, `share-${share}.jsonl`)),
  ).flatMap(({ lines }) => lines);
  for (const [group, , flips] of groups) report(group, flips.length, all);
  if (!journal) rmSync(directory, { recursive: true, force: true });
};

function report(group: string, planned: number, all: Tried[]): void {
  const tried = all.filter((each) => each.group === group);
  const count = (name: string) => tried.filter(({ outcome }) => outcome === name).length;
  const broken = tried.filter(({ outcome }) => !['equal', 'saved all', 'lost some'].includes(outcome));
  const lost = tried.reduce((sum, each) => sum + each.lost, 0);
  console.log(
    `${group}: ${tried.length} of ${planned} flips: ${count('equal')} all rows equal, ${count('saved all')} reported with every row saved, ${count('lost some')} reported with ${lost} rows lost in all, ${broken.length} broken promises`,
  );
  for (const { outcome } of broken.slice(0, 10)) console.log(`  ${outcome}`);
  if (broken.length > 0) process.exitCode = 1;
}

export default run;

const [, , word, directory, share, deadline] = process.argv;
if (word === 'share' && process.send && directory) await work(directory, Number(share), Number(deadline));
if (word === 'share') process.exit();
