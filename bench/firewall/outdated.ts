import { definitionOf } from '../claims/definition-lines.ts';
import { createTreeFacts, gitText, isManifest, namesInManifest } from '../claims/tree-facts.ts';

/** A sentence that was true at `before` and is false at HEAD. */
export interface OutdatedSentence {
  kind: 'package removed' | 'file moved' | 'symbol renamed';
  text: string;
  before: string;
}

const isCode = (path: string): boolean =>
  /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|cs|c|cc|cpp|h)$/.test(path);

/** Found in the history by program: the diff says what was true before, the tree of HEAD that it is no more. */
export function outdatedSentences(gitDirectory: string, mostOfKind: number): OutdatedSentence[] {
  const now = createTreeFacts(gitDirectory)('HEAD');
  return [
    ...spread(removedPackages(gitDirectory, now.dependencies()), mostOfKind),
    ...spread(movedFiles(gitDirectory, now.paths()), mostOfKind),
    ...spread(
      renamedSymbols(gitDirectory).filter(({ name }) => now.definitions(name).length === 0),
      mostOfKind,
    ),
  ];
}

/** Evenly over the history, not the newest only. */
function spread<T>(items: T[], most: number): T[] {
  const step = Math.max(1, items.length / most);
  return Array.from({ length: Math.min(most, items.length) }, (_, n) => items[Math.floor(n * step)]).filter(
    (item) => item !== undefined,
  );
}

const records = (gitDirectory: string, args: string[]): Array<{ commit: string; lines: string[] }> =>
  gitText(gitDirectory, [
    'log',
    '--full-history',
    '--no-merges',
    '--max-count=3000',
    '--format=%x01%H',
    ...args,
  ])
    .split('\x01')
    .slice(1)
    .map((record) => {
      const [commit = '', ...lines] = record.split('\n');
      return { commit, lines };
    });

const uses = [
  (name: string) => `We use ${name} for this.`,
  (name: string) => `The project depends on \`${name}\`.`,
  (name: string) => `This is built with ${name}.`,
];
const places = [
  (path: string) => `The code for this is in ${path}.`,
  (path: string) => `See \`${path}\` for how it works.`,
];
const symbols = [
  (name: string, path: string) => `\`${name}\` is defined in ${path}.`,
  (name: string, path: string) => `${name} lives in ${path}.`,
];
const choose = <T>(forms: T[], at: number): T | undefined => forms[at % forms.length];

function removedPackages(gitDirectory: string, now: Set<string>): OutdatedSentence[] {
  const found = new Map<string, OutdatedSentence>();
  for (const { commit, lines } of records(gitDirectory, [
    '--name-only',
    '--no-renames',
    '--',
    ...manifestPaths,
  ])) {
    for (const path of lines.filter(isManifest)) {
      const at = (tree: string) =>
        namesInManifest(path, gitText(gitDirectory, ['cat-file', 'blob', `${tree}:${path}`]));
      const after = new Set(at(commit));
      for (const name of after.size === 0 ? [] : at(`${commit}^`))
        if (!after.has(name) && !now.has(name) && !found.has(name) && name.length > 2)
          found.set(name, {
            kind: 'package removed',
            text: choose(uses, found.size)?.(name) ?? '',
            before: `${commit}^`,
          });
    }
  }
  return [...found.values()];
}

const manifestPaths = [
  'package.json',
  'pyproject.toml',
  'requirements*.txt',
  'Cargo.toml',
  'go.mod',
  'Gemfile',
].map((name) => `:(glob)**/${name}`);

function movedFiles(gitDirectory: string, now: Set<string>): OutdatedSentence[] {
  const found = new Map<string, OutdatedSentence>();
  const isThere = (path: string) => [...now].some((each) => each === path || each.endsWith(`/${path}`));
  for (const { commit, lines } of records(gitDirectory, ['-M', '--diff-filter=R', '--name-status']))
    for (const line of lines) {
      const [, old = ''] = line.split('\t');
      if (isCode(old) && old.includes('/') && !found.has(old) && !isThere(old))
        found.set(old, {
          kind: 'file moved',
          text: choose(places, found.size)?.(old) ?? '',
          before: `${commit}^`,
        });
    }
  return [...found.values()];
}

/** A definition line that one with another name and the same keyword took the place of. */
function renamedSymbols(gitDirectory: string): Array<OutdatedSentence & { name: string }> {
  const found = new Map<string, OutdatedSentence & { name: string }>();
  for (const { commit, lines } of records(gitDirectory, ['-p', '-U0', '--no-renames', '--diff-filter=M'])) {
    let path = '';
    for (const [at, line] of lines.entries()) {
      if (line.startsWith('--- a/')) path = line.slice(6);
      const [before, after] = [definitionOf(line.slice(1)), definitionOf(lines[at + 1]?.slice(1) ?? '')];
      const isRename = line.startsWith('-') && lines[at + 1]?.startsWith('+') && isCode(path);
      if (!isRename || !before || before.keyword !== after?.keyword || before.name === after.name) continue;
      if (before.name.length < 6 || found.has(before.name)) continue;
      const text = choose(symbols, found.size)?.(before.name, path) ?? '';
      found.set(before.name, { kind: 'symbol renamed', name: before.name, text, before: `${commit}^` });
    }
  }
  return [...found.values()];
}
