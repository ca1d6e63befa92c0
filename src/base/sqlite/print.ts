import { crc32 } from 'node:zlib';
import { state } from '../files/index.ts';

/**
 * The bytes that a database file had when it was last verified or written, as a size and a checksum beside it. While they
 * are the same, no row has to be read: one wrong bit always changes the checksum, whatever the clock of the file says.
 * What is in the write-ahead log has checksums of its own.
 */
const nameOf = (path: string): string => `${path}.checked`;

const readLine = (path: string): string | undefined => state.readText(path, { limit: 100, cut: true });

export function readPrint(path: string) {
  const bytes = printOf(path);
  return { bytes, isVerified: readLine(nameOf(path)) === bytes };
}

export const hasPrint = (path: string): boolean => state.exists(nameOf(path));

/** Whoever cannot write there verifies every time. */
export function rememberPrint(path: string, bytes: string): void {
  if (path === ':memory:') return;
  try {
    state.write(nameOf(path), bytes);
  } catch {
    // A place that can't be written is verified every time.
  }
}

/** Before the file changes: it is what the next print says, and nothing until then. */
export function removePrint(path: string): void {
  if (hasPrint(path)) state.remove(nameOf(path));
}

/** What can be derived again is read whole by every command: a larger file would take a noticeable part of its time. */
const mostBytes = 256 * 1024 * 1024;

export function rememberDerived(path: string): void {
  if ((state.entry(path)?.size ?? 0) <= mostBytes) rememberPrint(path, printOf(path));
}

/** Whether a file that can be derived again has other bytes than it was left with. */
export function differsFromPrint(path: string): boolean {
  const size = state.entry(path)?.size ?? 0;
  if (size === 0) removePrint(path);
  if (size === 0 || size > mostBytes) return false;
  const told = readLine(nameOf(path));
  if (told === undefined || told === printOf(path)) return false;
  // Whoever writes removes it first: a file that was changed meanwhile by another process is not damaged.
  return readLine(nameOf(path)) === told;
}

export function printOf(path: string): string {
  if (!state.exists(path)) return '';
  let size = 0;
  let sum = 0;
  state.pieces(path, (piece) => {
    size += piece.length;
    sum = crc32(piece, sum);
  });
  return `${size} ${sum.toString(16)}`;
}
