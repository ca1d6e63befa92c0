import type { Sqlite } from '../../../base/sqlite/index.ts';
import { applyTagOperations, type TagOperation } from '../message.ts';
import { packIds, unpackIds } from '../packed.ts';
import { createFolderTags } from './folder-tags.ts';
import { readHomes, type ViewSource } from './view.ts';

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

/** Takes `paths` out of every list and puts them where they belong now; only lists that differ are written. */
export function moveTags(
  source: ViewSource,
  view: number,
  packedHomes: Int32Array,
  paths: Set<number>,
): void {
  if (paths.size === 0) return;
  const { sqlite } = source;
  const homes = readHomes(packedHomes);
  const folderTags = createFolderTags(source.rules);
  const wanted = new Map<string, number[]>();
  const read = sqlite.prepare('SELECT operations FROM lineages WHERE view = ? AND path = ?');
  for (const path of paths) {
    const row = read.get(view, homes.home(path)) as { operations: string | null } | undefined;
    for (const tag of tagsOf(folderTags(source.pathOf(path)), readOperations(row?.operations))) {
      const list = wanted.get(tag);
      if (list) list.push(path);
      else wanted.set(tag, [path]);
    }
  }
  const rows = sqlite.all<{ tag: string; alive: number; paths: Uint8Array }>(
    'SELECT tag, alive, paths FROM tags WHERE view = ?',
    view,
  );
  const store = (tag: string, list: number[]) => {
    if (list.length === 0) return sqlite.run('DELETE FROM tags WHERE view = ? AND tag = ?', view, tag);
    list.sort((a, b) => a - b);
    return sqlite.run(
      'INSERT OR REPLACE INTO tags (view, tag, alive, paths) VALUES (?, ?, ?, ?)',
      view,
      tag,
      list.filter((path) => homes.alive(path)).length,
      packIds(list),
    );
  };
  for (const row of rows) {
    const before = unpackIds(row.paths);
    const kept = before.filter((path) => !paths.has(path));
    const more = wanted.get(row.tag) ?? [];
    wanted.delete(row.tag);
    if (kept.length < before.length || more.length > 0) store(row.tag, [...kept, ...more]);
  }
  for (const [tag, list] of wanted) store(tag, list);
}
