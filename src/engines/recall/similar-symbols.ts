import { similarity } from '../../base/embedding/index.ts';
import { SylkError } from '../../base/errors.ts';
import type { CodeStore, SymbolRecord } from '../../stores/code/index.ts';
import type { Passage } from '../../stores/passages/index.ts';
import type { Recall } from './recall.ts';
import { type SimilarCard, similarTo } from './similar.ts';

/** What is worth comparing with each other; a field or a variable says too little. */
const comparable = new Set([
  'class',
  'struct',
  'interface',
  'trait',
  'type',
  'enum',
  'function',
  'method',
  'macro',
]);
/** Characters of a symbol that are compared. */
const mostText = 2000;

export interface SymbolSources {
  code: Pick<CodeStore, 'find' | 'fileSymbols'>;
  read(path: string): Promise<string | undefined>;
}

/** Symbols like a known one: the nearest passages say where to look, each symbol there is compared by itself. */
export function createSimilarSymbols(recall: Recall, { code, read }: SymbolSources) {
  const textOf = async ({ path, line, end_line }: SymbolRecord): Promise<string> =>
    ((await read(path)) ?? '')
      .split('\n')
      .slice(line - 1, end_line)
      .join('\n')
      .slice(0, mostText);

  return async (asked: string, limit: number, sameKind: boolean): Promise<SimilarCard[]> => {
    const own = code.find(asked).find(({ kind }) => kind !== 'file');
    if (!own)
      throw new SylkError('NOT_FOUND', `No definition of ${asked} is known.`, {
        hint: 'Give symbol:PATH#NAME as `search_code` shows it.',
      });
    const near = similarTo(recall, 'code', own.path, {
      limit: limit * 4,
      domains: ['code'],
      lines: { start: own.line, end: own.end_line },
      accept: (passage: Passage) => passage.heading.length > 0,
    });
    const others = new Map<string, SymbolRecord>();
    for (const { path = '', lines } of near) {
      const [start = 0, end = 0] = lines.split('-').map(Number);
      for (const symbol of code.fileSymbols(path))
        if (
          symbol.line <= end &&
          symbol.end_line >= start &&
          (sameKind ? symbol.kind === own.kind : comparable.has(symbol.kind) || symbol.kind === own.kind) &&
          !(symbol.path === own.path && symbol.line <= own.end_line && symbol.end_line >= own.line)
        )
          others.set(symbol.ref, symbol);
    }
    const found = [...others.values()];
    const texts = [await textOf(own)];
    for (const symbol of found) texts.push(await textOf(symbol));
    const [first, ...rest] = await vectorsOf(recall, texts);
    if (!first) return near.slice(0, limit);
    return found
      .map(({ ref, path, line, end_line, qualified }, at) => ({
        ref,
        domain: 'code' as const,
        path,
        lines: `${line}-${end_line}`,
        heading: qualified,
        similarity: Math.round(similarity(first, rest[at] ?? first) * 1000) / 1000,
      }))
      .sort((left, right) => right.similarity - left.similarity)
      .slice(0, limit);
  };
}

const vectorsOf = async ({ meaning }: Recall, texts: string[]): Promise<Float32Array[]> =>
  meaning.modelLoaded() ? await meaning.exactVectors(texts) : ((await meaning.quickVectors(texts)) ?? []);
