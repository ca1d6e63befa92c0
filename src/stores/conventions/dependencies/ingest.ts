import { baseName, directoryOf, inDirectory, upwards } from '../places.ts';
import type { ProjectFiles } from '../project-files.ts';
import { type LockedVersions, pythonName, readLock } from './lock-files.ts';
import { manifestReaders, manifestTables } from './manifests.ts';
import type { Dependency, Ecosystem } from './record.ts';

const skipped =
  /(^|\/)(node_modules|vendor|third_party|fixtures?|testdata|test-?data|examples?|templates?|__tests__)\//;

export function isManifest(path: string): boolean {
  return manifestReaders(baseName(path)).length > 0 && !skipped.test(path);
}

/** Packages that a manifest declares; none if the file is not a manifest. */
export const declaredNames = (path: string, text: string): string[] =>
  manifestReaders(baseName(path)).flatMap((reader) => reader.read(text).map(({ name }) => name));

export const isLockFile = (path: string): boolean =>
  manifestTables().locks.some(({ file }) => file === baseName(path));

/** Every dependency that the given manifests declare, with the exact version if a lock file has it. */
export async function readDependencies(
  files: ProjectFiles,
  paths: string[],
  manifests: string[],
): Promise<Dependency[]> {
  const present = new Set(paths);
  const locks = new Map<string, LockedVersions>();
  const lockedFor = async (ecosystem: Ecosystem, directory: string): Promise<LockedVersions> => {
    const key = `${ecosystem}:${directory}`;
    const locked = locks.get(key) ?? (await nearestLock(files, present, ecosystem, directory));
    locks.set(key, locked);
    return locked;
  };
  const dependencies: Dependency[] = [];
  for (const manifest of manifests) {
    const text = await files.read(manifest);
    if (text === undefined) continue;
    for (const reader of manifestReaders(baseName(manifest))) {
      const locked = await lockedFor(reader.ecosystem, directoryOf(manifest));
      for (const { pinned, ...entry } of reader.read(text)) {
        const name = reader.ecosystem === 'pypi' ? pythonName(entry.name) : entry.name;
        const version = locked.get(name) ?? pinned;
        dependencies.push({ ...entry, name, ecosystem: reader.ecosystem, manifest, version });
      }
    }
  }
  return dependencies;
}

async function nearestLock(
  files: ProjectFiles,
  present: Set<string>,
  ecosystem: Ecosystem,
  directory: string,
): Promise<LockedVersions> {
  for (const at of upwards(directory)) {
    for (const row of manifestTables().locks) {
      const path = inDirectory(at, row.file);
      if (row.ecosystem !== ecosystem || !present.has(path)) continue;
      const text = await files.read(path);
      if (text !== undefined)
        return readLock(row, text, at === '' ? directory : directory.slice(at.length + 1));
    }
  }
  return new Map();
}
