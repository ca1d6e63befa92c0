import { isTestPath } from '../../base/text/index.ts';
import { type History, type HistoryView, relatedFiles } from '../../stores/history/index.ts';
import type { OpenedRecall } from './open.ts';

export interface Touch {
  path: string;
  score: number;
  why: string;
}

/** How many of the files that search finds bring along what changes with them. */
const seeds = 5;

/** Two reasons say enough. */
const joined = (one: string, other: string): string =>
  one.includes('; ') || one.includes(other) ? one : `${one}; ${other}`;

/** Files that a described task will touch: what search finds, and what changes together with the best of it. */
export async function suggestTouches(
  recall: Pick<OpenedRecall, 'question' | 'rankFiles'>,
  { history, view }: { history: Pick<History, 'ignoredRevisions'>; view: HistoryView },
  task: string,
  known: string[],
): Promise<Touch[]> {
  const found = await recall.rankFiles(await recall.question(task));
  const best = found[0]?.score || 1;
  const touches = new Map<string, Touch>();
  const raise = (path: string, score: number, why: string) => {
    const before = touches.get(path);
    if (!before) touches.set(path, { path, score, why });
    else Object.assign(before, { score: before.score + score, why: joined(before.why, why) });
  };
  for (const { owner, score } of found) raise(owner, score / best, 'found by search');
  const named = known.map((path) => view.name(view.requirePath(path)));
  for (const path of named) raise(path, 2, 'named in the task');
  for (const start of new Set([...named, ...found.slice(0, seeds).map(({ owner }) => owner)])) {
    const id = view.find(start);
    const trust = named.includes(start) ? 1 : (touches.get(start)?.score ?? 0);
    if (id === undefined) continue;
    for (const row of relatedFiles(history, view, id, { minCount: 2 }).slice(0, 10)) {
      const pair = isTestPath(row.name) !== isTestPath(start) ? ' (its tests or the tested)' : '';
      raise(row.name, 0.5 * trust * row.support, `changes together with ${start}${pair}`);
    }
  }
  return [...touches.values()].sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
}
