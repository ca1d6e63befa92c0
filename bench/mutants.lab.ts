import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createVitest, type Vitest } from 'vitest/node';
import { messageOf } from '../src/base/errors.ts';
import { openJournal } from './journal.ts';
import folders from './mutants/folders.json' with { type: 'json' };
import { applied, type Mutant, mutantsOf } from './mutants/operators.ts';
import { randomNumbers, shuffled } from './random.ts';
import type { Bench } from './run-named.ts';

/** A run of the tests that takes longer is taken for a mutant that never ends. */
const longestRunMs = 4 * 60_000;

interface Judged extends Mutant {
  verdict: 'killed' | 'survived';
  /** The tests that noticed it. */
  tests?: string[] | undefined;
  /** Judged without the flows. */
  isNear: boolean;
}

/**
 * Breaks one line at a time in the folders that decide, runs the tests beside it and then the flows of its folder, and
 * prints which changes no test noticed. Works on a copy of the tree, with one Vitest for all: the cost of a mutant is
 * that of its tests. `--cases N` (60), `--seed N`, `--minutes N`; `--journal DIRECTORY` continues an earlier take;
 * words after the name choose folders by a part of their path. `--cases PATH:LINE` runs every mutant of that line.
 * `--commands near` leaves the flows out, which cost most: what survives then is judged again by a take without it.
 */
const mutants: Bench = async ({
  words,
  cases = '60',
  seed = '20261117',
  minutes,
  journal,
  commands: place = 'all',
}) => {
  const root = join(import.meta.dirname, '..');
  const directory = mkdtempSync(join(tmpdir(), 'sylk-mutants-'));
  const deadline = Date.now() + minutes * 60_000;
  let vitest: Vitest | undefined;
  try {
    copyTree(root, directory);
    const wanted = folders.filter(
      ({ folder }) => words.length === 0 || words.some((word) => folder.includes(word)),
    );
    const [path, line] = cases.split(':');
    const all = wanted
      .flatMap(({ folder }) => sourcesUnder(directory, folder))
      .flatMap((source) => mutantsOf(source, readFileSync(join(directory, source), 'utf8')));
    const drawn = line
      ? all.filter((mutant) => mutant.path === path && mutant.line === Number(line))
      : shuffled(all, randomNumbers(Number(seed))).slice(0, Number(cases));
    console.log(`${all.length} mutants in ${wanted.length} folders; ${drawn.length} drawn, seed ${seed}`);
    const { lines: judged, add } = openJournal<Judged>(join(journal ?? directory, `mutants-${seed}.jsonl`));
    const isNear = place === 'near';
    const done = new Set(
      judged.filter((each) => isNear || each.verdict === 'killed' || !each.isNear).map(describe),
    );
    vitest = await openVitest(directory);
    const isSound = new Map<string, boolean>();
    for (const mutant of drawn.filter((each) => !done.has(describe(each)))) {
      if (Date.now() > deadline) break;
      const tests = await failuresBy(vitest, directory, mutant, isSound, isNear);
      const verdict = tests ? 'killed' : 'survived';
      add({ ...mutant, verdict, tests, isNear });
      console.log(`${verdict.padEnd(8)} ${describe(mutant)}`);
    }
    const last = [...new Map(judged.map((each) => [describe(each), each])).values()];
    const survivors = last.filter(({ verdict }) => verdict === 'survived');
    const share = Math.round((100 * survivors.length) / Math.max(1, last.length));
    console.log(
      `${last.length} judged: ${last.length - survivors.length} killed, ${survivors.length} survived (${share} %), seed ${seed}`,
    );
    for (const mutant of survivors) console.log(`  ${describe(mutant)}`);
    if (survivors.length > last.length / 10) process.exitCode = 1;
  } finally {
    await vitest?.close();
    rmSync(directory, { recursive: true, force: true });
  }
};

const describe = ({ path, line, operator, before, after }: Mutant): string =>
  `${path}:${line} ${operator}: ${before.replace(/\s+/g, ' ').slice(0, 80)} → ${after || 'nothing'}`;

function copyTree(root: string, directory: string): void {
  const { stdout } = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    maxBuffer: 2 ** 26,
  });
  for (const path of stdout
    .toString()
    .split('\0')
    .filter((name) => name !== '' && existsSync(join(root, name)))) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    cpSync(join(root, path), join(directory, path), { verbatimSymlinks: true });
  }
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
}

function sourcesUnder(directory: string, folder: string): string[] {
  if (!existsSync(join(directory, folder))) return [];
  return readdirSync(join(directory, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => join(folder, name))
    .sort();
}

/** Tests beside the file, then those of its folder, then each flow by itself: one that is red anyway is left out alone. */
function testSets(directory: string, path: string, isNear: boolean): string[][] {
  const testsIn = (place: string, recursive: boolean): string[] => {
    if (!existsSync(join(directory, place))) return [];
    if (place.endsWith('.test.ts')) return [place];
    return readdirSync(join(directory, place), { recursive, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => join(place, name))
      .sort();
  };
  const own = folders.find(({ folder }) => path.startsWith(`${folder}/`));
  const beside = testsIn(dirname(path), false);
  const inFolder = own ? testsIn(own.folder, true).filter((test) => !beside.includes(test)) : [];
  const flows = own && !isNear ? own.flows.flatMap((flow) => testsIn(flow, true)) : [];
  return [beside, inFolder, ...flows.map((flow) => [flow])].filter((set) => set.length > 0);
}

async function failuresBy(
  vitest: Vitest,
  directory: string,
  mutant: Mutant,
  isSound: Map<string, boolean>,
  isNear: boolean,
): Promise<string[] | undefined> {
  const file = join(directory, mutant.path);
  const text = readFileSync(file, 'utf8');
  for (const tests of testSets(directory, mutant.path, isNear)) {
    const key = tests.join(' ');
    if (isSound.get(key) === false) continue;
    writeFileSync(file, applied(text, mutant));
    const failures = await failuresOf(vitest, directory, tests);
    writeFileSync(file, text);
    if (failures.length === 0) continue;
    // Tests that fail anyway notice nothing.
    const others = isSound.has(key) ? [] : await failuresOf(vitest, directory, tests);
    if (!isSound.has(key)) isSound.set(key, others.length === 0);
    if (isSound.get(key)) return failures;
    console.log(`left out, red without a mutant: ${key}: ${others[0]}`);
  }
  return undefined;
}

async function openVitest(directory: string): Promise<Vitest> {
  // A model test plays fewer rounds: a mutant that it meets at all it meets early.
  process.env['SYLK_RUNS'] = '30';
  const vitest = await createVitest('test', {
    root: directory,
    config: join(directory, 'vitest.config.ts'),
    watch: false,
    bail: 1,
    maxWorkers: 1,
    testTimeout: 120_000,
    reporters: [{}],
  });
  await vitest.standalone();
  return vitest;
}

/** What failed, by the names of tests; nothing where all have passed. */
async function failuresOf(vitest: Vitest, directory: string, tests: string[]): Promise<string[]> {
  const specifications = await vitest.globTestSpecifications(tests.map((test) => join(directory, test)));
  // An endless loop hears no timeout: its process is ended.
  const timer = setTimeout(endWorkers, longestRunMs);
  try {
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
    // The answer has the modules of earlier runs, too.
    const ids = new Set(specifications.map(({ moduleId }) => moduleId));
    return [
      ...unhandledErrors.map((error) => messageOf(error)),
      ...testModules
        .filter(({ moduleId }) => ids.has(moduleId))
        .flatMap((module) => [
          ...module.errors().map(({ message }) => message),
          ...[...module.children.allTests('failed')].map(({ fullName }) => fullName),
        ]),
    ];
  } catch (error) {
    // The run itself broke: the tests have noticed.
    return [messageOf(error)];
  } finally {
    clearTimeout(timer);
  }
}

function endWorkers(): void {
  for (const thread of readdirSync('/proc/self/task'))
    for (const pid of readFileSync(`/proc/self/task/${thread}/children`, 'utf8').split(' ').filter(Boolean))
      process.kill(Number(pid), 'SIGKILL');
}

export default mutants;
