import { fromHalf, toHalf } from '../embedding/index.ts';
import type { Sqlite } from '../sqlite/index.ts';
import { scan } from './exact-scan.ts';

/**
 * The truth about vectors: rows of half floats under a text key. Every write of a row takes a new sequence number, so
 * that an index made earlier knows what it has not seen and never answers with an old vector.
 */
export interface VectorRow {
  key: string;
  vector: Float32Array;
  /** How good the vector is; a put never replaces a row by a worse one. */
  tier?: number;
}

export interface StoredVector {
  sequence: number;
  key: string;
  vector: Float32Array;
}

export interface VectorMatch {
  key: string;
  /** Cosine similarity, −1 … 1. */
  score: number;
}

const namePattern = /^[a-z][a-z0-9_]{0,40}$/;

export function openVectorTable(sqlite: Sqlite, name: string, dimensions: number) {
  if (!namePattern.test(name)) throw new TypeError(`a vector space cannot be called ${name}`);
  const table = `vectors_${name}`;
  const create = () =>
    sqlite.exec(
      `CREATE TABLE IF NOT EXISTS ${table} (
         sequence INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, tier INTEGER NOT NULL, vector BLOB NOT NULL)`,
    );
  if (!sqlite.get('SELECT 1 AS there FROM sqlite_master WHERE name = ?', table)) create();
  const decode = (blob: Uint8Array): Float32Array => fromHalf(halvesOf(blob));
  const stored = ({ sequence, key, vector }: RawRow): StoredVector => ({
    sequence,
    key,
    vector: decode(vector),
  });
  const number = (sql: string) => Number(sqlite.value<number | null>(sql) ?? 0);

  return {
    name,
    dimensions,
    sqlite,
    put: (rows: VectorRow[]): void => {
      for (const { key, vector } of rows)
        if (vector.length !== dimensions)
          throw new TypeError(`vector of ${key} has ${vector.length} dimensions, not ${dimensions}`);
      sqlite.write(() => {
        for (const { key, vector, tier = 0 } of rows) {
          const removed = sqlite.run(`DELETE FROM ${table} WHERE key = ? AND tier <= ?`, key, tier);
          if (removed.changes === 0 && sqlite.get(`SELECT 1 AS there FROM ${table} WHERE key = ?`, key))
            continue;
          const half = toHalf(vector);
          const blob = new Uint8Array(half.buffer);
          sqlite.run(`INSERT INTO ${table} (key, tier, vector) VALUES (?, ?, ?)`, key, tier, blob);
        }
      });
    },
    remove: (keys: string[]): void => {
      sqlite.write(() => {
        for (const key of keys) sqlite.run(`DELETE FROM ${table} WHERE key = ?`, key);
      });
    },
    /** The keys that have a vector of at least this tier. */
    having: (keys: string[], tier = 0): Set<string> => {
      const rows = sqlite.all<{ key: string }>(
        `SELECT key FROM ${table} WHERE tier >= ? AND key IN (SELECT value FROM json_each(?))`,
        tier,
        JSON.stringify(keys),
      );
      return new Set(rows.map((row) => row.key));
    },
    get: (key: string): Float32Array | undefined => {
      const row = sqlite.get<{ vector: Uint8Array }>(`SELECT vector FROM ${table} WHERE key = ?`, key);
      return row && decode(row.vector);
    },
    /** Of these rows the ones that are still there, with how near each is to the query. */
    compare: (query: Float32Array, sequences: number[]): VectorMatch[] => {
      const rows = sqlite.all<{ key: string; vector: Uint8Array }>(
        `SELECT key, vector FROM ${table} WHERE sequence IN (SELECT value FROM json_each(?))`,
        JSON.stringify(sequences),
      );
      // Widened and compared in one go: one by one both would cost more than reading them.
      const halves = new Uint16Array(rows.length * dimensions);
      for (const [at, row] of rows.entries()) halves.set(halvesOf(row.vector), at * dimensions);
      const tail = { sequences: [...rows.keys()], values: fromHalf(halves) };
      return scan(tail, query, rows.length).map(({ sequence, score }) => ({
        key: rows[sequence]?.key ?? '',
        score,
      }));
    },
    after: (sequence: number, limit: number): StoredVector[] =>
      sqlite
        .all<RawRow>(
          `SELECT sequence, key, vector FROM ${table} WHERE sequence > ? ORDER BY sequence LIMIT ?`,
          sequence,
          limit,
        )
        .map(stored),
    countAfter: (sequence: number): number =>
      Number(sqlite.value<number>(`SELECT count(*) AS n FROM ${table} WHERE sequence > ?`, sequence) ?? 0),
    count: (): number => number(`SELECT count(*) AS n FROM ${table}`),
    lastSequence: (): number => number(`SELECT max(sequence) AS n FROM ${table}`),
    clear: () => sqlite.write(() => sqlite.exec(`DELETE FROM ${table}`)),
  };
}

interface RawRow {
  sequence: number;
  key: string;
  vector: Uint8Array;
}

const halvesOf = (blob: Uint8Array): Uint16Array =>
  blob.byteOffset % 2 === 0
    ? new Uint16Array(blob.buffer as ArrayBuffer, blob.byteOffset, blob.byteLength / 2)
    : new Uint16Array(new Uint8Array(blob).buffer);
