import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clone, consecutive, isSource, openClone } from './gates/clone.ts';
import { mutationsOf } from './gates/mutate.ts';
import { createRaw } from './gates/raw.ts';
import { type Journal, openJournal } from './journal.ts';
import type { BenchOptions } from './run-named.ts';

/**
 * Clones of public repositories with their packages installed: `--from DIRECTORY` for each. Their checkouts are written.
 * - `baseline`: does a check work with no configuration, how long does it take, and why not?
 * - `mutations`: true commits and blind mutants of them, judged by Sylk and by the project's own commands (`--commands FILE`, JSON:
 *   repository → list of command lines); reached tests against the whole suite; overhead in processor time. `--journal DIRECTORY`.
 */
export default async function run({
  from,
  words,
  minutes,
  cases,
  commands,
  seed = '1',
  journal = join(tmpdir(), 'gates-journal'),
}: BenchOptions): Promise<void> {
  const deadline = performance.now() + minutes * 60_000;
  const left = () => performance.now() < deadline;
  const clones = from.map(openClone);
  if (words[0] !== 'mutations') return baseline(clones, left);
  if (!commands || !existsSync(commands))
    throw new Error('Give --commands FILE: JSON of repository → command lines.');
  const table = JSON.parse(readFileSync(commands, 'utf8')) as Record<string, string[]>;
  await mutations(clones, {
    left,
    table,
    seed,
    most: Number(cases ?? 4),
    journal: openJournal(join(journal, 'mutations.jsonl')),
    raws: openJournal(join(journal, 'raw.jsonl')),
  });
}

async function baseline(clones: Clone[], left: () => boolean): Promise<void> {
  let working = 0;
  let tried = 0;
  for (const clone of clones) {
    if (!left()) break;
    tried++;
    const base = lastSourceChange(clone);
    try {
      const { report, seconds, own, tools } = clone.check({ base, commit: 'HEAD' });
      const tests = report.gates.filter(({ category }) => category === 'test_framework');
      const isWorking = (tests.length > 0 ? tests : report.gates).some(({ status }) => status !== 'failed');
      if (isWorking) working++;
      const rows = report.gates.map(
        ({ tool, category, status, tests_run, problem, seconds }) =>
          `${tool} ${category} ${status}${tests_run === undefined ? '' : ` ${tests_run} tests`} ${seconds} s${problem ? `: ${problem.slice(0, 300)}` : ''}`,
      );
      console.log(
        `${clone.name}: ${isWorking ? 'works' : 'does not work'}, ${seconds.toFixed(1)} s, processor ${tools.toFixed(1)} s of tools and ${own.toFixed(1)} s, ${report.verdict}${rows.map((row) => `\n    ${row}`).join('')}${report.not_run.map((row) => `\n    - ${row}`).join('')}`,
      );
    } catch (error) {
      console.log(`${clone.name}: does not work: ${error}`);
    }
  }
  console.log(`baseline: ${working} of ${tried} work, ${clones.length - tried} not tried`);
}

/** The newest commit from which HEAD differs in a source file. */
function lastSourceChange({ git }: Clone): string {
  const commits = git(['log', '--first-parent', '-40', '--format=%H']).split('\n').slice(1);
  const found = commits.find((commit) =>
    git(['diff', '--name-only', commit, 'HEAD']).split('\n').some(isSource),
  );
  return found ?? commits.at(-1) ?? 'HEAD';
}

interface Row {
  /** Repository, commit and, of a mutant, its place: what was done already is not done again. */
  key: string;
  kind: 'true' | 'mutant' | 'skip';
  what: string;
  verdict?: string;
  /** Whether the project's own commands, typed by hand, are red and were green at the base. */
  isBroken?: boolean;
  why?: string[];
  failed?: string[];
  failing?: number;
  reached?: number;
  reachedSeconds?: number;
  wholeSeconds?: number;
  reachedTests?: number;
  wholeTests?: number;
  own?: number;
  tools?: number;
}

async function mutations(
  clones: Clone[],
  {
    left,
    table,
    seed,
    most,
    journal,
    raws,
  }: {
    left(): boolean;
    table: Record<string, string[]>;
    seed: string;
    most: number;
    journal: Journal<Row>;
    raws: NonNullable<Parameters<typeof createRaw>[2]>;
  },
): Promise<void> {
  const done = new Set(journal.lines.map(({ key }) => key));
  const skipped = new Set(journal.lines.flatMap(({ key, kind }) => (kind === 'skip' ? [key] : [])));
  const add = (row: Row) => {
    journal.add(row);
    if (row.kind !== 'skip') console.log(lineOf(row));
  };
  for (const clone of clones) {
    const head = clone.git(['rev-parse', 'HEAD']);
    const raw = createRaw(clone, table[clone.name] ?? [], raws);
    let used = 0;
    for (const step of consecutive(clone, 120)) {
      if (!left() || used >= most) break;
      const key = `${clone.name} ${step.commit.slice(0, 8)}`;
      if (skipped.has(key)) continue;
      const skip = (what: string) => add({ key, kind: 'skip', what });
      if (step.skip) skip(step.skip);
      else if (!usable(clone, raw, step)) skip('tests are red at the base by hand');
      else {
        used++;
        const judge = (row: Pick<Row, 'key' | 'kind' | 'what'>, commit: string) => {
          if (!done.has(row.key) && left()) add({ ...row, ...judged(clone, raw, { ...step, commit }) });
        };
        judge({ key, kind: 'true', what: '' }, step.commit);
        for (const { file, line, before, after, text } of mutationsOf(clone, step, 2, seed)) {
          const what = `${file}:${line} ${before.slice(0, 60)} → ${after.slice(0, 60)}`;
          const commit = () => clone.commitWith(step.commit, file, text, step.parent);
          const name = `${key} ${what}`;
          if (!done.has(name)) judge({ key: name, kind: 'mutant', what }, commit());
        }
      }
    }
    raw.close();
    clone.git(['checkout', '-q', '--detach', head]);
  }
  print(journal.lines);
}

type Raw = ReturnType<typeof createRaw>;
type Judged = { commit: string; parent: string };

function usable(clone: Clone, raw: Raw, { parent }: Judged): boolean {
  clone.git(['checkout', '-q', '--detach', parent]);
  // The first command runs the tests.
  return raw.run(parent)[0]?.code === 0;
}

function judged(clone: Clone, raw: Raw, { commit, parent }: Judged): Omit<Row, 'key' | 'kind' | 'what'> {
  const { report, own, tools } = clone.check({ base: parent, commit });
  const { broken: isBroken } = raw.isBroken(parent, commit);
  return {
    verdict: report.verdict,
    isBroken,
    why: [
      ...report.findings.map(({ message, tool }) => `${tool}: ${message.slice(0, 80)}`),
      ...report.broken_tests.map(({ id }) => id),
    ].slice(0, 3),
    failed: report.gates.flatMap(({ tool, problem }) =>
      problem ? [`${tool}: ${problem.slice(0, 120)}`] : [],
    ),
    own,
    tools,
    ...(report.broken_tests.length > 0 ? reach(clone, { commit, parent }) : {}),
  };
}

function reach(clone: Clone, { commit, parent }: Judged): Partial<Row> {
  const brokenBy = (input: object) => {
    const { report } = clone.check({ base: parent, commit, only: 'test_framework', ...input });
    const seconds = report.gates.reduce((sum, gate) => sum + gate.seconds, 0);
    const tests = report.gates.reduce((sum, gate) => sum + (gate.tests_run ?? 0), 0);
    return { ids: new Set(report.broken_tests.map(({ id }) => id)), seconds, tests };
  };
  const whole = brokenBy({ whole: true });
  const quick = brokenBy({ quick: true });
  return {
    failing: whole.ids.size,
    reached: [...whole.ids].filter((id) => quick.ids.has(id)).length,
    reachedSeconds: quick.seconds,
    wholeSeconds: whole.seconds,
    reachedTests: quick.tests,
    wholeTests: whole.tests,
  };
}

const lineOf = ({ key, kind, verdict, isBroken, why = [], failed = [], failing, reached }: Row): string =>
  `${kind} ${key}: ${verdict}, by hand ${isBroken ? 'broken' : 'good'}${failing === undefined ? '' : `, reached ${reached} of ${failing}`}${why.length === 0 ? '' : `\n    ${why.join('; ')}`}${failed.map((one) => `\n    ! ${one}`).join('')}`;

function print(rows: Row[]): void {
  const share = (part: number, whole: number) =>
    `${part} of ${whole} (${((100 * part) / (whole || 1)).toFixed(1)} %)`;
  const sum = (of: Row[], value: (row: Row) => number | undefined) =>
    of.reduce((total, row) => total + (value(row) ?? 0), 0);
  const of = (kind: Row['kind']) => rows.filter((row) => row.kind === kind);
  const isRefused = ({ verdict }: Row) => verdict === 'failed';
  const [truths, mutants] = [of('true'), of('mutant')];
  const refused = truths.filter(isRefused);
  const agreed = mutants.filter((row) => isRefused(row) === row.isBroken);
  const apart = mutants.filter((row) => !agreed.includes(row));
  const skips = Object.groupBy(of('skip'), ({ what }) => what);
  console.log(`
true changes refused: ${share(refused.length, truths.length)}, of them ${refused.filter(({ isBroken }) => !isBroken).length} that the commands by hand let pass; agreement ${share(truths.filter((row) => isRefused(row) === row.isBroken).length, truths.length)}
mutants: agreement ${share(agreed.length, mutants.length)}; only Sylk refuses ${apart.filter(isRefused).length}, only by hand ${apart.filter((row) => !isRefused(row)).length}
no tool sees: ${share(mutants.filter((row) => !isRefused(row) && !row.isBroken).length, mutants.length)}
failing tests that the reached ones contain: ${share(
    sum(mutants, (row) => row.reached),
    sum(mutants, (row) => row.failing),
  )}, in ${share(Math.round(sum(mutants, (row) => row.reachedSeconds)), Math.round(sum(mutants, (row) => row.wholeSeconds)))} of the seconds and ${share(
    sum(mutants, (row) => row.reachedTests),
    sum(mutants, (row) => row.wholeTests),
  )} of the tests
processor seconds: tools ${sum(rows, ({ tools }) => tools).toFixed(0)}, all else ${sum(rows, ({ own }) => own).toFixed(0)}: overhead ${((100 * sum(rows, ({ own }) => own)) / (sum(rows, ({ tools }) => tools) || 1)).toFixed(1)} %
skipped: ${Object.entries(skips)
    .map(([why, list = []]) => `${list.length} ${why}`)
    .join(', ')}`);
}
