import { createHash } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { Sqlite } from '../../base/sqlite/index.ts';
import { type Language, languageOf } from '../../base/syntax/index.ts';

/** Results derived from contents, cached by hash: an unchanged file is not read again. */
export type DerivedCache = ReturnType<typeof createDerivedCache>;

export function createDerivedCache(sqlite: () => Sqlite, clock: Clock) {
  return {
    get: <T>(kind: string, hash: string): { value: T; madeAt: number } | undefined => {
      const row = sqlite().get<{ value: string; made_at: number }>(
        'SELECT value, made_at FROM conventions_cache WHERE kind = ? AND hash = ?',
        kind,
        hash,
      );
      return row && { value: JSON.parse(row.value) as T, madeAt: row.made_at };
    },
    /** Records when results were computed. Beyond `most` of a kind, the older half is evicted. */
    put: (kind: string, entries: Array<[hash: string, value: unknown]>, most = 100_000): number => {
      const db = sqlite();
      const now = clock.now();
      if (entries.length === 0) return now;
      db.write(() => {
        for (const [hash, value] of entries)
          db.run(
            'INSERT OR REPLACE INTO conventions_cache (kind, hash, value, made_at) VALUES (?, ?, ?, ?)',
            ...[kind, hash, JSON.stringify(value), now],
          );
        const row = db.get<{ n: number }>('SELECT count(*) AS n FROM conventions_cache WHERE kind = ?', kind);
        if (row && row.n > most)
          db.run(
            'DELETE FROM conventions_cache WHERE kind = ?1 AND hash IN (SELECT hash FROM conventions_cache WHERE kind = ?1 ORDER BY made_at LIMIT ?2)',
            ...[kind, row.n - most / 2],
          );
      });
      return now;
    },
  };
}

/** Facts extracted from single files of a language, cached by content. */
export function createFileFacts<T>(
  cache: DerivedCache,
  kind: string,
  read: (text: string, language: Language) => Promise<T>,
) {
  const fresh: Array<[hash: string, facts: T]> = [];
  const flush = () => cache.put(kind, fresh.splice(0));
  return {
    /** Undefined where the file cannot be parsed; `problems` then says why. */
    of: async (path: string, text: string, problems: string[]): Promise<T | undefined> => {
      const language = languageOf(path);
      if (!language) return undefined;
      const hash = createHash('sha256').update(`${language}\0`).update(text).digest('hex');
      const known = cache.get<T>(kind, hash);
      if (known) return known.value;
      try {
        const facts = await read(text, language);
        if (fresh.push([hash, facts]) >= 200) flush();
        return facts;
      } catch (error) {
        problems.push(`${path}: ${messageOf(error)}`);
        return undefined;
      }
    },
    flush,
  };
}

/** One hash over names and contents; the order of the entries does not matter. */
export function fingerprintOf(texts: Iterable<readonly [path: string, text: string]>, salt: string): string {
  const hash = createHash('sha256').update(salt);
  for (const [path, text] of [...texts].sort(([a], [b]) => (a < b ? -1 : 1)))
    hash.update(`\0${path}\0${text.length}\0`).update(text);
  return hash.digest('hex');
}
