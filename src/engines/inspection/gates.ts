import { dirname, join, relative } from 'node:path';
import { tree } from '../../base/files/index.ts';
import { compileGlob } from '../../base/glob/index.ts';
import { type GateCategory, shapeCommand } from '../../base/reports/index.ts';
import { type Conventions, type DiscoveredTool, languageOf } from '../../stores/conventions/index.ts';
import type { ChangedFile } from './change.ts';
import { missingReason } from './next-step.ts';
import { unreadProse } from './prose.ts';
import type { Environment } from './trees.ts';

/** One tool of the project that judges some of the changed files. */
export interface Gate {
  tool: string;
  category: GateCategory;
  language: string;
  /** Where it runs, below the root. */
  directory: string;
  /** The tool as the project calls it, with its program where that is installed. */
  words: string[];
  /** Changed files that are its business, below the root. */
  files: string[];
  /** A pipeline, a script or a person's choice runs it; else it is only configured, declared, or part of the toolchain. */
  isNamed: boolean;
  /** False: it always looks at the whole project. */
  takesFiles: boolean;
  /** Why it can't be run. */
  missing?: string;
}

export const gateCategories = ['formatter', 'linter', 'type_checker', 'test_framework'] as const;

const mostGroups = 12;
const manifest =
  /(^|\/)(package\.json|pyproject\.toml|setup\.(py|cfg)|Cargo\.toml|go\.mod|Gemfile|pom\.xml|build\.gradle(\.kts)?|composer\.json|mix\.exs|Package\.swift|pubspec\.yaml|dune-project|build\.zig|[^/]+\.(csproj|tf))$/;

/**
 * Tools that the project names for the languages of the changed files; what is only recommended judges nobody. A file that none of them
 * names, such as a manifest, may change how everything behaves: there the project's own type checker and tests judge it as a whole,
 * unless it is prose that no code reads.
 */
export async function chooseGates(
  conventions: Conventions,
  files: ChangedFile[],
  environment: Environment,
): Promise<{ gates: Gate[]; unread: Set<string> }> {
  const unread = await unreadProse(conventions, files);
  const gates = new Map<string, Gate>();
  const add = (gate: Gate): void => {
    const key = [gate.tool, gate.category, gate.directory, ...gate.words].join('\0');
    const same = gates.get(key);
    if (same) same.files = [...new Set([...same.files, ...gate.files])];
    else gates.set(key, gate);
  };
  for (const [directory, paths] of await groupByProject(
    conventions,
    files.filter(({ path }) => !unread.has(path)),
  )) {
    const languages = [...new Set(paths.flatMap((path) => languageOf(path) ?? []))];
    const find = (languages?: string[]) => gatesOf(conventions, environment, { directory, languages, paths });
    const named = languages.length === 0 ? [] : await find(languages);
    const known = new Set(named.flatMap((gate) => gate.files));
    const whole = paths.every((path) => known.has(path)) ? [] : await find();
    for (const gate of named) add(gate);
    for (const gate of whole) if (isWhole(gate)) add(gate);
  }
  const order = ({ category }: Gate) => gateCategories.indexOf(category);
  const chosen = [...gates.values()].filter((gate, _at, all) => !isOverruled(gate, all));
  return { gates: chosen.sort((a, b) => order(a) - order(b)), unread };
}

/** How tests are run is said by the command that the project names: a framework beside it, which is only declared, is what that uses. */
const isOverruled = ({ category, directory, language, isNamed }: Gate, all: Gate[]): boolean =>
  category === 'test_framework' &&
  !isNamed &&
  all
    .filter((other) => other.isNamed && !other.missing && other.category === category)
    .some((other) => other.directory === directory && other.language === language);

const isWhole = ({ category }: Gate): boolean => category === 'type_checker' || category === 'test_framework';

async function gatesOf(
  conventions: Conventions,
  environment: Environment,
  { directory, languages, paths }: { directory: string; languages?: string[] | undefined; paths: string[] },
): Promise<Gate[]> {
  const { tools } = await conventions.tools.discover({ path: directory, languages });
  return tools.flatMap(
    (tool) =>
      gateOf(
        tool,
        paths.filter((path) => languageOf(path) === tool.language),
        environment,
      ) ?? [],
  );
}

/** Files by the nearest directory with a manifest: there the tools of a part of the project are named. */
async function groupByProject(
  { projectFiles }: Conventions,
  files: ChangedFile[],
): Promise<Array<[string, string[]]>> {
  const manifests = new Set(
    (await projectFiles.list())
      .filter((path) => manifest.test(path))
      .map((path) => (path.includes('/') ? dirname(path) : '')),
  );
  const groups = new Map<string, string[]>();
  for (const { path } of files) {
    let directory = path;
    do directory = directory.includes('/') ? dirname(directory) : '';
    while (directory !== '' && !manifests.has(directory));
    groups.set(directory, [...(groups.get(directory) ?? []), path]);
  }
  return [...groups].sort(([, a], [, b]) => b.length - a.length).slice(0, mostGroups);
}

function gateOf(tool: DiscoveredTool, files: string[], environment: Environment): Gate | undefined {
  const { name, category, language, source, words, directory, program, evidence } = tool;
  if (category === 'lsp' || source === 'registry' || name === 'editorconfig' || words.length === 0)
    return undefined;
  const [first = '', ...rest] = words;
  const shape = shapeCommand(name, category, words, { files: [], reportFile: 'report' });
  // Notes of commands have a line and the command: `Makefile:3: ruff check`.
  const isNamed = /^(ci|script|user_choice)$/.test(source) || evidence.some((note) => /:\d+: /.test(note));
  const isFileTool = category === 'formatter' || category === 'linter';
  const gate = {
    tool: name,
    category,
    language,
    directory,
    words,
    files: isFileTool ? files.filter(within(shape?.paths ?? [], directory, environment.root)) : files,
    isNamed,
    takesFiles: shape?.takesFiles ?? false,
  };
  if (program === undefined) return { ...gate, missing: missingReason(tool, environment) };
  if (!shape)
    return {
      ...gate,
      missing: `the output of ${name} can't be read. Next: run it by hand: ${words.join(' ')}`,
    };
  // The program that package managers put into the project is not on PATH.
  const isPlaced = program.includes('/') && !first.includes('/');
  if (name === 'unittest') {
    const python = isPlaced ? `./${relative(directory, program)}` : program;
    return { ...gate, words: [python, '-m', ...words.slice(words.indexOf('unittest'))] };
  }
  return { ...gate, words: isPlaced ? [`./${relative(directory, program)}`, ...rest] : words };
}

/** A project may have a tool look at some of its folders only; words that are neither a pattern nor a path of the tree say nothing. */
function within(words: string[], directory: string, root: string): (path: string) => boolean {
  const tests = words.flatMap((word) => {
    const path = join(directory, word).replace(/\/$/, '');
    // What a shell or the tool would read otherwise than we do may be anything.
    if (path === '.' || path === directory || /[{}[\]!?]/.test(word)) return [() => true];
    if (word.includes('*')) return [compileGlob(path)];
    if (!tree.entry(root, path)) return [];
    return [(file: string) => file === path || file.startsWith(`${path}/`)];
  });
  return (file) => tests.length === 0 || tests.some((test) => test(file));
}
