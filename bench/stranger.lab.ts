import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openJournal } from './journal.ts';
import type { Bench, BenchOptions } from './run-named.ts';
import type { StrangerCase } from './stranger/case.ts';
import { allCases } from './stranger/cases/index.ts';
import type { Command } from './stranger/commands.ts';
import { coveringDesign, groupOf, inTurn, type Step, wholeRepository } from './stranger/design.ts';
import { type FleetResult, runFleet } from './stranger/fleet.ts';
import type { Failure } from './stranger/judge.ts';
import { type Lab, openLab } from './stranger/open-lab.ts';
import { type Done, printFleets, printReport, type Sailed } from './stranger/report.ts';
import { rememberTwin, runCase, type Surface, type Twin, type TwinJournal } from './stranger/run-case.ts';
import { trySideBySide } from './stranger/versions.ts';

/**
 * Hostile repositories against commands, MCP tools and HTTP operations of the built package, by a covering design.
 *   npm run lab -- stranger --minutes 15 --journal DIRECTORY [1/2]   a take of the whole; 1/2 takes every second repository
 *   npm run lab -- stranger --cases TEXT [--commands N|TEXT]         the cases whose name contains the text, alone
 *   npm run lab -- stranger commands|mcp|http …                      only that surface
 *   npm run lab -- stranger fleet --minutes 15 --journal DIRECTORY [1/2]   every case alone, many of them behind one server; with `commands` a command each too
 *   npm run lab -- stranger versions --from DIRECTORY|COMMIT         two versions on one repository
 * `--from DIRECTORY` tries another checkout or package than the one that is built from this checkout.
 */
const stranger: Bench = async (options) => {
  if (options.words[0] === 'versions') return await versions(options);
  if (options.words[0] === 'fleet') return await fleets(options);
  const work = realpathSync(mkdtempSync(join(tmpdir(), 'sylk-stranger-')));
  const lab = await openLab(work, options.from[0] ? resolve(options.from[0]) : buildPackage(work));
  const directory = options.journal ? resolve(options.journal) : join(work, 'journal');
  const steps = options.cases === undefined ? coveringDesign(allCases, lab.commands, lab.offered) : [];
  const chosen = (options.cases === undefined ? steps : chooseSteps(options, lab))
    .map((step) => ({
      ...step,
      commands: has(options, 'commands') ? step.commands : [],
      slices: step.slices.filter(({ surface }) => has(options, surface)),
    }))
    .filter(({ commands, slices }) => commands.length + slices.length > 0);
  const [share, shares] = shareOf(options);
  const journal = openJournal<Done>(join(directory, `steps-${share}.jsonl`));
  const twins = rememberTwins(lab, openJournal(join(directory, `twin-${share}.jsonl`)));
  const deadline = Date.now() + options.minutes * 60_000;
  try {
    const done = new Set(journal.lines.map(({ key }) => key));
    for (const [at, step] of chosen.entries()) {
      if (at % shares !== share - 1 || done.has(step.key)) continue;
      if (Date.now() > deadline) break;
      const result = await tryStep(lab, step, twins(step));
      journal.add(result);
      const bad = result.failures.length;
      console.log(
        `${bad ? 'FAIL' : 'ok  '} ${step.key}: ${result.combinations} combinations in ${result.seconds} s`,
      );
      for (const { command, kind, detail } of result.failures.slice(0, 3))
        console.log(`     ${command}: ${kind}: ${detail}`);
      if (result.broken) console.log(`     the lab could not make it: ${result.broken}`);
    }
    const all = readdirSync(directory)
      .filter((name) => name.startsWith('steps-'))
      .flatMap((name) => openJournal<Done>(join(directory, name)).lines);
    printReport(chosen, all, lab);
    if (all.some(({ failures }) => failures.length > 0)) process.exitCode = 1;
  } finally {
    lab.close();
    rmSync(work, { recursive: true, force: true, maxRetries: 5 });
  }
};

/** What an installation has, beside the sources: a launcher that finds sources starts them. */
function buildPackage(work: string): string {
  const root = join(import.meta.dirname, '..');
  const built = spawnSync(process.execPath, [join(root, 'scripts/build.ts')], { cwd: root });
  if (built.status !== 0) throw new Error(`The package could not be built: ${built.stderr}`);
  const directory = join(work, 'package');
  mkdirSync(directory);
  for (const name of ['bin', 'dist', 'skills', 'roles', 'package.json'])
    cpSync(join(root, name), join(directory, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
  return directory;
}

/** One twin for each way to make one; that of the plain repository is kept in the journal. */
function rememberTwins(lab: Lab, journal: TwinJournal): (step: Step) => Twin {
  const plain = rememberTwin(lab, undefined, { journal });
  const known = new Map<unknown, Twin>();
  return ({ unit: { tried } }) => {
    if (!tried.twin) return plain;
    const twin = known.get(tried.twin) ?? rememberTwin(lab, tried.twin, { big: tried.big });
    known.set(tried.twin, twin);
    return twin;
  };
}

/** A batch that fails is tried case by case: the failures of its cases are reported, or its own where none fails alone. */
async function tryStep(lab: Lab, step: Step, twin: Twin): Promise<Done> {
  const { key, unit } = step;
  const started = Date.now();
  const cases = unit.cases.map(({ name }) => name);
  const done: Done = { key, cases, combinations: 0, failures: [], seconds: 0 };
  try {
    const result = await runCase(lab, unit.tried, twin, step);
    done.combinations = result.combinations;
    done.refusals = result.refusals;
    const alone = [];
    if (result.failures.length > 0 && unit.cases.length > 1)
      for (const each of unit.cases) {
        const single = await runCase(lab, each, twin, step);
        done.combinations += single.combinations;
        alone.push(...single.failures);
      }
    done.failures = alone.length > 0 ? alone : result.failures;
  } catch (error) {
    done.broken = (error as Error).message.split('\n')[0] ?? 'no reason';
  }
  done.seconds = Math.round((Date.now() - started) / 1000);
  return done;
}

async function versions({ from }: BenchOptions): Promise<void> {
  const work = realpathSync(mkdtempSync(join(tmpdir(), 'sylk-stranger-')));
  const context = await openLab(work, join(import.meta.dirname, '..'));
  try {
    const problems = await trySideBySide(context, from[0]);
    for (const problem of problems) console.log(`FAIL ${problem}`);
    if (problems.length > 0) process.exitCode = 1;
    else console.log('Nothing was lost, nothing is damaged.');
  } finally {
    context.close();
    rmSync(work, { recursive: true, force: true, maxRetries: 5 });
  }
}

const casesOfAFleet = 12;

/**
 * Every case meets MCP, HTTP and a command in a repository that nothing else hostile is in. What a fleet shows is tried again alone, as
 * the design does, and only what fails there counts.
 */
async function fleets(options: BenchOptions): Promise<void> {
  const work = realpathSync(mkdtempSync(join(tmpdir(), 'sylk-stranger-')));
  const lab = await openLab(work, options.from[0] ? resolve(options.from[0]) : buildPackage(work));
  const directory = options.journal ? resolve(options.journal) : join(work, 'journal');
  const [share, shares] = shareOf(options);
  const journal = openJournal<Sailed>(join(directory, `fleets-${share}.jsonl`));
  const twins = rememberTwins(lab, openJournal(join(directory, `twin-${share}.jsonl`)));
  const deadline = Date.now() + options.minutes * 60_000;
  const offered = lab.offered.filter(({ effect }) => effect === 'read' || effect === 'write');
  const commands = lab.commands.filter(
    ({ name }) => options.words.includes('commands') && wholeRepository.includes(name),
  );
  const done = new Set(journal.lines.map(({ key }) => key));
  const wanted = inTurn([
    ...Map.groupBy(
      allCases.filter(({ name }) => name.includes(options.cases ?? '')),
      groupOf,
    ).values(),
  ]);
  try {
    for (let start = 0; start < wanted.length && Date.now() < deadline; start += casesOfAFleet) {
      const cases = wanted.slice(start, start + casesOfAFleet);
      const key = `${cases[0]?.name} + ${cases.length}`;
      if ((start / casesOfAFleet) % shares !== share - 1 || done.has(key)) continue;
      const started = Date.now();
      const result = await runFleet(lab, cases, { offered, commands, turn: start });
      const failed = new Set(result.failures.map((failure) => failure.case));
      const failures: Failure[] = [];
      for (const tried of cases.filter(({ name }) => failed.has(name))) {
        const step: Step = {
          key,
          unit: { group: '', tried, cases: [tried] },
          pass: 1,
          ...againOf(result, tried.name, lab),
        };
        failures.push(...(await tryStep(lab, step, twins(step))).failures);
      }
      for (const tried of cases.filter(({ name, big }) => !big && result.left.includes(name))) {
        const step = alone(key, tried, { commands, offered, turn: start });
        const { combinations, failures: own, broken } = await tryStep(lab, step, twins(step));
        result.combinations += combinations;
        failures.push(...own);
        if (broken) continue;
        result.left = result.left.filter((name) => name !== tried.name);
        for (const names of Object.values(result.met)) names.push(tried.name);
      }
      const shared = result.failures.filter((failure) => failure.case === 'all of them');
      const seconds = Math.round((Date.now() - started) / 1000);
      journal.add({ ...result, failures: failures.length > 0 ? failures : shared, key, seconds });
      console.log(
        `${failures.length > 0 ? 'FAIL' : 'ok  '} ${key}: ${result.combinations} in ${seconds} s, ${failed.size} tried again, ${result.left.length} left`,
      );
      for (const { case: name, command, kind, detail } of [...failures, ...shared].slice(0, 5))
        console.log(`     ${name}, ${command}: ${kind}: ${detail}`);
    }
    printFleets(
      readdirSync(directory)
        .filter((name) => name.startsWith('fleets-'))
        .flatMap((name) => openJournal<Sailed>(join(directory, name)).lines),
      wanted,
    );
  } finally {
    lab.close();
    rmSync(work, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** A case that needs a home of its own meets a command and each server in processes of its own. */
function alone(
  key: string,
  tried: StrangerCase,
  { commands, offered, turn }: { commands: Command[]; offered: Lab['offered']; turn: number },
): Step {
  const slice = (surface: Surface, from: number) => ({
    surface,
    offered: offered.slice(from % (offered.length - 2)).slice(0, 2),
  });
  return {
    key,
    unit: { group: '', tried, cases: [tried] },
    pass: 1,
    commands: commands.slice(turn % Math.max(1, commands.length)).slice(0, 1),
    slices: [slice('mcp', turn), slice('http', turn + 2)],
  };
}

/** The commands, tools and requests by which a fleet showed something, for one case alone. */
function againOf({ failures }: FleetResult, name: string, { commands, offered }: Lab) {
  const seen = new Set(failures.filter((failure) => failure.case === name).map(({ command }) => command));
  const slice = (surface: Surface) => ({
    surface,
    offered: offered.filter((each) => seen.has(`${surface} ${each.name}`)),
  });
  const all = {
    commands: commands.filter((each) => seen.has(each.name)),
    slices: (['mcp', 'http'] satisfies Surface[]).map(slice).filter((each) => each.offered.length > 0),
  };
  const isNone = all.commands.length + all.slices.length === 0;
  return isNone
    ? {
        commands: commands.filter((each) => each.name === 'status'),
        slices: [{ surface: 'mcp' as const, offered: offered.filter((each) => each.name === 'search') }],
      }
    : all;
}

const surfaces = ['commands', 'mcp', 'http'];

const has = ({ words }: BenchOptions, surface: string): boolean =>
  words.includes(surface) || !words.some((word) => surfaces.includes(word));

function shareOf({ words }: BenchOptions): [share: number, shares: number] {
  const [share = 1, shares = 1] =
    words
      .find((word) => /^\d+\/\d+$/.test(word))
      ?.split('/')
      .map(Number) ?? [];
  return [share, shares];
}

/** Cases by a part of their name, each alone, with commands by name or in turn and, without names, all servers offer. */
function chooseSteps({ cases = '', commands = '6', seed = '1' }: BenchOptions, lab: Lab): Step[] {
  const count = Number(commands);
  const byName = lab.commands.filter(({ name }) => name.includes(commands));
  const inTurn = (turn: number): Command[] =>
    lab.commands.filter(
      (_, at) => (at - turn * count + lab.commands.length * count) % lab.commands.length < count,
    );
  return allCases
    .filter(({ name }) => name.includes(cases))
    .map((tried, at) => {
      const aimed = lab.commands.filter(({ name }) => tried.aims?.includes(name));
      return {
        key: tried.name,
        unit: { group: '', tried, cases: [tried] },
        pass: 1,
        commands: Number.isNaN(count)
          ? byName
          : [...new Set([...aimed, ...inTurn(at + Number(seed))])].slice(0, count),
        slices: Number.isNaN(count)
          ? []
          : (['mcp', 'http'] satisfies Surface[]).map((surface) => ({ surface, offered: lab.offered })),
      };
    });
}

export default stranger;
