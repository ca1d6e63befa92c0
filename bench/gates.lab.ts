import { existsSync, readFileSync } from 'node:fs';
import { type Clone, consecutive, isSource, openClone } from './gates/clone.ts';
import { mutationsOf } from './gates/mutate.ts';
import { createRaw } from './gates/raw.ts';
import type { BenchOptions } from './run-named.ts';

/**
 * Clones of public repositories with their packages installed: `--from DIRECTORY` for each. Their checkouts are written.
 * - `baseline`: does a check work with no configuration, how long does it take, and why not?
 * - `mutations`: true commits and blind mutants of them, judged by Sylk and by the project's own commands (`--commands FILE`, JSON:
 *   repository → list of command lines); reached tests against the whole suite; overhead.
 */
export default async function run({
  from,
  words,
  minutes,
  cases,
  commands,
  seed = '1',
}: BenchOptions): Promise<void> {
  const deadline = performance.now() + minutes * 60_000;
  const left = () => performance.now() < deadline;
  const clones = from.map(openClone);
  if (words[0] !== 'mutations') return baseline(clones, left);
  if (!commands || !existsSync(commands))
    throw new Error('Give --commands FILE: JSON of repository → command lines.');
  const table = JSON.parse(readFileSync(commands, 'utf8')) as Record<string, string[]>;
  await mutations(clones, { left, table, seed, most: Number(cases ?? 4) });
}

async function baseline(clones: Clone[], left: () => boolean): Promise<void> {
  let working = 0;
  let tried = 0;
  let wall = 0;
  let tools = 0;
  for (const clone of clones) {
    if (!left()) break;
    tried++;
    const base = lastSourceChange(clone);
    try {
      const { report, seconds } = await clone.check({ base, commit: 'HEAD' });
      wall += report.seconds;
      tools += report.tool_seconds;
      const tests = report.gates.filter(({ category }) => category === 'test_framework');
      const isWorking = (tests.length > 0 ? tests : report.gates).some(({ status }) => status !== 'failed');
      if (isWorking) working++;
      const rows = report.gates.map(
        ({ tool, category, status, tests_run, problem, seconds }) =>
          `${tool} ${category} ${status}${tests_run === undefined ? '' : ` ${tests_run} tests`} ${seconds} s${problem ? `: ${problem.slice(0, 300)}` : ''}`,
      );
      console.log(
        `${clone.name}: ${isWorking ? 'works' : 'does not work'}, ${seconds.toFixed(1)} s, of them tools ${report.tool_seconds} s, ${report.verdict}${rows.map((row) => `\n    ${row}`).join('')}${report.not_run.map((row) => `\n    - ${row}`).join('')}`,
      );
    } catch (error) {
      console.log(`${clone.name}: does not work: ${error}`);
    }
  }
  console.log(
    `baseline: ${working} of ${tried} work, ${clones.length - tried} not tried; wall ${wall.toFixed(0)} s, tools ${tools.toFixed(0)} s: overhead ${(100 * (wall / (tools || 1) - 1)).toFixed(1)} %`,
  );
}

/** The newest commit from which HEAD differs in a source file. */
function lastSourceChange({ git }: Clone): string {
  const commits = git(['log', '--first-parent', '-40', '--format=%H']).split('\n').slice(1);
  const found = commits.find((commit) =>
    git(['diff', '--name-only', commit, 'HEAD']).split('\n').some(isSource),
  );
  return found ?? commits.at(-1) ?? 'HEAD';
}

interface Totals {
  skipped: Map<string, number>;
  trueChanges: number;
  refused: number;
  refusedAlone: number;
  mutants: number;
  agreed: number;
  unseen: number;
  onlySylk: number;
  onlyRaw: number;
  failing: number;
  reached: number;
  reachedSeconds: number;
  wholeSeconds: number;
  wall: number;
  tools: number;
}

async function mutations(
  clones: Clone[],
  {
    left,
    table,
    seed,
    most,
  }: { left(): boolean; table: Record<string, string[]>; seed: string; most: number },
): Promise<void> {
  const totals: Totals = {
    skipped: new Map(),
    trueChanges: 0,
    refused: 0,
    refusedAlone: 0,
    mutants: 0,
    agreed: 0,
    unseen: 0,
    onlySylk: 0,
    onlyRaw: 0,
    failing: 0,
    reached: 0,
    reachedSeconds: 0,
    wholeSeconds: 0,
    wall: 0,
    tools: 0,
  };
  const skip = (why: string) => totals.skipped.set(why, (totals.skipped.get(why) ?? 0) + 1);
  for (const clone of clones) {
    const head = clone.git(['rev-parse', 'HEAD']);
    const raw = createRaw(clone, table[clone.name] ?? []);
    let used = 0;
    for (const step of consecutive(clone, 60)) {
      if (!left() || used >= most) break;
      if (step.skip) {
        skip(step.skip);
        continue;
      }
      clone.git(['checkout', '-q', '--detach', step.parent]);
      if (raw.run(step.parent).every(({ code }) => code !== 0)) {
        skip('every command is red at the base');
        continue;
      }
      used++;
      await judgeTrue(clone, raw, step, totals);
      for (const mutation of mutationsOf(clone, step, 2, seed)) {
        if (!left()) break;
        const commit = clone.commitWith(step.commit, mutation.file, mutation.text, step.parent);
        await judgeMutant(
          clone,
          raw,
          { ...step, commit },
          totals,
          `${mutation.file}:${mutation.line} ${mutation.before.slice(0, 60)} → ${mutation.after.slice(0, 60)}`,
        );
      }
    }
    raw.close();
    clone.git(['checkout', '-q', '--detach', head]);
  }
  print(totals);
}

type Raw = ReturnType<typeof createRaw>;
type Judged = { commit: string; parent: string };

async function judgeTrue(clone: Clone, raw: Raw, { commit, parent }: Judged, totals: Totals): Promise<void> {
  const { report, seconds } = await clone.check({ base: parent, commit });
  const { broken } = raw.isBroken(parent, commit);
  totals.trueChanges++;
  const isRefused = report.verdict === 'failed';
  if (isRefused) totals.refused++;
  if (isRefused && !broken) totals.refusedAlone++;
  addTimes(totals, seconds, report.tool_seconds);
  const why = [
    ...report.findings.map(({ message, tool }) => `${tool}: ${message.slice(0, 80)}`),
    ...report.broken_tests.map(({ id }) => id),
  ];
  console.log(
    `${clone.name} ${commit.slice(0, 8)} true: ${report.verdict}, by hand ${broken ? 'broken' : 'good'}${isRefused ? `: ${why.slice(0, 3).join('; ')}` : ''}`,
  );
}

async function judgeMutant(
  clone: Clone,
  raw: Raw,
  { commit, parent }: Judged,
  totals: Totals,
  what: string,
): Promise<void> {
  const { report, seconds } = await clone.check({ base: parent, commit });
  const { broken } = raw.isBroken(parent, commit);
  const isRefused = report.verdict === 'failed';
  totals.mutants++;
  if (isRefused === broken) totals.agreed++;
  else if (isRefused) totals.onlySylk++;
  else totals.onlyRaw++;
  if (!isRefused && !broken) totals.unseen++;
  addTimes(totals, seconds, report.tool_seconds);
  let reach = '';
  if (report.broken_tests.length > 0) {
    const ids = async (input: object) => {
      const { report: own } = await clone.check({ base: parent, commit, only: ['test_framework'], ...input });
      const timed = own.gates.reduce((sum, gate) => sum + gate.seconds, 0);
      return { ids: new Set(own.broken_tests.map(({ id }) => id)), timed };
    };
    const whole = await ids({ whole: true });
    const quick = await ids({ quick: true });
    const inside = [...whole.ids].filter((id) => quick.ids.has(id)).length;
    totals.failing += whole.ids.size;
    totals.reached += inside;
    totals.reachedSeconds += quick.timed;
    totals.wholeSeconds += whole.timed;
    reach = `, reached ${inside} of ${whole.ids.size} in ${quick.timed.toFixed(1)} of ${whole.timed.toFixed(1)} s`;
  }
  console.log(
    `${clone.name} ${commit.slice(0, 8)} mutant: ${report.verdict}, by hand ${broken ? 'broken' : 'good'}${reach}  ${what}`,
  );
}

function addTimes(totals: Totals, wall: number, tools: number): void {
  totals.wall += wall;
  totals.tools += tools;
}

function print(totals: Totals): void {
  const share = (part: number, whole: number) =>
    `${part} of ${whole} (${((100 * part) / (whole || 1)).toFixed(1)} %)`;
  const { mutants, trueChanges, failing, wholeSeconds } = totals;
  console.log(`
true changes refused: ${share(totals.refused, trueChanges)}, of them ${totals.refusedAlone} that the commands by hand let pass
mutants: agreement ${share(totals.agreed, mutants)}; only Sylk refuses ${totals.onlySylk}, only by hand ${totals.onlyRaw}
no tool sees: ${share(totals.unseen, mutants)}
failing tests that the reached ones contain: ${share(totals.reached, failing)}, in ${share(Math.round(totals.reachedSeconds), Math.round(wholeSeconds))} of the seconds
wall ${totals.wall.toFixed(0)} s, tools ${totals.tools.toFixed(0)} s: overhead ${(100 * (totals.wall / (totals.tools || 1) - 1)).toFixed(1)} %
skipped: ${[...totals.skipped].map(([why, count]) => `${count} ${why}`).join(', ')}`);
}
