import type { Clock } from '../../base/clock.ts';
import type { Sqlite } from '../../base/sqlite/index.ts';

/** What was derived from one file's content, kept by its hash: a file that did not change is never read again for it. */
export interface FactsCache {
  get<T>(kind: string, hash: string): T | undefined;
  put(kind: string, entries: Array<[hash: string, facts: unknown]>): void;
}

const keptPerKind = 100_000;

export function createFactsCache(sqlite: () => Sqlite, clock: Clock): FactsCache {
  return {
    get: <T>(kind: string, hash: string) => {
      const row = sqlite().get<{ facts: string }>(
        'SELECT facts FROM conventions_facts WHERE kind = ? AND hash = ?',
        kind,
        hash,
      );
      return row && (JSON.parse(row.facts) as T);
    },
    put: (kind, entries) => {
      if (entries.length === 0) return;
      const db = sqlite();
      const now = clock.now();
      db.write(() => {
        for (const [hash, facts] of entries)
          db.run(
            'INSERT OR REPLACE INTO conventions_facts (kind, hash, facts, made_at) VALUES (?, ?, ?, ?)',
            kind,
            hash,
            JSON.stringify(facts),
            now,
          );
        const count =
          db.get<{ count: number }>('SELECT count(*) AS count FROM conventions_facts WHERE kind = ?', kind)
            ?.count ?? 0;
        if (count > keptPerKind)
          db.run(
            'DELETE FROM conventions_facts WHERE kind = ?1 AND hash IN (SELECT hash FROM conventions_facts WHERE kind = ?1 ORDER BY made_at LIMIT ?2)',
            kind,
            count - keptPerKind / 2,
          );
      });
    },
  };
}
