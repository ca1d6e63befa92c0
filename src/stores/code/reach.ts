import { isTestPath } from '../../base/text/index.ts';
import type { LinkedSymbol } from './query.ts';

export interface ReachedFile {
  path: string;
  depth: number;
  confidence: number;
  /** Whether the confidence is a measured one: of a direct link, in a language where it was measured. */
  measured: boolean;
  symbols: string[];
  test: boolean;
}

/** Links grouped by file, nearest and most certain first; the file itself only where other symbols of it are reached. */
export function reachedFiles(links: LinkedSymbol[], own: string): ReachedFile[] {
  const files = new Map<string, ReachedFile>();
  for (const link of links) {
    const known = files.get(link.path) ?? {
      path: link.path,
      depth: link.depth,
      confidence: 0,
      measured: false,
      symbols: [],
      test: isTestPath(link.path),
    };
    known.depth = Math.min(known.depth, link.depth);
    known.confidence = Math.max(known.confidence, link.confidence);
    known.measured ||= link.depth === 1 && link.measured;
    if (link.kind !== 'file' && !known.symbols.includes(link.qualified) && known.symbols.length < 20)
      known.symbols.push(link.qualified);
    files.set(link.path, known);
  }
  return [...files.values()]
    .filter((one) => one.path !== own || one.symbols.length > 0)
    .sort((a, b) => a.depth - b.depth || b.confidence - a.confidence || (a.path < b.path ? -1 : 1));
}
