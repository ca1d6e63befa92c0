import { join } from 'node:path';
import { type Embedder, normalise } from '../../src/base/embedding/index.ts';
import { SylkError } from '../../src/base/errors.ts';
import { openSqlite } from '../../src/base/sqlite/index.ts';
import { createCodeSource } from '../../src/engines/recall/code-source.ts';
import { createEmbeddingQueue } from '../../src/engines/recall/queue.ts';
import { createRecall } from '../../src/engines/recall/recall.ts';
import { openPassages } from '../../src/stores/passages/index.ts';
import { temporaryDirectory } from './temporary.ts';

/** Words of one line mean the same; every other word means only itself. */
const concepts = [
  ['login', 'authenticate', 'credentials', 'signin', 'password'],
  ['retry', 'again', 'attempt', 'repeat'],
  ['colour', 'paint', 'hue', 'palette'],
  ['throttle', 'limit', 'slow', 'often'],
];
export const fakeDimensions = 64;

/** A model that knows a few synonyms: what is faked is the model, nothing else. */
export function fakeEmbedder(
  options: { fingerprint?: string; fail?: () => string | undefined; seen?: (text: string) => void } = {},
): Embedder {
  let loaded = false;
  return {
    fingerprint: options.fingerprint ?? 'fake/1/64',
    dimensions: fakeDimensions,
    tier: 1,
    loaded: () => loaded,
    release: async () => {
      loaded = false;
    },
    embed: async (texts) => {
      const problem = options.fail?.();
      if (problem) throw new SylkError('UNAVAILABLE', problem);
      loaded = true;
      return texts.map((text) => {
        options.seen?.(text);
        return meaningOf(text);
      });
    },
  };
}

function meaningOf(text: string): Float32Array {
  const vector = new Float32Array(fakeDimensions);
  for (const word of text.toLowerCase().match(/[a-z]{3,}/g) ?? []) {
    const concept = concepts.findIndex((words) => words.some((each) => word.startsWith(each)));
    if (concept >= 0) vector[concept]! += 3;
    else vector[8 + (hash(word) % (fakeDimensions - 8))]! += 0.3;
  }
  vector[7] = 0.05;
  return normalise(vector);
}

function hash(word: string): number {
  let value = 7;
  for (const letter of word) value = (Math.imul(value, 31) + letter.charCodeAt(0)) >>> 0;
  return value;
}

/** Recall over files that exist only here, with a real database. */
export function testRecall(
  files: Record<string, string>,
  options: { directory?: string; model?: Embedder; quick?: Embedder } = {},
) {
  const directory = options.directory ?? temporaryDirectory('recall');
  const sqlite = openSqlite(join(directory, 'index.db'), { durability: 'normal' });
  const passages = openPassages(() => sqlite);
  const model = options.model ?? fakeEmbedder();
  const recall = createRecall({
    passages,
    meaning: {
      sqlite: () => sqlite,
      directory,
      model,
      ...(options.quick ? { quick: options.quick } : {}),
      longLived: false,
    },
  });
  recall.register(
    createCodeSource({
      files: () =>
        Object.entries(files).map(([owner, text]) => ({ owner, hash: `${text.length}:${hash(text)}` })),
      read: (path) => files[path],
      spans: (_path, text) => spansOf(text),
      containing: async (needle, limit) =>
        Object.entries(files)
          .filter(([, text]) => text.includes(needle))
          .slice(0, limit)
          .map(([path, text]) => ({ path, line: text.slice(0, text.indexOf(needle)).split('\n').length })),
      freshness: () => ({ state: 'fresh' }),
    }),
  );
  const queue = createEmbeddingQueue({
    passages,
    meaning: recall.meaning,
    sources: () => recall.parts.sources,
  });
  return { recall, queue, passages, sqlite, directory, files };
}

function spansOf(text: string) {
  return text.split('\n').flatMap((line, at) => {
    const name = /^export function (\w+)/.exec(line)?.[1];
    return name ? [{ name, startLine: at + 1, endLine: Math.min(at + 3, text.split('\n').length) }] : [];
  });
}
