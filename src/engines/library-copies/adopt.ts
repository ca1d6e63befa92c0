import { dirname, join } from 'node:path';
import { SylkError } from '../../base/errors.ts';
import { state as files } from '../../base/files/index.ts';
import type { Git, Repository } from '../../base/git/index.ts';
import { newUuid } from '../../base/ids.ts';
import { embeddedOf, type Library } from '../../base/library/index.ts';
import { coverRows, openSqlite, type Sqlite, uncoverRows } from '../../base/sqlite/index.ts';
import { readCopy, restoreLibrary } from './backup.ts';

/** A library found here that is not registered. */
export interface Adoptable {
  path: string;
  rows: Record<string, number>;
  /** A copy in our own state, the only file that is ever opened. */
  copy: string;
  discard(): void;
}

export interface Adopted {
  from: string;
  rows: number;
  /** The previous library, if it had any rows. */
  before: string | undefined;
  /** New location of the original. */
  kept: string;
}

const ends = ['', '-wal'];

/** The person's own memory of this path comes before what the repository brought. */
const otherStates = ({ state: { former, foreign } }: Repository): string[] =>
  [former, foreign].filter((directory) => directory !== undefined);

/** The adoptable library, copied and inspected. Throws with the reason if there is none. */
export async function findAdoptable(repository: Repository, git: Git): Promise<Adoptable> {
  const inState = otherStates(repository)
    .flatMap((directory) => ['library.db', 'sylk.db'].map((name) => join(directory, name)))
    .find(isThere);
  const left = join(repository.sharedDirectory, 'sylk.db');
  const path = inState ?? (isThere(left) ? left : undefined);
  if (path === undefined)
    throw new SylkError('NOT_FOUND', 'No library is waiting for adoption here.', {
      hint: '`sylk status` shows the library in use. To bring in a copy from elsewhere, run `sylk library restore FILE`.',
    });
  requireOwnFiles(path);
  if (path === left) await requireUncommitted(git, path);
  const copy = join(repository.state.prepare(), 'run', `adopt-${newUuid()}.db`);
  files.makeDirectory(dirname(copy));
  for (const end of ends) if (isThere(path + end)) files.copy(path + end, copy + end);
  const discard = () => {
    for (const end of [...ends, '-shm']) files.remove(copy + end);
  };
  try {
    const rows = [...readCopy(copy)].map(([table, hashes]) => [table, hashes.size] as const);
    return { path, rows: Object.fromEntries(rows), copy, discard };
  } catch (error) {
    discard();
    throw error;
  }
}

/** Replaces the current library, which is backed up first; the original is renamed, never deleted. */
export async function adoptLibrary(
  library: Library,
  found: Adoptable,
  repository: Repository,
): Promise<Adopted> {
  refuseActing(found, embeddedOf(library));
  const { rows, before } = await restoreLibrary(library, found.copy);
  coverRows(embeddedOf(library), { all: true });
  const time = new Date().toISOString().replace(/[:.]/g, '-');
  const other = otherStates(repository).find((directory) => dirname(found.path) === directory);
  const kept = other
    ? `${other}.adopted-${time}`
    : join(dirname(embeddedOf(library).path), 'backups', `adopted-${time}.db`);
  if (other) files.move(other, kept);
  else {
    files.makeDirectory(dirname(kept));
    for (const end of ends) if (isThere(found.copy + end)) files.move(found.copy + end, kept + end);
    for (const end of [...ends, '-shm']) files.remove(found.path + end);
  }
  return { from: found.path, rows, before, kept };
}

const isThere = (path: string): boolean => files.entry(path) !== undefined;

/** Regular files of this person, in a directory that is not a link. */
function requireOwnFiles(path: string): void {
  const refuse = (what: string, why: string): never => {
    throw new SylkError('DENIED', `${what} ${why}, so the library is not adopted.`, {
      hint: 'Nothing was changed. If it is yours, move the file itself there, as its owner.',
    });
  };
  const person = process.getuid?.();
  const directory = dirname(path);
  if (files.entry(directory)?.kind !== 'directory') refuse(directory, 'is a link');
  for (const file of ends.map((end) => path + end).filter(isThere)) {
    const status = files.entry(file);
    if (status?.kind !== 'file') refuse(file, 'is not a regular file');
    if (person !== undefined && status?.uid !== person) refuse(file, 'belongs to another user');
  }
}

/** A committed file came from the author of that commit. */
async function requireUncommitted(git: Git, path: string): Promise<void> {
  const refuse = (where: string): never => {
    throw new SylkError('DENIED', `${path} is ${where}: it may be another person's memory.`, {
      hint: 'It is never opened. Remove it with `git rm`.',
    });
  };
  const files = ':(top,icase).sylk/sylk.db*';
  if ((await git.list(['ls-files', '-z', '--', files])).length > 0) refuse('part of the repository');
  const staged = await git.list(['ls-files', '-s', '-z', '--', ':(top,icase).sylk']);
  if (isThere(join(dirname(path), '.git')) || staged.some((line) => /^1[26]0000 /.test(line)))
    refuse('part of another repository');
  const commit = await git.text([
    'log',
    '--all',
    '--full-history',
    '--max-count=1',
    '--format=%H',
    '--',
    files,
  ]);
  if (commit !== '') refuse(`in commit ${commit.slice(0, 10)}`);
}

/** Triggers and views run by themselves; only those that this Sylk creates are accepted. */
function refuseActing(found: Adoptable, own: Sqlite): void {
  const acting = (sqlite: Sqlite) =>
    sqlite
      .all<{ name: string; sql: string }>(
        "SELECT name, sql FROM sqlite_schema WHERE type IN ('trigger', 'view')",
      )
      .map(({ name, sql }) => `${name} ${sql}`);
  const copy = openSqlite(found.copy);
  try {
    // Those that maintain the digests of rows are recreated afterwards.
    uncoverRows(copy);
    const known = new Set(acting(own));
    const strange = acting(copy).find((each) => !known.has(each));
    if (strange)
      throw new SylkError('DENIED', `${found.path} has a trigger or view that Sylk never creates.`, {
        hint: 'Another program changed it. Nothing was adopted.',
      });
  } finally {
    copy.close();
  }
}
