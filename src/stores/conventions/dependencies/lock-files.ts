import { type Json, listAt, objectAt, readJson, readToml, readYaml, textOf } from './structured-text.ts';

/** What a lock file settles: name → exact version. Where a name has several, the one the project itself asks for. */
export type LockedVersions = Map<string, string>;

export interface LockReader {
  file: string;
  /** `importer` is the directory of the manifest below that of the lock file; '' when they are the same. */
  read(text: string, importer: string): LockedVersions;
}

function npmLock(text: string, importer: string): LockedVersions {
  const lock = readJson(text);
  const found: LockedVersions = new Map();
  for (const [path, entry] of Object.entries(objectAt(lock, 'packages'))) {
    const own = importer === '' ? 'node_modules/' : `${importer}/node_modules/`;
    const name = path.startsWith(own) ? path.slice(own.length) : path.replace(/^node_modules\//, '');
    const version = textOf((entry as Json).version);
    if (!version || name.includes('node_modules/') || path === '') continue;
    if (path.startsWith(own) || !found.has(name)) found.set(name, version);
  }
  for (const [name, entry] of Object.entries(objectAt(lock, 'dependencies'))) {
    const version = textOf(objectAt(entry).version);
    if (version && !found.has(name)) found.set(name, version);
  }
  return found;
}

function pnpmLock(text: string, importer: string): LockedVersions {
  // What follows `packages:` is most of the file and says nothing about what the project itself asks for.
  const lock = readYaml(text.split(/^(?:packages|snapshots):/m)[0]);
  const importers = objectAt(lock, 'importers');
  const own = objectAt(importers, importer === '' ? '.' : importer);
  const found: LockedVersions = new Map();
  for (const source of [own, lock]) {
    for (const group of ['dependencies', 'devDependencies', 'optionalDependencies']) {
      for (const [name, entry] of Object.entries(objectAt(source, group))) {
        const version = textOf(entry) ?? textOf(objectAt(entry).version);
        if (version && !found.has(name)) found.set(name, version.replace(/^\//, '').replace(/[(_].*$/, ''));
      }
    }
  }
  return found;
}

/** Classic and current yarn.lock: a heading of `name@range` entries, then an indented version. */
function yarnLock(text: string): LockedVersions {
  const found: LockedVersions = new Map();
  let names: string[] = [];
  for (const line of text.split('\n')) {
    if (/^["\w@]/.test(line) && line.trimEnd().endsWith(':')) {
      names = [...line.matchAll(/"?((?:@[^/@"\s,]+\/)?[^@"\s,]+)@[^,"]+/g)].flatMap(([, name]) => name ?? []);
      continue;
    }
    const version = /^ {2}version:? "?([^"\s]+)"?/.exec(line)?.[1];
    if (version) for (const name of names) if (!found.has(name)) found.set(name, version);
  }
  return found;
}

function bunLock(text: string): LockedVersions {
  const found: LockedVersions = new Map();
  for (const [key, entry] of Object.entries(objectAt(readJson(text), 'packages'))) {
    const id = Array.isArray(entry) ? textOf(entry[0]) : undefined;
    const at = id?.lastIndexOf('@') ?? -1;
    if (id && at > 0 && id.slice(0, at) === key) found.set(key, id.slice(at + 1));
  }
  return found;
}

/** Python names compare without case and with `-`, `_` and `.` alike. */
export const pythonName = (name: string): string => name.toLowerCase().replace(/[-_.]+/g, '-');

function tomlPackages(normalise: (name: string) => string = (name) => name) {
  return (text: string): LockedVersions => {
    const found: LockedVersions = new Map();
    for (const entry of listAt(readToml(text), 'package') as Json[]) {
      const name = textOf(entry.name);
      const version = textOf(entry.version);
      if (name && version) found.set(normalise(name), version);
    }
    return found;
  };
}

function pipfileLock(text: string): LockedVersions {
  const lock = readJson(text);
  const found: LockedVersions = new Map();
  for (const group of ['default', 'develop']) {
    for (const [name, entry] of Object.entries(objectAt(lock, group))) {
      const version = textOf(objectAt(entry).version);
      if (version) found.set(pythonName(name), version.replace(/^==/, ''));
    }
  }
  return found;
}

function gemfileLock(text: string): LockedVersions {
  const found: LockedVersions = new Map();
  for (const match of text.matchAll(/^ {4}([A-Za-z0-9_.-]+) \(([^)\s]+)\)$/gm))
    found.set(match[1]!, match[2]!.replace(/-(?:x86|arm|aarch|java|x64).*$/, ''));
  return found;
}

function composerLock(text: string): LockedVersions {
  const lock = readJson(text);
  const found: LockedVersions = new Map();
  for (const group of ['packages', 'packages-dev']) {
    for (const entry of listAt(lock, group) as Json[]) {
      const name = textOf(entry.name);
      const version = textOf(entry.version);
      if (name && version) found.set(name, version.replace(/^v(?=\d)/, ''));
    }
  }
  return found;
}

/** go.sum also lists versions that lost; the highest one per module is the one that was chosen. */
function goSum(text: string): LockedVersions {
  const found: LockedVersions = new Map();
  for (const match of text.matchAll(/^(\S+) v(\S+?) h1:/gm)) {
    const known = found.get(match[1]!);
    if (!known || compareVersions(match[2]!, known) > 0) found.set(match[1]!, match[2]!);
  }
  return found;
}

export function compareVersions(a: string, b: string): number {
  const parts = (text: string) => text.split(/[.+-]/).map((part) => (/^\d+$/.test(part) ? Number(part) : -1));
  const [left, right] = [parts(a), parts(b)];
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function mixLock(text: string): LockedVersions {
  return new Map(
    [...text.matchAll(/^\s*"([\w-]+)": \{:hex, :[\w-]+, "([^"]+)"/gm)].map(([, name = '', version = '']) => [
      name,
      version,
    ]),
  );
}

function pubspecLock(text: string): LockedVersions {
  const found: LockedVersions = new Map();
  for (const [name, entry] of Object.entries(objectAt(readYaml(text), 'packages'))) {
    const version = textOf(objectAt(entry).version);
    if (version) found.set(name, version);
  }
  return found;
}

export const lockReaders: Record<string, LockReader[]> = {
  npm: [
    { file: 'package-lock.json', read: npmLock },
    { file: 'npm-shrinkwrap.json', read: npmLock },
    { file: 'pnpm-lock.yaml', read: pnpmLock },
    { file: 'yarn.lock', read: yarnLock },
    { file: 'bun.lock', read: bunLock },
  ],
  pypi: [
    { file: 'uv.lock', read: tomlPackages(pythonName) },
    { file: 'poetry.lock', read: tomlPackages(pythonName) },
    { file: 'pdm.lock', read: tomlPackages(pythonName) },
    {
      file: 'pylock.toml',
      read: (text) => tomlPackages(pythonName)(text.replaceAll('[[packages]]', '[[package]]')),
    },
    { file: 'Pipfile.lock', read: pipfileLock },
  ],
  cargo: [{ file: 'Cargo.lock', read: tomlPackages() }],
  go: [{ file: 'go.sum', read: goSum }],
  gem: [{ file: 'Gemfile.lock', read: gemfileLock }],
  composer: [{ file: 'composer.lock', read: composerLock }],
  hex: [{ file: 'mix.lock', read: mixLock }],
  pub: [{ file: 'pubspec.lock', read: pubspecLock }],
};
