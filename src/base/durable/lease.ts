import { setTimeout as sleep } from 'node:timers/promises';
import { SylkError } from '../errors.ts';
import type { Sqlite } from '../sqlite/index.ts';
import { isGone, newOwner, pidOf } from './owner.ts';

/** One holder at a time for a piece of work, across processes. */
export interface Lease {
  /** Grows with every change of holder: writes that carry an older one are late. */
  readonly epoch: number;
  /** False when the lease was lost: stop the work at once. */
  renew(): boolean;
  release(): void;
}

const table = `CREATE TABLE IF NOT EXISTS leases (
  name TEXT PRIMARY KEY, owner TEXT NOT NULL, epoch INTEGER NOT NULL, expires_at INTEGER NOT NULL)`;
/** The database's clock judges expiry: a process whose clock is wrong takes nothing. */
const now = "CAST(unixepoch('subsec') * 1000 AS INTEGER)";

/** Undefined while another process holds it. The lease of a process that has ended is taken over at once. */
export function acquireLease(sqlite: Sqlite, name: string, seconds = 30): Lease | undefined {
  const owner = newOwner();
  const milliseconds = Math.round(seconds * 1000);
  const row = sqlite.write(() => {
    sqlite.exec(table);
    const holder = sqlite.get<{ owner: string }>('SELECT owner FROM leases WHERE name = ?', name)?.owner;
    return sqlite.get<{ epoch: number }>(
      `INSERT INTO leases (name, owner, epoch, expires_at) VALUES (?, ?, 1, ${now} + ?)
       ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, epoch = epoch + 1, expires_at = excluded.expires_at
       WHERE expires_at < ${now} OR owner = ? RETURNING epoch`,
      name,
      owner,
      milliseconds,
      holder !== undefined && isGone(holder) ? holder : '',
    );
  });
  if (!row) return undefined;
  const change = (text: string, ...values: number[]) =>
    sqlite.write(() => sqlite.run(`UPDATE leases SET ${text}`, ...values, name, owner).changes === 1);
  return {
    epoch: row.epoch,
    // A holder that comes late on a busy machine goes on, unless another one has taken the work meanwhile.
    renew: () =>
      change(`expires_at = ${now} + ? WHERE name = ? AND owner = ? AND expires_at > 0`, milliseconds),
    release: () => void change('expires_at = 0 WHERE name = ? AND owner = ?'),
  };
}

/** Who holds it now. */
export function leaseHolder(sqlite: Sqlite, name: string): { pid: number; epoch: number } | undefined {
  if (!sqlite.get("SELECT 1 AS found FROM sqlite_master WHERE name = 'leases'")) return undefined;
  const row = sqlite.get<{ owner: string; epoch: number }>(
    `SELECT owner, epoch FROM leases WHERE name = ? AND expires_at >= ${now}`,
    name,
  );
  return row && { pid: pidOf(row.owner), epoch: row.epoch };
}

export interface HoldOptions {
  seconds?: number;
  signal?: AbortSignal | undefined;
  /** How long to wait for another holder. */
  waitMs?: number;
  /** Ends the wait: what the other holder works on is there. */
  until?: () => boolean;
}

/**
 * Runs `work` under a lease that is renewed while it runs; its signal aborts when the lease was lost or the caller stops.
 * Undefined where another process holds it.
 */
export async function withLease<T>(
  sqlite: () => Sqlite,
  name: string,
  { seconds = 30, signal, waitMs = 0, until }: HoldOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  signal?.throwIfAborted();
  const deadline = Date.now() + waitMs;
  let lease = acquireLease(sqlite(), name, seconds);
  while (!lease) {
    if (Date.now() >= deadline || until?.()) return undefined;
    await sleep(50, undefined, { signal });
    lease = acquireLease(sqlite(), name, seconds);
  }
  const lost = new AbortController();
  const timer = setInterval(
    () => {
      if (lease.renew()) return;
      const hint = 'Finished work is saved. Run it again when the other process has ended.';
      lost.abort(new SylkError('CONFLICT', `Another process took over: ${name}.`, { hint }));
    },
    (seconds * 1000) / 3,
  );
  timer.unref();
  try {
    return await work(signal ? AbortSignal.any([signal, lost.signal]) : lost.signal);
  } finally {
    clearInterval(timer);
    try {
      lease.release();
    } catch {
      // A full disk takes not even this; the lease expires by itself.
    }
  }
}
