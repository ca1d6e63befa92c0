import type { StrangerCase } from './case.ts';
import { groupOf, type Step } from './design.ts';
import type { FleetResult } from './fleet.ts';
import { type Failure, floor } from './judge.ts';

/** What became of one step of the design. */
export interface Done {
  key: string;
  /** Names of the cases that were in the repository. */
  cases: string[];
  combinations: number;
  failures: Failure[];
  seconds: number;
  /** Answers that were refused here and not in the twin. */
  refusals?: number;
  /** Why the lab could not make the repository. */
  broken?: string;
}

/** What became of one fleet. */
export interface Sailed extends FleetResult {
  key: string;
  seconds: number;
}

/** Sets that somebody apart from the defense wrote, and lists that others keep. */
const byOthers = /^(?:second set|third set|fourth set|listed):/;

const shownOfACase = 12;

/** The design and what was done of it, then every failure by case and command with the line that shows it again. */
export function printReport(
  design: Step[],
  done: Done[],
  { commands, offered }: { commands: unknown[]; offered: unknown[] },
): void {
  const failed = Map.groupBy(
    done.flatMap(({ failures }) => failures),
    (failure) => failure.case,
  );
  for (const [name, failures] of failed) printFailures(name, failures);
  const names = (steps: Array<{ cases: string[] }>) => new Set(steps.flatMap(({ cases }) => cases));
  const planned = names(design.map(({ unit }) => ({ cases: unit.cases.map(({ name }) => name) })));
  const works = done.filter(({ broken }) => !broken);
  const alone = names(works.filter(({ cases }) => cases.length === 1));
  // One case of a batch that was refused may have hidden the others.
  const tried = new Set([...alone, ...names(works.filter(({ refusals }) => !refusals))]);
  const hidden = [...names(works)].filter((name) => !tried.has(name)).length;
  const others = [...tried].filter((name) => byOthers.test(name)).length;
  const keys = new Set(done.map(({ key }) => key));
  const groups = new Set(design.map(({ unit }) => unit.group)).size;
  console.log(
    `\nThe design: ${planned.size} cases of ${groups} groups in ${new Set(design.map(({ unit }) => unit)).size} repositories, ${commands.length} commands, ${offered.length} operations over MCP and HTTP; ${design.length} steps, ${design.filter(({ pass }) => pass === 1).length} of them so that every case meets a command.`,
  );
  console.log(
    `Done: ${design.filter(({ key }) => keys.has(key)).length} steps, ${sum(done, ({ combinations }) => combinations)} combinations in ${sum(done, ({ seconds }) => seconds)} s; ${tried.size} cases (${alone.size} alone; ${hidden} more in batches that were refused as a whole), ${others} of them (${Math.round((100 * others) / Math.max(tried.size, 1))} %) by others than the author of the defense; dearer than the twin means twice, and at least ${floor.cpu} s or ${floor.memory} MB more.`,
  );
  for (const { key, broken } of done) if (broken) console.log(`The lab could not make ${key}: ${broken}`);
  const kinds = Map.groupBy([...failed.values()].flat(), ({ kind }) => kind);
  console.log(
    `${failed.size} cases failed${[...kinds].map(([kind, list]) => `\n  ${kind}: ${list.length} in ${new Set(list.map((each) => each.case)).size} cases`).join('')}`,
  );
}

const sum = (done: Done[], count: (each: Done) => number): number =>
  done.reduce((total, each) => total + count(each), 0);

function printFailures(name: string, failures: Failure[]): void {
  console.log(`\n${name}`);
  const kinds = Map.groupBy(failures, ({ kind, detail }) => `${kind}: ${detail}`);
  for (const [key, same] of [...kinds].slice(0, shownOfACase)) {
    const commands = same.map(({ command }) => command);
    console.log(
      `  ${key}\n    in ${commands.slice(0, 5).join(', ')}${commands.length > 5 ? ` and ${commands.length - 5} more` : ''}`,
    );
  }
  if (kinds.size > shownOfACase) console.log(`  … ${kinds.size - shownOfACase} more`);
  const [first] = failures;
  const choice = first && !/^(?:mcp|http|any)\b/.test(first.command) ? ` --commands '${first.command}'` : '';
  console.log(`  again: npm run lab -- stranger --cases '${name.replaceAll("'", "'\\''")}'${choice}`);
}

/** How many cases of each group met each surface, alone in their repositories. */
export function printFleets(all: Sailed[], wanted: StrangerCase[]): void {
  const names = (of: (each: Sailed) => string[]) => new Set(all.flatMap(of));
  const failures = all.flatMap((each) => each.failures);
  const met = {
    commands: names((each) => each.met.commands),
    mcp: names((each) => each.met.mcp),
    http: names((each) => each.met.http),
  };
  const total = (count: (each: Sailed) => number) => all.reduce((whole, each) => whole + count(each), 0);
  const counted = wanted.filter(({ name }) => Object.values(met).some((each) => each.has(name)));
  for (const [group, cases] of Map.groupBy(wanted, groupOf))
    console.log(
      `${group}, ${cases.length} cases: ${Object.entries(met)
        .map(([surface, each]) => `${surface} ${cases.filter(({ name }) => each.has(name)).length}`)
        .join(', ')}`,
    );
  console.log(
    `\n${all.length} fleets, ${wanted.length} cases: ${met.commands.size} met a command, ${met.mcp.size} MCP, ${met.http.size} HTTP, each alone in its repository, ${Math.round((100 * counted.filter(({ name }) => byOthers.test(name)).length) / Math.max(1, counted.length))} % by others; ${names((each) => each.left).size} left for a process of their own; ${total(({ combinations }) => combinations)} combinations in ${total(({ seconds }) => seconds)} s; ${new Set(failures.map((each) => each.case)).size} cases failed`,
  );
  if (failures.length > 0) process.exitCode = 1;
}
