import { relative } from 'node:path';
import { closest } from '../../../base/closest.ts';
import { SylkError } from '../../../base/errors.ts';
import type { Repository } from '../../../base/git/index.ts';
import { idOf, isRefOf } from '../../../base/ref.ts';
import type { Sqlite } from '../../../base/sqlite/index.ts';
import { createFolderTags } from '../deriving/folder-tags.ts';
import { readOperations, tagsOf } from '../deriving/tag-lists.ts';
import type { StoredView } from '../deriving/view.ts';
import type { Facts } from '../facts.ts';
import { unpackIds } from '../packed.ts';
import type { HistorySettings } from '../settings.ts';
import { loadFacts, viewOf, worktreeName } from '../stored.ts';

/** One consistent picture of the index as the calling worktree sees it; thrown away when the index changed. */
export interface Model {
  readonly sqlite: Sqlite;
  readonly settings: HistorySettings;
  readonly facts: Facts;
  readonly view: StoredView;
  /** Path ids in HEAD's tree, ordered by name. */
  alive(): number[];
  /** Every path this HEAD's history knows, ordered by name. */
  all(): number[];
  name(path: number): string;
  /** Undefined when no commit of this HEAD's history knows the path. */
  find(path: string): number | undefined;
  /** As `find`, but says what was probably meant. */
  need(path: string): number;
  home(path: number): number;
  isAlive(path: number): boolean;
  /** Commits of the path's whole story, across renames, oldest first. */
  story(path: number): number[];
  tags(path: number): string[];
  folderTags(path: string): string[];
  /** Home path → number of commits and of words in their messages. */
  sizes(): { count: Int32Array; words: Int32Array };
}

export function loadModel(
  sqlite: Sqlite,
  repository: Repository,
  settings: HistorySettings,
): Model | undefined {
  const view = viewOf(sqlite, worktreeName(repository));
  if (!view) return undefined;
  const count = sqlite.get<{ value: number }>("SELECT value FROM meta WHERE key = 'commits'")?.value ?? 0;
  const facts = loadFacts(sqlite, count);
  const folderTags = createFolderTags(settings);
  let names: string[] | undefined;
  let ordered: number[] | undefined;
  let sizes: { count: Int32Array; words: Int32Array } | undefined;
  const loadNames = (): string[] => {
    if (names) return names;
    const loaded: string[] = [];
    const order: number[] = [];
    const statement = sqlite.db.prepare('SELECT id, path FROM paths ORDER BY path');
    statement.setReturnArrays(true);
    for (const row of statement.iterate() as Iterable<unknown>) {
      const [id, path] = row as [number, string];
      loaded[id] = path;
      if (view.homes.home(id) >= 0) order.push(id);
    }
    names = loaded;
    ordered = order;
    return loaded;
  };
  const nameOne = sqlite.prepare('SELECT path FROM paths WHERE id = ?');
  const lineage = sqlite.prepare('SELECT commits, operations FROM lineages WHERE view = ? AND path = ?');
  const row = (path: number) =>
    lineage.get(view.id, view.homes.home(path)) as
      | { commits: Uint8Array; operations: string | null }
      | undefined;
  const model: Model = {
    sqlite,
    settings,
    facts,
    view,
    alive: () => {
      loadNames();
      return ordered!.filter((path) => view.homes.alive(path));
    },
    all: () => {
      loadNames();
      return ordered!;
    },
    name: (path) => names?.[path] ?? (nameOne.get(path) as { path: string }).path,
    find: (text) => {
      const path = normalisePath(repository, text);
      const found = sqlite.get<{ id: number }>('SELECT id FROM paths WHERE path = ?', path);
      return found && view.homes.home(found.id) >= 0 ? found.id : undefined;
    },
    need: (text) => {
      const found = model.find(text);
      if (found !== undefined) return found;
      const near = nearest(model, normalisePath(repository, text));
      throw new SylkError(
        'NOT_FOUND',
        `No commit of this history knows ${JSON.stringify(text.slice(0, 200))}.`,
        {
          hint: near
            ? `Did you mean ${near}?`
            : 'Paths are relative to the repository; `search` finds files.',
        },
      );
    },
    home: (path) => view.homes.home(path),
    isAlive: (path) => view.homes.alive(path),
    story: (path) => unpackIds(row(path)?.commits),
    tags: (path) => tagsOf(folderTags(model.name(path)), readOperations(row(path)?.operations)).sort(),
    folderTags,
    sizes: () => {
      if (!sizes) {
        const loaded = { count: new Int32Array(view.homes.size), words: new Int32Array(view.homes.size) };
        const statement = sqlite.db.prepare('SELECT path, count, words FROM lineages WHERE view = ?');
        statement.setReturnArrays(true);
        for (const found of statement.iterate(view.id) as Iterable<unknown>) {
          const [path, commits, words] = found as [number, number, number];
          loaded.count[path] = commits;
          loaded.words[path] = words;
        }
        sizes = loaded;
      }
      return sizes;
    },
  };
  return model;
}

/** What people and clients write for one file: `./a`, `a/`, an absolute path inside the working tree. */
export function normalisePath(repository: Repository, text: string): string {
  let path = text;
  if (isRefOf(path, 'file')) path = idOf(path);
  if (path.startsWith(`${repository.root}/`)) path = relative(repository.root, path);
  return path.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '');
}

function nearest(model: Model, path: string): string | undefined {
  const base = path.split('/').at(-1)!.toLowerCase();
  const names = model.alive().map((id) => model.name(id));
  const sameName = names.filter((name) => name.split('/').at(-1)!.toLowerCase() === base);
  return sameName[0] ?? closest(path, names.length > 20_000 ? names.slice(0, 20_000) : names);
}
