import { similarity } from '../../base/embedding/index.ts';
import { matchAny, searchWords } from '../../base/text/index.ts';
import type { ShelfIndex, Stand } from './stand.ts';
import { chunkKey, chunkNumber, fileNumber } from './tables.ts';

export interface RankedPassage {
  chunk: number;
  score: number;
  /** Cosine of the passage and the question. */
  likeness: number;
}

export interface RankRequest {
  question: string;
  /** Numbers of the topics that are searched. */
  topics: number[];
  wanted: number;
}

/**
 * Four looks at one question: words and meaning of passages, words and meaning of whole files. A passage seldom names
 * its subject, and a file that fits as a whole seldom says where; a place high in several looks comes first.
 */
const weights = {
  prose: { passageWords: 0.3, passageMeaning: 0.1, fileWords: 0.25, fileMeaning: 0.35 },
  // Words are exact where an identifier is asked for.
  code: { passageWords: 0.5, passageMeaning: 0.1, fileWords: 0.35, fileMeaning: 0.05 },
};
/** How many times more neighbours are looked at than count. */
const depth = 4;
/** Within a file the passage's own worth decides. */
const ownWorth = 0.3;
/** Path, title, description, headings, body. */
const fileColumns = '1.0, 3.0, 3.0, 1.0, 1.0';
const passageColumns = '1.0, 2.0, 1.0';

const looksLikeCode = (question: string): boolean => /[a-z][A-Z]|\w_\w|::|\(\)|[\w$]\.[\w$]|`/.test(question);

export async function rankPassages(
  stand: Stand,
  index: ShelfIndex,
  request: RankRequest,
): Promise<RankedPassage[]> {
  const { question, wanted } = request;
  const vector = await stand.question(question);
  const weight = looksLikeCode(question) ? weights.code : weights.prose;
  const passages = new Map<number, { words: number; meaning: number; file: number }>();
  const passageOf = (chunk: number) => {
    const known = passages.get(chunk);
    if (known) return known;
    const made = { words: 0, meaning: 0, file: fileOf(index, chunk) };
    passages.set(chunk, made);
    return made;
  };
  for (const [chunk, share] of passageWords(index, request)) passageOf(chunk).words = share;
  for (const [chunk, share] of passageMeaning(index, request, vector)) passageOf(chunk).meaning = share;
  const files = new Map<number, number>();
  const raise = (file: number, worth: number) => files.set(file, (files.get(file) ?? 0) + worth);
  for (const [file, share] of fileWords(index, request)) raise(file, weight.fileWords * share);
  for (const [file, share] of fileMeaning(index, request, vector)) raise(file, weight.fileMeaning * share);
  const best = new Map<number, { words: number; meaning: number }>();
  for (const { words, meaning, file } of passages.values()) {
    const known = best.get(file) ?? { words: 0, meaning: 0 };
    best.set(file, { words: Math.max(known.words, words), meaning: Math.max(known.meaning, meaning) });
  }
  for (const [file, { words, meaning }] of best)
    raise(file, weight.passageWords * words + weight.passageMeaning * meaning);
  const ranked: Array<Omit<RankedPassage, 'likeness'>> = [];
  for (const [chunk, { words, meaning, file }] of passages) {
    const own = 0.6 * words + 0.4 * meaning;
    ranked.push({ chunk, score: (files.get(file)! + ownWorth * own) / (1 + ownWorth) });
  }
  // A file that fits as a whole and has no passage among the best answers with the one that fits it best.
  for (const [file, worth] of [...files].sort((a, b) => b[1] - a[1]).slice(0, wanted)) {
    if (best.has(file)) continue;
    const chunk = bestOfFile(index, file, request.question);
    if (chunk !== undefined) ranked.push({ chunk, score: worth / (1 + ownWorth) });
  }
  return ranked
    .sort((a, b) => b.score - a.score || a.chunk - b.chunk)
    .slice(0, wanted)
    .map((each) => {
      const own = index.chunks.get(chunkKey(each.chunk));
      return { ...each, likeness: own ? similarity(own, vector) : 0 };
    });
}

type Shares = Map<number, number>;

/** Shares of the best, so that looks which are measured differently can be added. */
function sharesOf(rows: Array<{ number: number; rank: number }>): Shares {
  const best = -(rows[0]?.rank ?? -1);
  return new Map(rows.map(({ number, rank }) => [number, best > 0 ? Math.max(0, -rank / best) : 0]));
}

function passageWords({ sqlite }: ShelfIndex, { question, topics, wanted }: RankRequest): Shares {
  const match = matchAny(searchWords(question));
  if (!match) return new Map();
  return sharesOf(
    sqlite.all<{ number: number; rank: number }>(
      `SELECT c.number, bm25(reference_chunk_words, ${passageColumns}) AS rank
       FROM reference_chunk_words JOIN reference_chunks AS c ON c.number = reference_chunk_words.rowid
       JOIN reference_files AS f ON f.number = c.file AND f.live = 1
       WHERE reference_chunk_words MATCH ? AND c.topic IN (SELECT value FROM json_each(?)) ORDER BY rank LIMIT ?`,
      ...[match, JSON.stringify(topics), wanted],
    ),
  );
}

function fileWords({ sqlite }: ShelfIndex, { question, topics, wanted }: RankRequest): Shares {
  const match = matchAny(searchWords(question));
  if (!match) return new Map();
  return sharesOf(
    sqlite.all<{ number: number; rank: number }>(
      `SELECT f.number, bm25(reference_file_words, ${fileColumns}) AS rank
       FROM reference_file_words JOIN reference_files AS f ON f.number = reference_file_words.rowid AND f.live = 1
       WHERE reference_file_words MATCH ? AND f.topic IN (SELECT value FROM json_each(?)) ORDER BY rank LIMIT ?`,
      ...[match, JSON.stringify(topics), wanted],
    ),
  );
}

function passageMeaning(
  { sqlite, chunks }: ShelfIndex,
  { topics, wanted }: RankRequest,
  vector: Float32Array,
): Shares {
  const owner = sqlite.prepare(
    'SELECT c.topic FROM reference_chunks AS c JOIN reference_files AS f ON f.number = c.file WHERE c.number = ? AND f.live = 1',
  );
  return nearest(chunks, vector, wanted, chunkNumber, (number) => {
    const row = owner.get(number) as { topic: number } | undefined;
    return row !== undefined && topics.includes(row.topic);
  });
}

function fileMeaning(
  { sqlite, files }: ShelfIndex,
  { topics, wanted }: RankRequest,
  vector: Float32Array,
): Shares {
  const owner = sqlite.prepare('SELECT topic FROM reference_files WHERE number = ? AND live = 1');
  return nearest(files, vector, wanted, fileNumber, (number) => {
    const row = owner.get(number) as { topic: number } | undefined;
    return row !== undefined && topics.includes(row.topic);
  });
}

function nearest(
  space: ShelfIndex['chunks'],
  vector: Float32Array,
  wanted: number,
  numberOf: (key: string) => number,
  accept: (number: number) => boolean,
): Shares {
  const found = space.search(vector, wanted * depth, (key) => accept(numberOf(key)));
  const best = found[0]?.score ?? 0;
  // Any two texts are a little alike: what even the last of many reaches says nothing.
  const least = found.length === wanted * depth ? found.at(-1)!.score : 0;
  const range = Math.max(1e-9, best - least);
  return new Map(
    found.slice(0, wanted).map(({ key, score }) => [numberOf(key), Math.max(0, (score - least) / range)]),
  );
}

const fileOf = ({ sqlite }: ShelfIndex, chunk: number): number =>
  sqlite.get<{ file: number }>('SELECT file FROM reference_chunks WHERE number = ?', chunk)?.file ?? 0;

/** The passage of a file with most of the words asked for; the first one where none has any. */
function bestOfFile({ sqlite }: ShelfIndex, file: number, question: string): number | undefined {
  const asked = new Set(searchWords(question));
  let best: { number: number; found: number } | undefined;
  for (const { number, heading, text } of sqlite.all<{ number: number; heading: string; text: string }>(
    'SELECT number, heading, text FROM reference_chunks WHERE file = ? ORDER BY number LIMIT 200',
    file,
  )) {
    const found = new Set(searchWords(`${heading} ${text}`).filter((word) => asked.has(word))).size;
    if (!best || found > best.found) best = { number, found };
  }
  return best?.number;
}
