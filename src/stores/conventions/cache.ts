import { createHash } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import type { Sqlite } from '../../base/sqlite/index.ts';

/** A derived answer is kept per project directory and branch, and holds while the files it came from are the same. */
export interface AnswerCache {
  get<T>(key: CacheKey): { value: T; madeAt: number } | undefined;
  set(key: CacheKey, value: unknown): number;
}

export interface CacheKey {
  kind: string;
  project: string;
  branch: string;
  /** Of the files the answer was read from. */
  fingerprint: string;
}

const keptPerKind = 200;

export function createAnswerCache(sqlite: () => Sqlite, clock: Clock): AnswerCache {
  return {
    get: <T>({ kind, project, branch, fingerprint }: CacheKey) => {
      const row = sqlite().get<{ value: string; made_at: number }>(
        'SELECT value, made_at FROM conventions_cache WHERE kind = ? AND project = ? AND branch = ? AND fingerprint = ?',
        kind,
        project,
        branch,
        fingerprint,
      );
      return row ? { value: JSON.parse(row.value) as T, madeAt: row.made_at } : undefined;
    },
    set: ({ kind, project, branch, fingerprint }, value) => {
      const now = clock.now();
      const db = sqlite();
      db.write(() => {
        db.run(
          `INSERT INTO conventions_cache (kind, project, branch, fingerprint, value, made_at) VALUES (?, ?, ?, ?, ?, ?)
           ON CONFLICT (kind, project, branch) DO UPDATE SET
             fingerprint = excluded.fingerprint, value = excluded.value, made_at = excluded.made_at`,
          kind,
          project,
          branch,
          fingerprint,
          JSON.stringify(value),
          now,
        );
        db.run(
          `DELETE FROM conventions_cache WHERE kind = ?1 AND (project, branch) NOT IN
             (SELECT project, branch FROM conventions_cache WHERE kind = ?1 ORDER BY made_at DESC LIMIT ?2)`,
          kind,
          keptPerKind,
        );
      });
      return now;
    },
  };
}

/** One hash over names and contents; the order of the entries does not matter. */
export function fingerprintOf(texts: Iterable<readonly [path: string, text: string]>, salt = ''): string {
  const hash = createHash('sha256').update(salt);
  for (const [path, text] of [...texts].sort(([a], [b]) => (a < b ? -1 : 1)))
    hash.update(`\0${path}\0${text.length}\0`).update(text);
  return hash.digest('hex');
}
