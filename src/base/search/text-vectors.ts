import { similarity } from '../embedding/index.ts';
import { type Log, silentLog } from '../log.ts';
import { ensureDerived, type Sqlite } from '../sqlite/index.ts';

/** Turns texts into unit vectors. */
export interface TextEmbedder {
  readonly fingerprint: string;
  readonly tier: number;
  embed(texts: string[]): Promise<Float32Array[]>;
}

export interface TextVectorOptions {
  /** The table that keeps the vectors. */
  table: string;
  /** What is searched, for messages: `Memory`. */
  subject: string;
  /** Costs little, and is always used. */
  quick: TextEmbedder;
  /** Tells meanings apart far better and is slow to start: for processes that live long. */
  model?: TextEmbedder | undefined;
  longLived?: boolean;
  index: () => Sqlite;
  log?: Log;
}

export interface Nearness {
  tier: 'model' | 'static';
  /** −1 … 1; undefined for a text that has no vector yet. */
  of(key: string): number | undefined;
}

type TextsOf = (keys: string[]) => Promise<Map<string, string>> | Map<string, string>;

/** New texts that one question waits for; the rest is found by words until the next one. */
const mostAtOnce = 2000;
/** So that closing a process takes little time. */
const atOnce = 32;
/** The model reads about 250 word pieces; a longer text is read in parts, and the nearest part counts. */
const partLength = 700;
const mostParts = 40;

export type TextVectors = ReturnType<typeof createTextVectors>;

/**
 * Vectors of a few thousand texts under keys: derived, kept in the index, made again when they are lost. A server
 * answers by the quick vectors until the model has read every text in the background.
 */
export function createTextVectors(options: TextVectorOptions) {
  const { quick, model, log = silentLog } = options;
  const quickTable = vectorTable(options.table, quick, options.index);
  const modelTable = model && vectorTable(options.table, model, options.index);
  let reading: Promise<void> | undefined;
  let broken = false;
  let closed = false;

  const fill = async (table: VectorTable, keys: string[], textsOf: TextsOf): Promise<void> => {
    for (let from = 0; from < keys.length && !closed; from += atOnce)
      await table.add(await textsOf(keys.slice(from, from + atOnce)));
  };
  const failed = (error: unknown, left: string): void => {
    log.warn(`${options.subject}: searched by ${left} only`, { error: String(error) });
  };
  const modelFailed = (error: unknown): undefined => {
    broken = true;
    failed(error, 'the quick vectors');
  };

  /** Undefined while the model has not read every text. */
  const byModel = async (question: string, keys: string[], textsOf: TextsOf) => {
    if (!modelTable || broken || !options.longLived) return undefined;
    const missing = modelTable.missing(keys);
    if (missing.length === 0) return { tier: 'model' as const, of: await modelTable.compare(question) };
    reading ??= fill(modelTable, missing, textsOf)
      .catch(modelFailed)
      .finally(() => {
        reading = undefined;
      });
    return undefined;
  };

  return {
    /** How near each text is to the question; undefined where only words are left. */
    nearness: async (question: string, keys: string[], textsOf: TextsOf): Promise<Nearness | undefined> => {
      const exact = await byModel(question, keys, textsOf).catch(modelFailed);
      if (exact) return exact;
      try {
        await fill(quickTable, quickTable.missing(keys).slice(0, mostAtOnce), textsOf);
        return { tier: 'static', of: await quickTable.compare(question) };
      } catch (error) {
        failed(error, 'words');
        return undefined;
      }
    },
    /** How alike texts are to one text, without keeping anything. */
    likeness: async (text: string, others: string[]): Promise<number[]> => {
      const [own = new Float32Array(), ...vectors] = await quick.embed([text, ...others]);
      return vectors.map((vector) => similarity(own, vector));
    },
    keepOnly: (keys: string[]): void => {
      const kept = new Set(keys);
      quickTable.keepOnly(kept);
      modelTable?.keepOnly(kept);
    },
    /** Resolves when the model has read what it was given. */
    settled: async () => reading,
    /** The model stops reading; what it has read stays. */
    close: async (): Promise<void> => {
      closed = true;
      await reading;
    },
  };
}

/** Whole sentences up to the length that is read at once. */
export function partsOf(text: string): string[] {
  const parts: string[] = [];
  let part = '';
  for (const sentence of text.split(/(?<=\n)|(?<=[.!?] )/)) {
    if (part.length > 0 && part.length + sentence.length > partLength) {
      parts.push(part);
      part = '';
    }
    part += sentence;
  }
  if (part.trim() !== '' || parts.length === 0) parts.push(part);
  return parts.slice(0, mostParts);
}

type VectorTable = ReturnType<typeof vectorTable>;

/** Vectors of one embedder: in memory, and in a derived table for the next process. */
function vectorTable(table: string, embedder: TextEmbedder, index: () => Sqlite) {
  if (!/^[a-z][a-z_]{0,40}$/.test(table)) throw new TypeError(`a table of vectors cannot be called ${table}`);
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
    add: async (texts: Map<string, string>): Promise<void> => {
      if (texts.size === 0) return;
      const rows = [...texts].map(([key, text]) => ({ key, parts: partsOf(text) }));
      const vectors = await embedder.embed(rows.flatMap(({ parts }) => parts));
      const sqlite = open();
      let from = 0;
      sqlite.write(() => {
        for (const { key, parts } of rows) {
          const joined = Buffer.concat(
            vectors
              .slice(from, from + parts.length)
              .map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)),
          );
          from += parts.length;
          held.set(key, new Float32Array(Uint8Array.from(joined).buffer));
          sqlite.run(`INSERT OR REPLACE INTO ${table} VALUES (?, ?, ?)`, key, mark, joined);
        }
      });
    },
    /** How near the question is to the nearest part of the text under a key, −1 … 1. */
    compare: async (question: string): Promise<(key: string) => number | undefined> => {
      const [wanted = new Float32Array()] = await embedder.embed([question]);
      const width = wanted.length;
      return (key) => {
        const vectors = held.get(key);
        if (!vectors) return undefined;
        let best = -1;
        for (let from = 0; from < vectors.length; from += width)
          best = Math.max(best, similarity(wanted, vectors.subarray(from, from + width)));
        return best;
      };
    },
    keepOnly: (keys: Set<string>): void => {
      for (const key of held.keys()) if (!keys.has(key)) held.delete(key);
      const sqlite = open();
      const gone = sqlite
        .all<{ key: string }>(`SELECT DISTINCT key FROM ${table}`)
        .filter(({ key }) => !keys.has(key));
      if (gone.length === 0) return;
      // A vector says what its text was about: the freed pages are overwritten.
      sqlite.exec('PRAGMA secure_delete = ON');
      sqlite.write(() => {
        for (const { key } of gone) sqlite.run(`DELETE FROM ${table} WHERE key = ?`, key);
      });
      sqlite.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    },
  };
}
