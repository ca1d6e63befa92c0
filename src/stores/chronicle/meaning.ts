import { similarity } from '../../base/embedding/index.ts';
import { type Log, silentLog } from '../../base/log.ts';
import type { Sqlite } from '../../base/sqlite/index.ts';
import { openVectorShelf, type ShelfEmbedder, type VectorShelf } from '../../base/vectors/index.ts';

export interface EntryMeaningOptions {
  /** Costs little, and is always used. */
  quick: ShelfEmbedder;
  /** Tells meanings apart far better and is slow to start: for processes that live long. */
  model?: ShelfEmbedder;
  longLived: () => boolean;
  index: () => Sqlite;
  log?: Log;
}

export interface Nearness {
  tier: 'model' | 'static';
  /** −1 … 1; undefined for an entry that has no vector yet. */
  of(id: string): number | undefined;
}

/** What entries mean. Vectors are derived: kept in the index under the entry's id, made again when they are lost. */
export interface EntryMeaning {
  nearness(question: string, ids: string[], textsOf: TextsOf): Promise<Nearness | undefined>;
  /** How alike texts are to one text, without keeping anything. */
  likeness(text: string, others: string[]): Promise<number[]>;
  keepOnly(ids: string[]): void;
  /** Resolves when the model has read what it was given. */
  settled(): Promise<void>;
  /** The model stops reading; what it has read stays. */
  close(): Promise<void>;
}

/** New entries that one question waits for; the rest is found by words until the next one. */
const mostAtOnce = 2000;
/** So that whoever closes the process waits for little. */
const atOnce = 32;
/** The model reads about 250 word pieces; a longer text is read in parts, and the nearest part counts. */
const partLength = 700;
const mostParts = 40;

type TextsOf = (ids: string[]) => Promise<Map<string, string>>;

export function createEntryMeaning(options: EntryMeaningOptions): EntryMeaning {
  const { quick, model, log = silentLog } = options;
  const quickShelf = openVectorShelf('entry_vectors', quick, options.index);
  const modelShelf = model && openVectorShelf('entry_vectors', model, options.index);
  let reading: Promise<void> | undefined;
  let broken = false;
  let closed = false;

  const fill = async (shelf: VectorShelf, ids: string[], textsOf: TextsOf): Promise<void> => {
    for (let from = 0; from < ids.length && !closed; from += atOnce) {
      const texts = await textsOf(ids.slice(from, from + atOnce));
      await shelf.add([...texts].map(([id, text]) => ({ key: id, parts: partsOf(text) })));
    }
  };
  const without = (error: unknown, left: string): void => {
    log.warn(`Memory is searched by ${left} only`, { error: String(error) });
  };

  /** Undefined while the model has not read every entry. */
  const byModel = async (
    question: string,
    ids: string[],
    textsOf: TextsOf,
  ): Promise<Nearness | undefined> => {
    if (!modelShelf || broken || !options.longLived()) return undefined;
    try {
      const missing = modelShelf.missing(ids);
      if (missing.length === 0) return { tier: 'model', of: await modelShelf.compare(question) };
      reading ??= fill(modelShelf, missing, textsOf)
        .catch((error) => {
          broken = true;
          without(error, 'the quick vectors');
        })
        .finally(() => {
          reading = undefined;
        });
    } catch (error) {
      broken = true;
      without(error, 'the quick vectors');
    }
    return undefined;
  };

  return {
    nearness: async (question, ids, textsOf) => {
      const exact = await byModel(question, ids, textsOf);
      if (exact) return exact;
      try {
        await fill(quickShelf, quickShelf.missing(ids).slice(0, mostAtOnce), textsOf);
        return { tier: 'static', of: await quickShelf.compare(question) };
      } catch (error) {
        without(error, 'words');
        return undefined;
      }
    },
    likeness: async (text, others) => {
      const [own, ...vectors] = await quick.embed([text, ...others]);
      return vectors.map((vector) => similarity(own!, vector));
    },
    keepOnly: (ids) => {
      const keys = new Set(ids);
      quickShelf.keepOnly(keys);
      modelShelf?.keepOnly(keys);
    },
    settled: async () => reading,
    close: async () => {
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
