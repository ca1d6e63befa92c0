import { isProseOrSettings, isTestPath, splitWords, stem } from '../../base/text/index.ts';
import { type AskedFor, dataFile, documentFile, isAside } from './asked-for.ts';
import { commentLine, type Place } from './places.ts';
import { most, type Weigher } from './word-shares.ts';

/** What a place is judged by. All values lie in 0 … 1; what each counts is learned (`place-weights.json`). */
export const featureNames = [
  'file',
  'first',
  'named',
  'nameWhole',
  'nameMeant',
  'around',
  'path',
  'comment',
  'head',
  'body',
  'window',
  'covered',
  'similar',
  'alike',
  'found',
  'function',
  'value',
  'holder',
  'long',
  'short',
  'test',
  'document',
  'data',
  'aside',
  'imports',
  'givesValue',
  'valueAsked',
  'documentAsked',
] as const;
export type Feature = (typeof featureNames)[number];
export type Features = Record<Feature, number>;

export interface FileOfPlaces {
  owner: string;
  lines: string[];
  /** The shares that each line has of the words. */
  held: number[][];
  inPath: number[];
  /** How good the file is beside the best, and its place among them. */
  score: number;
  at: number;
  mostFound: number;
}

const linesTogether = 4;
export const importLine =
  /^\s*(?:import|from|use|using|#\s*include|require|package|export \* from|extern crate|mod)\b/;
const testNames = /(?:^|[ .,])(?:tests?(?:[ .,]|$)|test_\w+|TEST(?:_\w)?\b|it\(|describe\()/;
/** `limit = 3`, `limit: 3`, `#define LIMIT 3`, `limit 3`: a value that stands there. */
const givesValue =
  /(?:[=:(]|\bdefine\s+\w+|\breturn)\s*(?:[-+]?\.?\d|["'`[{]|true\b|false\b|nil\b|null\b|None\b|:?[A-Z]\w+)/i;
const longLines = 120;

/** How near the words of a name come to those of the question by meaning, for each word of the question. */
export type Meant = (names: string[]) => number[];

export function featuresOf(
  place: Place,
  file: FileOfPlaces,
  { weigh, asked, meant }: { weigh: Weigher; asked: AskedFor; meant: Meant },
): Features {
  const held = file.held.slice(place.startLine - 1, place.endLine);
  const lines = file.lines.slice(place.startLine - 1, place.endLine);
  const own = nameShare(place.names, weigh);
  const around = weigh.names(place.around.join(' '));
  const outer = [file.inPath, around].map((list) => list.map((each) => each * 0.5));
  const named = place.names.length === 1 ? [own.held] : [];
  const comments = held.filter((_, at) => commentLine.test(lines[at] ?? ''));
  const inside = most([...held, ...named]);
  let window = 0;
  let value = 0;
  for (let at = 0; at < Math.max(1, held.length - linesTogether + 1); at++) {
    const together = weigh.share(most([...held.slice(at, at + linesTogether), ...named, ...outer]));
    window = Math.max(window, together);
    if (asked.value && together > value)
      if (lines.slice(at, at + linesTogether).some((line) => givesValue.test(line))) value = together;
  }
  const isTest = isTestPath(file.owner) || testNames.test([...place.around, ...place.names].join(' '));
  const isDocument = documentFile.test(file.owner);
  const imports = lines.filter((line) => importLine.test(line)).length / Math.max(1, lines.length);
  // The first lines of a file name much and say little.
  const isHead = place.kind === 'text' && place.startLine <= 1 && !isDocument;
  return {
    file: file.score,
    first: 1 / (1 + file.at / 2),
    named: own.share,
    nameWhole: own.whole,
    nameMeant: weigh.share(most([own.held, meant(place.names)])),
    around: weigh.share(around),
    path: weigh.share(file.inPath),
    comment: weigh.share(most(comments.length > 0 ? comments : [weigh.nothing])),
    head: weigh.share(file.held[place.headLine - 1] ?? weigh.nothing),
    body: weigh.share(inside),
    window,
    covered: weigh.share(most([inside, file.inPath, around])) ** 2,
    similar: Math.max(0, place.passage.similarity),
    alike: 0,
    found: place.passage.words / Math.max(1e-9, file.mostFound),
    function: Number(place.kind === 'function'),
    value: Number(place.kind === 'value'),
    holder: Number(place.kind === 'holder'),
    long: Math.min(1, Math.log(1 + lines.length) / Math.log(1 + longLines)),
    short: Number(lines.length <= 2),
    test: Number(isTest && !asked.tests),
    document: Number(isDocument && !asked.documents),
    data: Number(
      !asked.settings && !isDocument && (dataFile.test(file.owner) || isProseOrSettings(file.owner)),
    ),
    aside: Number(isAside(file.owner)),
    imports: Number(isHead || imports > 0.4),
    givesValue: value,
    valueAsked: Number(asked.value && place.kind === 'value'),
    documentAsked: Number(isDocument && asked.documents),
  };
}

/** The share of the words that one name has, and the share of its own words that are asked for. */
function nameShare(names: string[], weigh: Weigher): { share: number; whole: number; held: number[] } {
  let best = { share: 0, whole: 0, held: weigh.nothing };
  for (const name of names) {
    const held = weigh.names(name);
    const share = weigh.share(held);
    if (share <= best.share) continue;
    const words = new Set(splitWords(name).map(stem)).size;
    best = { share, whole: Math.min(1, held.filter((each) => each > 0).length / Math.max(1, words)), held };
  }
  return best;
}
