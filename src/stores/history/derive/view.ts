import type { Sqlite } from '../../../base/sqlite/index.ts';
import type { Facts } from '../facts.ts';
import type { TagOperation } from '../message.ts';
import { packFixed, unpackFixed } from '../packed.ts';
import type { FolderTagRules } from './folder-tags.ts';
import type { Lineages } from './lineage.ts';

/** What a view is made from. */
export interface ViewSource {
  sqlite: Sqlite;
  facts: Facts;
  rules: FolderTagRules;
  shaOf(id: number): string;
  pathOf(path: number): string;
  tagLine(commit: number): TagOperation[];
}

export interface StoredView {
  id: number;
  head: Uint8Array | null;
  commits: number;
  /** Commit id → place in the replay order, or -1 where this HEAD does not reach. */
  positions: Int32Array;
  homes: Homes;
}

/** For each path: where its story lives now, and whether it is in HEAD's tree. */
export interface Homes {
  readonly size: number;
  /** As stored: `readHomes` reads it. */
  readonly packed: Int32Array;
  home(path: number): number;
  alive(path: number): boolean;
}

export const packHome = (home: number, alive: boolean) => (home + 1) * 2 + (alive ? 1 : 0);

export function readHomes(packed: Int32Array): Homes {
  return {
    size: packed.length,
    packed,
    home: (path) => (path < packed.length ? (packed[path]! >> 1) - 1 : -1),
    alive: (path) => path < packed.length && (packed[path]! & 1) === 1,
  };
}

export function loadView(sqlite: Sqlite, id: number): StoredView | undefined {
  const row = sqlite.get<Record<'head' | 'positions' | 'homes', Uint8Array> & { commits: number }>(
    'SELECT head, commits, positions, homes FROM views WHERE id = ?',
    id,
  );
  if (!row) return undefined;
  return {
    id,
    head: row.head,
    commits: row.commits,
    positions: unpackFixed(row.positions),
    homes: readHomes(unpackFixed(row.homes)),
  };
}

export function homesOf(lineages: Lineages, alive: { has(path: number): boolean }): Int32Array {
  const homes = new Int32Array(lineages.owner.length);
  for (let path = 0; path < homes.length; path++) {
    const lineage = lineages.find(lineages.owner.array[path]!);
    homes[path] = packHome(lineage < 0 ? -1 : lineages.home.array[lineage]!, alive.has(path));
  }
  return homes;
}

export function storeView(
  { sqlite, shaOf }: Pick<ViewSource, 'sqlite' | 'shaOf'>,
  id: number,
  head: number,
  commits: number,
  positions: Int32Array,
  homes: Int32Array,
): void {
  sqlite.run(
    'INSERT OR REPLACE INTO views (id, head, commits, positions, homes) VALUES (?, ?, ?, ?, ?)',
    id,
    head < 0 ? null : Buffer.from(shaOf(head), 'hex'),
    commits,
    packFixed(positions),
    packFixed(homes),
  );
}
