import type { Sqlite } from '../../../base/sqlite/index.ts';
import type { Facts } from '../facts.ts';
import type { TagOperation } from '../message.ts';
import { packFixed, unpackFixed } from '../packed.ts';
import type { FolderTagRules } from '../settings.ts';

/** The inputs of a view. */
export interface ViewSource {
  sqlite: Sqlite;
  facts: Facts;
  rules: FolderTagRules;
  shaOf(id: number): string;
  pathOf(path: number): string;
  tagLine(commit: number): TagOperation[];
}

export type StoredView = NonNullable<ReturnType<typeof loadView>>;

export const packHome = (home: number, alive: boolean) => (home + 1) * 2 + (alive ? 1 : 0);

/** For each path: its current path, and whether it is in HEAD's tree. */
export type Homes = ReturnType<typeof readHomes>;

export const readHomes = (packed: Int32Array) => ({
  size: packed.length,
  /** As stored: `readHomes` reads it. */
  packed,
  home: (path: number): number => ((packed[path] ?? 0) >> 1) - 1,
  alive: (path: number): boolean => ((packed[path] ?? 0) & 1) === 1,
});

export function loadView(sqlite: Sqlite, id: number) {
  const row = sqlite.get<{
    head: Uint8Array | null;
    commits: number;
    positions: Uint8Array;
    homes: Uint8Array;
  }>('SELECT head, commits, positions, homes FROM views WHERE id = ?', id);
  if (!row) return undefined;
  const positions = unpackFixed(row.positions);
  return {
    id,
    head: row.head,
    commits: row.commits,
    positions,
    /** Position of a commit in the replay order, or -1 if this HEAD does not reach it. */
    place: (commit: number): number => positions[commit] ?? -1,
    homes: readHomes(unpackFixed(row.homes)),
  };
}

export function storeView(
  { sqlite, shaOf }: Pick<ViewSource, 'sqlite' | 'shaOf'>,
  view: { id: number; head: number; commits: number; positions: Int32Array; homes: Int32Array },
): void {
  sqlite.run(
    'INSERT OR REPLACE INTO views (id, head, commits, positions, homes) VALUES (?, ?, ?, ?, ?)',
    view.id,
    view.head < 0 ? null : Buffer.from(shaOf(view.head), 'hex'),
    view.commits,
    packFixed(view.positions),
    packFixed(view.homes),
  );
}

/** The commits of a lineage, oldest first, under its current path. */
export function storeStory(
  sqlite: Sqlite,
  view: number,
  path: number,
  story: { commits: Uint8Array; count: number; words: number; operations: string | null },
): void {
  sqlite.run(
    'INSERT OR REPLACE INTO lineages (view, path, count, words, commits, operations) VALUES (?, ?, ?, ?, ?, ?)',
    view,
    path,
    story.count,
    story.words,
    story.commits,
    story.operations,
  );
}
