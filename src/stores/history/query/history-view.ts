import { relative } from 'node:path';
import { closest } from '../../../base/closest.ts';
import { SylkError } from '../../../base/errors.ts';
import type { Repository } from '../../../base/git/index.ts';
import { idOf, isRefOf } from '../../../base/ref.ts';
import type { Sqlite } from '../../../base/sqlite/index.ts';
import { createFolderTags } from '../derive/folder-tags.ts';
import { readOperations, tagsOf } from '../derive/tag-lists.ts';
import type { StoredView } from '../derive/view.ts';
import type { Facts } from '../facts.ts';
import { unpackIds } from '../packed.ts';
import type { HistorySettings } from '../settings.ts';
import { loadFacts, viewOf, worktreeName } from '../stored.ts';

/** One consistent picture of the index as the calling worktree sees it; thrown away when the index changed. */
export interface HistoryView {
  readonly sqlite: Sqlite;
  readonly settings: HistorySettings;
  readonly facts: Facts;
  readonly stored: StoredView;
  /** Path ids in HEAD's tree, ordered by name. */
  alive(): number[];
  /** Every path this HEAD's history knows, ordered by name. */
  all(): number[];
  name(path: number): string;
  /** Undefined when no commit of this HEAD's history knows the path. */
  find(path: string): number | undefined;
  /** As `find`, but says what was probably meant. */
  requirePath(path: string): number;
  currentPath(path: number): number;
  isAlive(path: number): boolean;
  /** Commits of the path's whole story, across renames, oldest first. */
  commitsOf(path: number): number[];
  tags(path: number): string[];
  folderTags(path: string): string[];
  /** Home path → number of commits and of words in their messages. */
  sizes(): { count: Int32Array; words: Int32Array };
}

export function loadHistoryView(
  sqlite: Sqlite,
  repository: Repository,
  settings: HistorySettings,
): HistoryView | undefined {
  const stored = viewOf(sqlite, worktreeName(repository));
  if (!stored) return undefined;
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
      if (stored.homes.home(id) >= 0) order.push(id);
    }
    names = loaded;
    ordered = order;
    return loaded;
  };
  const nameOne = sqlite.prepare('SELECT path FROM paths WHERE id = ?');
  const lineage = sqlite.prepare('SELECT commits, operations FROM lineages WHERE view = ? AND path = ?');
  const row = (path: number) =>
    lineage.get(stored.id, stored.homes.home(path)) as
      | { commits: Uint8Array; operations: string | null }
      | undefined;
  const view: HistoryView = {
    sqlite,
    settings,
    facts,
    stored,
    alive: () => {
      loadNames();
      return ordered!.filter((path) => stored.homes.alive(path));
    },
    all: () => {
      loadNames();
      return ordered!;
    },
    name: (path) => names?.[path] ?? (nameOne.get(path) as { path: string }).path,
    find: (text) => {
      const path = normalisePath(repository, text);
      const found = sqlite.get<{ id: number }>('SELECT id FROM paths WHERE path = ?', path);
      return found && stored.homes.home(found.id) >= 0 ? found.id : undefined;
    },
    requirePath: (text) => {
      const found = view.find(text);
      if (found !== undefined) return found;
      const near = nearest(view, normalisePath(repository, text));
      throw new SylkError(
        'NOT_FOUND',
        `${JSON.stringify(text.slice(0, 200))} does not appear in the history of this repository.`,
        {
          hint: near
            ? `Did you mean ${near}?`
            : 'Paths are relative to the repository; `search` finds files.',
        },
      );
    },
    currentPath: (path) => stored.homes.home(path),
    isAlive: (path) => stored.homes.alive(path),
    commitsOf: (path) => unpackIds(row(path)?.commits),
    tags: (path) => tagsOf(folderTags(view.name(path)), readOperations(row(path)?.operations)).sort(),
    folderTags,
    sizes: () => {
      if (!sizes) {
        const loaded = { count: new Int32Array(stored.homes.size), words: new Int32Array(stored.homes.size) };
        const statement = sqlite.db.prepare('SELECT path, count, words FROM lineages WHERE view = ?');
        statement.setReturnArrays(true);
        for (const found of statement.iterate(stored.id) as Iterable<unknown>) {
          const [path, commits, words] = found as [number, number, number];
          loaded.count[path] = commits;
          loaded.words[path] = words;
        }
        sizes = loaded;
      }
      return sizes;
    },
  };
  return view;
}

/** What people and clients write for one file: `./a`, `a/`, an absolute path inside the working tree. */
export function normalisePath(repository: Repository, text: string): string {
  let path = text;
  if (isRefOf(path, 'file')) path = idOf(path);
  if (path.startsWith(`${repository.root}/`)) path = relative(repository.root, path);
  return path.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '');
}

function nearest(view: HistoryView, path: string): string | undefined {
  const base = path.split('/').at(-1)!.toLowerCase();
  const names = view.alive().map((id) => view.name(id));
  const sameName = names.filter((name) => name.split('/').at(-1)!.toLowerCase() === base);
  return sameName[0] ?? closest(path, names.length > 20_000 ? names.slice(0, 20_000) : names);
}
