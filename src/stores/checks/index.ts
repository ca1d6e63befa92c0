// Owns: tool results for a tree of files, and which tests are flaky.
// Knows: SQLite. Must not know: how tools are chosen and run.
import type { Clock } from '../../base/clock.ts';
import { leaseHolder, withLease } from '../../base/durable/index.ts';
import { SylkError } from '../../base/errors.ts';
import type { Reading } from '../../base/reports/index.ts';
import { ensureDerived, type Sqlite } from '../../base/sqlite/index.ts';

const tables = {
  store: 'checks',
  version: 3,
  tables: ['check_results', 'check_flakes', 'check_reports'],
  create: `CREATE TABLE check_results (key TEXT PRIMARY KEY, result TEXT NOT NULL, used_at INTEGER NOT NULL);
    CREATE TABLE check_reports (id INTEGER PRIMARY KEY, at INTEGER NOT NULL, report TEXT NOT NULL);
    CREATE TABLE check_flakes (id TEXT PRIMARY KEY, seen INTEGER NOT NULL, last_at INTEGER NOT NULL);`,
};

export interface KeptResult {
  reading: Extract<Reading, { kind: 'report' }>;
  milliseconds: number;
}

const keptResults = 500;
const keptReports = 50;
const longestWaitMs = 3_600_000;

export function openChecks({ index, clock }: { index: () => Sqlite; clock: Clock }) {
  const sqlite = () => {
    const opened = index();
    ensureDerived(opened, tables);
    return opened;
  };
  const leaseOf = (tree: string) => `check ${tree}`;
  return {
    /** One check at a time works in the copy of a tree, across processes. */
    exclusively: async <T>(tree: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
      const done = await withLease(sqlite, leaseOf(tree), { signal, waitMs: longestWaitMs }, async () => ({
        value: await work(),
      }));
      if (done) return done.value;
      throw new SylkError('CONFLICT', 'Another check has been at work on the same files for an hour.', {
        hint: 'Stop it, then run `sylk check` again.',
      });
    },
    isHeld: (tree: string): boolean => leaseHolder(sqlite(), leaseOf(tree)) !== undefined,
    result: (key: string): KeptResult | undefined => {
      const row = sqlite().get<{ result: string }>('SELECT result FROM check_results WHERE key = ?', key);
      return row && (JSON.parse(row.result) as KeptResult);
    },
    keepResult: (key: string, result: KeptResult) => {
      const db = sqlite();
      db.write(() => {
        db.run(
          'INSERT OR REPLACE INTO check_results VALUES (?, ?, ?)',
          key,
          JSON.stringify(result),
          clock.now(),
        );
        db.run(
          'DELETE FROM check_results WHERE key NOT IN (SELECT key FROM check_results ORDER BY used_at DESC LIMIT ?)',
          keptResults,
        );
      });
    },
    keepReport: (report: unknown) => {
      const db = sqlite();
      db.write(() => {
        db.run('INSERT INTO check_reports (at, report) VALUES (?, ?)', clock.now(), JSON.stringify(report));
        db.run(
          'DELETE FROM check_reports WHERE id NOT IN (SELECT id FROM check_reports ORDER BY id DESC LIMIT ?)',
          keptReports,
        );
      });
    },
    /** Newest first. */
    reports: (limit: number): Array<{ at: number; report: unknown }> =>
      sqlite()
        .all<{ at: number; report: string }>(
          'SELECT at, report FROM check_reports ORDER BY id DESC LIMIT ?',
          limit,
        )
        .map(({ at, report }) => ({ at, report: JSON.parse(report) })),
    /** How often each of these tests failed and passed on the same files. */
    flakes: (ids: string[]): Map<string, number> =>
      new Map(
        sqlite()
          .all<{ id: string; seen: number }>(
            'SELECT id, seen FROM check_flakes WHERE id IN (SELECT value FROM json_each(?))',
            JSON.stringify(ids),
          )
          .map(({ id, seen }) => [id, seen]),
      ),
    recordFlakes: (ids: string[]) => {
      const db = sqlite();
      db.write(() => {
        for (const id of ids)
          db.run(
            'INSERT INTO check_flakes VALUES (?, 1, ?) ON CONFLICT (id) DO UPDATE SET seen = seen + 1, last_at = excluded.last_at',
            id,
            clock.now(),
          );
      });
    },
  };
}

export type Checks = ReturnType<typeof openChecks>;
