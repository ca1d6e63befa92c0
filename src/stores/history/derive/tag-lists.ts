import type { Sqlite } from '../../../base/sqlite/index.ts';
import { applyTagOperations, type TagOperation } from '../message.ts';
import { packIds, unpackIds } from '../packed.ts';
import { withoutQuotes } from '../path-name.ts';
import type { FolderTagRules } from '../settings.ts';
import { readHomes, type StoredView, type ViewSource } from './view.ts';

/** Tags from a path: its folders, without prefixes that mean nothing and without stop tags. */
export function createFolderTags({ stripPrefixes, stopTags }: FolderTagRules): (path: string) => string[] {
  const noise = new Set(['', ...stripPrefixes, ...stopTags].map((word) => word.toLowerCase()));
  const byFolder = new Map<string, string[]>();
  return (shown) => {
    const path = withoutQuotes(shown);
    const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    let tags = byFolder.get(folder);
    if (!tags) {
      const names = folder.split('/').map((segment) => segment.trim().toLowerCase());
      tags = [...new Set(names)].filter((name) => !noise.has(name));
      byFolder.set(folder, tags);
    }
    return tags;
  };
}

/** The final operation for each tag, where it differs from the folder tags. */
export type TagVerdicts = Map<string, TagOperation['op']>;

export function judge(verdicts: TagVerdicts, operations: TagOperation[]): TagVerdicts {
  for (const { op, tag } of operations) verdicts.set(tag, op);
  return verdicts;
}

export const writeOperations = (verdicts: TagVerdicts): string | null =>
  verdicts.size > 0 ? JSON.stringify([...verdicts].sort(([a], [b]) => (a < b ? -1 : 1))) : null;

export const readOperations = (text: string | null | undefined): TagVerdicts =>
  new Map(JSON.parse(text ?? '[]'));

/** Folder tags are the base set; the operations of the file's whole history are replayed over it. */
export function tagsOf(folderTags: string[], verdicts: TagVerdicts | undefined): string[] {
  if (!verdicts || verdicts.size === 0) return folderTags;
  const operations = [...verdicts].map(([tag, op]) => ({ tag, op }));
  return [...applyTagOperations(new Set(folderTags), operations)];
}

export function createTagLists({ rules, pathOf }: Pick<ViewSource, 'rules' | 'pathOf'>) {
  const folderTags = createFolderTags(rules);
  const lists = new Map<string, { paths: number[]; alive: number }>();
  return {
    add: (path: number, alive: boolean, verdicts: TagVerdicts | undefined) => {
      for (const tag of tagsOf(folderTags(pathOf(path)), verdicts)) {
        const list = lists.get(tag) ?? { paths: [], alive: 0 };
        lists.set(tag, list);
        list.paths.push(path);
        if (alive) list.alive++;
      }
    },
    store: (sqlite: Sqlite, view: number) => {
      const insert = sqlite.prepare('INSERT INTO tags (view, tag, alive, paths) VALUES (?, ?, ?, ?)');
      for (const [tag, list] of [...lists].sort(([a], [b]) => (a < b ? -1 : 1)))
        insert.run(view, tag, list.alive, packIds(list.paths));
    },
  };
}

/**
 * Moves `paths` from their old lists to their new ones. The lists follow from
 * the names of folders and from the tag lines; `operationsBefore` has those for rewritten lineages.
 */
export function moveTags(
  source: ViewSource,
  view: StoredView,
  packedHomes: Int32Array,
  paths: Set<number>,
  operationsBefore: Map<number, string | null>,
): void {
  if (paths.size === 0) return;
  const { sqlite } = source;
  const homes = readHomes(packedHomes);
  const folderTags = createFolderTags(source.rules);
  const wanted = new Map<string, number[]>();
  const listOf = (tag: string) => {
    const list = wanted.get(tag) ?? [];
    wanted.set(tag, list);
    return list;
  };
  const ofLineage = 'SELECT operations FROM lineages WHERE view = ? AND path = ?';
  const operationsOf = (home: number) => sqlite.value<string | null>(ofLineage, view.id, home);
  for (const path of paths) {
    const folders = folderTags(source.pathOf(path));
    const old = view.homes.home(path);
    if (old >= 0) {
      const before = operationsBefore.has(old) ? operationsBefore.get(old) : operationsOf(old);
      for (const tag of tagsOf(folders, readOperations(before))) listOf(tag);
    }
    const now = readOperations(operationsOf(homes.home(path)));
    for (const tag of tagsOf(folders, now)) listOf(tag).push(path);
  }
  for (const [tag, more] of wanted) {
    const stored = sqlite.value<Uint8Array>(
      'SELECT paths FROM tags WHERE view = ? AND tag = ?',
      view.id,
      tag,
    );
    const list = [...unpackIds(stored).filter((path) => !paths.has(path)), ...more];
    if (list.length === 0) {
      sqlite.run('DELETE FROM tags WHERE view = ? AND tag = ?', view.id, tag);
      continue;
    }
    list.sort((a, b) => a - b);
    sqlite.run(
      'INSERT OR REPLACE INTO tags (view, tag, alive, paths) VALUES (?, ?, ?, ?)',
      view.id,
      tag,
      list.filter((path) => homes.alive(path)).length,
      packIds(list),
    );
  }
}
