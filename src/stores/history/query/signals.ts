import { bm25 } from '../../../base/search/index.ts';
import { searchWords } from '../../../base/text/index.ts';
import { eachPosting, wordFields } from '../words/postings.ts';
import type { HistoryView } from './history-view.ts';

/** Evidence from the history for one file and question, each between 0 and 1. */
export interface FileSignals {
  /** BM25 over the file's path and the messages of all its commits. */
  text: number;
  /** BM25 over the path alone. */
  path: number;
  /** Votes of the commits with the most similar messages, recent ones counting more. */
  recentVotes: number;
  /** How often and how recently the file changes. */
  popularity: number;
  /** How often it changed in the last hundred commits. */
  lately: number;
  /** How recently it changed. */
  lastChange: number;
}

export interface SignalRow {
  path: number;
  signals: FileSignals;
}

export interface SignalOptions {
  /** Candidates taken from each kind of evidence. */
  depth?: number;
  /** Paths that are always included, if this history has them. */
  also?: string[];
}

/** Tuned together with the weights of the signals. */
const saturation = 1.6;
const bulk = 50;
const voters = 40;
const maxWords = 64;
const titleWeight = 2;
const pathWeight = 3;

/** Scores by path or commit, 0 where there is none. */
type Scores = Float64Array;
const emptyScores = ({ stored }: HistoryView): Scores => new Float64Array(stored.homes.size);
const raise = (scores: Scores, key: number, by: number) => {
  scores[key] = (scores[key] ?? 0) + by;
};

/** Candidate files for a question, each with normalized evidence; an unknown or empty question has none. */
export function fileSignals(view: HistoryView, question: string, options: SignalOptions = {}): SignalRow[] {
  const words = [...new Set(searchWords(question.slice(0, 20_000)))].slice(0, maxWords);
  const depth = options.depth ?? 200;
  const commits = words.map((word) => commitsWith(view, word));
  const { text, path: pathText } = textScores(view, words, commits);
  const votes = emptyScores(view);
  const recentVotes = emptyScores(view);
  const newest = view.stored.commits;
  for (const { commit, score } of bestCommits(view, commits)) {
    const size = view.facts.size(commit);
    if (size === 0 || size > bulk) continue;
    const share = score / Math.sqrt(size);
    const age = (newest - view.stored.place(commit)) / Math.max(200, newest);
    view.eachFile(commit, (file) => {
      raise(votes, file, share);
      raise(recentVotes, file, share * Math.exp(-3 * age));
    });
  }
  const named = 'SELECT id FROM paths WHERE path IN (SELECT value FROM json_each(?))';
  const also = view.sqlite.column<number>(named, JSON.stringify(options.also ?? []));
  const candidates = new Set([
    ...[text, pathText, votes].flatMap((scores) => top(view, scores, depth)),
    ...also.filter(view.isAlive),
  ]);
  const activity = activityOf(view);
  const rows = [...candidates].map((path) => ({
    path,
    signals: {
      text: text[path] ?? 0,
      path: pathText[path] ?? 0,
      recentVotes: recentVotes[path] ?? 0,
      popularity: activity.popularity[path] ?? 0,
      lately: activity.lately[path] ?? 0,
      lastChange: activity.lastChange[path] ?? 0,
    },
  }));
  for (const key of ['text', 'path', 'recentVotes', 'popularity', 'lately'] as const) {
    const most = rows.reduce((best, { signals }) => Math.max(best, signals[key]), 0);
    if (most > 0) for (const { signals } of rows) signals[key] /= most;
  }
  return rows;
}

interface CommitPosting {
  commit: number;
  weight: number;
  length: number;
}

/** The reachable commits with a word in their message. */
function commitsWith(view: HistoryView, word: string): CommitPosting[] {
  const found: CommitPosting[] = [];
  eachPosting(view.sqlite, word, wordFields.message, (commit, title, rest, length) => {
    if (view.stored.place(commit) >= 0) found.push({ commit, weight: title * titleWeight + rest, length });
  });
  return found;
}

/** BM25 of the messages. */
function bestCommits({ stored }: HistoryView, words: CommitPosting[][]) {
  const scores: Scores = new Float64Array(stored.positions.length);
  const matching: number[] = [];
  let [lengths, seen] = [0, 0];
  for (const postings of words)
    for (const { length } of postings) {
      lengths += length;
      seen++;
    }
  const averageLength = Math.max(1, lengths / Math.max(1, seen));
  for (const postings of words) {
    const gain = bm25({ documents: stored.commits, averageLength, saturation }, postings.length);
    for (const { commit, weight, length } of postings) {
      if (scores[commit] === 0) matching.push(commit);
      raise(scores, commit, gain(weight, length));
    }
  }
  return matching
    .map((commit) => ({ commit, score: scores[commit] ?? 0 }))
    .sort((x, y) => y.score - x.score || stored.place(y.commit) - stored.place(x.commit))
    .slice(0, voters);
}

/** BM25 of each file, its document being its path and the messages of its commits. */
function textScores(view: HistoryView, words: string[], commits: CommitPosting[][]) {
  const [text, path, amounts] = [emptyScores(view), emptyScores(view), emptyScores(view)];
  const lengths = view.sizes().words;
  const lengthOf = (file: number) => (lengths[file] ?? 0) + pathWeight * 4;
  const alive = view.alive();
  const sum = alive.reduce((all, file) => all + lengthOf(view.currentPath(file)), 0);
  const documents = alive.length;
  const averageLength = Math.max(1, sum / Math.max(1, documents));
  for (const [at, word] of words.entries()) {
    const matching: number[] = [];
    const add = (file: number, weight: number) => {
      if (amounts[file] === 0) matching.push(file);
      raise(amounts, file, weight);
    };
    for (const { commit, weight } of commits[at] ?? [])
      if (view.facts.size(commit) <= bulk) view.eachFile(commit, (file) => add(file, weight));
    const inPath: Array<[number, number]> = [];
    eachPosting(view.sqlite, word, wordFields.path, (file, title, rest) => {
      if (!view.isAlive(file)) return;
      inPath.push([file, title * 2 + rest]);
      add(file, pathWeight * (title + rest));
    });
    const gain = bm25({ documents, averageLength, saturation }, matching.length);
    for (const file of matching) {
      raise(text, file, gain(amounts[file] ?? 0, lengthOf(file)));
      amounts[file] = 0;
    }
    const pathGain = bm25({ documents, averageLength: 1, saturation, lengthShare: 0 }, inPath.length);
    for (const [file, count] of inPath) raise(path, file, pathGain(count, 0));
  }
  return { text, path };
}

/** Ties are ordered by id, so that the same question has the same answer. */
function top(view: HistoryView, scores: Scores, depth: number): number[] {
  const found: number[] = [];
  for (let path = 0; path < scores.length; path++)
    if (scores[path] !== 0 && view.isAlive(path)) found.push(path);
  return found.sort((x, y) => (scores[y] ?? 0) - (scores[x] ?? 0)).slice(0, depth);
}

const activities = new WeakMap<HistoryView, ReturnType<typeof readActivity>>();

function activityOf(view: HistoryView) {
  const activity = activities.get(view) ?? readActivity(view);
  activities.set(view, activity);
  return activity;
}

/** How much each file changes, by path: its commits, the newest thousand or hundred counting most. */
function readActivity({ stored, facts, eachFile }: HistoryView) {
  const { positions, commits, homes } = stored;
  const popularity = new Float64Array(homes.size);
  const lately = new Float64Array(homes.size);
  /** 1 for the newest commit, less for each commit since. */
  const lastChange = new Float64Array(homes.size);
  for (const [id, place] of positions.entries()) {
    const age = commits - place;
    if (place < 0 || age > 9000) continue;
    const size = facts.size(id);
    if (size === 0 || size > bulk) continue;
    const [often, now, last] = [Math.exp(-age / 1000), Math.exp(-age / 100), Math.exp(-age / 200)];
    eachFile(id, (file) => {
      popularity[file] = (popularity[file] ?? 0) + often;
      lately[file] = (lately[file] ?? 0) + now;
      lastChange[file] = Math.max(lastChange[file] ?? 0, last);
    });
  }
  return { popularity, lately, lastChange };
}
