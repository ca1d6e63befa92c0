import { createHash } from 'node:crypto';
import { type Log, silentLog } from '../../base/log.ts';
import { ensureDerived, type Sqlite } from '../../base/sqlite/index.ts';
import type { SkillVectors } from './rank.ts';

/** Turns texts into unit vectors. */
export interface TextEmbedder {
  readonly fingerprint: string;
  readonly tier: number;
  embed(texts: string[]): Promise<Float32Array[]>;
}

export interface SkillVectorOptions {
  /** Costs little, and is always used. */
  quick: TextEmbedder;
  /** Tells meanings apart better and is slow to start: for processes that live long. */
  model?: TextEmbedder;
  longLived?: () => boolean;
  index: () => Sqlite;
  log?: Log;
}

const schema = {
  store: 'skill_vectors',
  version: 1,
  tables: ['skill_vectors'],
  create: `CREATE TABLE skill_vectors (
    hash TEXT NOT NULL, fingerprint TEXT NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (hash, fingerprint)) WITHOUT ROWID, STRICT`,
};

/** New texts that one question waits for; the rest is ranked by words until the next one. */
const mostAtOnce = 400;
/** How much meaning counts beside words: chosen on the tuning half of public requests. */
const weights = { quick: 1, model: 3 };

/**
 * Meaning of skill texts, kept by the hash of the text: a text is embedded once, whichever source or repository it is
 * read from next. A server answers with the quick vectors until the model has read every text in the background.
 */
export function createSkillVectors(options: SkillVectorOptions): SkillVectors & { settled(): Promise<void> } {
  const { quick, model, log = silentLog } = options;
  const quickShelf = shelf(quick, options.index);
  const modelShelf = model && shelf(model, options.index);
  let reading: Promise<void> | undefined;
  let broken = false;

  const readAll = async (texts: string[]): Promise<void> => {
    try {
      for (let done = 0; done < texts.length; done += 16) await modelShelf!.add(texts.slice(done, done + 16));
    } catch (error) {
      broken = true;
      log.warn('Skills are ranked by the quick vectors only', { error: String(error) });
    } finally {
      reading = undefined;
    }
  };

  /** Undefined while the model has not read every text. */
  const byModel = async (query: string, texts: string[]) => {
    if (!modelShelf || broken || !options.longLived?.()) return undefined;
    const missing = modelShelf.missing(texts);
    if (missing.length > 0) {
      reading ??= readAll(missing);
      return undefined;
    }
    return { values: await modelShelf.compare(query, texts), weight: weights.model };
  };

  return {
    similarities: async (query, texts) => {
      const exact = await byModel(query, texts);
      if (exact) return exact;
      await quickShelf.add(quickShelf.missing(texts).slice(0, mostAtOnce));
      return { values: await quickShelf.compare(query, texts), weight: weights.quick };
    },
    settled: async () => reading,
  };
}

/** Vectors of one embedder: in memory, and in the index for the next process. */
function shelf(embedder: TextEmbedder, index: () => Sqlite) {
  const mark = `${embedder.fingerprint} ${embedder.tier}`;
  const held = new Map<string, Float32Array>();
  const open = (): Sqlite => {
    const sqlite = index();
    ensureDerived(sqlite, schema);
    return sqlite;
  };
  return {
    missing: (texts: string[]): string[] => {
      const sqlite = open();
      return texts.filter((text) => {
        const hash = hashOf(text);
        if (held.has(hash)) return false;
        const row = sqlite.get<{ vector: Uint8Array }>(
          'SELECT vector FROM skill_vectors WHERE hash = ? AND fingerprint = ?',
          hash,
          mark,
        );
        if (row) held.set(hash, new Float32Array(Uint8Array.from(row.vector).buffer));
        return !row;
      });
    },
    add: async (texts: string[]): Promise<void> => {
      if (texts.length === 0) return;
      const vectors = await embedder.embed(texts);
      const sqlite = open();
      sqlite.write(() => {
        for (const [at, vector] of vectors.entries()) {
          const hash = hashOf(texts[at]!);
          held.set(hash, vector);
          const bytes = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
          sqlite.run('INSERT OR REPLACE INTO skill_vectors VALUES (?, ?, ?)', hash, mark, bytes);
        }
      });
    },
    compare: async (query: string, texts: string[]): Promise<Array<number | undefined>> => {
      const [wanted] = await embedder.embed([query]);
      return texts.map((text) => {
        const vector = held.get(hashOf(text));
        return vector && dot(wanted!, vector);
      });
    },
  };
}

const hashes = new Map<string, string>();

/** Remembered, because the same few thousand texts are asked about again and again. */
function hashOf(text: string): string {
  let hash = hashes.get(text);
  if (hash === undefined) {
    hash = createHash('sha1').update(text).digest('base64url');
    if (hashes.size > 50_000) hashes.clear();
    hashes.set(text, hash);
  }
  return hash;
}

function dot(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += one[at]! * other[at]!;
  return sum;
}
