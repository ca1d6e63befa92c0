import { spawnSync } from 'node:child_process';
import { definitionOf, heritageOf, isCalled } from './definition-lines.ts';

/** What one tree of a git directory holds, read with git and by the look of lines. */
export interface TreeFacts {
  paths(): Set<string>;
  dependencies(): Set<string>;
  /** Lines that define a name, with their file. */
  definitions(name: string): Array<{ path: string; keyword: string }>;
  inherits(name: string, parent: string): boolean;
  isKind(name: string, word: string): boolean;
}

export const gitText = (gitDirectory: string, args: string[]): string =>
  spawnSync('git', [`--git-dir=${gitDirectory}`, ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    env: { ...process.env, GIT_NO_LAZY_FETCH: '1' },
  }).stdout ?? '';

export const isManifest = (path: string): boolean =>
  !/(^|\/)(node_modules|vendor|examples?|fixtures?|tests?|templates?)\//.test(path) &&
  path.split('/').length <= 3 &&
  /(^|\/)(package\.json|pyproject\.toml|requirements[\w-]*\.txt|requirements\/[\w-]+\.(txt|in)|setup\.(py|cfg)|Cargo\.toml|go\.mod|Gemfile|composer\.json)$/.test(
    path,
  );

/** Names that the manifests of a tree ask for, as they are written there. */
export function createTreeFacts(gitDirectory: string): (tree: string) => TreeFacts {
  const known = new Map<string, TreeFacts>();
  return (tree) => {
    let facts = known.get(tree);
    if (!facts) {
      facts = factsOf(gitDirectory, tree);
      known.set(tree, facts);
    }
    return facts;
  };
}

function factsOf(gitDirectory: string, tree: string): TreeFacts {
  let paths: Set<string> | undefined;
  let dependencies: Set<string> | undefined;
  const lines = new Map<string, Array<{ path: string; text: string }>>();
  const list = () => {
    paths ??= new Set(
      gitText(gitDirectory, ['ls-tree', '-r', '-z', '--name-only', tree]).split('\0').filter(Boolean),
    );
    return paths;
  };
  const mentions = (name: string) => {
    let found = lines.get(name);
    if (!found) {
      const keyword =
        '(function|class|interface|type|enum|def|func|fn|struct|trait|module|impl|const|let|var)[ *(]';
      const word = `\\b${name.replaceAll('$', '\\$')}\\b`;
      found = gitText(gitDirectory, ['grep', '-I', '-z', '-E', '-e', word, '--and', '-e', keyword, tree])
        .split('\n')
        .filter((line) => line.includes('\0'))
        .map((line) => {
          const [place, text] = line.split('\0');
          return { path: place!.slice(tree.length + 1), text: text! };
        });
      lines.set(name, found);
    }
    return found;
  };
  const definitions: TreeFacts['definitions'] = (name) =>
    mentions(name).flatMap(({ path, text }) => {
      const definition = /\.(md|mdx|rst|txt|html|snap)$/.test(path) ? undefined : definitionOf(text);
      return definition?.name === name ? [{ path, keyword: definition.keyword }] : [];
    });
  return {
    paths: list,
    definitions,
    dependencies: () => {
      dependencies ??= new Set(
        [...list()]
          .filter(isManifest)
          .flatMap((path) =>
            namesInManifest(path, gitText(gitDirectory, ['cat-file', 'blob', `${tree}:${path}`])),
          ),
      );
      return dependencies;
    },
    inherits: (name, parent) =>
      mentions(name).some(({ text }) => {
        const heritage = heritageOf(text);
        return heritage?.name === name && heritage.parents.includes(parent);
      }),
    isKind: (name, word) => definitions(name).some(({ keyword }) => isCalled(keyword, word)),
  };
}

export function namesInManifest(path: string, text: string): string[] {
  if (path.endsWith('.json')) {
    try {
      const manifest = JSON.parse(text) as Record<string, Record<string, unknown>>;
      return [
        'dependencies',
        'devDependencies',
        'peerDependencies',
        'optionalDependencies',
        'require',
        'require-dev',
      ].flatMap((group) => Object.keys(manifest[group] ?? {}));
    } catch {
      return [];
    }
  }
  if (path.endsWith('go.mod'))
    return [...text.matchAll(/^\s*(?:require )?\s*([\w.-]+\.[\w./-]+) v\d/gm)].map(([, name]) => name!);
  if (path.endsWith('Gemfile'))
    return [...text.matchAll(/^\s*gem ['"]([\w-]+)['"]/gm)].map(([, name]) => name!);
  if (path.endsWith('Cargo.toml')) {
    const blocks = text
      .split(/^\[/m)
      .filter((block) => /^(?:[\w.'"()=-]+\.)?[\w-]*dependencies\]/.test(block));
    const tables = [...text.matchAll(/^\[(?:[\w-]+\.)?[\w-]*dependencies\.([\w-]+)\]/gm)].map(
      ([, name]) => name!,
    );
    return [
      ...tables,
      ...blocks.flatMap((block) => [...block.matchAll(/^([\w-]+)\s*=/gm)].map(([, name]) => name!)),
    ];
  }
  if (/\.(?:txt|in)$/.test(path))
    return [...text.matchAll(/^\s*([A-Za-z][\w.-]+)(?:\[[\w,-]+\])? *(?:[<>=!~;#].*)?$/gm)].map(([, name]) =>
      name!.toLowerCase(),
    );
  if (path.endsWith('.cfg')) {
    const block = /^install_requires\s*=((?:\n[ \t]+.*)+)/m.exec(text)?.[1] ?? '';
    return [...block.matchAll(/^\s*([A-Za-z][\w.-]+)/gm)].map(([, name]) => name!.toLowerCase());
  }
  // Lists of requirements only: other keys and strings of these files are settings.
  const lists = [
    ...text.matchAll(
      /\b(?:[\w-]*dependencies|requires|install_requires|extras_require|tests_require|dev|test|tests|docs|all)["']?\s*[=:]\s*[[{]([^\]}]*)[\]}]/g,
    ),
  ];
  const tables = text.split(/^\[/m).filter((block) => /^tool\.poetry[\w.-]*dependencies\]/.test(block));
  return [
    ...lists.flatMap(([, list]) => [
      ...list!.matchAll(/["']([A-Za-z][\w.-]+)(?:\[[\w,-]+\])? *(?:[<>=!~;][^"']*)?["'](?!\s*:)/g),
    ]),
    ...tables.flatMap((block) => [...block.matchAll(/^([A-Za-z][\w-]+) *=/gm)]),
  ].map(([, name]) => name!.toLowerCase());
}
