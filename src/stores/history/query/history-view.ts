import { relative } from 'node:path';
import { closest } from '../../../base/closest.ts';
import { SylkError } from '../../../base/errors.ts';
import type { Repository } from '../../../base/git/index.ts';
import { once } from '../../../base/once.ts';
import { idOf, isRefOf } from '../../../base/ref.ts';
import type { Sqlite } from '../../../base/sqlite/index.ts';
import { createFolderTags, readOperations, tagsOf } from '../derive/tag-lists.ts';
import { unpackIds } from '../packed.ts';
import { pathBytes } from '../path-name.ts';
import type { HistorySettings } from '../settings.ts';
import { loadFacts, viewOf, worktreeName } from '../stored.ts';

/** A consistent snapshot of the index for the calling worktree; discarded when the index changes. */
export type HistoryView = NonNullable<ReturnType<typeof loadHistoryView>>;

export function loadHistoryView(sqlite: Sqlite, repository: Repository, settings: HistorySettings) {
  const stored = viewOf(sqlite, worktreeName(repository));
  if (!stored) return undefined;
  const { homes } = stored;
  const facts = loadFacts(sqlite);
  const folderTags = createFolderTags(settings);
  let names: string[] | undefined;
  /** Every path in this HEAD's history, ordered by name. */
  const all = once(() => {
    const order: number[] = [];
    names = [];
    for (const [id, path] of sqlite.rows<[number, string]>('SELECT id, path FROM paths ORDER BY path')) {
      names[id] = path;
      if (homes.home(id) >= 0) order.push(id);
    }
    return order;
  });
  const name = (path: number): string =>
    names?.[path] ?? sqlite.value<string>('SELECT path FROM paths WHERE id = ?', path) ?? '';
  const alive = () => all().filter(homes.alive);
  const lineageOf = (path: number) =>
    sqlite.get<{ commits: Uint8Array; operations: string | null }>(
      'SELECT commits, operations FROM lineages WHERE view = ? AND path = ?',
      stored.id,
      homes.home(path),
    );
  /** The one path that is not UTF-8 and reads like this: a program gets replacement signs for what a shell completed. */
  const findTyped = (path: string): number | undefined => {
    const quoted = sqlite.all<{ id: number; path: string }>(
      `SELECT id, path FROM paths WHERE substr(path, 1, 1) = '"'`,
    );
    const [found, ...others] = quoted.filter((each) => Buffer.from(pathBytes(each.path)).toString() === path);
    return others.length === 0 ? found?.id : undefined;
  };
  /** Undefined when the path does not appear in this HEAD's history. */
  const find = (text: string): number | undefined => {
    const path = normalisePath(repository, text);
    const exact = sqlite.value<number>('SELECT id FROM paths WHERE path = ?', path);
    const id = exact ?? (path.includes('\ufffd') ? findTyped(path) : undefined);
    return id !== undefined && homes.home(id) >= 0 ? id : undefined;
  };
  return {
    sqlite,
    settings,
    facts,
    stored,
    all,
    /** Path ids in HEAD's tree, ordered by name. */
    alive,
    name,
    find,
    /** Like `find`, but throws with a suggestion. */
    requirePath: (text: string): number => {
      const found = find(text);
      if (found !== undefined) return found;
      const near = nearest(normalisePath(repository, text), alive().map(name));
      throw new SylkError(
        'NOT_FOUND',
        `${JSON.stringify(text.slice(0, 200))} does not appear in this repository's history.`,
        {
          hint: near
            ? `Did you mean ${near}?`
            : 'Paths are relative to the repository root. Run `sylk search WORDS` to find files.',
        },
      );
    },
    currentPath: homes.home,
    isAlive: homes.alive,
    /** The files of a commit under their current paths; `see` is called twice if two names of one file were touched. */
    eachFile: (commit: number, see: (path: number) => void) =>
      facts.eachChange(commit, (touched) => {
        const home = homes.home(touched);
        if (home >= 0) see(home);
      }),
    /** Commits of the path's lineage, across renames, oldest first. */
    commitsOf: (path: number) => unpackIds(lineageOf(path)?.commits),
    tags: (path: number) =>
      tagsOf(folderTags(name(path)), readOperations(lineageOf(path)?.operations)).toSorted(),
    folderTags,
    /** Current path → number of commits and of words in their messages. */
    sizes: once(() => {
      const sizes = { count: new Int32Array(homes.size), words: new Int32Array(homes.size) };
      const sql = 'SELECT path, count, words FROM lineages WHERE view = ?';
      for (const [path, count, words] of sqlite.rows<[number, number, number]>(sql, stored.id)) {
        sizes.count[path] = count;
        sizes.words[path] = words;
      }
      return sizes;
    }),
  };
}

/** Normalizes what people and clients write for a file: `./a`, `a/`, an absolute path inside the working tree. */
function normalisePath(repository: Repository, text: string): string {
  let path = text;
  if (isRefOf(path, 'file')) path = idOf(path);
  if (path.startsWith(`${repository.root}/`)) path = relative(repository.root, path);
  return path.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '');
}

function nearest(path: string, names: string[]): string | undefined {
  const base = (text: string) => text.slice(text.lastIndexOf('/') + 1).toLowerCase();
  return names.find((name) => base(name) === base(path)) ?? closest(path, names.slice(0, 20_000));
}
