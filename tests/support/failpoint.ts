import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import pg from 'pg';

/** How many statements reached the database since the failpoint was set. */
export interface Failpoint {
  count(): number;
}

/**
 * From now on this process counts the statements that reach SQLite, and with `files` the names that it gives and takes on
 * disk; at the failpoint it kills itself, before or after the statement (odd or even). 0 only counts.
 */
export function setFailpoint(point: number, { files = false } = {}): Failpoint {
  let count = 0;
  // biome-ignore lint/suspicious/noExplicitAny: it stands in for methods of several shapes
  const counted = <Method extends (...args: any[]) => unknown>(work: Method): Method =>
    function (this: unknown, ...args: unknown[]) {
      count++;
      const due = count === Math.ceil(point / 2);
      if (due && point % 2 === 1) process.kill(process.pid, 'SIGKILL');
      const result = work.apply(this, args);
      if (due) process.kill(process.pid, 'SIGKILL');
      return result;
    } as Method;
  DatabaseSync.prototype.exec = counted(DatabaseSync.prototype.exec);
  StatementSync.prototype.run = counted(StatementSync.prototype.run);
  StatementSync.prototype.all = counted(StatementSync.prototype.all);
  if (files) {
    for (const name of ['linkSync', 'renameSync', 'rmSync', 'mkdirSync'] as const)
      Object.assign(fs, { [name]: counted(fs[name]) });
    syncBuiltinESMExports();
  }
  return { count: () => count };
}

/**
 * The same for PostgreSQL, with three failpoints a statement: before it is sent, once it is sent, once it is answered.
 */
export function setPostgresFailpoint(point: number): Failpoint & { turns(): number } {
  let count = 0;
  /** How often this process had something to send: what is asked in one turn goes out at its end. */
  let turns = 0;
  let isCounted = false;
  const { prototype } = pg.Client;
  // biome-ignore lint/suspicious/noExplicitAny: it stands in for a method of several shapes
  const query: (...args: any[]) => any = prototype.query;
  prototype.query = function (this: pg.Client, ...args: unknown[]) {
    count++;
    if (!isCounted) turns++;
    isCounted = true;
    setImmediate(() => {
      isCounted = false;
    });
    const at = count === Math.ceil(point / 3) ? point % 3 : undefined;
    const die = () => process.kill(process.pid, 'SIGKILL');
    if (at === 1) die();
    const result = query.apply(this, args);
    if (at === 2) setImmediate(die);
    return at === 0 ? result.finally(die) : result;
  };
  return { count: () => count, turns: () => turns };
}
