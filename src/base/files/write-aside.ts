import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { kindOf, requireRegular, wrongKind } from './regular.ts';

/**
 * Writes beside the target, syncs, renames: a reader sees the old file or the new one. The mode of a file that is
 * there stays as it is unless one is given. Whatever is no regular file is refused.
 */
export function writeAside(
  target: string,
  shown: string,
  content: string | Uint8Array,
  mode: { given?: number | undefined; fresh: number },
): void {
  const there = lstatSync(target, { throwIfNoEntry: false });
  if (there) requireRegular(there, shown);
  const bits = (mode.given ?? there?.mode ?? mode.fresh) & 0o777;
  const temporary = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
    const handle = openSync(temporary, flags, bits);
    try {
      writeAll(handle, content);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** A file that a process which was killed left beside its target. */
export const isLeftAside = (path: string): boolean => /^\..+\.[0-9a-f]{12}\.tmp$/.test(basename(path));

export function writeAll(handle: number, content: string | Uint8Array): void {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at);
}

/** Makes a directory and those above it, unless it is there; what is no directory is refused. */
export function ensureDirectory(path: string, shown: string, mode: number): void {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat) {
    makeDirectories(path, mode);
    return;
  }
  const kind = kindOf(stat);
  if (kind !== 'directory') throw wrongKind(shown, kind, 'a directory');
}

/**
 * Makes a directory and those above it. Each is tried once: Node's own `recursive` never ends where a directory that is
 * there answers that it is not, as those in /proc do.
 */
export function makeDirectories(path: string, mode = 0o777): void {
  const missing: string[] = [];
  for (let at = resolve(path); !existsSync(at) && at !== dirname(at); at = dirname(at)) missing.push(at);
  for (const directory of missing.reverse()) {
    try {
      mkdirSync(directory, { mode });
    } catch (error) {
      // Another process may have been first.
      if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) throw error;
    }
  }
}
