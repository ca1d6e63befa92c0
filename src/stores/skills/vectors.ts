import { createHash } from 'node:crypto';
import { ensureDerived, type Sqlite } from '../../base/sqlite/index.ts';
import type { SkillVectors } from './rank.ts';

/** Turns texts into unit vectors; the quick tier of the product's embedder. */
export interface TextEmbedder {
  readonly fingerprint: string;
  embed(texts: string[]): Promise<Float32Array[]>;
}

const schema = {
  store: 'skill_vectors',
  version: 1,
  tables: ['skill_vectors'],
  create:
    'CREATE TABLE skill_vectors (hash TEXT NOT NULL, fingerprint TEXT NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (hash, fingerprint)) WITHOUT ROWID, STRICT',
};

/** New texts that one question waits for; the rest is ranked by words until the next one. */
const mostAtOnce = 400;

/**
 * Meaning of skill texts, kept by the hash of the text: a text is embedded once, whichever source or repository it is
 * read from next. A process keeps what it has read.
 */
export function createSkillVectors(embedder: TextEmbedder, index: () => Sqlite): SkillVectors {
  const held = new Map<string, Float32Array>();

  const read = (sqlite: Sqlite, hashes: string[]) => {
    const statement = 'SELECT vector FROM skill_vectors WHERE hash = ? AND fingerprint = ?';
    for (const hash of hashes) {
      if (held.has(hash)) continue;
      const row = sqlite.get<{ vector: Uint8Array }>(statement, hash, embedder.fingerprint);
      if (row) held.set(hash, new Float32Array(Uint8Array.from(row.vector).buffer));
    }
  };

  const embedMissing = async (sqlite: Sqlite, texts: string[], hashes: string[]) => {
    const missing = hashes.flatMap((hash, at) => (held.has(hash) ? [] : [at])).slice(0, mostAtOnce);
    if (missing.length === 0) return;
    const vectors = await embedder.embed(missing.map((at) => texts[at]!));
    sqlite.write(() => {
      for (const [order, at] of missing.entries()) {
        const vector = vectors[order]!;
        held.set(hashes[at]!, vector);
        const bytes = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
        sqlite.run(
          'INSERT OR REPLACE INTO skill_vectors VALUES (?, ?, ?)',
          hashes[at]!,
          embedder.fingerprint,
          bytes,
        );
      }
    });
  };

  return {
    similarities: async (query, texts) => {
      const sqlite = index();
      ensureDerived(sqlite, schema);
      const hashes = texts.map((text) => createHash('sha1').update(text).digest('base64url'));
      read(sqlite, hashes);
      await embedMissing(sqlite, texts, hashes);
      const [wanted] = await embedder.embed([query]);
      return hashes.map((hash) => {
        const vector = held.get(hash);
        return vector ? dot(wanted!, vector) : undefined;
      });
    },
  };
}

function dot(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += one[at]! * other[at]!;
  return sum;
}
