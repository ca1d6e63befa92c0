import { bm25 } from '../../../base/search/index.ts';
import { searchWords } from '../../../base/text/index.ts';
import { eachPosting, wordFields } from '../words/postings.ts';
import { activityOf, eachHome } from './activity.ts';
import type { HistoryView } from './history-view.ts';

/** What the history says about one file in answer to a question, each between 0 and 1. */
export interface FileSignals {
  /** BM25 over the file's path and the messages of all commits that touched it. */
  text: number;
  /** BM25 over the path alone. */
  path: number;
  /** Votes of the commits whose messages are most like the question, recent ones counting more. */
  recentVotes: number;
  /** How often and how recently the file changes at all. */
  popularity: number;
  /** How often it changed in the last hundred commits. */
  lately: number;
  /** How recently it changed at all. */
  lastChange: number;
}

export interface SignalRow {
  path: number;
  signals: FileSignals;
}

export interface SignalOptions {
  /** Candidates kept from each kind of evidence. */
  depth?: number;
  /** Paths that are answered about in any case, where this history knows them. */
  also?: string[];
}

/** Chosen with the weights of the signals. */
const saturation = 1.6;
const bulk = 50;
const voters = 40;
const maxWords = 64;
const titleWeight = 2;
const pathWeight = 3;

/** Candidate files for a question, each with normalised evidence; an unknown or empty question has none. */
export function fileSignals(view: HistoryView, question: string, options: SignalOptions = {}): SignalRow[] {
  const words = [...new Set(searchWords(question.slice(0, 20_000)))].slice(0, maxWords);
  const depth = options.depth ?? 200;
  const accept = (path: number) => view.isAlive(path);
  const files = view.stored.homes.size;
  const commits = scoreCommits(view, words);
  const text = textScores(view, words, commits.postings);
  const votes = new Float64Array(files);
  const recentVotes = new Float64Array(files);
  const newest = view.stored.commits;
  for (const { commit, score } of commits.best) {
    const size = view.facts.size(commit);
    if (size === 0 || size > bulk) continue;
    const share = score / Math.sqrt(size);
    const age = (newest - view.stored.positions[commit]!) / Math.max(200, newest);
    eachHome(view, commit, (home) => {
      votes[home]! += share;
      recentVotes[home]! += share * Math.exp(-3 * age);
    });
  }
  const { popularity, lately, lastChange } = activityOf(view);
  const candidates = new Set<number>();
  for (const evidence of [text.whole, text.path, votes]) {
    for (const path of top(evidence, depth, accept)) candidates.add(path);
  }
  for (const path of idsOf(view, options.also ?? [])) if (accept(path)) candidates.add(path);
  const rows: SignalRow[] = [];
  for (const path of candidates) {
    rows.push({
      path,
      signals: {
        text: text.whole[path]!,
        path: text.path[path]!,
        recentVotes: recentVotes[path]!,
        popularity: popularity[path]!,
        lately: lately[path]!,
        lastChange: lastChange[path]!,
      },
    });
  }
  for (const key of measured) normalise(rows, key);
  return rows;
}

function idsOf(view: HistoryView, paths: string[]): number[] {
  if (paths.length === 0) return [];
  const sql = 'SELECT id FROM paths WHERE path IN (SELECT value FROM json_each(?))';
  return view.sqlite.all<{ id: number }>(sql, JSON.stringify(paths)).map((row) => row.id);
}

const measured = ['text', 'path', 'recentVotes', 'popularity', 'lately'] as const;

type Postings = Array<{ commits: number[]; weights: number[] }>;

/** BM25 of every reachable commit's message; keeps the postings for the files' own scores. */
function scoreCommits(view: HistoryView, words: string[]) {
  const { positions, commits: total } = view.stored;
  const scores = new Float64Array(view.facts.count);
  const touched: number[] = [];
  const postings: Postings = [];
  const found: Array<{ ids: number[]; weights: number[]; lengths: number[] }> = [];
  let lengths = 0;
  let seen = 0;
  for (const word of words) {
    const list = { ids: [] as number[], weights: [] as number[], lengths: [] as number[] };
    eachPosting(view.sqlite, word, wordFields.message, (id, title, rest, length) => {
      if ((positions[id] ?? -1) < 0) return;
      list.ids.push(id);
      list.weights.push(title * titleWeight + rest);
      list.lengths.push(length);
      lengths += length;
      seen++;
    });
    found.push(list);
    postings.push({ commits: list.ids, weights: list.weights });
  }
  const average = Math.max(1, lengths / Math.max(1, seen));
  for (const list of found) {
    const gain = bm25({ documents: total, averageLength: average, saturation }, list.ids.length);
    for (let at = 0; at < list.ids.length; at++) {
      const id = list.ids[at]!;
      if (scores[id] === 0) touched.push(id);
      scores[id]! += gain(list.weights[at]!, list.lengths[at]!);
    }
  }
  touched.sort((x, y) => scores[y]! - scores[x]! || positions[y]! - positions[x]!);
  return { best: touched.slice(0, voters).map((commit) => ({ commit, score: scores[commit]! })), postings };
}

/** BM25 of each file, its document being its path and the messages of its commits. */
function textScores(view: HistoryView, words: string[], postings: Postings) {
  const files = view.stored.homes.size;
  const whole = new Float64Array(files);
  const path = new Float64Array(files);
  const { words: lengths } = view.sizes();
  const alive = view.alive().length;
  let sum = 0;
  for (const id of view.alive()) sum += lengths[view.currentPath(id)]! + pathWeight * 4;
  const average = Math.max(1, sum / Math.max(1, alive));
  const frequency = new Float64Array(files);
  for (const [at, word] of words.entries()) {
    const touched: number[] = [];
    const add = (file: number, weight: number) => {
      if (frequency[file] === 0) touched.push(file);
      frequency[file]! += weight;
    };
    const { commits, weights } = postings[at]!;
    for (let index = 0; index < commits.length; index++) {
      if (view.facts.size(commits[index]!) > bulk) continue;
      eachHome(view, commits[index]!, (home) => add(home, weights[index]!));
    }
    const inPath: Array<[number, number]> = [];
    eachPosting(view.sqlite, word, wordFields.path, (id, title, rest) => {
      if (!view.isAlive(id)) return;
      inPath.push([id, title * 2 + rest]);
      add(id, pathWeight * (title + rest));
    });
    const gain = bm25({ documents: alive, averageLength: average, saturation }, touched.length);
    for (const file of touched) {
      whole[file]! += gain(frequency[file]!, lengths[file]! + pathWeight * 4);
      frequency[file] = 0;
    }
    const inPathGain = bm25(
      { documents: alive, averageLength: 1, saturation, lengthShare: 0 },
      inPath.length,
    );
    for (const [file, count] of inPath) path[file]! += inPathGain(count, 0);
  }
  return { whole, path };
}

function top(scores: Float64Array, depth: number, accept: (path: number) => boolean): number[] {
  const found: number[] = [];
  for (let path = 0; path < scores.length; path++) if (scores[path]! > 0 && accept(path)) found.push(path);
  return found.sort((x, y) => scores[y]! - scores[x]!).slice(0, depth);
}

function normalise(rows: SignalRow[], key: keyof FileSignals): void {
  let most = 0;
  for (const row of rows) most = Math.max(most, row.signals[key]);
  if (most > 0) for (const row of rows) row.signals[key] /= most;
}
