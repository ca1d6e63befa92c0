import { similarity } from '../embedding/index.ts';
import { ensureDerived, type Sqlite } from '../sqlite/index.ts';

/** Turns texts into unit vectors. */
export interface ShelfEmbedder {
  readonly fingerprint: string;
  readonly tier: number;
  embed(texts: string[]): Promise<Float32Array[]>;
}

export type VectorShelf = ReturnType<typeof openVectorShelf>;

const namePattern = /^[a-z][a-z_]{0,40}$/;

/** A few thousand vectors of one embedder under keys: in memory, and in a derived table for the next process. */
export function openVectorShelf(table: string, embedder: ShelfEmbedder, index: () => Sqlite) {
  if (!namePattern.test(table)) throw new TypeError(`a shelf cannot be called ${table}`);
  const mark = `${embedder.fingerprint} ${embedder.tier}`;
  const held = new Map<string, Float32Array>();
  const open = (): Sqlite => {
    const sqlite = index();
    ensureDerived(sqlite, {
      store: table,
      version: 2,
      tables: [table],
      create: `CREATE TABLE ${table} (
        key TEXT NOT NULL, fingerprint TEXT NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (key, fingerprint)) WITHOUT ROWID, STRICT`,
    });
    return sqlite;
  };
  return {
    /** The keys that have no vector yet. */
    missing: (keys: string[]): string[] => {
      const unknown = keys.filter((key) => !held.has(key));
      if (unknown.length > 0)
        for (const { key, vector } of open().all<{ key: string; vector: Uint8Array }>(
          `SELECT key, vector FROM ${table} WHERE fingerprint = ? AND key IN (SELECT value FROM json_each(?))`,
          mark,
          JSON.stringify(unknown),
        ))
          held.set(key, new Float32Array(Uint8Array.from(vector).buffer));
      return unknown.filter((key) => !held.has(key));
    },
    /** A text in several parts has a vector for each of them. */
    add: async (rows: Array<{ key: string; parts: string[] }>): Promise<void> => {
      if (rows.length === 0) return;
      const vectors = await embedder.embed(rows.flatMap(({ parts }) => parts));
      const sqlite = open();
      let from = 0;
      sqlite.write(() => {
        for (const { key, parts } of rows) {
          const joined = concatenate(vectors.slice(from, from + parts.length));
          from += parts.length;
          held.set(key, joined);
          sqlite.run(
            `INSERT OR REPLACE INTO ${table} VALUES (?, ?, ?)`,
            key,
            mark,
            new Uint8Array(joined.buffer),
          );
        }
      });
    },
    /** How near the question is to the nearest part of what is held under a key, −1 … 1. */
    compare: async (question: string): Promise<(key: string) => number | undefined> => {
      const [wanted] = await embedder.embed([question]);
      const width = wanted!.length;
      return (key) => {
        const vectors = held.get(key);
        if (!vectors) return undefined;
        let best = -1;
        for (let from = 0; from < vectors.length; from += width)
          best = Math.max(best, similarity(wanted!, vectors.subarray(from, from + width)));
        return best;
      };
    },
    /** Lets go of every key that is not named. */
    keepOnly: (keys: Set<string>): void => {
      for (const key of held.keys()) if (!keys.has(key)) held.delete(key);
      const sqlite = open();
      const there = sqlite.all<{ key: string }>(`SELECT DISTINCT key FROM ${table}`);
      const gone = there.filter(({ key }) => !keys.has(key));
      if (gone.length === 0) return;
      // A vector tells what its text was about: the freed pages are overwritten.
      sqlite.exec('PRAGMA secure_delete = ON');
      sqlite.write(() => {
        for (const { key } of gone) sqlite.run(`DELETE FROM ${table} WHERE key = ?`, key);
      });
      sqlite.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    },
  };
}

function concatenate(vectors: Float32Array[]): Float32Array {
  const joined = new Float32Array(vectors.reduce((sum, vector) => sum + vector.length, 0));
  let from = 0;
  for (const vector of vectors) {
    joined.set(vector, from);
    from += vector.length;
  }
  return joined;
}
