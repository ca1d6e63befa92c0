import type { Ecosystem } from './record.ts';
import {
  type Json,
  listAt,
  objectAt,
  readJson,
  readStructured,
  readYaml,
  type StructuredFormat,
  textOf,
} from './structured-text.ts';

/** What a lock file pins: name → exact version. Where a name has several, the one the project itself requires. */
export type LockedVersions = Map<string, string>;

/** A row of data/manifests.toml, which explains it. */
export interface LockRow {
  ecosystem: Ecosystem;
  file: string;
  format?: StructuredFormat;
  lists?: string[];
  maps?: string[];
  pattern?: string;
  strip?: string;
}

function npmLock(text: string, importer: string): LockedVersions {
  const lock = readJson(text);
  const found: LockedVersions = new Map();
  for (const [path, entry] of Object.entries(objectAt(lock, 'packages'))) {
    const own = importer === '' ? 'node_modules/' : `${importer}/node_modules/`;
    const name = path.startsWith(own) ? path.slice(own.length) : path.replace(/^node_modules\//, '');
    const version = textOf(objectAt(entry).version);
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
  // The part after `packages:` is most of the file and irrelevant for direct dependencies.
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

/** Python names compare case-insensitively and with `-`, `_` and `.` as equal. */
export const pythonName = (name: string): string => name.toLowerCase().replace(/[-_.]+/g, '-');

/** go.sum also lists versions that lost; the highest one per module was selected. */
function goSum(text: string): LockedVersions {
  const found: LockedVersions = new Map();
  for (const [, name = '', version = ''] of text.matchAll(/^(\S+) v(\S+?) h1:/gm))
    if (compareVersions(version, found.get(name) ?? '') > 0) found.set(name, version);
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

const codeReaders: Record<string, (text: string, importer: string) => LockedVersions> = {
  'package-lock.json': npmLock,
  'npm-shrinkwrap.json': npmLock,
  'pnpm-lock.yaml': pnpmLock,
  'yarn.lock': yarnLock,
  'bun.lock': bunLock,
  'go.sum': goSum,
};

/** `importer` is the directory of the manifest relative to the lock file; '' when they are the same. */
export function readLock(row: LockRow, text: string, importer: string): LockedVersions {
  const read = codeReaders[row.file];
  if (read) return read(text, importer);
  const { ecosystem, format, lists = [], maps = [], pattern, strip } = row;
  const lock = format ? readStructured[format](text) : {};
  const entries = [
    ...lists.flatMap((key) => listAt(lock, key)).map((entry) => objectAt(entry)),
    ...maps.flatMap((key) =>
      Object.entries(objectAt(lock, key)).map(([name, entry]) => ({ ...objectAt(entry), name })),
    ),
    ...(pattern ? [...text.matchAll(new RegExp(pattern, 'gm'))].map(({ groups = {} }) => groups) : []),
  ];
  return new Map(
    entries.flatMap(({ name, version }: Json) => {
      const [called, exact] = [textOf(name), textOf(version)];
      if (!called || !exact) return [];
      const plain = strip ? exact.replace(new RegExp(strip), '') : exact;
      return [[ecosystem === 'pypi' ? pythonName(called) : called, plain]];
    }),
  );
}
