import type { OpenedRecall } from '../../engines/recall/index.ts';
import type { CodeStore, FoundSymbol, SymbolRecord } from '../../stores/code/index.ts';

type Request = Parameters<CodeStore['search']>[0];

export interface MeantSymbol extends FoundSymbol {
  similarity?: number;
}

/** Similarity below this threshold is noise. */
const floor = 0.25;

/**
 * Word matches, reranked and extended by similarity in meaning. A symbol with the exact name stays first:
 * similarity is only added to the word score, scaled to the best word score.
 */
export async function searchByMeaningToo(
  recall: OpenedRecall,
  code: CodeStore,
  request: Request,
): Promise<{ found: MeantSymbol[]; notes: string[] }> {
  const byWords = code.search(request);
  const { places, notes } = await recall.placesByMeaning(request.query, 60);
  const best = Math.max(1e-9, ...byWords.map((symbol) => symbol.score));
  const merged = new Map<string, MeantSymbol>(byWords.map((symbol) => [symbol.ref, symbol]));
  for (const { path, startLine, endLine, similarity } of places) {
    if (similarity < floor) continue;
    const symbol = innermost(code.fileSymbols(path, request.type), startLine, endLine);
    if (!symbol || !accepted(code, symbol, request)) continue;
    const known = merged.get(symbol.ref) ?? {
      ...symbol,
      score: 0,
      matched: { name: [], head: [], body: [] },
    };
    if ((known.similarity ?? 0) >= similarity) continue;
    merged.set(symbol.ref, { ...known, similarity: Math.round(similarity * 1000) / 1000 });
  }
  const value = (symbol: MeantSymbol) => symbol.score / best + (symbol.similarity ?? 0);
  const found = [...merged.values()].sort(
    (left, right) => value(right) - value(left) || (left.ref < right.ref ? -1 : 1),
  );
  return { found: found.slice(0, request.limit), notes };
}

/** The smallest symbol that overlaps the passage. */
function innermost(symbols: SymbolRecord[], startLine: number, endLine: number): SymbolRecord | undefined {
  const around = symbols.filter((symbol) => symbol.line <= endLine && symbol.end_line >= startLine);
  return around.sort((left, right) => overlap(right) - overlap(left) || size(left) - size(right))[0];
  function overlap(symbol: SymbolRecord): number {
    const shared = Math.min(symbol.end_line, endLine) - Math.max(symbol.line, startLine) + 1;
    return shared / Math.max(size(symbol), endLine - startLine + 1);
  }
}

const size = (symbol: SymbolRecord): number => symbol.end_line - symbol.line + 1;

const accepted = (code: CodeStore, symbol: SymbolRecord, { filePattern }: Request): boolean =>
  !filePattern || code.files({ pattern: filePattern }).some((file) => file.path === symbol.path);
