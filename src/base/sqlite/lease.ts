import { randomUUID } from 'node:crypto';
import type { Sqlite } from './open.ts';

/**
 * One holder at a time for a piece of background work, across processes. Expiry is judged by the clock of the
 * database alone; the token grows with every change of holder, so that a late writer can be told apart.
 */
export interface Lease {
  readonly token: number;
  /** False when the lease was lost: stop the work at once. */
  renew(): boolean;
  release(): void;
}

const table = `CREATE TABLE IF NOT EXISTS _leases (
  name TEXT PRIMARY KEY, holder TEXT NOT NULL, token INTEGER NOT NULL, expires_at REAL NOT NULL, pid INTEGER NOT NULL)`;
const now = "(julianday('now') - 2440587.5) * 86400.0";

export function acquireLease(sqlite: Sqlite, name: string, seconds = 30): Lease | undefined {
  const holder = randomUUID();
  const row = sqlite.write(() => {
    sqlite.exec(table);
    // Whoever was killed cannot let go: a database file has only processes of this machine.
    const held = sqlite.get<{ pid: number }>('SELECT pid FROM _leases WHERE name = ?', name);
    if (held && !isAlive(held.pid)) sqlite.run('UPDATE _leases SET expires_at = 0 WHERE name = ?', name);
    return sqlite.get<{ token: number }>(
      `INSERT INTO _leases (name, holder, token, expires_at, pid) VALUES (?, ?, 1, ${now} + ?, ?)
       ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, token = token + 1, expires_at = excluded.expires_at, pid = excluded.pid
       WHERE expires_at < ${now} RETURNING token`,
      name,
      holder,
      seconds,
      process.pid,
    );
  });
  if (!row) return undefined;
  return {
    token: row.token,
    renew: () =>
      sqlite.write(
        () =>
          sqlite.run(
            `UPDATE _leases SET expires_at = ${now} + ? WHERE name = ? AND holder = ? AND expires_at >= ${now}`,
            seconds,
            name,
            holder,
          ).changes,
      ) === 1,
    release: () => {
      sqlite.write(() =>
        sqlite.run('UPDATE _leases SET expires_at = 0 WHERE name = ? AND holder = ?', name, holder),
      );
    },
  };
}

/** Whether a process of this machine runs under that number. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

export function leaseHolder(sqlite: Sqlite, name: string): { pid: number; token: number } | undefined {
  const there = sqlite.get("SELECT 1 AS there FROM sqlite_master WHERE name = '_leases'");
  if (!there) return undefined;
  return sqlite.get<{ pid: number; token: number }>(
    `SELECT pid, token FROM _leases WHERE name = ? AND expires_at >= ${now}`,
    name,
  );
}
