import {
  type Dirent,
  existsSync,
  lstatSync,
  readdirSync,
  realpathSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { codeOf, SylkError } from '../errors.ts';
import {
  byName,
  type Entry,
  entryOf,
  isMissing,
  leadsNowhere,
  type ReadOptions,
  readPieces,
  readRegular,
} from './regular.ts';
import { makeDirectories, writeAside } from './write-aside.ts';

/*
 * The door to the person's own files: settings of clients, `~/.config`, paths given on the command line. People keep
 * such files as links into a folder of their own, so a link is followed where the person (or the system) owns the
 * link and its target, and nobody else may write the target.
 */

const limit = 64 * 1024 * 1024;

/** Throws where there is no such file. */
export function read(path: string, options: ReadOptions = {}): Buffer {
  return readRegular(resolveOwn(path), path, { limit, ...options });
}

export function readText(path: string, options: ReadOptions = {}): string | undefined {
  try {
    return read(path, options).toString('utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

export const pieces = (path: string, visit: (piece: Uint8Array) => void): void =>
  readPieces(resolveOwn(path), path, visit);

/** Replaces a file whole. Its mode is kept, and a link stays a link: its target is written. */
export function write(path: string, content: string | Uint8Array, options: { mode?: number } = {}): void {
  const target = resolveOwn(path);
  makeDirectories(dirname(target));
  writeAside(target, path, content, { given: options.mode, fresh: 0o644 });
}

export const exists = (path: string): boolean => existsSync(path);

/** What stands there, links followed; nothing where there is nothing. */
export function entry(path: string): Entry | undefined {
  try {
    return entryOf(statSync(path));
  } catch (error) {
    if (isMissing(error) || leadsNowhere(error)) return undefined;
    throw error;
  }
}

/** Entries of a directory by name; empty where there is none. */
export function list(path: string): Dirent[] {
  try {
    return readdirSync(resolveOwn(path), { withFileTypes: true }).sort(byName);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

export const makeDirectory = (path: string): void => makeDirectories(path);

/** Removes the file or the link itself, never what a link points to. */
export const remove = (path: string): void => rmSync(path, { force: true });

export function removeEmptyDirectory(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() && readdirSync(path).length === 0)
    rmdirSync(path);
}

/** The path without links, where a path of another name leads to the same place. */
export const realPath = (path: string): string => realpathSync(path);

/** Where a path of the person leads. The path itself where there is nothing yet. */
export function resolveOwn(path: string): string {
  const link = lstatSync(path, { throwIfNoEntry: false });
  if (!link?.isSymbolicLink()) return path;
  const target = targetOf(path);
  const stat = statSync(target);
  const owners = [process.getuid?.(), 0];
  if (process.getuid && !(owners.includes(link.uid) && owners.includes(stat.uid)))
    throw refusedLink(path, target, 'belongs to another user');
  if (process.getuid && stat.mode & 0o002) throw refusedLink(path, target, 'is writable by everyone');
  return target;
}

function targetOf(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    throw refusedLink(path, 'a place', `cannot be reached (${codeOf(error)})`);
  }
}

function refusedLink(path: string, target: string, why: string): SylkError {
  return new SylkError('DENIED', `${path} is a link to ${target}, which ${why}; it is not followed.`, {
    hint: 'Replace the link by a file of your own, or fix its target.',
    data: { refused_file: path },
  });
}

/** Which file this is and when it was made: a rename keeps both. Undefined where the file system does not say. */
export function birth(path: string): string | undefined {
  const status = statSync(path, { throwIfNoEntry: false, bigint: true });
  return status && status.birthtimeNs > 0n ? `${status.ino}:${status.birthtimeNs}` : undefined;
}
