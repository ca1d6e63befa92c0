import { dirname, join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { SylkError } from '../../base/errors.ts';
import { state } from '../../base/files/index.ts';
import type { Git } from '../../base/git/index.ts';
import { openSqlite, removePrint, type Sqlite } from '../../base/sqlite/index.ts';
import { metaOf, shaText } from './stored.ts';
import { historySchema } from './tables.ts';

/** A copy of the index at one commit: reading starts there instead of at the first commit. */
export interface Snapshot {
  commit: string;
  /** A file next to the index, or a git object that a clone can fetch. */
  where: 'file' | 'ref';
  bytes: number;
}

const refs = 'refs/sylk/snapshots';
const kept = 3;
const maxBytes = 1 << 30;

interface SnapshotOptions {
  path: string;
  git: Git;
  directory: string;
}

export function createSnapshots({ path, git, directory }: SnapshotOptions) {
  const fileOf = (commit: string) => join(directory, `${commit}.db`);
  const files = (): Snapshot[] => {
    const found = state.list(directory).filter(({ name }) => /^[0-9a-f]{40,64}\.db$/.test(name));
    return found
      .map(({ name }) => ({ name, entry: state.entry(join(directory, name)) }))
      .sort((a, b) => (b.entry?.modified ?? 0) - (a.entry?.modified ?? 0))
      .map(({ name, entry }) => ({ commit: name.slice(0, -3), where: 'file', bytes: entry?.size ?? 0 }));
  };
  const published = async (): Promise<Snapshot[]> => {
    const format = '%(refname)%00%(objectsize)';
    const text = await git.text(['for-each-ref', '--sort=-creatordate', `--format=${format}`, refs]);
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => {
        const [name = '', size] = line.split('\0');
        return { commit: name.slice(refs.length + 1), where: 'ref', bytes: Number(size) };
      });
  };
  const replaceIndex = async (file: string) => {
    requireOurs(file);
    const source = new DatabaseSync(file, { readOnly: true });
    try {
      state.makeDirectory(dirname(path));
      removePrint(path);
      await backup(source, path);
      removePrint(path);
    } finally {
      source.close();
    }
  };
  /** Copies the current index; returns undefined when it has no commit. */
  const take = async (): Promise<Snapshot | undefined> => {
    if (!state.exists(path)) return undefined;
    const source = openSqlite(path, { readOnly: true });
    const temporary = join(directory, `.taking-${process.pid}.db`);
    try {
      state.makeDirectory(directory);
      state.remove(temporary);
      await backup(source.db, temporary);
      const commit = tidy(temporary);
      if (!commit) return undefined;
      state.move(temporary, fileOf(commit));
      for (const old of files().slice(kept)) state.remove(fileOf(old.commit));
      return { commit, where: 'file', bytes: state.entry(fileOf(commit))?.size ?? 0 };
    } finally {
      source.close();
      for (const suffix of ['', '-journal', '-wal', '-shm']) state.remove(temporary + suffix);
    }
  };
  const list = async () => [...files(), ...(await published())];
  return {
    take,
    list,
    /** Publishes a file snapshot under refs/sylk/snapshots. */
    publish: async (commit: string): Promise<string> => {
      const { stdout } = await git.run(['hash-object', '-w', '--no-filters', fileOf(commit)]);
      const object = stdout.toString('utf8').trim();
      await git.run(['update-ref', `${refs}/${commit}`, object]);
      return `${refs}/${commit}`;
    },
    /** Replaces the index with a snapshot; the next update catches up. */
    restore: async (wanted = ''): Promise<Snapshot> => {
      const found = (await list()).find(({ commit }) => commit.startsWith(wanted));
      if (!found)
        throw new SylkError('NOT_FOUND', `Unknown snapshot${wanted && ` ${wanted}`}.`, {
          hint: 'Run `sylk snapshot list` to see the snapshots; `git fetch origin "refs/sylk/*:refs/sylk/*"` fetches published ones.',
        });
      if (found.where === 'file') await replaceIndex(fileOf(found.commit));
      else {
        const { stdout } = await git.run(['cat-file', 'blob', `${refs}/${found.commit}`], {
          maxOutputBytes: maxBytes,
        });
        const temporary = join(directory, `.fetched-${process.pid}.db`);
        state.write(temporary, stdout);
        try {
          await replaceIndex(temporary);
        } finally {
          state.remove(temporary);
        }
      }
      return found;
    },
    /** Starts from the newest file with the same settings. */
    seed: async (mark: string): Promise<boolean> => {
      for (const { commit } of files()) {
        try {
          const source = openSqlite(fileOf(commit), { readOnly: true });
          if (using(source, () => metaOf(source, 'mark')) !== mark) continue;
          await replaceIndex(fileOf(commit));
          return true;
        } catch {
          // A snapshot is only a shortcut: one that cannot be used costs nothing but the time it would have saved.
        }
      }
      return false;
    },
  };
}

/** Keeps only what every clone may have: the main worktree's view. Returns its commit. */
function tidy(file: string): string | undefined {
  const database = new DatabaseSync(file);
  try {
    database.exec('PRAGMA journal_mode = DELETE');
    database.exec(`DELETE FROM worktrees WHERE name <> 'main';
      DELETE FROM views WHERE id NOT IN (SELECT view FROM worktrees);
      DELETE FROM lineages WHERE view NOT IN (SELECT view FROM worktrees);
      DELETE FROM tags WHERE view NOT IN (SELECT view FROM worktrees);`);
    const head = database.prepare('SELECT head FROM views').get()?.['head'];
    return head instanceof Uint8Array ? shaText(head) : undefined;
  } finally {
    database.close();
  }
}

/** A snapshot may come from another machine: only our own tables are used, and only if they are sound. */
function requireOurs(file: string): void {
  const refuse = (why: string): never => {
    throw new SylkError('VALIDATION_ERROR', `The snapshot cannot be used: ${why}.`, {
      hint: 'Run `sylk index --rebuild` to read everything from git instead.',
    });
  };
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    database.exec('PRAGMA trusted_schema = OFF');
    const definitions =
      "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT IN ('_leases', 'leases') ORDER BY name";
    const schema = (db: DatabaseSync) => JSON.stringify(db.prepare(definitions).all());
    const fresh = new DatabaseSync(':memory:');
    fresh.exec(
      'CREATE TABLE _schema (store TEXT PRIMARY KEY, version INTEGER NOT NULL, applied_at TEXT NOT NULL)',
    );
    fresh.exec(historySchema.create);
    const ours = schema(fresh);
    fresh.close();
    if (schema(database) !== ours) refuse('its tables belong to another version');
    if (database.prepare('PRAGMA quick_check(1)').get()?.['quick_check'] !== 'ok') refuse('it is damaged');
  } catch (error) {
    if (error instanceof SylkError) throw error;
    refuse('it is not a database');
  } finally {
    database.close();
  }
}

function using<T>(sqlite: Sqlite, work: (sqlite: Sqlite) => T): T {
  try {
    return work(sqlite);
  } finally {
    sqlite.close();
  }
}

/** Commits read since the last snapshot, stored in the index so that hooks that read one commit each add up. */
export const sinceSnapshot = (path: string): number =>
  using(openSqlite(path, { readOnly: true }), (sqlite) => metaOf<number>(sqlite, 'since_snapshot') ?? 0);

export function recordWaiting(path: string, commits: number): void {
  const sql = "INSERT OR REPLACE INTO meta (key, value) VALUES ('since_snapshot', ?)";
  using(openSqlite(path, { durability: 'normal' }), (sqlite) => sqlite.write(() => sqlite.run(sql, commits)));
}
