import { z } from 'zod';
import { isSlash, notSlash, type Piece, parseGlob } from './parse.ts';

export type PathTest = (path: string) => boolean;

/** A place in the pattern: what it reads and where that leads, and where one may go on without reading. */
interface Place {
  reads: ((code: number) => boolean) | undefined;
  to: number;
  free: number[];
}

const anything = () => true;

/**
 * `*` stays within a folder, `**` crosses them, `?`, `[a-z]`, `{a,b}`; dot files count. All places that a pattern can be
 * at are followed side by side, so no pattern makes matching go back. Throws on what is never closed.
 */
export function compileGlob(pattern: string): PathTest {
  const pieces = parseGlob(pattern);
  const prefix = literalEnd(pieces);
  const suffix = [...literalEnd(pieces.toReversed())].reverse().join('');
  if (prefix.length === pieces.length) return (path) => path === prefix || path === pattern;
  const walk = walker(pieces);
  return (path) => path === pattern || (path.startsWith(prefix) && path.endsWith(suffix) && walk(path));
}

function literalEnd(pieces: Piece[]): string {
  let text = '';
  for (const piece of pieces) {
    if (piece.kind !== 'literal') break;
    text += piece.character;
  }
  return text;
}

function walker(pieces: Piece[]): PathTest {
  const places: Place[] = [{ reads: undefined, to: 0, free: [] }];
  const start = build(pieces, 0, places);
  const entered = new Float64Array(places.length);
  let clock = 0;
  const enter = (number: number, into: Place[]): void => {
    const place = places[number];
    if (!place || entered[number] === clock) return;
    entered[number] = clock;
    if (place.reads) into.push(place);
    for (const next of place.free) enter(next, into);
  };
  return (path) => {
    let now: Place[] = [];
    clock++;
    enter(start, now);
    for (let at = 0; at < path.length; at++) {
      const code = path.charCodeAt(at);
      const next: Place[] = [];
      clock++;
      for (const place of now) if (place.reads?.(code)) enter(place.to, next);
      if (next.length === 0 && entered[0] !== clock) return false;
      now = next;
    }
    return entered[0] === clock;
  };
}

/** Adds the places of these pieces, from the last to the first, and answers where they begin. */
function build(pieces: Piece[], end: number, places: Place[]): number {
  const add = (to: number, free: number[], reads?: Place['reads']): number =>
    places.push({ reads, to, free }) - 1;
  const loop = (reads: Place['reads'], free: number[]) => add(places.length, free, reads);
  return pieces.reduceRight((next, piece) => {
    switch (piece.kind) {
      case 'literal': {
        const wanted = piece.character.charCodeAt(0);
        return add(next, [], (code) => code === wanted);
      }
      case 'one':
        return add(next, [], piece.accepts);
      case 'star':
        return loop(notSlash, [next]);
      case 'rest':
        return loop(anything, [next]);
      case 'below':
        return add(0, [next, add(loop(anything, [next]), [], isSlash)]);
      case 'folders':
        return add(0, [next, loop(anything, [add(next, [], isSlash)])]);
      default:
        return add(
          0,
          piece.of.map((one) => build(one, next, places)),
        );
    }
  }, end);
}

/** A pattern of a config file. */
export const globText = z
  .string()
  .max(256)
  .refine((pattern) => {
    try {
      parseGlob(pattern);
      return true;
    } catch {
      return false;
    }
  }, 'a bracket or brace is not closed');
