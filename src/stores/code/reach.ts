import { isTestPath } from '../../base/text/index.ts';
import type { LinkedSymbol } from './query.ts';

export interface ReachedFile {
  path: string;
  depth: number;
  confidence: number;
  /** Whether the confidence is a measured one: of a direct link, in a language where it was measured. */
  measured: boolean;
  symbols: string[];
  /** Symbols that are not listed. */
  more_symbols: number;
  /** Lines of the file that use it directly. */
  lines: number[];
  test: boolean;
}

const mostSymbols = 20;
const mostLines = 20;

/** Links grouped by file, nearest and most certain first; the file itself only where other symbols of it are reached. */
export function reachedFiles(links: LinkedSymbol[], own: string): ReachedFile[] {
  const files = new Map<string, ReachedFile>();
  const names = new Map<string, Set<string>>();
  for (const link of links) {
    const known = files.get(link.path) ?? {
      path: link.path,
      depth: link.depth,
      confidence: 0,
      measured: false,
      symbols: [],
      more_symbols: 0,
      lines: [],
      test: isTestPath(link.path),
    };
    known.depth = Math.min(known.depth, link.depth);
    known.confidence = Math.max(known.confidence, link.confidence);
    known.measured ||= link.depth === 1 && link.measured;
    if (link.kind !== 'file') {
      const own = names.get(link.path) ?? new Set();
      names.set(link.path, own.add(link.qualified.replace(/~\d+$/, '')));
    }
    if (link.depth === 1 && link.at_line > 0 && !known.lines.includes(link.at_line))
      known.lines.push(link.at_line);
    files.set(link.path, known);
  }
  for (const [path, known] of files) {
    const own = [...(names.get(path) ?? [])];
    known.symbols = own.slice(0, mostSymbols);
    known.more_symbols = own.length - known.symbols.length;
    known.lines = known.lines.sort((a, b) => a - b).slice(0, mostLines);
  }
  return [...files.values()]
    .filter((one) => one.path !== own || one.symbols.length > 0)
    .sort((a, b) => a.depth - b.depth || b.confidence - a.confidence || (a.path < b.path ? -1 : 1));
}
