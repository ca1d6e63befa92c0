import { isTestPath } from '../../../base/text/index.ts';
import { pathsWithTags } from './artifacts.ts';
import type { HistoryView } from './history-view.ts';
import { type RelatedSource, relatedFiles } from './related.ts';
import { scoreSignals } from './scorer.ts';
import { addTogether, fileSignals } from './signals.ts';

export interface FoundFile {
  path: number;
  score: number;
}

/** Files that a question is about, best first. The filters come before the search, so that they cost no answers. */
export function searchFiles(
  view: HistoryView,
  question: string,
  { tags, under }: { tags?: string[] | undefined; under?: string | undefined } = {},
): FoundFile[] {
  let within = tags && tags.length > 0 ? pathsWithTags(view, tags) : undefined;
  if (under) {
    const folder = `${under.replace(/\/+$/, '')}/`;
    within = new Set([...(within ?? view.alive())].filter((path) => view.name(path).startsWith(folder)));
  }
  const rows = addTogether(view, fileSignals(view, question, within ? { within } : {}));
  return rows
    .map(({ path, signals }) => ({ path, score: scoreSignals(signals) }))
    .sort((a, b) => b.score - a.score || (view.name(a.path) < view.name(b.path) ? -1 : 1));
}

export interface Touch {
  path: string;
  score: number;
  why: string;
}

const seeds = 5;

/** Files that a described task will touch: what search finds, and what changes together with the best of it. */
export function suggestTouches(
  source: RelatedSource,
  view: HistoryView,
  task: string,
  known: string[],
): Touch[] {
  const found = searchFiles(view, task);
  const best = found[0]?.score ?? 1;
  const touches = new Map<number, { score: number; why: string }>();
  const raise = (path: number, score: number, why: string) => {
    const before = touches.get(path);
    if (!before) touches.set(path, { score, why });
    else before.score += score;
  };
  for (const { path, score } of found) raise(path, score / best, 'found by search');
  const given = known.map((path) => view.requirePath(path));
  for (const path of given) raise(path, 2, 'named in the task');
  const starts = [...new Set([...given, ...found.slice(0, seeds).map((each) => each.path)])];
  for (const start of starts) {
    const trust = given.includes(start) ? 1 : touches.get(start)!.score;
    for (const row of relatedFiles(source, view, start, { minCount: 2 }).slice(0, 10)) {
      const name = view.name(start);
      const pair = isTestPath(row.name) !== isTestPath(name) ? ' (its tests or the tested)' : '';
      raise(row.path, 0.5 * trust * row.support, `changes together with ${name}${pair}`);
    }
  }
  return [...touches]
    .map(([path, { score, why }]) => ({ path: view.name(path), score, why }))
    .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
}
