import { dirname } from 'node:path';
import { system } from '../files/index.ts';
import { objectOf } from '../json.ts';

/** Result codes of SQLite that the product reacts to. Extended codes carry the primary one in the low byte. */
const primary = (error: unknown): number => {
  const code = objectOf(error)['errcode'];
  return typeof code === 'number' ? code & 0xff : 0;
};

export const isBusy = (error: unknown): boolean => primary(error) === 5 || primary(error) === 6;
export const isDamaged = (error: unknown): boolean => primary(error) === 11 || primary(error) === 26;
export const isConstraint = (error: unknown): boolean => primary(error) === 19;

/** Failures of the machine around the database: permissions, locks, memory, disk. Its content may be sound. */
const environmental = new Set([3, 5, 6, 7, 8, 9, 10, 13, 14, 23]);

export const isEnvironmental = (error: unknown): boolean =>
  environmental.has(primary(error)) || objectOf(error)['syscall'] !== undefined;

/** Where less is free, SQLite cannot even share its log between processes. */
const leastFree = 64 * 1024;

/**
 * SQLite tells a full disk as an I/O error where it is met while the log is shared. The free space says which it is; a
 * failure that is one is given the code of a full disk.
 */
export function namingFullDisk<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof Error && (primary(error) === 13 || (primary(error) === 10 && hasNoSpace(path))))
      Object.assign(error, { code: 'ENOSPC' });
    throw error;
  }
}

function hasNoSpace(path: string): boolean {
  try {
    return system.freeBytes(dirname(path)) < leastFree;
  } catch {
    // Unknown: the error that asked for this says what happened.
    return false;
  }
}
