import { commitFlags } from '../facts.ts';
import { type CochangeFeatures, scoreOf } from './cochange-score.ts';
import { fileTraits } from './file-traits.ts';
import type { HistoryView } from './history-view.ts';
import { partnersOfSiblings, secondPartners } from './neighbours.ts';

export interface CochangeOptions {
  bulkCap: number;
  minimumSupport: number;
  /** Formatting-only commits: they count less. */
  ignoredRevisions: Set<number>;
  /** Half-life in days of a shared commit's weight in the score; no decay when omitted. */
  halfLifeDays?: number;
  /** Whether the code links the given file with another, by path. */
  isLinked(path: number): boolean;
}

export interface CochangeRow {
  path: number;
  /** Shared commits below the bulk cap; 0 for a guess by name, folder or links. */
  count: number;
  jaccard: number;
  /** Share of the given file's commits that touched this one, and the reverse. */
  support: number;
  reverse_support: number;
  score: number;
  features: CochangeFeatures;
}

const nothing = { count: 0, weight: 0, recent: 0, lately: 0, last: false };
type Tally = typeof nothing;

const lessWeight = 0.25;
const day = 86_400;
const forgetting = 20;

interface Tallies {
  commits: number;
  /** Those below the bulk cap. */
  usable: number;
  lately: number;
  others: Map<number, Tally>;
}

/**
 * Files that change in the same commits as `path`, best first; with `guesses`, that many more that never did but
 * are placed like files that do. Bulk commits are ignored; bots count less.
 */
export function cochange(
  view: HistoryView,
  path: number,
  options: CochangeOptions,
  guesses: number,
): CochangeRow[] {
  const tallies = tally(view, path, options);
  const featuresOf = features(view, path, tallies, options);
  const totals = view.sizes().count;
  const rows: CochangeRow[] = [];
  for (const [other, { count }] of tallies.others) {
    if (count < options.minimumSupport || !view.isAlive(other)) continue;
    const total = totals[other] ?? 0;
    const found = featuresOf(other);
    rows.push({
      path: other,
      count,
      jaccard: count / (tallies.commits + total - count),
      support: count / tallies.commits,
      reverse_support: count / Math.max(1, total),
      score: scoreOf(found),
      features: found,
    });
  }
  if (guesses > 0) {
    const home = view.currentPath(path);
    const none = { count: 0, jaccard: 0, support: 0, reverse_support: 0 };
    const more = fileTraits(view)
      .alive.filter((other) => other !== home && !tallies.others.has(other))
      .map((other): CochangeRow => {
        const found = featuresOf(other);
        return { path: other, ...none, score: scoreOf(found), features: found };
      })
      // Living files are ordered by name, and sorting keeps that order among equals.
      .sort((a, b) => b.score - a.score);
    rows.push(...more.slice(0, guesses));
  }
  return rows.sort((a, b) => b.score - a.score || (view.name(a.path) < view.name(b.path) ? -1 : 1));
}

function tally(view: HistoryView, path: number, options: CochangeOptions): Tallies {
  const story = view.commitsOf(path);
  const home = view.currentPath(path);
  const tallies: Tallies = { commits: story.length, usable: 0, lately: 0, others: new Map() };
  const newest = view.facts.committed(story.at(-1) ?? -1);
  for (const [at, commit] of story.entries()) {
    const size = view.facts.size(commit);
    if (size > options.bulkCap) continue;
    const bot = (view.facts.flags(commit) & commitFlags.bot) !== 0;
    const age = Math.max(0, newest - view.facts.committed(commit)) / day;
    const decay = options.halfLifeDays ? 0.5 ** (age / options.halfLifeDays) : 1;
    const weight = decay * (bot || options.ignoredRevisions.has(commit) ? lessWeight : 1);
    const since = story.length - 1 - at;
    const kept = weight * 0.5 ** (since / forgetting);
    tallies.usable++;
    tallies.lately += kept;
    const share = 1 / Math.sqrt(Math.max(1, size - 1));
    const seen = new Set([home]);
    view.eachFile(commit, (other) => {
      if (seen.has(other)) return;
      seen.add(other);
      const held = tallies.others.get(other) ?? { ...nothing };
      tallies.others.set(other, held);
      held.count++;
      held.weight += weight;
      held.recent += (share * weight) / (1 + 0.1 * since);
      held.lately += share * kept;
      held.last ||= since < 3;
    });
  }
  return tallies;
}

function features(view: HistoryView, path: number, tallies: Tallies, options: CochangeOptions) {
  const traits = fileTraits(view);
  const asked = traits.look(view.currentPath(path));
  const totals = view.sizes().count;
  const most = { recent: 1e-9, lately: 1e-9 };
  for (const { recent, lately } of tallies.others.values()) {
    most.recent = Math.max(most.recent, recent);
    most.lately = Math.max(most.lately, lately);
  }
  const thin = 1 / (1 + tallies.usable / 2);
  const second = secondPartners(view, path);
  const siblings = partnersOfSiblings(view, path);
  return (other: number): CochangeFeatures => {
    const look = traits.look(other);
    const held = tallies.others.get(other) ?? nothing;
    const words = traits.likeness(asked, look);
    const sameStem = Number(asked.stem !== '' && asked.stem === look.stem);
    return {
      shared: Math.log1p(held.weight) / 5,
      repeated: Number(held.weight > 1),
      recent: held.recent / most.recent,
      lately: held.lately / most.lately,
      share: held.lately / (tallies.lately + 1),
      reverse: held.weight / ((totals[other] ?? 0) + 3),
      last: Number(held.last),
      active: Math.log1p(traits.activity[other] ?? 0) / 3,
      second: second.get(other) ?? 0,
      siblings: thin * (siblings.get(other) ?? 0),
      words,
      wordsThin: thin * words,
      sameFolderThin: asked.folder === look.folder ? thin : 0,
      sameStemThin: thin * sameStem,
      testPair: Number(sameStem === 1 && asked.test !== look.test),
      sameEnding: Number(asked.ending === look.ending),
      linked: Number(options.isLinked(other)),
      bookkeeping: Number(look.bookkeeping),
    };
  };
}
