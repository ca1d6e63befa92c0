type Accepts = (code: number) => boolean;

/** One piece of a pattern. A literal is kept as its character, so that plain ends can be compared as text. */
export type Piece =
  | { kind: 'literal'; character: string }
  | { kind: 'one'; accepts: Accepts }
  /** `*`: anything within a segment. */
  | { kind: 'star' }
  /** `**` where a pattern ends: anything. */
  | { kind: 'rest' }
  /** `/**` where a pattern ends: the folder itself and everything in it. */
  | { kind: 'below' }
  /** `**` and a slash: any number of folders. */
  | { kind: 'folders' }
  | { kind: 'choice'; of: Piece[][] };

const slash = 47;
export const isSlash: Accepts = (code) => code === slash;
export const notSlash: Accepts = (code) => code !== slash;

/** Throws on a bracket or brace that is never closed. A brace without a comma, and what closes nothing, is plain text. */
export function parseGlob(given: string): Piece[] {
  // Two of `**` in a row say no more than one.
  const pattern = given.replace(/(^|\/)(?:\*\*\/)+(?=\*\*(?:\/|$))/g, '$1');
  let at = 0;
  let segmentStarts = true;

  const literal = (character: string): Piece => {
    segmentStarts = character === '/';
    return { kind: 'literal', character };
  };

  const stars = (pieces: Piece[]): Piece => {
    const from = at;
    while (pattern[at] === '*') at++;
    const next = pattern[at] ?? '';
    const whole = segmentStarts && at - from > 1;
    if (whole && next === '/') {
      at++;
      return { kind: 'folders' };
    }
    segmentStarts = false;
    if (!whole || !['', ',', '}'].includes(next)) return { kind: 'star' };
    const folder = pieces.at(-2);
    const open = !folder || folder.kind === 'star' || folder.kind === 'folders';
    if (open || pieces.at(-1)?.kind !== 'literal') return { kind: 'rest' };
    pieces.pop();
    return { kind: 'below' };
  };

  const braces = (): Piece[] => {
    const started = segmentStarts;
    const of: Piece[][] = [];
    do {
      at++;
      segmentStarts = started;
      of.push(sequence(true));
    } while (pattern[at] === ',');
    if (pattern[at] !== '}') throw new Error('Missing closing: "}"');
    at++;
    return of.length > 1 ? [{ kind: 'choice', of }] : [literal('{'), ...(of[0] ?? []), literal('}')];
  };

  const sequence = (inBraces: boolean): Piece[] => {
    const pieces: Piece[] = [];
    while (at < pattern.length) {
      const character = pattern.charAt(at);
      if (inBraces && (character === ',' || character === '}')) break;
      if (character === '*') pieces.push(stars(pieces));
      else if (character === '{') pieces.push(...braces());
      else if (character === '[') {
        const { accepts, end } = parseClass(pattern, at);
        at = end;
        segmentStarts = false;
        pieces.push({ kind: 'one', accepts });
      } else if (character === '?') {
        at++;
        segmentStarts = false;
        pieces.push({ kind: 'one', accepts: notSlash });
      } else {
        if (character === '\\' && at + 1 < pattern.length) at++;
        pieces.push(literal(pattern.charAt(at++)));
      }
    }
    return pieces;
  };
  return sequence(false);
}

/** `[a-z]`, `[!a]`, `[^a]`; a `]` that comes first is meant itself. No class holds the slash. */
function parseClass(pattern: string, start: number): { accepts: Accepts; end: number } {
  let at = start + 1;
  const negated = pattern[at] === '!' || pattern[at] === '^';
  if (negated) at++;
  const ranges: Array<[number, number]> = [];
  const code = () => {
    if (pattern[at] === '\\') at++;
    return pattern.charCodeAt(at++);
  };
  for (const first = at; at === first || pattern[at] !== ']'; ) {
    if (at >= pattern.length) throw new Error('Missing closing: "]"');
    const from = code();
    const isRange = pattern[at] === '-' && at + 1 < pattern.length && pattern[at + 1] !== ']';
    if (isRange) at++;
    ranges.push([from, isRange ? code() : from]);
  }
  const holds = (given: number) => ranges.some(([from, to]) => from <= given && given <= to);
  return { accepts: (given) => given !== slash && holds(given) !== negated, end: at + 1 };
}
