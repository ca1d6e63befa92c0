import type { Git } from '../../base/git/index.ts';
import { once } from '../../base/once.ts';
import { fileRef } from '../../base/ref.ts';
import type { ProjectFiles } from '../../stores/conventions/index.ts';
import type { CodeEvidence, DefinedName, Place, Removal } from './evidence.ts';

export interface EvidenceParts {
  files: ProjectFiles;
  dependencies(): Promise<Array<{ name: string; manifest: string }>>;
  definitions(name: string): Promise<DefinedName[]> | DefinedName[];
  git: Git;
  /** The commit whose history is searched for removed packages. */
  revision?: string;
}

/** How far back removed packages are searched. */
const mostCommits = 3000;
/** Files that are read to see whether they contain a word by itself. */
const mostMentions = 40;

/** The code as evidence: one state of it, read on first use and cached for the following claims. */
export function createCodeEvidence(parts: EvidenceParts): CodeEvidence {
  const { files, git, revision = 'HEAD' } = parts;
  const paths = once(() => files.list());
  const byEnd = once(async () => Map.groupBy(await paths(), (path) => path.slice(path.lastIndexOf('/') + 1)));
  const declared = once(async () => {
    const known = new Map<string, Place>();
    for (const { name, manifest } of await parts.dependencies())
      for (const written of waysToWrite(name))
        if (!known.has(written)) known.set(written, { ref: fileRef(manifest), path: manifest, line: 0 });
    return known;
  });
  const removed = once(() => readRemovals(git, revision));
  const definitions = memoised(async (name) => await parts.definitions(name));
  const holding = memoised(async (text) => files.holding(text.split('\0')));
  const inFile = (path: string): Place => ({ ref: fileRef(path), path, line: 0 });

  return {
    files: async (path) => {
      const clean = path.replace(/^\.?\//, '');
      if (clean.endsWith('/'))
        return (await paths()).filter((each) => `/${each}`.includes(`/${clean}`)).slice(0, 5);
      const candidates = (await byEnd()).get(clean.slice(clean.lastIndexOf('/') + 1)) ?? [];
      return candidates.filter((each) => each === clean || each.endsWith(`/${clean}`));
    },
    definitions,
    dependency: async (name) => (await declared()).get(normal(name)),
    manifest: async () => {
      const depth = ({ path }: Place) => path.split('/').length;
      return [...(await declared()).values()].sort((left, right) => depth(left) - depth(right))[0];
    },
    holds: async (path, word) => isWordIn(word, (await files.read(path)) ?? ''),
    importOf: async (name) => {
      if (!/^[@\w][\w@./-]*$/.test(name)) return undefined;
      const lower = name.toLowerCase();
      const texts = ["'", '"'].flatMap((quote) => [
        `from ${quote}${lower}${quote}`,
        `require(${quote}${lower}${quote}`,
        `import ${quote}${lower}${quote}`,
        `import(${quote}${lower}${quote}`,
      ]);
      const bare = lower.replaceAll('-', '_');
      if (/^\w+$/.test(bare))
        texts.push(
          `import ${bare}\n`,
          `from ${bare} import`,
          `use ${bare}::`,
          `extern crate ${bare}`,
          `require '${lower}'`,
          `#include <${lower}`,
        );
      const [path] = (await holding(texts.join('\0').replaceAll('\n', ''))).filter((each) => !isProse(each));
      return path ? inFile(path) : undefined;
    },
    mention: memoised(async (name) => {
      const [word = name] = name.split(/[.#]|::/).reverse();
      const found = (await holding(word)).filter((each) => !isProse(each)).slice(0, mostMentions);
      for (const path of found) if (isWordIn(word, (await files.read(path)) ?? '')) return inFile(path);
      return undefined;
    }),
    removal: async (name) => (await removed()).get(normal(name)),
    inherits: async (child, parent) => {
      const found = (await definitions(child)).find(({ signature }) =>
        new RegExp(`\\b${parent}\\b`).test(signature),
      );
      if (found) return found;
      const [path] = await holding([`${parent} for ${child}`, `${child} = ${parent}`].join('\0'));
      return path ? inFile(path) : undefined;
    },
    lineOf: async ({ path, line }) => (await files.read(path))?.split('\n')[line - 1] ?? '',
  };
}

function memoised<T>(work: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const known = new Map<string, Promise<T>>();
  return (key) => {
    let found = known.get(key);
    if (!found) {
      found = work(key);
      known.set(key, found);
    }
    return found;
  };
}

const isWordIn = (word: string, text: string): boolean =>
  new RegExp(`(?<![\\w$])${word.replace(/[^\w]/g, '\\$&')}(?![\\w$])`).test(text);

const isProse = (path: string): boolean => /\.(?:md|mdx|rst|txt|html|svg|lock)$/i.test(path);

const normal = (name: string): string => name.toLowerCase().replace(/\.js$/, '').replace(/[_.]/g, '-');

/** A Go module and a Composer package are named by their last part. */
function waysToWrite(name: string): string[] {
  const ways = [normal(name)];
  const [last = name] = name
    .replace(/\/v\d+$/, '')
    .split('/')
    .reverse();
  if (!name.startsWith('@') && name.includes('/')) ways.push(normal(last));
  return ways;
}

const manifests = [
  'package.json',
  'pyproject.toml',
  'setup.py',
  'setup.cfg',
  'requirements*.txt',
  'requirements/*',
  'Cargo.toml',
  'go.mod',
  'Gemfile',
  'composer.json',
].flatMap((name) => [name, `:(glob)*/${name}`, `:(glob)*/*/${name}`]);

/** Packages removed from a manifest, each with the last commit that removed it. */
async function readRemovals(git: Git, revision: string): Promise<Map<string, Removal>> {
  const { stdout } = await git.run(
    [
      ...['log', '--no-merges', '-p', '-U0', '--no-renames', '--no-color', `--max-count=${mostCommits}`],
      ...['--format=%x01%H %cs', revision, '--', ...manifests],
    ],
    { accept: [128], timeoutMs: 20_000, maxOutputBytes: 1 << 28 },
  );
  const removals = new Map<string, Removal>();
  for (const record of stdout.toString('utf8').split('\x01').slice(1)) {
    const [head = '', ...lines] = record.split('\n');
    const [commit = '', date = ''] = head.split(' ');
    let path = '';
    const gone = new Map<string, string>();
    const came = new Set<string>();
    for (const line of lines) {
      if (line.startsWith('--- a/')) path = line.slice(6);
      const name =
        /^[-+]\s*(?:require )?["']?(@?[A-Za-z][\w.@/-]*)["']?(?:\[[^\]]*\])?\s*(?:[:=<>~!^,"']|v\d|$)/.exec(
          line,
        )?.[1];
      if (!name) continue;
      if (line.startsWith('-')) gone.set(name, path);
      else came.add(name);
    }
    for (const [name, lostBy] of gone)
      if (!came.has(name))
        for (const written of waysToWrite(name))
          if (!removals.has(written)) removals.set(written, { commit, date, path: lostBy });
  }
  return removals;
}
