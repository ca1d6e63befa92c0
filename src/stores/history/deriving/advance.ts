import { commitFlags } from '../facts.ts';
import { createNumbers, packIds, unpackIds } from '../packed.ts';
import { countWords } from './derive.ts';
import { createLineages, type Lineages } from './lineage.ts';
import { replayOrder } from './order.ts';
import { judge, moveTags, type TagVerdicts, writeOperations } from './tag-lists.ts';
import { homesOf, type StoredView, storeView, type ViewSource } from './view.ts';

/**
 * Moves a view forward over commits that all descend from its head; the replay goes on where it stopped.
 * `treeChanges` are the paths that appeared in, or vanished from, HEAD's tree.
 */
export function advanceView(
  source: ViewSource,
  view: StoredView,
  head: number,
  fresh: Int32Array,
  treeChanges: { appeared: number[]; vanished: number[] },
): void {
  const { facts } = source;
  const order = replayOrder(facts, fresh, source.shaOf);
  const positions = new Int32Array(facts.count).fill(-1);
  positions.set(view.positions);
  for (let at = 0; at < order.length; at++) positions[order[at]!] = view.commits + at;

  const before = view.homes;
  const owner = createNumbers(before.size + 64, -1);
  const home = createNumbers(before.size + 64);
  for (let path = 0; path < before.size; path++) {
    owner.push(before.home(path));
    home.push(path);
  }
  const lineages = createLineages(facts, { owner, home });
  lineages.replay(order);
  const alive = new Set<number>();
  for (let path = 0; path < before.size; path++) if (before.alive(path)) alive.add(path);
  for (const path of treeChanges.vanished) alive.delete(path);
  for (const path of treeChanges.appeared) {
    alive.add(path);
    lineages.ensure(path);
  }
  const homes = homesOf(lineages, alive);
  const operations = moveStories(source, view, lineages, positions);
  const pathsWithTags = new Set([...treeChanges.appeared, ...treeChanges.vanished]);
  for (let path = 0; path < homes.length; path++) {
    const now = (homes[path]! >> 1) - 1;
    if (now >= 0 && (before.home(path) !== now || operations.has(now))) pathsWithTags.add(path);
  }
  moveTags(source, view.id, homes, pathsWithTags);
  storeView(source, view.id, head, view.commits + order.length, positions, homes);
}

/** Rewrites the rows of lineages that were touched, moved or joined; answers those whose tags may differ now. */
function moveStories(
  source: ViewSource,
  view: StoredView,
  lineages: Lineages,
  positions: Int32Array,
): Set<number> {
  const { sqlite, facts } = source;
  const read = sqlite.prepare('SELECT commits, operations FROM lineages WHERE view = ? AND path = ?');
  const changed = new Map<number, { from: number[]; commits: number[] }>();
  const entry = (lineage: number) => {
    let found = changed.get(lineage);
    if (!found) {
      found = { from: [], commits: [] };
      changed.set(lineage, found);
    }
    return found;
  };
  const { lineages: who, commits } = lineages.touches;
  for (let at = 0; at < who.length; at++)
    entry(lineages.find(who.array[at]!)).commits.push(commits.array[at]!);
  for (let lineage = 0; lineage < lineages.home.length; lineage++) {
    const into = lineages.find(lineage);
    const moved = into !== lineage || lineages.home.array[lineage] !== lineage || lineage >= view.homes.size;
    if (moved || changed.has(lineage)) entry(into).from.push(lineage);
  }
  const rows: Array<{ home: number; commits: number[]; verdicts: TagVerdicts }> = [];
  const retagged = new Set<number>();
  for (const [lineage, { from, commits: fresh }] of changed) {
    const story = [...new Set(fresh)];
    for (const old of from) {
      if (old >= view.homes.size || view.homes.home(old) !== old) continue;
      const row = read.get(view.id, old) as { commits: Uint8Array; operations: string | null } | undefined;
      if (!row) continue;
      for (const commit of unpackIds(row.commits)) story.push(commit);
      sqlite.run('DELETE FROM lineages WHERE view = ? AND path = ?', view.id, old);
    }
    const ordered = [...new Set(story)].sort((a, b) => positions[a]! - positions[b]!);
    const home = lineages.home.array[lineage]!;
    const verdicts: TagVerdicts = new Map();
    for (const commit of ordered) {
      if ((facts.flags(commit) & commitFlags.tagged) !== 0) judge(verdicts, source.tagLine(commit));
    }
    if (verdicts.size > 0) retagged.add(home);
    rows.push({ home, commits: ordered, verdicts });
  }
  for (const { home, commits: story, verdicts } of rows) {
    sqlite.run(
      'INSERT OR REPLACE INTO lineages (view, path, count, words, commits, operations) VALUES (?, ?, ?, ?, ?, ?)',
      view.id,
      home,
      story.length,
      countWords(facts, story),
      packIds(story),
      writeOperations(verdicts),
    );
  }
  return retagged;
}
