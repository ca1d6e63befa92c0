import type { Sqlite } from '../../../base/sqlite/index.ts';
import { applyTagOperations, type TagOperation } from '../message.ts';
import { packIds, unpackIds } from '../packed.ts';
import { createFolderTags } from './folder-tags.ts';
import { readHomes, type StoredView, type ViewSource } from './view.ts';

/** The last word on each tag: what folder tags do not already say. */
export type TagVerdicts = Map<string, TagOperation['op']>;

export function judge(verdicts: TagVerdicts, operations: TagOperation[]): TagVerdicts {
  for (const { op, tag } of operations) verdicts.set(tag, op);
  return verdicts;
}

export const writeOperations = (verdicts: TagVerdicts | undefined): string | null =>
  verdicts && verdicts.size > 0
    ? JSON.stringify([...verdicts].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
    : null;

export const readOperations = (text: string | null | undefined): TagVerdicts =>
  new Map(text ? (JSON.parse(text) as Array<[string, TagOperation['op']]>) : []);

/** Folder tags are the base set; the operations of the file's whole story are replayed over it. */
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
        let list = lists.get(tag);
        if (!list) {
          list = { paths: [], alive: 0 };
          lists.set(tag, list);
        }
        list.paths.push(path);
        if (alive) list.alive++;
      }
    },
    store: (sqlite: Sqlite, view: number) => {
      const insert = sqlite.prepare('INSERT INTO tags (view, tag, alive, paths) VALUES (?, ?, ?, ?)');
      for (const tag of [...lists.keys()].sort()) {
        const list = lists.get(tag)!;
        insert.run(view, tag, list.alive, packIds(list.paths));
      }
    },
  };
}

/**
 * Takes `paths` out of the lists they were in and puts them where they belong now. Which lists those are follows from
 * the names of folders and from what tag lines came to; `operationsBefore` has that for stories that were rewritten.
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
    let list = wanted.get(tag);
    if (!list) {
      list = [];
      wanted.set(tag, list);
    }
    return list;
  };
  const operationsOf = (home: number) =>
    sqlite.get<{ operations: string | null }>(
      'SELECT operations FROM lineages WHERE view = ? AND path = ?',
      view.id,
      home,
    )?.operations;
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
    const row = sqlite.get<{ paths: Uint8Array }>(
      'SELECT paths FROM tags WHERE view = ? AND tag = ?',
      view.id,
      tag,
    );
    const list = unpackIds(row?.paths).filter((path) => !paths.has(path));
    for (const path of more) list.push(path);
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
