import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from 'node:fs';
import { codeOf, SylkError } from '../errors.ts';

export interface ReadOptions {
  /** Bytes; a larger file is refused. */
  limit?: number;
  /** Reads the first `limit` bytes of a larger file instead of refusing it. */
  cut?: boolean;
}

/** What stands at a path, seen without following a link. */
export interface Entry {
  kind: 'file' | 'directory' | 'link' | 'special';
  size: number;
  /** Milliseconds since the epoch. */
  modified: number;
  mode: number;
  /** The owner's number; 0 on Windows. */
  uid: number;
  /** Which file this is on this machine, whatever its name. */
  identity: string;
  /** Changes whenever the file does. */
  mark: string;
}

const defaultLimit = 64 * 1024 * 1024;

/** Windows has neither flag, nor links that a clone could bring without a privilege. */
const openFlags = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Reads a regular file. A link, a device, a FIFO, a socket or a directory is refused before it is opened. */
export function readRegular(path: string, shown: string, options: ReadOptions = {}): Buffer {
  const { limit = defaultLimit, cut = false } = options;
  const handle = openRegular(path, shown);
  try {
    const { size } = fstatSync(handle);
    if (size > limit && !cut) throw tooLarge(shown, size, limit);
    const buffer = Buffer.allocUnsafe(Math.min(size, limit));
    let length = 0;
    while (length < buffer.length) {
      const count = readSync(handle, buffer, length, buffer.length - length, length);
      if (count === 0) break;
      length += count;
    }
    return buffer.subarray(0, length);
  } finally {
    closeSync(handle);
  }
}

/** Text of a small regular file that is no link; nothing for anything else, and nothing is said about it. */
export function readSmallFile(path: string, limit = 4096): string | undefined {
  try {
    return readRegular(path, path, { limit }).toString('utf8');
  } catch {
    return undefined;
  }
}

/** Hands over a regular file in pieces, for files of any size. */
export function readPieces(path: string, shown: string, visit: (piece: Uint8Array) => void): void {
  const handle = openRegular(path, shown);
  try {
    const buffer = Buffer.allocUnsafe(Math.min(1 << 20, Math.max(fstatSync(handle).size, 4096)));
    for (let count = readSync(handle, buffer); count > 0; count = readSync(handle, buffer))
      visit(buffer.subarray(0, count));
  } finally {
    closeSync(handle);
  }
}

/** The caller closes the handle. `flags` are added to those that keep links and waiting out. */
export function openRegular(path: string, shown: string, flags = constants.O_RDONLY, mode = 0o600): number {
  const before = lstatSync(path, { throwIfNoEntry: false });
  if (before) requireRegular(before, shown);
  const handle = openSync(path, flags | openFlags, mode);
  try {
    requireRegular(fstatSync(handle), shown);
    return handle;
  } catch (error) {
    closeSync(handle);
    throw error;
  }
}

export function entryOf(stat: Stats): Entry {
  return {
    kind: kindOf(stat),
    size: stat.size,
    modified: stat.mtimeMs,
    mode: stat.mode,
    uid: stat.uid,
    identity: `${stat.dev} ${stat.ino}`,
    mark: `${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}`,
  };
}

export function requireRegular(stat: Stats, shown: string): void {
  const kind = kindOf(stat);
  if (kind !== 'file') throw wrongKind(shown, kind, 'a regular file');
}

export function kindOf(stat: Stats): Entry['kind'] {
  if (stat.isSymbolicLink()) return 'link';
  if (stat.isDirectory()) return 'directory';
  return stat.isFile() ? 'file' : 'special';
}

const kindWords = {
  file: 'a file',
  link: 'a symbolic link',
  directory: 'a directory',
  special: 'a device, FIFO or socket',
} as const;

/** Something else than what is expected stands at a path. */
export function wrongKind(
  shown: string,
  kind: Entry['kind'],
  expected: 'a regular file' | 'a directory',
): SylkError {
  const why = kind === 'link' ? 'Sylk follows no links here' : `Sylk expects ${expected} here`;
  return refusedFile(`${shown} is ${kindWords[kind]}; ${why}.`, shown, 'Replace or remove it.');
}

function refusedFile(message: string, shown: string, hint: string): SylkError {
  return new SylkError('DENIED', message, { hint, data: { refused_file: shown } });
}

export const tooManyEntries = (shown: string, limit: number): SylkError =>
  refusedFile(`${shown} has more than ${limit} entries; the rest is skipped.`, shown, 'Move some elsewhere.');

const tooLarge = (shown: string, size: number, limit: number): SylkError =>
  refusedFile(
    `${shown} has ${size} bytes; the limit is ${limit}.`,
    shown,
    'Make the file smaller, or remove it.',
  );

/** Something is there, and it is nothing that may be read or written. */
export const isRefusedFile = (error: unknown): error is SylkError =>
  error instanceof SylkError && error.data?.refused_file !== undefined;

export const byName = (one: { name: string }, other: { name: string }): number =>
  Number(one.name > other.name) - Number(one.name < other.name);

export function isMissing(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** Links on the way to the path that lead to each other: there is nothing, as behind a link to nothing. */
export const leadsNowhere = (error: unknown): boolean => codeOf(error) === 'ELOOP';
