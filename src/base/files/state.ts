import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  type Dirent,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import {
  byName,
  type Entry,
  entryOf,
  isMissing,
  leadsNowhere,
  openRegular,
  type ReadOptions,
  readPieces,
  readRegular,
  wrongKind,
} from './regular.ts';
import { ensureDirectory, writeAll, writeAside } from './write-aside.ts';

/*
 * The door to files inside a state directory of Sylk. Directories are 0700 and files 0600. Neither a file nor the
 * directory it is in may be a link, nor any directory up to the state directory itself: a link that somebody put there,
 * also while this process runs, is never written through.
 */

const roots = new Set<string>();

/** Names a state directory: from here on, neither it nor a directory below it may be a link. */
export function addRoot(directory: string): void {
  roots.add(resolve(directory));
}

/** Throws where there is no such file. */
export function read(path: string, options: ReadOptions = {}): Buffer {
  refuseLinkedDirectory(path);
  return readRegular(path, path, options);
}

export function readText(path: string, options: ReadOptions = {}): string | undefined {
  try {
    return read(path, options).toString('utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

export function pieces(path: string, visit: (piece: Uint8Array) => void): void {
  refuseLinkedDirectory(path);
  readPieces(path, path, visit);
}

/** Replaces a file whole. */
export function write(path: string, content: string | Uint8Array, options: { mode?: number } = {}): void {
  makeDirectory(dirname(path));
  writeAside(path, path, content, { given: options.mode ?? 0o600, fresh: 0o600 });
}

export function append(path: string, text: string): void {
  makeDirectory(dirname(path));
  const handle = openRegular(path, path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT);
  try {
    writeAll(handle, text);
  } finally {
    closeSync(handle);
  }
}

export function makeDirectory(path: string): void {
  refuseLinks(path);
  ensureDirectory(path, path, 0o700);
}

/** Makes an empty private file unless one is there: what a database engine makes itself, everybody could read. */
export function create(path: string): void {
  makeDirectory(dirname(path));
  closeSync(openRegular(path, path, constants.O_RDWR | constants.O_CREAT));
}

/** Before a path goes to a program of its own file access, such as a database engine: a regular file, or nothing yet. */
export function requireFile(path: string): void {
  refuseLinkedDirectory(path);
  const kind = entry(path)?.kind;
  if (kind !== undefined && kind !== 'file') throw wrongKind(path, kind, 'a regular file');
}

/** What stands at the path itself; nothing where there is nothing. */
export function entry(path: string): Entry | undefined {
  try {
    return entryOf(lstatSync(path));
  } catch (error) {
    if (isMissing(error) || leadsNowhere(error)) return undefined;
    throw error;
  }
}

/** A file or a directory; a link counts as nothing. */
export function exists(path: string): boolean {
  const kind = entry(path)?.kind;
  return kind === 'file' || kind === 'directory';
}

/** Entries of a directory by name; empty where there is none. */
export function list(path: string): Dirent[] {
  const kind = entry(path)?.kind;
  if (kind === 'link') throw wrongKind(path, kind, 'a directory');
  if (kind !== 'directory') return [];
  const entries = readdirSync(path, { withFileTypes: true });
  return entries.sort(byName);
}

/** Removes a file, a link itself, or a directory with all that is in it. */
export function remove(path: string): void {
  refuseLinkedDirectory(path);
  rmSync(path, { force: true, recursive: true, maxRetries: 3 });
}

export function move(from: string, to: string): void {
  for (const path of [from, to]) refuseLinkedDirectory(path);
  renameSync(from, to);
}

/** Fails where the target is there. */
export function copy(from: string, to: string): void {
  for (const path of [from, to]) refuseLinkedDirectory(path);
  copyFileSync(from, to, constants.COPYFILE_EXCL);
}

/** Copies files and directories; links and devices are left out. `wanted` chooses among the names at the top. */
export function copyDirectory(from: string, to: string, wanted: (name: string) => boolean): void {
  makeDirectory(to);
  for (const entry of list(from)) {
    if (!wanted(entry.name)) continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) copyDirectory(source, target, () => true);
    else if (entry.isFile()) copy(source, target);
  }
}

/** A second name for the same file; fails where that name is taken. */
export function addName(from: string, to: string): void {
  for (const path of [from, to]) refuseLinkedDirectory(path);
  linkSync(from, to);
}

/** For what another program wrote into the state directory. */
export function setMode(path: string, mode: number): void {
  refuseLinkedDirectory(path);
  const kind = entry(path)?.kind;
  if (kind === 'link' || kind === 'special') throw wrongKind(path, kind, 'a regular file');
  chmodSync(path, mode);
}

/** Makes a link inside a directory of ours, for a program that is to find a part elsewhere. */
export function addLink(path: string, target: string): void {
  refuseLinkedDirectory(path);
  symlinkSync(target, path);
}

/** Where a link leads; undefined for anything else. */
export const linkTarget = (path: string): string | undefined =>
  entry(path)?.kind === 'link' ? readlinkSync(path) : undefined;

/** Waits until the file or the directory is on the disk. */
export function sync(path: string): void {
  const handle = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** A new empty directory that nobody else can read. */
export function temporaryDirectory(prefix: string, parent?: string): string {
  if (parent !== undefined) refuseLinks(parent);
  return mkdtempSync(join(parent ?? tmpdir(), prefix));
}

const refuseLinkedDirectory = (path: string): void => refuseLinks(dirname(path));

function refuseLinks(directory: string): void {
  const above = [resolve(directory)];
  for (let at = resolve(directory); !roots.has(at) && at !== dirname(at); ) {
    at = dirname(at);
    above.push(at);
  }
  // Outside of every state directory, what is above it is the person's own affair.
  const ours = roots.has(above.at(-1) ?? '') ? above : above.slice(0, 1);
  for (const each of ours)
    if (lstatSync(each, { throwIfNoEntry: false })?.isSymbolicLink())
      throw wrongKind(each, 'link', 'a directory');
}
