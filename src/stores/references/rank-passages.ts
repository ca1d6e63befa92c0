import { similarity } from '../../base/embedding/index.ts';
import { rarityOf, sharesOfBest } from '../../base/search/index.ts';
import { isTestPath, searchWords } from '../../base/text/index.ts';
import type { ReferencesContext, ShelfIndex } from './context.ts';
import { chunkKey, chunkNumber, fileNumber, fileWords, passageWords } from './tables.ts';

export interface RankedPassage {
  chunk: number;
  score: number;
  /** Cosine of the passage and the question. */
  likeness: number;
}

export interface RankRequest {
  question: string;
  /** Numbers of the searched topics. */
  topics: number[];
  wanted: number;
}

/**
 * Four rankings of one question: words and meaning of passages, words and meaning of whole files. A passage seldom names
 * its subject, and a file that matches as a whole seldom says where; high ranks in several win.
 */
const weights = {
  prose: { passageWords: 0.3, passageMeaning: 0.1, fileWords: 0.25, fileMeaning: 0.35 },
  // Words are exact where an identifier is asked for.
  code: { passageWords: 0.5, passageMeaning: 0.1, fileWords: 0.35, fileMeaning: 0.05 },
};
/** Over-fetch factor for neighbors. */
const depth = 4;
/** Within a file the passage's own score decides. */
const ownWorth = 0.3;
const mostTerms = 64;
/** A test repeats the words of what it tests. It ranks below the implementation unless tests are asked for. */
const testWorth = 0.6;
const asksForTests = /\b(?:tests?|tested|testing|specs?|fixtures?|mock(?:s|ed|ing)?)\b/i;
/** An answer has half of the question's words in one of its first passages, rare ones counting more, or its meaning. */
const leastCoverage = 0.5;
const leastLikeness = 0.65;
const judgedPassages = 40;
/** Words of asking, not of the subject. */
const courtesies = new Set(searchWords('tell me about explain describe show give please'));
/** In a few passages every word is common: rarity is judged as in this many. */
const leastSize = 1000;

const looksLikeCode = (question: string): boolean => /[a-z][A-Z]|\w_\w|::|\(\)|[\w$]\.[\w$]|`/.test(question);

export async function rankPassages(
  context: ReferencesContext,
  index: ShelfIndex,
  { question, topics, wanted }: RankRequest,
): Promise<{ passages: RankedPassage[]; fits: boolean }> {
  const { sqlite } = index;
  const vector = await context.question(question);
  const weight = looksLikeCode(question) ? weights.code : weights.prose;
  const terms = [...new Set(searchWords(question))].slice(0, mostTerms);
  const { fileOf, paths } = filesOfPassages(index, topics);
  const [chunkIds, fileIds] = [new Set(fileOf.keys()), new Set(fileOf.values())];
  const looks = {
    passageWords: sharesOfBest(passageWords.rank(sqlite, { terms, limit: wanted, accept: chunkIds })),
    passageMeaning: nearest(index.chunks, vector, wanted, chunkNumber, chunkIds),
    fileWords: sharesOfBest(fileWords.rank(sqlite, { terms, limit: wanted, accept: fileIds })),
    fileMeaning: nearest(index.files, vector, wanted, fileNumber, fileIds),
  };
  const passages = new Set([...looks.passageWords.keys(), ...looks.passageMeaning.keys()]);
  const best = { passageWords: new Map<number, number>(), passageMeaning: new Map<number, number>() };
  for (const chunk of passages)
    for (const look of ['passageWords', 'passageMeaning'] as const) {
      const file = fileOf.get(chunk) ?? 0;
      best[look].set(file, Math.max(best[look].get(file) ?? 0, looks[look].get(chunk) ?? 0));
    }
  const worth = new Map<number, number>();
  for (const [look, shares] of Object.entries({ ...looks, ...best }))
    for (const [file, share] of shares)
      worth.set(file, (worth.get(file) ?? 0) + weight[look as keyof typeof weight] * share);
  if (!asksForTests.test(question))
    for (const [file, share] of worth)
      if (isTestPath(paths.get(file) ?? '')) worth.set(file, share * testWorth);
  const ranked = [...passages].map((chunk) => {
    const own = 0.6 * (looks.passageWords.get(chunk) ?? 0) + 0.4 * (looks.passageMeaning.get(chunk) ?? 0);
    return { chunk, score: ((worth.get(fileOf.get(chunk) ?? 0) ?? 0) + ownWorth * own) / (1 + ownWorth) };
  });
  // A file that matches as a whole but has no passage among the best is represented by its best passage.
  for (const [file, score] of [...worth].sort((a, b) => b[1] - a[1]).slice(0, wanted)) {
    if (best.passageWords.has(file)) continue;
    const own = new Set([...chunkIds].filter((chunk) => fileOf.get(chunk) === file));
    const shares = [...passageWords.sharesWithin(sqlite, terms, own)].sort((a, b) => b[1] - a[1]);
    const chunk = shares[0]?.[0] ?? Math.min(...own);
    ranked.push({ chunk, score: score / (1 + ownWorth) });
  }
  const passagesByScore = ranked
    .sort((a, b) => b.score - a.score || a.chunk - b.chunk)
    .slice(0, wanted)
    .map((each) => {
      const own = index.chunks.get(chunkKey(each.chunk));
      return { ...each, likeness: own ? similarity(own, vector) : 0 };
    });
  const judged = passagesByScore.slice(0, judgedPassages);
  const fits =
    judged.some(({ likeness }) => likeness >= leastLikeness) ||
    bestCoverage(index, terms, new Set(judged.map(({ chunk }) => chunk))) >= leastCoverage;
  return { passages: passagesByScore, fits };
}

/** The largest share of the question's words that one passage has, 0 … 1; rare words count more, unknown ones most. */
function bestCoverage({ sqlite }: ShelfIndex, terms: string[], accept: Set<number>): number {
  const frequencies = passageWords.frequencies(sqlite, terms);
  const size = Math.max(leastSize, passageWords.size(sqlite));
  const sums = new Map<number, number>();
  let whole = 0;
  for (const term of terms) {
    if (courtesies.has(term)) continue;
    const rarity = rarityOf(size, frequencies.get(term) ?? 0);
    whole += rarity;
    for (const { id } of passageWords.rank(sqlite, { terms: [term], limit: accept.size, accept }))
      sums.set(id, (sums.get(id) ?? 0) + rarity);
  }
  return whole === 0 ? 0 : Math.max(0, ...sums.values()) / whole;
}

/** Candidate passages, each with its file, and the paths of the files. */
function filesOfPassages(
  { sqlite }: ShelfIndex,
  topics: number[],
): { fileOf: Map<number, number>; paths: Map<number, string> } {
  const among = '(SELECT value FROM json_each(?))';
  const pairs = sqlite.value<string>(
    `SELECT json_group_array(json_array(c.number, c.file)) FROM reference_chunks AS c
     JOIN reference_files AS f ON f.number = c.file AND f.live = 1 WHERE c.topic IN ${among}`,
    JSON.stringify(topics),
  );
  const files = sqlite.all<{ number: number; path: string }>(
    `SELECT number, path FROM reference_files WHERE live = 1 AND topic IN ${among}`,
    JSON.stringify(topics),
  );
  return {
    fileOf: new Map<number, number>(JSON.parse(pairs ?? '[]')),
    paths: new Map(files.map(({ number, path }) => [number, path])),
  };
}

function nearest(
  space: ShelfIndex['chunks'],
  vector: Float32Array,
  wanted: number,
  numberOf: (key: string) => number,
  accept: Set<number>,
): Map<number, number> {
  const found = space.search(vector, wanted * depth, (key) => accept.has(numberOf(key)));
  // Any two texts are somewhat similar: the score of the last of many is noise.
  const least = found.length === wanted * depth ? (found.at(-1)?.score ?? 0) : 0;
  return sharesOfBest(
    found.slice(0, wanted).map(({ key, score }) => ({ id: numberOf(key), score: score - least })),
  );
}
