import { pythonName } from './lock-files.ts';
import type { Dependency, DependencyType, Ecosystem } from './record.ts';
import { type Json, listAt, objectAt, readJson, readToml, readYaml, textOf } from './structured-text.ts';

export type Declared = Pick<Dependency, 'name' | 'type' | 'range'> & { pinned?: string };

export interface ManifestReader {
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

/** Reads a manifest that lists its dependencies by name under these keys (`a.b` is b below a). */
const groupsOf =
  (read: (text: string) => Json, groups: Record<string, DependencyType>) =>
  (text: string): Declared[] => {
    const manifest = read(text);
    return Object.entries(groups).flatMap(([keys, type]) =>
      declared(objectAt(manifest, ...keys.split('.')), type),
    );
  };

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
  const strings = (list: unknown[], type: DependencyType) =>
    list.flatMap((entry) => (typeof entry === 'string' ? requirement(entry, type) : []));
  const found = strings(listAt(manifest, 'project', 'dependencies'), 'runtime');
  for (const [group, list] of Object.entries(objectAt(manifest, 'project', 'optional-dependencies')))
    found.push(...strings(Array.isArray(list) ? list : [], isDevGroup(group) ? 'dev' : 'runtime'));
  for (const list of Object.values(objectAt(manifest, 'dependency-groups')))
    found.push(...strings(Array.isArray(list) ? list : [], 'dev'));
  found.push(...strings(listAt(manifest, 'build-system', 'requires'), 'dev'));
  found.push(...strings(listAt(manifest, 'tool', 'uv', 'dev-dependencies'), 'dev'));
  for (const list of Object.values(objectAt(manifest, 'tool', 'pdm', 'dev-dependencies')))
    found.push(...strings(Array.isArray(list) ? list : [], 'dev'));
  for (const env of Object.values(objectAt(manifest, 'tool', 'hatch', 'envs')))
    found.push(...strings(listAt(env, 'dependencies'), 'dev'));
  const poetry = objectAt(manifest, 'tool', 'poetry');
  const named = (group: Json, type: DependencyType) =>
    declared(group, type)
      .filter(({ name }) => name !== 'python')
      .map((entry) => ({ ...entry, name: pythonName(entry.name) }));
  found.push(
    ...named(objectAt(poetry, 'dependencies'), 'runtime'),
    ...named(objectAt(poetry, 'dev-dependencies'), 'dev'),
  );
  for (const [group, value] of Object.entries(objectAt(poetry, 'group')))
    found.push(...named(objectAt(value, 'dependencies'), isDevGroup(group) ? 'dev' : 'runtime'));
  return found;
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

/** Only lists that are written out: the file itself is a program and is never run. */
function setupPy(text: string): Declared[] {
  const lists = (field: string) =>
    [...text.matchAll(new RegExp(`\\b${field}\\s*=\\s*(\\[[^\\]]*\\]|\\{[^}]*\\})`, 'g'))].map(
      ([, list]) => list!,
    );
  const names = (list: string, type: DependencyType) =>
    [...list.matchAll(/["']([A-Za-z][^"'\n]*)["'](?!\s*:)/g)].flatMap(([, line]) => requirement(line!, type));
  return [
    ...lists('install_requires').flatMap((list) => names(list, 'runtime')),
    ...lists('extras_require').flatMap((list) => names(list, 'runtime')),
    ...lists('tests_require').flatMap((list) => names(list, 'dev')),
    ...lists('setup_requires').flatMap((list) => names(list, 'dev')),
  ];
}

function goMod(text: string): Declared[] {
  const found: Declared[] = [];
  for (const match of text.matchAll(/^(?:require\s+|\t)([\w.~-]+\.[\w./~-]+) v(\S+)(.*)$/gm)) {
    if (!match[3]!.includes('indirect'))
      found.push({ name: match[1]!, type: 'runtime', range: `v${match[2]}`, pinned: match[2]! });
  }
  for (const match of text.matchAll(/^(?:tool\s+|\t)([\w.~-]+\.[\w./~-]+)$/gm))
    found.push({ name: match[1]!, type: 'dev', range: '*' });
  return found;
}

/** `gem 'x', '~> 1'` inside or outside a group, and `add_development_dependency` of a gemspec. */
function gemfile(text: string): Declared[] {
  const found: Declared[] = [];
  let group: DependencyType = 'runtime';
  for (const line of text.split('\n')) {
    if (/^\s*group\b/.test(line)) group = /development|test|lint|rubocop|doc/.test(line) ? 'dev' : 'runtime';
    else if (/^\s*end\b/.test(line)) group = 'runtime';
    const gem = /^\s*gem\s*\(?["']([\w.-]+)["'](?:\s*,\s*["']([^"']+)["'])?(.*)$/.exec(line);
    const spec =
      /add_((?:development|runtime)_)?dependency\s*\(?\s*["']([\w.-]+)["'](?:\s*,\s*["']([^"']+)["'])?/.exec(
        line,
      );
    if (gem)
      found.push({
        name: gem[1]!,
        range: gem[2] ?? '*',
        type: /group:?\s*(=>)?\s*\[?:?(test|dev)/.test(gem[3]!) ? 'dev' : group,
      });
    if (spec)
      found.push({
        name: spec[2]!,
        range: spec[3] ?? '*',
        type: spec[1] === 'development_' ? 'dev' : 'runtime',
      });
  }
  return found;
}

function mixExs(text: string): Declared[] {
  return [...text.matchAll(/\{:(\w+),\s*(?:"([^"]+)")?([^}]*)\}/g)].map((match) => ({
    name: match[1]!,
    range: match[2] ?? '*',
    type: /only:\s*\[?\s*:(dev|test)/.test(match[3]!) ? 'dev' : 'runtime',
  }));
}

const dotnet = (text: string): Declared[] =>
  [
    ...text.matchAll(
      /<Package(?:Reference|Version)\s+(?:Include|Update)="([^"]+)"(?:\s+Version="([^"]+)")?/g,
    ),
  ].map((match) => ({
    name: match[1]!,
    range: match[2] ?? '*',
    type: 'runtime',
    pinned: match[2],
  }));

function pomXml(text: string): Declared[] {
  return [...text.matchAll(/<dependency>([\s\S]*?)<\/dependency>/g)].flatMap(([, body]) => {
    const field = (tag: string) => new RegExp(`<${tag}>\\s*([^<\\s]+)\\s*</${tag}>`).exec(body!)?.[1];
    const [group, artifact, version] = [field('groupId'), field('artifactId'), field('version')];
    if (!group || !artifact) return [];
    const type = field('scope') === 'test' ? 'dev' : 'runtime';
    const pinned = version?.includes('$') ? undefined : version;
    return [{ name: `${group}:${artifact}`, range: version ?? '*', type, pinned } satisfies Declared];
  });
}

function gradle(text: string): Declared[] {
  const coordinates =
    /\b(\w*(?:[iI]mplementation|[aA]pi|compileOnly|runtimeOnly))\s*\(?\s*["']([\w.-]+:[\w.-]+)(?::([\w.+-]+))?["']/g;
  return [...text.matchAll(coordinates)].map((match) => ({
    name: match[2]!,
    range: match[3] ?? '*',
    type: /^test|^androidTest/.test(match[1]!) ? 'dev' : 'runtime',
    pinned: match[3],
  }));
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
    const short = textOf(value)?.split(':');
    if (short?.length === 3)
      return [{ name: `${short[0]}:${short[1]}`, type: 'runtime', range: short[2]!, pinned: short[2]! }];
    return name ? [{ name, type: 'runtime', range: version ?? '*', pinned: version }] : [];
  });
}

export const manifestReaders: ManifestReader[] = [
  {
    ecosystem: 'npm',
    file: /^package\.json$/,
    read: groupsOf(readJson, {
      dependencies: 'runtime',
      optionalDependencies: 'runtime',
      peerDependencies: 'peer',
      devDependencies: 'dev',
    }),
  },
  { ecosystem: 'pypi', file: /^pyproject\.toml$/, read: pyproject },
  { ecosystem: 'pypi', file: /^requirements\.txt$/, read: requirementsTxt('runtime') },
  {
    ecosystem: 'pypi',
    file: /^(requirements[-_.](dev|tests?|lint|typing|docs?|ci)|(dev|test)[-_]requirements)[\w-]*\.(txt|in)$/,
    read: requirementsTxt('dev'),
  },
  { ecosystem: 'pypi', file: /^setup\.cfg$/, read: setupCfg },
  { ecosystem: 'pypi', file: /^setup\.py$/, read: setupPy },
  {
    ecosystem: 'pypi',
    file: /^Pipfile$/,
    read: groupsOf(readToml, { packages: 'runtime', 'dev-packages': 'dev' }),
  },
  {
    ecosystem: 'cargo',
    file: /^Cargo\.toml$/,
    read: groupsOf(readToml, {
      dependencies: 'runtime',
      'workspace.dependencies': 'runtime',
      'build-dependencies': 'dev',
      'dev-dependencies': 'dev',
    }),
  },
  { ecosystem: 'go', file: /^go\.mod$/, read: goMod },
  { ecosystem: 'gem', file: /^(Gemfile|.+\.gemspec)$/, read: gemfile },
  {
    ecosystem: 'composer',
    file: /^composer\.json$/,
    read: (text) =>
      // Names without a vendor are PHP itself and its extensions.
      groupsOf(readJson, { require: 'runtime', 'require-dev': 'dev' })(text).filter(({ name }) =>
        name.includes('/'),
      ),
  },
  { ecosystem: 'hex', file: /^mix\.exs$/, read: mixExs },
  {
    ecosystem: 'pub',
    file: /^pubspec\.yaml$/,
    read: groupsOf(readYaml, { dependencies: 'runtime', dev_dependencies: 'dev' }),
  },
  { ecosystem: 'nuget', file: /^(.+\.(cs|fs|vb)proj|Directory\.Packages\.props)$/, read: dotnet },
  { ecosystem: 'maven', file: /^pom\.xml$/, read: pomXml },
  { ecosystem: 'maven', file: /^build\.gradle(\.kts)?$/, read: gradle },
  { ecosystem: 'maven', file: /^libs\.versions\.toml$/, read: versionCatalog },
];
