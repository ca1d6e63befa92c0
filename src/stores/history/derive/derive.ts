import { commitFlags, type Facts } from '../facts.ts';
import { packIds } from '../packed.ts';
import { createLineages, type Lineages } from './lineage.ts';
import { ancestors, replayOrder } from './order.ts';
import { createTagLists, judge, type TagVerdicts, writeOperations } from './tag-lists.ts';
import { homesOf, storeView, type ViewSource } from './view.ts';

/** Derives the view of `head` from nothing but facts and the paths of its tree. */
export function deriveView(source: ViewSource, id: number, head: number, tree: Iterable<number>): void {
  const { sqlite, facts } = source;
  sqlite.run('DELETE FROM lineages WHERE view = ?', id);
  sqlite.run('DELETE FROM tags WHERE view = ?', id);
  const order = head < 0 ? new Int32Array(0) : replayOrder(facts, ancestors(facts, head), source.shaOf);
  const positions = new Int32Array(facts.count).fill(-1);
  for (let place = 0; place < order.length; place++) positions[order[place]!] = place;
  const lineages = createLineages(facts);
  lineages.replay(order);
  const alive = markAlive(lineages, tree);
  const homes = homesOf(lineages, alive);
  const stories = storiesOf(lineages);
  const operations = replayOperations(source, stories);
  const insert = sqlite.prepare(
    'INSERT INTO lineages (view, path, count, words, commits, operations) VALUES (?, ?, ?, ?, ?, ?)',
  );
  for (const path of [...stories.keys()].sort((a, b) => a - b)) {
    const commits = stories.get(path)!;
    insert.run(
      id,
      path,
      commits.length,
      countWords(facts, commits),
      packIds(commits),
      writeOperations(operations.get(path)),
    );
  }
  const tags = createTagLists(source);
  for (let path = 0; path < homes.length; path++) {
    const home = (homes[path]! >> 1) - 1;
    if (home >= 0) tags.add(path, (homes[path]! & 1) === 1, operations.get(home));
  }
  tags.store(sqlite, id);
  storeView(source, id, head, order.length, positions, homes);
}

function markAlive(lineages: Lineages, tree: Iterable<number>): Set<number> {
  const alive = new Set<number>();
  for (const path of tree) {
    alive.add(path);
    lineages.ensure(path);
  }
  return alive;
}

/** Home path → commits, oldest first. Lineages without a commit have an empty list. */
function storiesOf(lineages: Lineages): Map<number, number[]> {
  const stories = new Map<number, number[]>();
  for (let lineage = 0; lineage < lineages.home.length; lineage++) {
    if (lineages.find(lineage) === lineage) stories.set(lineages.home.array[lineage]!, []);
  }
  const { lineages: who, commits } = lineages.touches;
  for (let at = 0; at < who.length; at++) {
    const story = stories.get(lineages.home.array[lineages.find(who.array[at]!)]!)!;
    if (story.at(-1) !== commits.array[at]) story.push(commits.array[at]!);
  }
  return stories;
}

function replayOperations(
  { facts, tagLine }: Pick<ViewSource, 'facts' | 'tagLine'>,
  stories: Map<number, number[]>,
): Map<number, TagVerdicts> {
  const verdicts = new Map<number, TagVerdicts>();
  for (const [home, commits] of stories) {
    for (const commit of commits) {
      if ((facts.flags(commit) & commitFlags.tagged) === 0) continue;
      let mine = verdicts.get(home);
      if (!mine) {
        mine = new Map();
        verdicts.set(home, mine);
      }
      judge(mine, tagLine(commit));
    }
  }
  return verdicts;
}

export const countWords = (facts: Facts, commits: number[]): number =>
  commits.reduce((sum, commit) => sum + facts.words(commit), 0);
