import type { Chunk, ChunkSizes, Span } from './chunk.ts';
import { type LineRange, splitRange, textOf, trimRange } from './lines.ts';

interface Piece extends LineRange {
  heading: string[];
}

/**
 * One chunk for each symbol that is small enough, its parts where it is not, and the lines between symbols. Small
 * neighbours under the same heading are joined. Together the chunks cover every line that is not empty, once.
 */
export function chunkCode(path: string, text: string, spans: Span[], sizes: ChunkSizes): Chunk[] {
  const lines = text.split('\n');
  const whole: Node = { startLine: 1, endLine: lines.length, heading: [], children: [] };
  for (const span of orderSpans(spans, lines.length)) place(whole, span);
  const pieces: Piece[] = [];
  collect(whole, lines, sizes, pieces);
  return join(pieces, lines, sizes).map((piece) => ({
    path,
    startLine: piece.startLine,
    endLine: piece.endLine,
    heading: piece.heading,
    kind: 'code',
    text: textOf(lines, piece),
  }));
}

interface Node extends Piece {
  children: Node[];
}

function orderSpans(spans: Span[], lineCount: number): Span[] {
  return spans
    .filter((span) => span.startLine >= 1 && span.startLine <= span.endLine && span.endLine <= lineCount)
    .sort((left, right) => left.startLine - right.startLine || right.endLine - left.endLine);
}

/** Into the innermost node that holds it. A span that crosses the one before it is left to its surroundings. */
function place(parent: Node, span: Span): void {
  const last = parent.children.at(-1);
  if (last && span.startLine <= last.endLine) {
    if (span.endLine <= last.endLine) place(last, span);
    return;
  }
  parent.children.push({
    startLine: span.startLine,
    endLine: span.endLine,
    heading: [...parent.heading, span.name],
    children: [],
  });
}

function collect(node: Node, lines: string[], sizes: ChunkSizes, pieces: Piece[]): void {
  const trimmed = trimRange(lines, node);
  if (!trimmed) return;
  const small = textOf(lines, trimmed).length <= sizes.maxCharacters;
  if (node.heading.length > 0 && (small || node.children.length === 0)) {
    for (const range of splitRange(lines, trimmed, sizes)) pieces.push({ ...range, heading: node.heading });
    return;
  }
  let next = node.startLine;
  for (const child of node.children) {
    // A comment right above a symbol belongs to it.
    const start = Math.max(next, commentStart(lines, child.startLine));
    for (const range of splitRange(lines, { startLine: next, endLine: start - 1 }, sizes))
      pieces.push({ ...range, heading: node.heading });
    collect({ ...child, startLine: start }, lines, sizes, pieces);
    next = child.endLine + 1;
  }
  for (const range of splitRange(lines, { startLine: next, endLine: node.endLine }, sizes))
    pieces.push({ ...range, heading: node.heading });
}

const comment = /^\s*(\/\/|\/\*|\*|#(?!include|define|if|endif)|--|@)/;

function commentStart(lines: string[], line: number): number {
  let start = line;
  while (start > 1 && comment.test(lines[start - 2] ?? '')) start--;
  return start;
}

/** Small neighbours share a chunk when they share a parent; the chunk is then named after what they share. */
function join(pieces: Piece[], lines: string[], sizes: ChunkSizes): Piece[] {
  const joined: Piece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    const together = last && { startLine: last.startLine, endLine: piece.endLine };
    const shared = last ? sharedStart(last.heading, piece.heading) : [];
    const sameParent = last && shared.length >= Math.min(last.heading.length, piece.heading.length) - 1;
    const small = (part: Piece) => textOf(lines, part).length < sizes.minCharacters;
    if (
      last &&
      together &&
      sameParent &&
      (small(last) || small(piece)) &&
      textOf(lines, together).length <= sizes.maxCharacters
    ) {
      last.endLine = piece.endLine;
      last.heading = nameOf(last.heading, piece.heading, shared);
    } else joined.push({ ...piece });
  }
  return joined;
}

/** A nameless neighbour (imports, blank code) does not take a name away. */
function nameOf(left: string[], right: string[], shared: string[]): string[] {
  if (left.length === shared.length) return right;
  if (right.length === shared.length) return left;
  return [...shared, `${left.slice(shared.length).join('.')}, ${right.slice(shared.length).join('.')}`];
}

function sharedStart(left: string[], right: string[]): string[] {
  const end = left.findIndex((part, at) => part !== right[at]);
  return end < 0 ? left : left.slice(0, end);
}
