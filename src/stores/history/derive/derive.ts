import { commitFlags } from '../facts.ts';
import { packIds } from '../packed.ts';
import { createLineages, type Lineages } from './lineage.ts';
import { ancestors, replayOrder } from './order.ts';
import { createTagLists, judge, type TagVerdicts, writeOperations } from './tag-lists.ts';
import { packHome, storeStory, storeView, type ViewSource } from './view.ts';

/** Derives the view of `head` from the facts and the paths of its tree only. */
export function deriveView(source: ViewSource, id: number, head: number, tree: Iterable<number>): void {
  const { sqlite, facts } = source;
  sqlite.run('DELETE FROM lineages WHERE view = ?', id);
  sqlite.run('DELETE FROM tags WHERE view = ?', id);
  const order = head < 0 ? new Int32Array(0) : replayOrder(facts, ancestors(facts, head), source.shaOf);
  const positions = new Int32Array(facts.count).fill(-1);
  for (const [place, commit] of order.entries()) positions[commit] = place;
  const lineages = createLineages(facts);
  lineages.replay(order);
  const alive = new Set(tree);
  for (const path of alive) lineages.ensure(path);
  const stories = [...storiesOf(lineages)].sort(([a], [b]) => a - b);
  const verdictsOf = new Map<number, TagVerdicts>();
  for (const [path, commits] of stories) {
    const verdicts = replayTags(source, new Map(), commits);
    if (verdicts.size > 0) verdictsOf.set(path, verdicts);
    storeStory(sqlite, id, path, {
      commits: packIds(commits),
      count: commits.length,
      words: countWords(source, commits),
      operations: writeOperations(verdicts),
    });
  }
  const tags = createTagLists(source);
  const homes = new Int32Array(lineages.owner.length);
  for (let path = 0; path < homes.length; path++) {
    const home = lineages.homeOf(path);
    homes[path] = packHome(home, alive.has(path));
    if (home >= 0) tags.add(path, alive.has(path), verdictsOf.get(home));
  }
  tags.store(sqlite, id);
  storeView(source, { id, head, commits: order.length, positions, homes });
}

/** Current path → commits, oldest first. Lineages without a commit have an empty list. */
function storiesOf({ home, find, touches }: Lineages): Map<number, number[]> {
  const byLineage = new Map<number, number[]>();
  for (let lineage = 0; lineage < home.length; lineage++)
    if (find(lineage) === lineage) byLineage.set(lineage, []);
  for (let at = 0; at < touches.commits.length; at++) {
    const story = byLineage.get(find(touches.lineages.get(at)));
    const commit = touches.commits.get(at);
    if (story && story.at(-1) !== commit) story.push(commit);
  }
  return new Map([...byLineage].map(([lineage, story]) => [home.get(lineage), story]));
}

/** The result of the tag lines of commits, on top of earlier verdicts. */
export function replayTags(
  { facts, tagLine }: Pick<ViewSource, 'facts' | 'tagLine'>,
  verdicts: TagVerdicts,
  commits: number[],
): TagVerdicts {
  for (const commit of commits)
    if ((facts.flags(commit) & commitFlags.tagged) !== 0) judge(verdicts, tagLine(commit));
  return verdicts;
}

export const countWords = ({ facts }: Pick<ViewSource, 'facts'>, commits: number[]): number =>
  commits.reduce((sum, commit) => sum + facts.words(commit), 0);
