import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { randomNumbers, shuffled } from './random.ts';
import type { Bench, BenchOptions } from './run-named.ts';
import type { StrangerCase } from './stranger/case.ts';
import { allCases } from './stranger/cases/index.ts';
import type { Command, Offered } from './stranger/commands.ts';
import { openLab } from './stranger/open-lab.ts';
import { printReport } from './stranger/report.ts';
import { rememberTwin, runCase, type Twin } from './stranger/run-case.ts';
import { trySideBySide } from './stranger/versions.ts';

/**
 * Hostile repositories against every command, MCP tool and HTTP operation.
 *   npm run lab -- stranger [--minutes N] [--cases N|TEXT] [--commands N|TEXT] [--seed N] [--from PRODUCT]
 *   npm run lab -- stranger commands|mcp|http …   only that surface
 *   npm run lab -- stranger versions --from DIRECTORY|COMMIT   two versions on one repository
 * `--commands N` takes N commands, N tools and N requests for each case.
 * TEXT chooses the cases or commands whose name contains it. Another product than this one is `--from` its directory.
 */
const stranger: Bench = async (options) => {
  if (options.words[0] === 'versions') return await versions(options);
  const seed = Number(options.seed ?? 1);
  const work = realpathSync(mkdtempSync(join(tmpdir(), 'sylk-stranger-')));
  const directory = resolve(options.from[0] ?? join(import.meta.dirname, '..'));
  const context = await openLab(work, directory);
  const cases = chooseCases(options, seed);
  const deadline = Date.now() + options.minutes * 60_000;
  const plain = rememberTwin(context);
  const results = [];
  let combinations = 0;
  try {
    for (const [at, tried] of cases.entries()) {
      if (Date.now() > deadline) break;
      const twin: Twin = tried.twin ? rememberTwin(context, tried.twin, tried.big) : plain;
      const commands = has(options, 'commands')
        ? chooseCommands(options, tried, context.commands, at + seed)
        : [];
      const surfaces = chooseSurfaces(options);
      try {
        const offered = chooseOffered(options, context.offered, at + seed);
        const result = await runCase({ ...context, offered }, tried, twin, { commands, surfaces });
        combinations += result.combinations;
        results.push({ tried, failures: result.failures });
        const bad = result.failures.length;
        console.log(
          `${bad ? 'FAIL' : 'ok  '} ${tried.name}: ${result.combinations} combinations${bad ? `, ${bad} failures` : ''}`,
        );
        for (const { command, kind, detail } of result.failures.slice(0, 3))
          console.log(`     ${command}: ${kind}: ${detail}`);
      } catch (error) {
        console.log(
          `????  ${tried.name}: the lab could not make it: ${(error as Error).message.split('\n')[0]}`,
        );
        results.push({ tried, failures: [], broken: true });
      }
    }
  } finally {
    context.close();
    rmSync(work, { recursive: true, force: true, maxRetries: 5 });
  }
  printReport({ results, combinations, offered: cases.length, commands: context.commands.length, seed });
  if (results.some(({ failures }) => failures.length > 0)) process.exitCode = 1;
};

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

const has = ({ words }: BenchOptions, surface: string): boolean =>
  words.length === 0 || words.includes(surface);

function chooseSurfaces(options: BenchOptions): Array<'mcp' | 'http'> {
  const isByName = options.commands !== undefined && Number.isNaN(Number(options.commands));
  return (['mcp', 'http'] as const).filter((surface) => has(options, surface) && !isByName);
}

/** All cases in an order that the seed decides; cases of every group come early, the big ones last. */
function chooseCases({ cases }: BenchOptions, seed: number): StrangerCase[] {
  const count = Number(cases ?? allCases.length);
  if (Number.isNaN(count)) return allCases.filter(({ name }) => name.includes(cases ?? ''));
  const random = randomNumbers(seed);
  const groups = Map.groupBy(shuffled(allCases, random), ({ name }) => name.split(':')[0]);
  const turns: StrangerCase[] = [];
  const lists = [...groups.values()];
  for (let at = 0; turns.length < allCases.length; at++)
    for (const list of lists) {
      const next = list[at];
      if (next) turns.push(next);
    }
  return turns.sort((a, b) => Number(a.big ?? false) - Number(b.big ?? false)).slice(0, count);
}

/** What the case aims at, then others in turn, so that over a run every case of a kind meets every command. */
function chooseCommands(
  { commands }: BenchOptions,
  tried: StrangerCase,
  all: Command[],
  turn: number,
): Command[] {
  const count = Number(commands ?? 6);
  if (Number.isNaN(count)) return all.filter(({ name }) => name.includes(commands ?? ''));
  const aimed = (tried.aims ?? []).flatMap((name) => all.filter((command) => command.name === name));
  const others = Array.from({ length: count }, (_, at) => all[(turn * count + at) % all.length]);
  const chosen = [...aimed.slice(0, Math.max(1, count - 2)), ...others.filter((each) => each !== undefined)];
  return [...new Set(chosen)].slice(0, Math.max(count, 0));
}

/** All, or as many as there are commands for each case, in turn. */
function chooseOffered({ commands }: BenchOptions, all: Offered[], turn: number): Offered[] {
  const count = Number(commands ?? all.length);
  if (!(count < all.length)) return all;
  return all.filter((_, at) => (at + all.length - ((turn * count) % all.length)) % all.length < count);
}

export default stranger;
