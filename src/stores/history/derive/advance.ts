import { createNumbers, packIds, unpackIds } from '../packed.ts';
import { countWords, replayTags } from './derive.ts';
import { createLineages, type Lineages } from './lineage.ts';
import { moveTags, readOperations, type TagVerdicts, writeOperations } from './tag-lists.ts';
import { type Homes, packHome, type StoredView, storeStory, storeView, type ViewSource } from './view.ts';

interface TreeChanges {
  appeared: number[];
  vanished: number[];
}

/**
 * Moves a view forward over commits that all descend from its head, parents first; the replay continues where it stopped.
 * `treeChanges` are the paths added to, or removed from, HEAD's tree.
 */
export function advanceView(
  source: ViewSource,
  view: StoredView,
  head: number,
  order: Int32Array,
  treeChanges: TreeChanges,
): void {
  const { facts } = source;
  const positions = new Int32Array(facts.count).fill(-1);
  positions.set(view.positions);
  for (const [at, commit] of order.entries()) positions[commit] = view.commits + at;

  const before = view.homes;
  const lineages = createLineages(facts, {
    // One lineage for each current path of a file; the other paths belong to those.
    owner: createNumbers(
      -1,
      before.packed.map((packed) => (packed >> 1) - 1),
    ),
    home: createNumbers(0, before.packed.keys()),
  });
  lineages.replay(order);
  for (const path of treeChanges.appeared) lineages.ensure(path);
  const homes = moveHomes(before, lineages, treeChanges);
  const { retagged, operationsBefore } = moveStories(source, view, lineages, positions);
  const pathsWithTags = new Set([...treeChanges.appeared, ...treeChanges.vanished]);
  const consider = (path: number) => {
    const now = ((homes[path] ?? 0) >> 1) - 1;
    if (now >= 0 && (before.home(path) !== now || retagged.has(now))) pathsWithTags.add(path);
  };
  const isWide = lineages.changed.renamed || retagged.size > 0;
  for (const path of isWide ? homes.keys() : lineages.changed.paths) consider(path);
  moveTags(source, view, homes, pathsWithTags, operationsBefore);
  storeView(source, { id: view.id, head, commits: view.commits + order.length, positions, homes });
}

/** Without a rename only added paths have a different current path than before. */
function moveHomes(
  before: Homes,
  { owner, homeOf, changed }: Lineages,
  { appeared, vanished }: TreeChanges,
): Int32Array {
  const homes = new Int32Array(owner.length);
  homes.set(before.packed);
  const place = (path: number, alive: boolean) => {
    homes[path] = packHome(homeOf(path), alive);
  };
  for (let path = changed.renamed ? 0 : before.size; path < homes.length; path++)
    place(path, before.alive(path));
  if (!changed.renamed) for (const path of changed.paths) place(path, before.alive(path));
  for (const path of vanished) place(path, false);
  for (const path of appeared) place(path, true);
  return homes;
}

interface StoryRow {
  words: number;
  commits: Uint8Array;
  operations: string | null;
}

/** Rewrites the rows of changed, moved or joined lineages; returns those whose tags may differ now. */
function moveStories(
  source: ViewSource,
  view: StoredView,
  { touches, changed: { lineages: moved }, home, find }: Lineages,
  positions: Int32Array,
): { retagged: Set<number>; operationsBefore: Map<number, string | null> } {
  const { sqlite } = source;
  const changed = new Map<number, { from: number[]; commits: number[] }>();
  const entry = (lineage: number) => {
    const found = changed.get(lineage) ?? { from: [], commits: [] };
    changed.set(lineage, found);
    return found;
  };
  for (let at = 0; at < touches.lineages.length; at++)
    entry(find(touches.lineages.get(at))).commits.push(touches.commits.get(at));
  for (const lineage of moved) entry(find(lineage)).from.push(lineage);
  for (const [lineage, { from }] of changed) if (!moved.has(lineage)) from.push(lineage);
  const stories: Array<() => void> = [];
  const retagged = new Set<number>();
  const operationsBefore = new Map<number, string | null>();
  for (const [lineage, { from, commits: fresh }] of changed) {
    const old: StoryRow[] = [];
    for (const path of from) {
      if (view.homes.home(path) !== path) continue;
      const sql = 'SELECT words, commits, operations FROM lineages WHERE view = ? AND path = ?';
      const row = sqlite.get<StoryRow>(sql, view.id, path);
      if (!row) continue;
      old.push(row);
      operationsBefore.set(path, row.operations);
      sqlite.run('DELETE FROM lineages WHERE view = ? AND path = ?', view.id, path);
    }
    const { commits, words, verdicts } = storyOf(source, old, fresh, positions);
    const operations = writeOperations(verdicts);
    const same = old.length > 0 ? old.every((row) => row.operations === operations) : operations === null;
    if (!same) retagged.add(home.get(lineage));
    const story = { commits: packIds(commits), count: commits.length, words, operations };
    // After all old rows are deleted: a file may have taken the name of another one.
    stories.push(() => storeStory(sqlite, view.id, home.get(lineage), story));
  }
  for (const store of stories) store();
  return { retagged, operationsBefore };
}

function storyOf(
  source: ViewSource,
  rows: StoryRow[],
  fresh: number[],
  positions: Int32Array,
): { commits: number[]; words: number; verdicts: TagVerdicts } {
  const [row, ...more] = rows;
  const later = [...new Set(fresh)];
  // New commits on top of one row: the result of the old ones is stored, they are not replayed again.
  if (row && more.length === 0)
    return {
      commits: [...unpackIds(row.commits), ...later],
      words: row.words + countWords(source, later),
      verdicts: replayTags(source, readOperations(row.operations), later),
    };
  const all = new Set([...fresh, ...rows.flatMap(({ commits }) => unpackIds(commits))]);
  const commits = [...all].sort((a, b) => (positions[a] ?? -1) - (positions[b] ?? -1));
  return { commits, words: countWords(source, commits), verdicts: replayTags(source, new Map(), commits) };
}
