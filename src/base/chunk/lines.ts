import type { ChunkSizes } from './chunk.ts';

/** Lines `start … end`, counted from one, both included. */
export interface LineRange {
  startLine: number;
  endLine: number;
}

export const textOf = (lines: string[], { startLine, endLine }: LineRange): string =>
  lines.slice(startLine - 1, endLine).join('\n');

/** Drops empty lines at both ends; undefined when nothing is left. */
export function trimRange(lines: string[], range: LineRange): LineRange | undefined {
  let { startLine, endLine } = range;
  while (startLine <= endLine && !lines[startLine - 1]?.trim()) startLine++;
  while (endLine >= startLine && !lines[endLine - 1]?.trim()) endLine--;
  return startLine > endLine ? undefined : { startLine, endLine };
}

/** Cuts what is too long: after the empty line that leaves the largest first piece, else after any line. */
export function splitRange(lines: string[], range: LineRange, sizes: ChunkSizes): LineRange[] {
  const pieces: LineRange[] = [];
  let start = range.startLine;
  while (start <= range.endLine) {
    const end = endOfPiece(lines, start, range.endLine, sizes);
    const piece = trimRange(lines, { startLine: start, endLine: end });
    if (piece) pieces.push(piece);
    start = end + 1;
  }
  return pieces;
}

function endOfPiece(lines: string[], start: number, last: number, sizes: ChunkSizes): number {
  let size = 0;
  let gap = 0;
  for (let line = start; line <= last; line++) {
    const length = (lines[line - 1]?.length ?? 0) + 1;
    if (size + length > sizes.maxCharacters && line > start) return gap > start ? gap : line - 1;
    size += length;
    if (!lines[line - 1]?.trim() && size >= sizes.minCharacters) gap = line;
  }
  return last;
}
