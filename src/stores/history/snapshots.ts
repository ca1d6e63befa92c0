import { dirname, join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { SylkError } from '../../base/errors.ts';
import { state } from '../../base/files/index.ts';
import type { Git } from '../../base/git/index.ts';
import { openSqlite } from '../../base/sqlite/index.ts';
import { historySchema } from './tables.ts';

/** A copy of the index as of one commit: reading starts from there instead of from the first commit. */
export interface Snapshot {
  commit: string;
  /** A file beside the index, or a git object that a clone can fetch. */
  where: 'file' | 'ref';
  bytes: number;
}

export interface SnapshotShelf {
  list(): Promise<Snapshot[]>;
  /** Copies the index as it is; answers nothing when there is no commit in it. */
  take(): Promise<Snapshot | undefined>;
  /** Puts a file snapshot under refs/sylk/snapshots, for others to fetch. */
  publish(commit: string): Promise<string>;
  /** Replaces the index by a snapshot; the next update catches up. */
  restore(commit?: string): Promise<Snapshot>;
  /** The newest file that was made under the same rules, if the index is still empty. */
  seed(mark: string): Promise<boolean>;
}

const refs = 'refs/sylk/snapshots';
const kept = 3;
const maxBytes = 1 << 30;

export function createSnapshots(options: { path: string; git: Git; directory: string }): SnapshotShelf {
  const { path, git, directory } = options;
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
        const [name, size] = line.split('\0');
        return { commit: name!.slice(refs.length + 1), where: 'ref' as const, bytes: Number(size) };
      });
  };
  const replaceIndex = async (file: string) => {
    requireOurs(file);
    const source = new DatabaseSync(file, { readOnly: true });
    try {
      state.makeDirectory(dirname(path));
      await backup(source, path);
    } finally {
      source.close();
    }
  };
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
  return {
    take,
    list: async () => [...files(), ...(await published())],
    publish: async (commit) => {
      const { stdout } = await git.run(['hash-object', '-w', '--no-filters', fileOf(commit)]);
      const object = stdout.toString('utf8').trim();
      await git.run(['update-ref', `${refs}/${commit}`, object]);
      return `${refs}/${commit}`;
    },
    restore: async (wanted) => {
      const found = [...files(), ...(await published())].find(
        (each) => !wanted || each.commit.startsWith(wanted),
      );
      if (!found) {
        throw new SylkError(
          'NOT_FOUND',
          wanted ? `There is no snapshot ${wanted}.` : 'There is no snapshot.',
          {
            hint: '`sylk snapshot list` shows what there is; `git fetch origin "refs/sylk/*:refs/sylk/*"` brings published ones.',
          },
        );
      }
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
    seed: async (mark) => {
      for (const { commit } of files()) {
        try {
          const source = openSqlite(fileOf(commit), { readOnly: true });
          const made = source.get<{ value: string }>("SELECT value FROM meta WHERE key = 'mark'")?.value;
          source.close();
          if (made !== mark) continue;
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

/** Leaves only what every clone may have: the main worktree's view. Answers its commit. */
function tidy(file: string): string | undefined {
  const database = new DatabaseSync(file);
  try {
    database.exec('PRAGMA journal_mode = DELETE');
    database.exec(`DELETE FROM worktrees WHERE name <> 'main';
      DELETE FROM views WHERE id NOT IN (SELECT view FROM worktrees);
      DELETE FROM lineages WHERE view NOT IN (SELECT view FROM worktrees);
      DELETE FROM tags WHERE view NOT IN (SELECT view FROM worktrees);`);
    const row = database.prepare('SELECT head FROM views').get() as { head: Uint8Array | null } | undefined;
    return row?.head ? Buffer.from(row.head).toString('hex') : undefined;
  } finally {
    database.close();
  }
}

/** A snapshot may come from another machine: nothing but our own tables is taken, and only if they are sound. */
function requireOurs(file: string): void {
  const refuse = (why: string): never => {
    throw new SylkError('VALIDATION_ERROR', `The snapshot cannot be used: ${why}.`, {
      hint: '`sylk index --rebuild` reads everything from git instead.',
    });
  };
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    database.exec('PRAGMA trusted_schema = OFF');
    const schema = (db: DatabaseSync) =>
      (
        db
          .prepare(
            "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT IN ('_leases', 'leases') ORDER BY name",
          )
          .all() as Array<{
          sql: string;
        }>
      ).map((row) => row.sql);
    const fresh = new DatabaseSync(':memory:');
    fresh.exec(
      'CREATE TABLE _schema (store TEXT PRIMARY KEY, version INTEGER NOT NULL, applied_at TEXT NOT NULL)',
    );
    fresh.exec(historySchema.create);
    const ours = schema(fresh);
    fresh.close();
    if (JSON.stringify(schema(database)) !== JSON.stringify(ours))
      refuse('its tables are not those of this version');
    const verdict = database.prepare('PRAGMA quick_check(1)').get() as { quick_check: string };
    if (verdict.quick_check !== 'ok') refuse('it is damaged');
  } catch (error) {
    if (error instanceof SylkError) throw error;
    refuse('it is no database');
  } finally {
    database.close();
  }
}

/** Commits read since the last snapshot, kept in the index so that hooks that each read one commit add up. */
export function sinceSnapshot(path: string): number {
  const sqlite = openSqlite(path, { readOnly: true });
  try {
    return sqlite.get<{ value: number }>("SELECT value FROM meta WHERE key = 'since_snapshot'")?.value ?? 0;
  } finally {
    sqlite.close();
  }
}

export function recordWaiting(path: string, commits: number): void {
  const sqlite = openSqlite(path, { durability: 'normal' });
  try {
    sqlite.write(() =>
      sqlite.run("INSERT OR REPLACE INTO meta (key, value) VALUES ('since_snapshot', ?)", commits),
    );
  } finally {
    sqlite.close();
  }
}
