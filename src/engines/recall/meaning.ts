import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Embedder, StaticEmbedder } from '../../base/embedding/index.ts';
import { reportOf } from '../../base/errors.ts';
import type { Sqlite } from '../../base/sqlite/index.ts';
import { openVectorSpace, type VectorSpace } from '../../base/vectors/index.ts';
import type { Domain } from '../../stores/passages/index.ts';

export interface MeaningOptions {
  sqlite: () => Sqlite;
  /** Where the graphs' files lie. */
  directory: string;
  /** The exact one: slow to start, kept while it is used. */
  model: Embedder;
  /** The quick one of the same fingerprint, when there is one. */
  quick?: Embedder & Partial<Pick<StaticEmbedder, 'wording'>>;
  /** A process that lives long loads the model on the first question and answers it with the quick one meanwhile. */
  longLived: boolean;
  /** Why nothing is searched by meaning, where a person turned it off. */
  off?: string;
}

export interface EmbeddedQuestion {
  vector?: Float32Array;
  /** What the vector was made with, or why there is none. */
  tier: 'model' | 'static' | 'none';
  problem?: string;
}

export type Meaning = ReturnType<typeof createMeaning>;

/** Vectors of passages by domain, and of questions. Everything here may fail without more than a note in the answer. */
export function createMeaning(options: MeaningOptions) {
  const { model, quick } = options;
  const mark = createHash('sha256').update(model.fingerprint).digest('hex').slice(0, 8);
  const spaces = new Map<Domain, { sqlite: Sqlite; space: VectorSpace }>();
  const recent = new Map<string, Float32Array>();
  let warming: Promise<unknown> | undefined;
  let problem: string | undefined;

  const space = (domain: Domain): VectorSpace => {
    const sqlite = options.sqlite();
    const known = spaces.get(domain);
    if (known?.sqlite === sqlite) return known.space;
    const opened = openVectorSpace({
      sqlite,
      directory: join(options.directory, 'vectors'),
      name: `${domain}_${mark}`,
      dimensions: model.dimensions,
    });
    spaces.set(domain, { sqlite, space: opened });
    return opened;
  };

  const withModel = async (text: string): Promise<EmbeddedQuestion> => {
    const kept = recent.get(text);
    if (kept) return { vector: kept, tier: 'model' };
    const [vector] = await model.embed([text]);
    for (const oldest of recent.keys()) {
      if (recent.size < 200) break;
      recent.delete(oldest);
    }
    if (vector) recent.set(text, vector);
    problem = undefined;
    return { vector, tier: 'model' };
  };
  const withQuick = async (text: string): Promise<EmbeddedQuestion> => {
    if (!quick) return { tier: 'none', problem: problem ?? 'the embedding model is not loaded' };
    const [vector] = await quick.embed([text]);
    return { vector, tier: 'static', problem: problem || undefined };
  };
  const failed = (error: unknown): EmbeddedQuestion => ({ tier: 'none', problem: reportOf(error).message });

  return {
    fingerprint: model.fingerprint,
    off: options.off,
    space,
    /** `wait` takes the time to load the model; otherwise the answer comes at once with what is loaded. */
    question: async (text: string, wait: boolean): Promise<EmbeddedQuestion> => {
      if (options.off) return { tier: 'none', problem: options.off };
      if (wait || model.loaded() || recent.has(text) || !quick) {
        try {
          return await withModel(text);
        } catch (error) {
          problem = reportOf(error).message;
        }
      } else if (options.longLived && !problem) {
        warming ??= model
          .embed(['warm'])
          .catch((error) => {
            problem = reportOf(error).message;
          })
          .finally(() => {
            warming = undefined;
          });
      }
      return await withQuick(text).catch(failed);
    },
    /** Vectors for passages that are there at once. Without weights there are none, and that is all. */
    quickVectors: async (texts: string[]): Promise<Float32Array[] | undefined> => {
      if (!quick || options.off) return undefined;
      try {
        return await quick.embed(texts);
      } catch (error) {
        problem = reportOf(error).message;
        return undefined;
      }
    },
    /** Vectors of single words in a space of their own; none without a table of words. */
    wordVectors: async (words: string[]): Promise<Float32Array[] | undefined> =>
      options.off ? undefined : await quick?.wording?.(words).catch(() => undefined),
    exactVectors: (texts: string[], signal?: AbortSignal) => model.embed(texts, signal ? { signal } : {}),
    /** Takes what gathered outside the graphs into them, so that a new process need not read every vector. */
    compact: async (domains: Iterable<Domain>): Promise<void> => {
      if (options.off) return;
      for (const domain of new Set(domains))
        if (space(domain).needsCompaction()) await space(domain).compact();
    },
    modelLoaded: () => model.loaded(),
    problem: () => problem,
    release: async () => {
      await warming;
      await Promise.all([model.release(), quick?.release()]);
    },
  };
}
