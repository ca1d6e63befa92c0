import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Product } from './place.ts';

export interface Command {
  name: string;
  /** Command lines that run one after the other; `{id}` is the `id` that the one before answered. */
  steps: string[][];
}

/** What a lab needs to know of an operation: how it is called and with what. */
export interface Offered {
  name: string;
  example: Record<string, unknown>;
  effect: string;
}

interface Operation {
  name: string;
  effect: string;
  examples: Array<Record<string, unknown>>;
  command?: { positionals?: string[] };
}

interface Registry {
  verbs: Record<string, string | null>;
  operations: Operation[];
}

/** Commands that are no operation, and sequences whose later steps need what an earlier one made. */
const sequences: Record<string, string[][]> = {
  'config show': [['config', 'show', '--origin']],
  help: [['help']],
  'search login': [['search', 'login']],
  'ask login': [['ask', 'where is login']],
  'why forget': [
    ['why', 'src/auth/rate-limit.ts'],
    ['search', 'locked out'],
  ],
  'skills load work-execution': [['skills', 'load', 'work-execution']],
  'skills load remote-skill': [['skills', 'load', 'remote-skill']],
  'hook start': [['hook', 'claude-code', 'start']],
  completions: [['completions', 'bash']],
  'then: index, search, doctor': [['index'], ['search', 'login'], ['why', 'src/index.ts'], ['doctor']],
  'then: rebuild': [
    ['index', '--rebuild'],
    ['ask', 'where do users log in?'],
  ],
  'then: remember, brief, export': [
    ['memory', 'add', 'Sessions stay in memory because there is one process.', '--category', 'decision'],
    ['brief'],
    ['memory', 'search', 'sessions'],
    ['export'],
    ['backup'],
  ],
  'then: session worktree, merge': [
    ['session', 'new', 'trial', '--json'],
    ['session', 'worktree', '{id}'],
    ['session', 'merge', '{id}'],
    ['session', 'remove-worktree', '{id}'],
  ],
  'then: init, hooks, uninstall': [
    ['init'],
    ['hooks', 'install', 'git'],
    ['hooks', 'uninstall', 'git'],
    ['uninstall', '--keep-library'],
  ],
  'then: skills': [
    ['skills', 'list'],
    ['skills', 'load', 'work-execution'],
    ['skills', 'lock'],
    ['skills', 'verify'],
    ['skills', 'browse'],
  ],
  'then: snapshot': [['snapshot'], ['snapshot', 'list']],
  'then: areas, work': [
    ['areas', 'list'],
    ['areas', 'suggest'],
    ['work', 'export'],
    ['work', 'board'],
  ],
};

export function readCommands(product: Product): { commands: Command[]; offered: Offered[] } {
  const { operations, verbs } = readRegistry(product);
  const commands = operations.map((operation) => ({
    name: verbs[operation.name] ?? `call ${operation.name}`,
    steps: [words(operation, verbs[operation.name] ?? undefined)],
  }));
  for (const [name, steps] of Object.entries(sequences)) commands.push({ name, steps });
  const offered = operations.map(({ name, effect, examples }) => ({
    name,
    effect,
    example: examples[0] ?? {},
  }));
  return { commands, offered };
}

/** In a process of its own: a test runner would translate the whole product first. A package is described by these sources. */
function readRegistry(product: Product): Registry {
  const script = `
    const { nouns, allOperations } = await import(process.argv[1]);
    const verbs = Object.assign({}, ...nouns.map((noun) => noun.verbs));
    const operations = (await allOperations()).map(({ name, effect, examples, command }) => ({ name, effect, examples, command }));
    console.log(JSON.stringify({ verbs, operations }));`;
  const own = join(import.meta.dirname, '../..');
  const sources = [product.directory, own].find((each) => existsSync(join(each, 'src/operations')));
  const list = pathToFileURL(join(sources ?? own, 'src/operations/list.ts')).href;
  const args = ['--input-type=module', '--eval', script, list];
  return JSON.parse(
    execFileSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 1 << 26 }),
  ) as Registry;
}

/** The example as a person types it; what cannot be typed goes through `sylk call`. */
function words(operation: Operation, verb: string | undefined): string[] {
  const example = operation.examples[0] ?? {};
  const isPlain = Object.values(example).every((value) => typeof value !== 'object');
  if (!verb || !isPlain) return ['call', operation.name, JSON.stringify(example)];
  const positionals = (operation.command?.positionals ?? []).filter((field) => field in example);
  const flags = Object.keys(example).filter((field) => !positionals.includes(field));
  return [
    ...verb.split(' '),
    ...positionals.map((field) => String(example[field])),
    ...flags.flatMap((field) => flag(field, example[field])),
  ];
}

function flag(field: string, value: unknown): string[] {
  const name = field
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();
  if (value === true) return [`--${name}`];
  if (value === false) return [`--no-${name}`];
  return [`--${name}`, String(value)];
}
