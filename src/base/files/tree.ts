import {
  type Dirent,
  lstatSync,
  opendirSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { SylkError } from '../errors.ts';
import { isWithin } from './inside.ts';
import {
  byName,
  type Entry,
  entryOf,
  isMissing,
  isRefusedFile,
  kindOf,
  type ReadOptions,
  readPieces,
  readRegular,
  tooManyEntries,
  wrongKind,
} from './regular.ts';
import { reportSkipped } from './skipped.ts';
import { ensureDirectory, writeAside } from './write-aside.ts';

/*
 * The door to what a repository names or places. The root is a directory that the person chose; below it no symbolic
 * link is followed at any component, and only regular files are read or written. Paths are relative to the root, or
 * absolute and within it. A program that swaps a file for a link between the check and the use is not defended
 * against: it runs as the person already.
 */

export interface TreeOptions extends ReadOptions {
  /** Directories that were found to be real; for a caller that looks at many files at once. */
  checked?: Set<string>;
}

/** Throws where there is no such file, or where it is nothing that may be read. */
export function read(root: string, path: string, options: TreeOptions = {}): Buffer {
  const full = place(root, path, options.checked);
  return readRegular(full, shownPath(root, full), options);
}

/** Text of a file; nothing where there is none. What may not be read is reported and answers nothing. */
export function readText(root: string, path: string, options: TreeOptions = {}): string | undefined {
  return unlessSkipped(root, path, () => read(root, path, options))?.toString('utf8');
}

export function pieces(root: string, path: string, visit: (piece: Uint8Array) => void): void {
  const full = place(root, path);
  readPieces(full, shownPath(root, full), visit);
}

/** What stands at the path itself; nothing where there is nothing, or where a link leads there. */
export function entry(root: string, path: string, checked?: Set<string>): Entry | undefined {
  try {
    return entryOf(lstatSync(place(root, path, checked)));
  } catch (error) {
    if (isMissing(error) || isRefusedFile(error)) return undefined;
    throw error;
  }
}

export const isFile = (root: string, path: string): boolean => entry(root, path)?.kind === 'file';
export const isDirectory = (root: string, path: string): boolean => entry(root, path)?.kind === 'directory';

/** What a link says; it is not followed. */
export const linkText = (root: string, path: string): string | undefined =>
  entry(root, path)?.kind === 'link' ? readlinkSync(place(root, path)) : undefined;

/** Entries of a directory by name, links as links; empty where there is none. */
export function list(root: string, path: string, options: { limit?: number } = {}): Dirent[] {
  return unlessSkipped(root, path, () => listDirectory(root, path, options.limit ?? 100_000)) ?? [];
}

function listDirectory(root: string, path: string, limit: number): Dirent[] {
  const full = place(root, path);
  const shown = shownPath(root, full);
  const kind = full === root ? 'directory' : kindOf(lstatSync(full));
  if (kind !== 'directory') throw wrongKind(shown, kind, 'a directory');
  const directory = opendirSync(full);
  try {
    const entries: Dirent[] = [];
    for (let next = directory.readSync(); next; next = directory.readSync()) {
      if (entries.length >= limit) {
        reportSkipped(full, tooManyEntries(shown, limit));
        break;
      }
      entries.push(next);
    }
    return entries.sort(byName);
  } finally {
    directory.closeSync();
  }
}

/** Replaces a file whole, keeping its mode; makes the directories above it. Throws where a link is in the way. */
export function write(
  root: string,
  path: string,
  content: string | Uint8Array,
  options: { mode?: number } = {},
): void {
  const full = writable(root, path);
  makeDirectory(root, dirname(full));
  writeAside(full, shownPath(root, full), content, { given: options.mode, fresh: 0o644 });
}

/** Writes a file that is not there yet, for many files in a row: without waiting for the disk. */
export function create(root: string, path: string, content: string | Uint8Array): void {
  const full = writable(root, path);
  makeDirectory(root, dirname(full));
  writeFileSync(full, content, { flag: 'wx', mode: 0o644 });
}

export function makeDirectory(root: string, path: string): void {
  const full = place(root, path);
  if (full !== root) ensureDirectory(full, shownPath(root, full), 0o755);
}

/** Removes what stands at the path; of a link the link itself. */
export function remove(root: string, path: string): void {
  const full = writable(root, path);
  if (full === root) throw new SylkError('DENIED', `${root} itself cannot be removed.`);
  rmSync(full, { force: true, recursive: true });
}

/** Gives what stands at a path another name; a link stays the link that it is. */
export function rename(root: string, from: string, to: string): void {
  renameSync(writable(root, from), writable(root, to));
}

/** Removes a directory that has become empty. */
export function removeEmptyDirectory(root: string, path: string): void {
  const full = place(root, path);
  if (isDirectory(root, full) && listDirectory(root, full, 1).length === 0) rmdirSync(full);
}

/** Nothing is written below a git directory by the name that a caller gave: a file among its references damages it. */
function writable(root: string, path: string): string {
  const full = place(root, path);
  const below = relative(root, dirname(full)).split(sep);
  if (below.some((name) => name.toLowerCase() === '.git'))
    throw new SylkError('DENIED', `${shownPath(root, full)} is in a git directory.`, {
      hint: 'Give a path of the working tree.',
    });
  return full;
}

/** The full path, once every directory between the root and it is known to be no link. */
function place(root: string, path: string, checked?: Set<string>): string {
  const full = isAbsolute(path) ? join(path) : join(root, path);
  if (path.includes('\0') || !isWithin(root, full))
    throw new SylkError('DENIED', `${JSON.stringify(path.slice(0, 200))} is outside of ${root}.`, {
      hint: 'Give a path relative to the root, without `..`.',
    });
  const directories: string[] = [];
  for (let at = dirname(full); at.length > root.length && !checked?.has(at); at = dirname(at))
    directories.push(at);
  for (const directory of directories.reverse()) {
    refuseLink(directory, shownPath(root, directory));
    checked?.add(directory);
  }
  return full;
}

function refuseLink(path: string, shown: string): void {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat?.isSymbolicLink()) throw wrongKind(shown, 'link', 'a directory');
}

function unlessSkipped<T>(root: string, path: string, use: () => T): T | undefined {
  try {
    return use();
  } catch (error) {
    if (isMissing(error)) return undefined;
    if (!isRefusedFile(error)) throw error;
    reportSkipped(isAbsolute(path) ? path : join(root, path), error);
    return undefined;
  }
}

const shownPath = (root: string, full: string): string => {
  const below = relative(root, full).split(sep).join('/') || '.';
  return /[\p{C}]/u.test(below) ? JSON.stringify(below) : below;
};
