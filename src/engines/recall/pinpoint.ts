import { splitWords } from '../../base/text/index.ts';
import type { Passage } from '../../stores/passages/index.ts';
import { askedFor, asking } from './asked-for.ts';
import type { FoundPassage } from './candidates.ts';
import {
  type Feature,
  type Features,
  featureNames,
  featuresOf,
  importLine,
  type Meant,
} from './place-features.ts';
import learned from './place-weights.json' with { type: 'json' };
import { type Place, placesOf } from './places.ts';
import type { RecallQuery } from './query.ts';
import type { Ranked } from './rank.ts';
import type { FileSymbol } from './source.ts';
import { weigher } from './word-shares.ts';

export interface PinpointRequest {
  query: RecallQuery;
  rarity: (word: string) => number;
  text(owner: string): Promise<string | undefined> | string | undefined;
  passagesOf(owner: string): Passage[];
  symbolsOf(owner: string): FileSymbol[];
  /** Vectors of single words that can be compared with each other; none where there is no table of them. */
  wordVectors(words: string[]): Promise<Float32Array[] | undefined>;
  /** The vector of the question, and vectors of texts to compare with it. */
  vector?: Float32Array | undefined;
  textVectors(texts: string[]): Promise<Float32Array[] | undefined>;
}

export interface WeighedPlace {
  file: Ranked;
  place: Place;
  features: Features;
}

/** As many files are read. */
const mostFiles = 16;
/** As many places of one file are shown. */
const mostPlaces = 2;

const weights: Record<Feature, number> = learned;
const scoreOf = (features: Features): number =>
  featureNames.reduce((sum, name) => sum + weights[name] * features[name], 0);

/** The places that answer a question, best first, each under its file. */
export async function pinpoint(ranked: Ranked[], request: PinpointRequest): Promise<Ranked[]> {
  const weighed = await weighPlaces(ranked, request);
  if (weighed.length === 0) return ranked;
  const scored = weighed
    .map((each) => ({ ...each, score: scoreOf(each.features) }))
    .sort((a, b) => b.file.letter - a.file.letter || b.score - a.score);
  const shown = new Map<string, number>();
  const pinned: Ranked[] = [];
  for (const { file, place, score } of scored) {
    const count = shown.get(file.owner) ?? 0;
    if (count >= mostPlaces) continue;
    shown.set(file.owner, count + 1);
    pinned.push({ ...file, score, passages: [shownPassage(place)] });
  }
  return pinned;
}

const shownPassage = ({ passage, startLine, endLine, names, around, kind }: Place): FoundPassage =>
  kind === 'text' ? passage : { ...passage, startLine, endLine, heading: [...around, ...names] };

/** Every place of the best files with what it is judged by. */
export async function weighPlaces(ranked: Ranked[], request: PinpointRequest): Promise<WeighedPlace[]> {
  const asked = askedFor(request.query.text);
  const words = request.query.words.filter((word) => !asking.has(word));
  if (words.length === 0) return [];
  const weigh = weigher(request.query.text, words, request.rarity);
  const best = Math.max(1e-9, ranked[0]?.score ?? 0);
  const files: Array<{ file: Ranked; lines: string[]; places: Place[] }> = [];
  for (const file of ranked.slice(0, mostFiles)) {
    const lines = ((await request.text(file.owner)) ?? '').split('\n');
    const found = new Map(file.passages.map((passage) => [passage.id, passage]));
    const passages = request
      .passagesOf(file.owner)
      .map((each): FoundPassage => found.get(each.id) ?? { ...each, words: 0, similarity: 0 });
    files.push({ file, lines, places: placesOf(lines, request.symbolsOf(file.owner), passages) });
  }
  const meant = await meaningOf(
    words,
    files.flatMap(({ places }) => places.flatMap(({ names }) => names)),
    request,
  );
  const mostFound = Math.max(
    1e-9,
    ...files.flatMap(({ places }) => places.map(({ passage }) => passage.words)),
  );
  const weighed = files.flatMap(({ file, lines, places }, at) => {
    const inFile = {
      owner: file.owner,
      lines,
      // An import names what another file does.
      held: lines.map((line) => (importLine.test(line) ? weigh.nothing : weigh.line(line))),
      inPath: weigh.names(file.owner.replace(/\.\w+$/, '')),
      score: file.score / best,
      at,
      mostFound,
    };
    return places.map((place) => ({
      file,
      place,
      features: featuresOf(place, inFile, { weigh, asked, meant }),
      text: () => textOf(place, lines),
    }));
  });
  await compareBest(weighed, request);
  return weighed;
}

/** As many places are compared by the meaning of their own text. */
const mostCompared = 40;
const longestText = 700;

const textOf = ({ names, around, startLine, endLine }: Place, lines: string[]): string =>
  `${[...around, ...names].join(' ')}\n${lines.slice(startLine - 1, endLine).join('\n')}`.slice(
    0,
    longestText,
  );

/** The meaning of a place itself, which the passage around it blurs; for those that come near by everything else. */
async function compareBest(
  weighed: Array<WeighedPlace & { text: () => string }>,
  { vector, textVectors }: PinpointRequest,
): Promise<void> {
  if (!vector) return;
  const best = weighed.toSorted((a, b) => scoreOf(b.features) - scoreOf(a.features)).slice(0, mostCompared);
  const vectors = await textVectors(best.map(({ text }) => text()));
  for (const [at, { features }] of best.entries()) {
    const own = vectors?.[at];
    if (own) features.alike = Math.max(0, dot(own, vector));
  }
}

const dot = (left: Float32Array, right: Float32Array): number =>
  left.reduce((sum, value, at) => sum + value * (right[at] ?? 0), 0);

/** Two words are alike from the first on, and as good as one from the second. */
const unlike = 0.12;
const surelyAlike = 0.5;

/** Compares the words of names with those of the question by the table of word vectors. */
async function meaningOf(words: string[], names: string[], request: PinpointRequest): Promise<Meant> {
  const typed = splitWords(request.query.text);
  const asked = words.map((word) => typed.find((each) => each.startsWith(word.slice(0, -1))) ?? word);
  const there = [...new Set(names.flatMap(splitWords))].filter((each) => each.length > 2);
  const vectors = await request.wordVectors([...asked, ...there]);
  if (!vectors) return () => words.map(() => 0);
  const byWord = new Map(
    there.map((word, at) => {
      const own = vectors[asked.length + at];
      return [
        word,
        asked.map((_, index) => {
          const other = vectors[index];
          const cosine = own && other ? dot(own, other) : 0;
          return Math.max(0, Math.min(1, (cosine - unlike) / (surelyAlike - unlike)));
        }),
      ];
    }),
  );
  return (list) => {
    const best = words.map(() => 0);
    for (const word of list.flatMap(splitWords))
      for (const [at, value] of (byWord.get(word) ?? []).entries()) best[at] = Math.max(best[at] ?? 0, value);
    return best;
  };
}
