import { createHash } from 'node:crypto';
import { type Log, silentLog } from '../../base/log.ts';
import type { Sqlite } from '../../base/sqlite/index.ts';
import { openVectorShelf, type ShelfEmbedder, type VectorShelf } from '../../base/vectors/index.ts';
import type { SkillVectors } from './rank.ts';

export interface SkillVectorOptions {
  /** Costs little, and is always used. */
  quick: ShelfEmbedder;
  /** Tells meanings apart better and is slow to start: for processes that live long. */
  model?: ShelfEmbedder;
  longLived?: () => boolean;
  index: () => Sqlite;
  log?: Log;
}

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
  const quickShelf = textShelf(quick, options.index);
  const modelShelf = model && textShelf(model, options.index);
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

/** The same shelf by the texts themselves. */
function textShelf(embedder: ShelfEmbedder, index: () => Sqlite) {
  const shelf: VectorShelf = openVectorShelf('skill_vectors', embedder, index);
  return {
    missing: (texts: string[]): string[] => {
      const unknown = new Set(shelf.missing(texts.map(hashOf)));
      return texts.filter((text) => unknown.has(hashOf(text)));
    },
    add: (texts: string[]) => shelf.add(texts.map((text) => ({ key: hashOf(text), parts: [text] }))),
    compare: async (query: string, texts: string[]): Promise<Array<number | undefined>> => {
      const nearness = await shelf.compare(query);
      return texts.map((text) => nearness(hashOf(text)));
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
