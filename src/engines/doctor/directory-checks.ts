import { join } from 'node:path';
import { state } from '../../base/files/index.ts';
import type { Git, Repository } from '../../base/git/index.ts';
import { type FindingKey, finding, megabytes, type Repairable } from './finding.ts';

/** The state directory: exists, writable, private, without leftovers. */
export async function checkDirectory(repository: Repository, git: Git): Promise<Repairable[]> {
  const { directory, readOnly, foreign, former } = repository.state;
  const findings: Repairable[] = [...(await checkTracked(repository, git)), ...checkLeft(repository)];
  if (foreign) findings.push(finding('foreign-state', { foreign }));
  if (former) findings.push(finding('former-state', { former }));
  if (readOnly) findings.push(finding('read-only', { why: readOnly }));
  const there = state.entry(directory);
  if (!there) return [...findings, finding('directory/missing', { directory })];
  if (there.kind !== 'directory') return [finding('directory/file', { directory })];
  return [
    ...findings,
    finding('directory', { directory }),
    ...checkMode('mode', { directory }, directory, 0o700),
    ...checkParts(directory),
    ...checkLeftovers(directory),
  ];
}

/** Whether others can read it. */
function checkMode(key: FindingKey, values: object, path: string, mode: number): Repairable[] {
  if (process.platform === 'win32' || ((state.entry(path)?.mode ?? 0) & 0o077) === 0) return [];
  const repair = () => {
    state.setMode(path, mode);
    return 'now readable by you only';
  };
  return [finding(key, values, repair)];
}

async function checkTracked(repository: Repository, git: Git): Promise<Repairable[]> {
  if (repository.bare) return [];
  try {
    const listed = await git.list(['ls-files', '-z', '--', '.sylk']);
    const tracked = listed.filter((path) => /\.db(?:-|$|\.)/.test(path));
    if (tracked.length === 0) return [];
    return [finding('tracked-database', { listed: tracked.join(', '), paths: tracked.join(' ') })];
  } catch {
    // Without git there is nothing to check; another check reports git.
    return [];
  }
}

const namesIn = (directory: string): string[] => state.list(directory).map(({ name }) => name);

/** Files that version 0.1 kept in the working tree. None of them is opened any more. */
function checkLeft({ sharedDirectory }: Repository): Repairable[] {
  if (state.entry(sharedDirectory)?.kind !== 'directory') return [];
  const left = namesIn(sharedDirectory).filter((name) =>
    /^(?:(?:index|history)\.db(?:-wal|-shm)?|cache|run|snapshots)$/.test(name),
  );
  return left.length === 0 ? [] : [finding('left', { paths: left.map((name) => `.sylk/${name}`).join(' ') })];
}

const folders = new Set(['backups', 'cache', 'log', 'run', 'snapshots']);

/** Links, pipes and the like, and files in place of folders: commands that need them end with a failure. */
function checkParts(directory: string): Repairable[] {
  const odd = state
    .list(directory)
    .filter((entry) => !entry.isDirectory() && !(entry.isFile() && !folders.has(entry.name)));
  if (odd.length === 0) return [];
  const names = odd.map(({ name }) => name).sort();
  const said = `${names.join(' and ')} ${names.length === 1 ? 'is' : 'are'}`;
  const paths = names.map((name) => join(directory, name)).join(' ');
  return [finding('state-parts', { directory, said, paths })];
}

function checkLeftovers(directory: string): Repairable[] {
  const findings: Repairable[] = [];
  const names = namesIn(directory);
  const aside = names.filter((name) => name.includes('.corrupt.') && !/-(?:wal|shm)$/.test(name));
  if (aside.length > 0) {
    const bytes = aside.reduce((sum, name) => sum + (state.entry(join(directory, name))?.size ?? 0), 0);
    const values = { count: aside.length, size: megabytes(bytes), names: aside.join(', '), directory };
    findings.push(finding('set-aside', values));
  }
  const temporary = names.filter((name) => /^\..+\.[0-9a-f]{12}\.tmp$/.test(name));
  const removeAll = () => {
    for (const name of temporary) state.remove(join(directory, name));
    return `removed ${temporary.length}`;
  };
  if (temporary.length > 0) findings.push(finding('temporary-files', { count: temporary.length }, removeAll));
  const file = join(directory, 'run', 'http.json');
  return [...findings, ...checkMode('token-mode', { file }, file, 0o600)];
}
