import { crc32 } from 'node:zlib';
import { state } from '../files/index.ts';
import type { Sqlite } from './open.ts';

/**
 * The bytes that a database file had when it was last verified, as a size and a checksum beside it. While they are the
 * same, no row has to be read: one wrong bit always changes the checksum, whatever the clock of the file says. What is
 * in the write-ahead log has checksums of its own.
 */
const nameOf = (path: string): string => `${path}.checked`;

/** Behind a longer use, what went wrong on the disk meanwhile would be taken for written. */
const longestUse = 60_000;

export function readPrint(path: string) {
  const bytes = printOf(path);
  return { bytes, isVerified: readLine(nameOf(path)) === bytes };
}

const readLine = (path: string): string | undefined => state.readText(path, { limit: 100, cut: true });

/** Whoever cannot write there verifies every time. */
export function rememberPrint(path: string, bytes: string): void {
  if (path === ':memory:') return;
  try {
    state.write(nameOf(path), bytes);
  } catch {
    // A place that can't be written is verified every time.
  }
}

/** A file that was verified when it was opened, and was then changed through this connection, is as it was written. */
export function rememberAtClose(sqlite: Sqlite): void {
  const opened = performance.now();
  const mark = () => state.entry(sqlite.path)?.mark;
  const before = mark();
  const close = sqlite.close;
  let isClosed = false;
  sqlite.close = () => {
    close();
    if (isClosed) return;
    isClosed = true;
    if (mark() === before || mark() === undefined || performance.now() - opened > longestUse) return;
    rememberPrint(sqlite.path, printOf(sqlite.path));
  };
}

function printOf(path: string): string {
  if (!state.exists(path)) return '';
  let size = 0;
  let sum = 0;
  state.pieces(path, (piece) => {
    size += piece.length;
    sum = crc32(piece, sum);
  });
  return `${size} ${sum.toString(16)}`;
}
