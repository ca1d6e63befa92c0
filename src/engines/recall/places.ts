import type { FoundPassage } from './candidates.ts';
import type { FileSymbol } from './source.ts';

/** Lines that can answer: a definition with what is said above it, or a stretch of text that none covers. */
export interface Place {
  /** The passage that most of its lines are in. */
  passage: FoundPassage;
  startLine: number;
  endLine: number;
  /** The line of the definition itself; the first one of other text. */
  headLine: number;
  names: string[];
  around: string[];
  kind: 'function' | 'holder' | 'value' | 'text';
}

const functions = new Set(['function', 'method', 'constructor', 'macro']);
const values = new Set(['constant', 'variable', 'field']);
/** A holder that is longer is shown by its beginning. */
const longestHolder = 30;
/** As many lines above a definition are looked at for a comment. */
const farthestComment = 40;
/** Of a passage that has more of its lines in definitions, these stand for it. */
const mostlyCovered = 0.6;

export const commentLine =
  /^\s*(?:\/\/|\/\*|\*|#(?!\s*(?:include|define|if|endif|else|pragma|!?\[))|--|;;|"""|''')/;
const attributeLine = /^\s*(?:@[\w.]+|#!?\[|\[[\w(.]+.*\]\s*$|template\s*<)/;

/** The first line of the comment and the attributes above a definition. */
function beginning(lines: string[], startLine: number): number {
  let first = startLine;
  for (let line = startLine - 1; line > 0 && startLine - line <= farthestComment; line--) {
    const text = lines[line - 1] ?? '';
    if (!commentLine.test(text) && !attributeLine.test(text)) break;
    first = line;
  }
  return first;
}

/** The places of one file. */
export function placesOf(lines: string[], symbols: FileSymbol[], passages: FoundPassage[]): Place[] {
  const covered = new Uint8Array(lines.length + 2);
  const places: Place[] = [];
  for (const symbol of symbols) {
    const place = placeOf(symbol, symbols, lines, passages);
    if (!place) continue;
    places.push(place);
    covered.fill(1, place.startLine, Math.min(lines.length, place.endLine) + 1);
  }
  for (const passage of passages) {
    let within = 0;
    for (let line = passage.startLine; line <= passage.endLine; line++) within += covered[line] ?? 0;
    if (within > mostlyCovered * (passage.endLine - passage.startLine + 1)) continue;
    const { startLine, endLine, heading } = passage;
    const names = (heading.at(-1) ?? '').split(/,\s*/);
    places.push({
      passage,
      startLine,
      endLine,
      headLine: startLine,
      names,
      around: heading.slice(0, -1),
      kind: 'text',
    });
  }
  return places;
}

function placeOf(
  symbol: FileSymbol,
  all: FileSymbol[],
  lines: string[],
  passages: FoundPassage[],
): Place | undefined {
  const kind = functions.has(symbol.kind) ? 'function' : values.has(symbol.kind) ? 'value' : 'holder';
  const startLine = beginning(lines, symbol.startLine);
  let { endLine } = symbol;
  if (kind === 'holder' && endLine - startLine >= longestHolder) {
    const inner = all.find((each) => each.startLine > symbol.startLine && each.endLine <= symbol.endLine);
    const until = inner ? beginning(lines, inner.startLine) - 1 : endLine;
    endLine = Math.max(symbol.startLine, Math.min(until, startLine + longestHolder - 1));
  }
  const passage = passageAt(passages, symbol.startLine);
  if (!passage) return undefined;
  const { name, around } = symbol;
  return { passage, startLine, endLine, headLine: symbol.startLine, names: [name], around, kind };
}

/** The shortest that has the line; of the file as such only where there is no other. */
function passageAt(passages: FoundPassage[], line: number): FoundPassage | undefined {
  let best: FoundPassage | undefined;
  for (const each of passages)
    if (
      each.startLine <= line &&
      each.endLine >= line &&
      (!best ||
        each.similarity > best.similarity ||
        (each.similarity === best.similarity &&
          each.endLine - each.startLine < best.endLine - best.startLine))
    )
      best = each;
  return best ?? passages[0];
}
