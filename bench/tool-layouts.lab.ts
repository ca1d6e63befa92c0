import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../src/base/clock.ts';
import { createGit } from '../src/base/git/index.ts';
import { openLibrary } from '../src/base/library/index.ts';
import { once } from '../src/base/once.ts';
import { openSqlite } from '../src/base/sqlite/index.ts';
import { openConventions, type ToolCategory, treeFiles } from '../src/stores/conventions/index.ts';
import type { BenchOptions } from './run-named.ts';

interface Expected {
  repository: string;
  commit: string;
  language: string;
  split: string;
  category: ToolCategory;
  tools: string[];
  runs: string[];
}

/**
 * Tool discovery on public projects against what their pipelines run. `--from DIR` holds one git directory a project:
 * `<owner>+<name>/repo`, `<owner>+<name>` or `<owner>/<name>`. Words choose: dev, held, a part of a name, `-v` for all lines.
 */
export default async function toolLayouts({ from, words }: BenchOptions): Promise<void> {
  if (from.length === 0) {
    console.log('Give --from DIR with clones of the projects that bench/tool-layouts.gold.tsv names.');
    return;
  }
  const wanted = words.filter((word) => word !== '-v');
  const gold = readGold().filter(
    (entry) =>
      wanted.length === 0 || wanted.some((word) => entry.split === word || entry.repository.includes(word)),
  );
  const totals = { projects: 0, tools: 0, toolsRight: 0, runs: 0, runsRight: 0, missing: 0 };
  for (const repository of new Set(gold.map((entry) => entry.repository))) {
    const directory = gitDirectoryOf(from, repository);
    if (!directory) {
      totals.missing++;
      continue;
    }
    totals.projects++;
    const shelf = openShelf(directory);
    for (const entry of gold.filter((candidate) => candidate.repository === repository)) {
      const { tools, tier } = await shelf.discover({
        path: '',
        category: entry.category,
        languages: [entry.language],
      });
      const match = tools.findIndex((tool) => entry.tools.includes(tool.name));
      const first = tools[0];
      const toolRight = match === 0;
      const runRight = toolRight && entry.runs.some((run) => sameCommand(run, first!.run_command));
      totals.tools++;
      if (toolRight) totals.toolsRight++;
      if (entry.runs.length > 0) totals.runs++;
      if (entry.runs.length > 0 && runRight) totals.runsRight++;
      if (!toolRight || (entry.runs.length > 0 && !runRight) || words.includes('-v')) {
        const said = tools.map((tool) => `${tool.name} \`${tool.run_command}\``).join(', ') || 'nothing';
        const mark = toolRight ? (entry.runs.length === 0 || runRight ? 'ok ' : 'RUN') : 'TOOL';
        console.log(
          `${mark} ${repository} ${entry.category} tier ${tier}: ${said}; expected ${entry.tools.join('|')} \`${entry.runs[0] ?? ''}\``,
        );
      }
    }
  }
  const share = (part: number, whole: number) =>
    `${part}/${whole} = ${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;
  console.log(`projects ${totals.projects} (${totals.missing} not there)`);
  console.log(`right tool first      ${share(totals.toolsRight, totals.tools)}`);
  console.log(`right run command too ${share(totals.runsRight, totals.runs)}`);
}

function readGold(): Expected[] {
  return readFileSync(join(import.meta.dirname, 'tool-layouts.gold.tsv'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [repository, commit, language, split, category, tools, runs] = line.split('\t') as string[];
      return {
        repository: repository!,
        commit: commit!,
        language: language!,
        split: split!,
        category: category as ToolCategory,
        tools: tools!.split('|'),
        runs: runs ? runs.split(' | ') : [],
      };
    });
}

function gitDirectoryOf(from: string[], repository: string): string | undefined {
  const flat = repository.replace('/', '+');
  const places = from.flatMap((base) =>
    [flat, repository].flatMap((name) => [
      join(base, name, 'repo'),
      join(base, name, '.git'),
      join(base, name),
    ]),
  );
  return places.find((place) => existsSync(join(place, 'HEAD')));
}

function openShelf(gitDirectory: string) {
  const files = treeFiles(createGit(gitDirectory));
  const index = once(() => openSqlite(':memory:'));
  const library = once(async () => openLibrary({ url: ':memory:' }));
  return openConventions({ index, library, files, root: '', clock: systemClock, searchPath: '' }).tools;
}

/** `pnpm run x` and `pnpm x` are one command, and so are `npm run test` and `npm test`. */
const plain = (command: string): string =>
  command
    .replace(/\s+/g, ' ')
    .replace(/^(npm|pnpm|yarn|bun) (run )?/, (_all, manager: string) => `${manager} `)
    .trim();

function sameCommand(expected: string, said: string): boolean {
  const pattern = plain(expected)
    .split('*')
    .map((part) => part.replace(/[^\w\s]/g, '\\$&'))
    .join('.*');
  return new RegExp(`^${pattern}$`).test(plain(said));
}
