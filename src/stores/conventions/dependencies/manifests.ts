import { once } from '../../../base/once.ts';
import { table } from '../data.ts';
import { type LockRow, pythonName } from './lock-files.ts';
import type { Dependency, DependencyType, Ecosystem } from './record.ts';
import {
  type Json,
  listAt,
  objectAt,
  readStructured,
  readToml,
  type StructuredFormat,
  textOf,
} from './structured-text.ts';

type Declared = Pick<Dependency, 'name' | 'type' | 'range'> & { pinned?: string };

interface ManifestReader {
  ecosystem: Ecosystem;
  file: RegExp;
  read(text: string): Declared[];
}

const declared = (group: Json, type: DependencyType): Declared[] =>
  Object.entries(group).map(([name, value]) => ({
    name,
    type,
    range: textOf(value) ?? textOf(objectAt(value).version) ?? '*',
  }));

/** `name[extra]>=1; python_version > "3"` → name and range. */
function requirement(line: string, type: DependencyType): Declared[] {
  const match = /^\s*([A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\])?\s*([^;#]*)/.exec(line);
  const [, name, version = ''] = match ?? [];
  if (!name) return [];
  const range = version.trim();
  const pinned = /^==\s*([\w.+!-]+)$/.exec(range)?.[1];
  return [{ name: pythonName(name), type, range: range || '*', pinned }];
}

const isDevGroup = (name: string): boolean =>
  /dev|test|lint|typ|doc|format|style|check|ci|build|pre-?commit|mypy/i.test(name);

function pyproject(text: string): Declared[] {
  const manifest = readToml(text);
  const strings = (list: unknown, type: DependencyType) =>
    (Array.isArray(list) ? list : []).flatMap((entry) =>
      typeof entry === 'string' ? requirement(entry, type) : [],
    );
  const typeOf = (group: string): DependencyType => (isDevGroup(group) ? 'dev' : 'runtime');
  const lists = (value: unknown, ...keys: string[]) => Object.entries(objectAt(value, ...keys));
  const poetry = objectAt(manifest, 'tool', 'poetry');
  const named = (group: unknown, type: DependencyType) =>
    declared(objectAt(group), type)
      .filter(({ name }) => name !== 'python')
      .map((entry) => ({ ...entry, name: pythonName(entry.name) }));
  return [
    ...strings(listAt(manifest, 'project', 'dependencies'), 'runtime'),
    ...lists(manifest, 'project', 'optional-dependencies').flatMap(([group, list]) =>
      strings(list, typeOf(group)),
    ),
    ...lists(manifest, 'dependency-groups').flatMap(([, list]) => strings(list, 'dev')),
    ...strings(listAt(manifest, 'build-system', 'requires'), 'dev'),
    ...strings(listAt(manifest, 'tool', 'uv', 'dev-dependencies'), 'dev'),
    ...lists(manifest, 'tool', 'pdm', 'dev-dependencies').flatMap(([, list]) => strings(list, 'dev')),
    ...lists(manifest, 'tool', 'hatch', 'envs').flatMap(([, env]) =>
      strings(objectAt(env).dependencies, 'dev'),
    ),
    ...named(poetry.dependencies, 'runtime'),
    ...named(poetry['dev-dependencies'], 'dev'),
    ...lists(poetry, 'group').flatMap(([group, value]) => named(objectAt(value).dependencies, typeOf(group))),
  ];
}

function requirementsTxt(type: DependencyType) {
  return (text: string): Declared[] =>
    text
      .split('\n')
      .filter((line) => !/^\s*(#|-|$|\.|https?:|git\+)/.test(line))
      .flatMap((line) => requirement(line, type));
}

function setupCfg(text: string): Declared[] {
  const block = /^install_requires\s*=\s*((?:\n[ \t]+.*|.*)+?)(?=\n\S|\s*$)/m.exec(text)?.[1] ?? '';
  return block.split('\n').flatMap((line) => (line.trim() ? requirement(line, 'runtime') : []));
}

/** Only literal lists: the file itself is a program and is never run. */
function setupPy(text: string): Declared[] {
  const fields = {
    install_requires: 'runtime',
    extras_require: 'runtime',
    tests_require: 'dev',
    setup_requires: 'dev',
  } as const;
  return Object.entries(fields).flatMap(([field, type]) =>
    [...text.matchAll(new RegExp(`\\b${field}\\s*=\\s*(\\[[^\\]]*\\]|\\{[^}]*\\})`, 'g'))]
      .flatMap(([, list = '']) => [...list.matchAll(/["']([A-Za-z][^"'\n]*)["'](?!\s*:)/g)])
      .flatMap(([, line = '']) => requirement(line, type)),
  );
}

/** `gem 'x', '~> 1'` inside or outside a group, and `add_development_dependency` of a gemspec. */
function gemfile(text: string): Declared[] {
  let group: DependencyType = 'runtime';
  return text.split('\n').flatMap((line): Declared[] => {
    if (/^\s*group\b/.test(line)) group = /development|test|lint|rubocop|doc/.test(line) ? 'dev' : 'runtime';
    else if (/^\s*end\b/.test(line)) group = 'runtime';
    const [, kind, gem, range = '*', rest = ''] =
      /(?:^\s*gem|add_(?:(development_|runtime_))?dependency)\s*\(?\s*["']([\w.-]+)["'](?:\s*,\s*["']([^"']+)["'])?(.*)$/.exec(
        line,
      ) ?? [];
    if (gem === undefined) return [];
    const isDev = kind === 'development_' || /group:?\s*(=>)?\s*\[?:?(test|dev)/.test(rest);
    const own = /add_\w*dependency/.test(line) ? 'runtime' : group;
    return [{ name: gem, range, type: isDev ? 'dev' : own }];
  });
}

function pomXml(text: string): Declared[] {
  return [...text.matchAll(/<dependency>([\s\S]*?)<\/dependency>/g)].flatMap(([, body = '']) => {
    const field = (tag: string) => new RegExp(`<${tag}>\\s*([^<\\s]+)\\s*</${tag}>`).exec(body)?.[1];
    const [group, artifact, version] = [field('groupId'), field('artifactId'), field('version')];
    if (!group || !artifact) return [];
    const type = field('scope') === 'test' ? 'dev' : 'runtime';
    const pinned = version?.includes('$') ? undefined : version;
    return [{ name: `${group}:${artifact}`, range: version ?? '*', type, pinned } satisfies Declared];
  });
}

function versionCatalog(text: string): Declared[] {
  const catalog = readToml(text);
  const versions = objectAt(catalog, 'versions');
  return Object.values(objectAt(catalog, 'libraries')).flatMap((value) => {
    const entry = objectAt(value);
    const name =
      textOf(entry.module) ??
      (textOf(entry.group) && textOf(entry.name) ? `${entry.group}:${entry.name}` : undefined);
    const version = textOf(entry.version) ?? textOf(versions[textOf(objectAt(entry, 'version').ref) ?? '']);
    const [group, artifact, short] = textOf(value)?.split(':') ?? [];
    if (short) return [{ name: `${group}:${artifact}`, type: 'runtime', range: short, pinned: short }];
    return name ? [{ name, type: 'runtime', range: version ?? '*', pinned: version }] : [];
  });
}

interface ManifestRow {
  ecosystem: Ecosystem;
  file: string;
  format?: StructuredFormat;
  groups?: Record<string, DependencyType>;
  only?: string;
  pattern?: string;
  dev?: boolean;
}

/** Rows of data/manifests.toml, which explains them. */
export interface ManifestTables {
  manifests: ManifestRow[];
  locks: LockRow[];
}

export const manifestTables = table<ManifestTables>('manifests');

function readRow(row: ManifestRow, text: string): Declared[] {
  const { format, groups = {}, pattern } = row;
  const manifest = format ? readStructured[format](text) : {};
  const listed = Object.entries(groups).flatMap(([keys, type]) =>
    declared(objectAt(manifest, ...keys.split('.')), type),
  );
  const matched = pattern ? [...text.matchAll(new RegExp(pattern, 'gm'))] : [];
  return listed.concat(
    matched.map(({ groups: { name = '', range, pinned, dev } = {} }) => ({
      name,
      range: range ?? pinned ?? '*',
      type: row.dev || dev !== undefined ? 'dev' : 'runtime',
      pinned,
    })),
  );
}

const tableReaders = once(() =>
  manifestTables().manifests.map((row): ManifestReader => {
    const only = new RegExp(row.only ?? '');
    return {
      ecosystem: row.ecosystem,
      file: new RegExp(row.file),
      read: (text) => readRow(row, text).filter(({ name }) => only.test(name)),
    };
  }),
);

const codeReaders: ManifestReader[] = [
  { ecosystem: 'pypi', file: /^pyproject\.toml$/, read: pyproject },
  { ecosystem: 'pypi', file: /^requirements\.txt$/, read: requirementsTxt('runtime') },
  {
    ecosystem: 'pypi',
    file: /^(requirements[-_.](dev|tests?|lint|typing|docs?|ci)|(dev|test)[-_]requirements)[\w-]*\.(txt|in)$/,
    read: requirementsTxt('dev'),
  },
  { ecosystem: 'pypi', file: /^setup\.cfg$/, read: setupCfg },
  { ecosystem: 'pypi', file: /^setup\.py$/, read: setupPy },
  { ecosystem: 'gem', file: /^(Gemfile|.+\.gemspec)$/, read: gemfile },
  { ecosystem: 'maven', file: /^pom\.xml$/, read: pomXml },
  { ecosystem: 'maven', file: /^libs\.versions\.toml$/, read: versionCatalog },
];

/** The reader for a file of this base name. */
export const manifestReaders = (name: string): ManifestReader[] =>
  [...tableReaders(), ...codeReaders].filter(({ file }) => file.test(name));
