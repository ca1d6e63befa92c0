import { commitFlags } from '../facts.ts';
import { isBookkeeping, isTestPath, lookAt, type PathLook, sharedWords } from './likeness.ts';
import type { Model } from './model.ts';

export interface CochangeOptions {
  bulkCap: number;
  minimumSupport: number;
  /** Commits that only reformat: they count less. */
  ignoredRevisions: Set<number>;
  /** Half-life in days of a shared commit's weight in the score; none without it. */
  halfLifeDays?: number;
}

export interface CochangeRow {
  path: number;
  /** Shared commits under the bulk cap. */
  count: number;
  jaccard: number;
  /** Of the commits that touched the asked file, how many touched this one, and the other way round. */
  support: number;
  reverse_support: number;
  score: number;
  features: CochangeFeatures;
}

/** What the score is made of; each between 0 and 1. */
export interface CochangeFeatures {
  shared: number;
  focused: number;
  recent: number;
  jaccard: number;
  support: number;
  reverse: number;
  sameFolder: number;
  sameStem: number;
  testPair: number;
  words: number;
  /** A change log or a lock file changes with everything. */
  bookkeeping: number;
}

/** Learned on repositories other than those that figures are reported for; see bench/history-quality.lab.ts. */
export const cochangeWeights: CochangeFeatures = {
  shared: 0.3,
  focused: 0.6,
  recent: 1,
  jaccard: -0.15,
  support: 0.55,
  reverse: -0.05,
  sameFolder: 0.1,
  sameStem: 0.75,
  testPair: 0.375,
  words: 0.3,
  bookkeeping: -1,
};

const lessWeight = 0.25;
const day = 86_400;

interface Tally {
  count: number;
  focused: number;
  recent: number;
  decayed: number;
}

/** Files that change in the same commits as `path`, best first. Bulk commits teach nothing; bots count less. */
export function cochange(model: Model, path: number, options: CochangeOptions): CochangeRow[] {
  const story = model.story(path);
  const home = model.home(path);
  const tallies = new Map<number, Tally>();
  const newest = story.length > 0 ? model.facts.committed(story.at(-1)!) : 0;
  for (let at = 0; at < story.length; at++) {
    const commit = story[at]!;
    const size = model.facts.size(commit);
    if (size < 2 || size > options.bulkCap) continue;
    const bot = (model.facts.flags(commit) & commitFlags.bot) !== 0;
    const trust = bot || options.ignoredRevisions.has(commit) ? lessWeight : 1;
    const age = Math.max(0, newest - model.facts.committed(commit)) / day;
    const decay = options.halfLifeDays ? 0.5 ** (age / options.halfLifeDays) : 1;
    const seen = new Set<number>();
    model.facts.eachChange(commit, (touched) => {
      const other = model.home(touched);
      if (other === home || other < 0 || seen.has(other)) return;
      seen.add(other);
      let tally = tallies.get(other);
      if (!tally) {
        tally = { count: 0, focused: 0, recent: 0, decayed: 0 };
        tallies.set(other, tally);
      }
      tally.count++;
      tally.decayed += trust * decay;
      tally.focused += (trust * decay) / (size - 1);
      tally.recent += (trust * decay) / (1 + 0.1 * (story.length - 1 - at));
    });
  }
  const rows: CochangeRow[] = [];
  const { count: totals } = model.sizes();
  const most = { count: 0, focused: 0, recent: 0 };
  for (const tally of tallies.values()) {
    most.count = Math.max(most.count, tally.decayed);
    most.focused = Math.max(most.focused, tally.focused);
    most.recent = Math.max(most.recent, tally.recent);
  }
  const asked = lookAt(model.name(path));
  for (const [other, tally] of tallies) {
    if (tally.count < options.minimumSupport || !model.isAlive(other)) continue;
    const total = totals[other] ?? 0;
    const jaccard = tally.count / (story.length + total - tally.count);
    const support = tally.count / story.length;
    const reverse = tally.count / Math.max(1, total);
    const features: CochangeFeatures = {
      shared: tally.decayed / most.count,
      focused: tally.focused / most.focused,
      recent: tally.recent / most.recent,
      jaccard,
      support,
      reverse,
      ...likeness(asked, lookAt(model.name(other))),
    };
    rows.push({
      path: other,
      count: tally.count,
      jaccard,
      support,
      reverse_support: reverse,
      score: scoreOf(features),
      features,
    });
  }
  return sortRows(model, rows);
}

/** Living files that were never changed together with `path` but are named like it, best first. */
export function namedAlike(model: Model, path: number, except: Set<number>): CochangeRow[] {
  const asked = lookAt(model.name(path));
  const rows: CochangeRow[] = [];
  for (const other of model.alive()) {
    if (other === path || except.has(other)) continue;
    const features: CochangeFeatures = {
      shared: 0,
      focused: 0,
      recent: 0,
      jaccard: 0,
      support: 0,
      reverse: 0,
      ...likeness(asked, lookAt(model.name(other))),
    };
    if (features.words === 0 && features.sameStem === 0 && features.sameFolder === 0) continue;
    const score = scoreOf(features);
    rows.push({ path: other, count: 0, jaccard: 0, support: 0, reverse_support: 0, score, features });
  }
  return sortRows(model, rows);
}

function likeness(asked: PathLook, other: PathLook) {
  const sameStem = asked.stem !== '' && asked.stem === other.stem ? 1 : 0;
  return {
    sameFolder: asked.folder === other.folder ? 1 : 0,
    sameStem,
    testPair: sameStem === 1 && asked.test !== isTestPath(other.path) ? 1 : 0,
    words: sharedWords(asked, other),
    bookkeeping: isBookkeeping(other.path) ? 1 : 0,
  };
}

export function scoreOf(features: CochangeFeatures, weights: CochangeFeatures = cochangeWeights): number {
  let score = 0;
  for (const key of Object.keys(weights) as Array<keyof CochangeFeatures>)
    score += weights[key] * features[key];
  return score;
}

const sortRows = (model: Model, rows: CochangeRow[]): CochangeRow[] =>
  rows.sort((a, b) => b.score - a.score || (model.name(a.path) < model.name(b.path) ? -1 : 1));
