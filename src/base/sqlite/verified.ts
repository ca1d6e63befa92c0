import { state } from '../files/index.ts';
import type { Sqlite } from './open.ts';
import { hasPrint, printOf, rememberDerived, rememberPrint } from './print.ts';

/** Behind a longer use, what went wrong on the disk meanwhile would be taken for written. */
const longestUse = 60_000;

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

/** The same for what can be derived again, which has no digests of rows: where nobody writes, its bytes are written down. */
export function printAtClose(sqlite: Sqlite): void {
  const close = sqlite.close;
  sqlite.close = () => {
    if (sqlite.db.isOpen && !hasPrint(sqlite.path)) takePrint(sqlite);
    close();
  };
}

function takePrint(sqlite: Sqlite): void {
  try {
    sqlite.db.exec('PRAGMA busy_timeout = 0');
    sqlite.db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    // Nobody writes while the file is read.
    sqlite.db.exec('BEGIN IMMEDIATE');
    if ((state.entry(`${sqlite.path}-wal`)?.size ?? 0) === 0) rememberDerived(sqlite.path);
    sqlite.db.exec('ROLLBACK');
  } catch {
    // Another process is at work: it does the same when it ends.
  }
}
