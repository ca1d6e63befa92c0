import { commitFlags } from '../facts.ts';
import { type Numbers, numbersOf, packIds, unpackIds } from '../packed.ts';
import { countWords } from './derive.ts';
import { createLineages, type Lineages } from './lineage.ts';
import { replayOrder } from './order.ts';
import { judge, moveTags, readOperations, type TagVerdicts, writeOperations } from './tag-lists.ts';
import { type Homes, packHome, type StoredView, storeView, type ViewSource } from './view.ts';

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
  const lineages = createLineages(facts, lineagesOf(before));
  lineages.replay(order);
  for (const path of treeChanges.appeared) lineages.ensure(path);
  const homes = moveHomes(before, lineages, treeChanges);
  const { retagged, operationsBefore } = moveStories(source, view, lineages, positions);
  const pathsWithTags = new Set([...treeChanges.appeared, ...treeChanges.vanished]);
  const consider = (path: number) => {
    const now = (homes[path]! >> 1) - 1;
    if (now >= 0 && (before.home(path) !== now || retagged.has(now))) pathsWithTags.add(path);
  };
  if (lineages.changed.renamed || retagged.size > 0)
    for (let path = 0; path < homes.length; path++) consider(path);
  else for (const path of lineages.changed.paths) consider(path);
  moveTags(source, view, homes, pathsWithTags, operationsBefore);
  storeView(source, view.id, head, view.commits + order.length, positions, homes);
}

/** One lineage for each path that is the home of a story; the others belong to those. */
function lineagesOf({ packed, size }: Homes): { owner: Numbers; home: Numbers } {
  const owner = new Int32Array(size);
  const home = new Int32Array(size);
  for (let path = 0; path < size; path++) {
    owner[path] = (packed[path]! >> 1) - 1;
    home[path] = path;
  }
  return { owner: numbersOf(owner, -1), home: numbersOf(home) };
}

/** Without a rename only paths that were added have another home than before. */
function moveHomes(
  before: Homes,
  { owner, home, find, changed }: Lineages,
  { appeared, vanished }: { appeared: number[]; vanished: number[] },
): Int32Array {
  const homes = new Int32Array(owner.length);
  homes.set(before.packed);
  const place = (path: number) => {
    const lineage = find(owner.array[path]!);
    homes[path] = packHome(lineage < 0 ? -1 : home.array[lineage]!, before.alive(path));
  };
  if (changed.renamed) for (let path = 0; path < homes.length; path++) place(path);
  else {
    for (let path = before.size; path < homes.length; path++) place(path);
    for (const path of changed.paths) place(path);
  }
  for (const path of vanished) homes[path]! &= ~1;
  for (const path of appeared) homes[path]! |= 1;
  return homes;
}

interface StoryRow {
  words: number;
  commits: Uint8Array;
  operations: string | null;
}

/** Rewrites the rows of lineages that were touched, moved or joined; answers those whose tags may differ now. */
function moveStories(
  source: ViewSource,
  view: StoredView,
  lineages: Lineages,
  positions: Int32Array,
): { retagged: Set<number>; operationsBefore: Map<number, string | null> } {
  const { sqlite } = source;
  const read = sqlite.prepare('SELECT words, commits, operations FROM lineages WHERE view = ? AND path = ?');
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
  const moved = lineages.changed.lineages;
  for (const lineage of moved) entry(lineages.find(lineage)).from.push(lineage);
  for (const [lineage, { from }] of changed) if (!moved.has(lineage)) from.push(lineage);
  const rows: Array<{ home: number; story: Story }> = [];
  const retagged = new Set<number>();
  const operationsBefore = new Map<number, string | null>();
  for (const [lineage, { from, commits: fresh }] of changed) {
    const old: StoryRow[] = [];
    for (const path of from) {
      if (path >= view.homes.size || view.homes.home(path) !== path) continue;
      const row = read.get(view.id, path) as StoryRow | undefined;
      if (!row) continue;
      old.push(row);
      operationsBefore.set(path, row.operations);
      sqlite.run('DELETE FROM lineages WHERE view = ? AND path = ?', view.id, path);
    }
    const home = lineages.home.array[lineage]!;
    const story =
      old.length === 1 ? continued(source, old[0]!, fresh) : joined(source, old, fresh, positions);
    const operations = writeOperations(story.verdicts);
    const same = old.length > 0 ? old.every((row) => row.operations === operations) : operations === null;
    if (!same) retagged.add(home);
    rows.push({ home, story });
  }
  for (const { home, story } of rows) {
    sqlite.run(
      'INSERT OR REPLACE INTO lineages (view, path, count, words, commits, operations) VALUES (?, ?, ?, ?, ?, ?)',
      view.id,
      home,
      story.commits.length,
      story.words,
      packIds(story.commits),
      writeOperations(story.verdicts),
    );
  }
  return { retagged, operationsBefore };
}

interface Story {
  commits: number[];
  words: number;
  verdicts: TagVerdicts;
}

/** New commits on top of one row: what the old ones came to is known, they are not looked at again. */
function continued(source: ViewSource, row: StoryRow, fresh: number[]): Story {
  const commits = unpackIds(row.commits);
  const later = [...new Set(fresh)];
  for (const commit of later) commits.push(commit);
  return {
    commits,
    words: row.words + countWords(source.facts, later),
    verdicts: replayTags(source, readOperations(row.operations), later),
  };
}

function joined(source: ViewSource, rows: StoryRow[], fresh: number[], positions: Int32Array): Story {
  const all = new Set(fresh);
  for (const row of rows) for (const commit of unpackIds(row.commits)) all.add(commit);
  const commits = [...all].sort((a, b) => positions[a]! - positions[b]!);
  return {
    commits,
    words: countWords(source.facts, commits),
    verdicts: replayTags(source, new Map(), commits),
  };
}

function replayTags({ facts, tagLine }: ViewSource, verdicts: TagVerdicts, commits: number[]): TagVerdicts {
  for (const commit of commits)
    if ((facts.flags(commit) & commitFlags.tagged) !== 0) judge(verdicts, tagLine(commit));
  return verdicts;
}
