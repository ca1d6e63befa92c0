import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createGit, findRepository } from '../../src/base/git/index.ts';
import { openSqlite, type Sqlite } from '../../src/base/sqlite/index.ts';
import { type CodeOptions, type CodeStore, openCode } from '../../src/stores/code/index.ts';
import { temporaryDirectory } from './temporary.ts';

export interface TestCode {
  code: CodeStore;
  sqlite: Sqlite;
}

/** A code store over a repository, with an index of its own or one that is shared with other worktrees. */
export function openTestCode(
  path: string,
  settings: Partial<CodeOptions['settings']> = {},
  more: { pool?: CodeOptions['pool']; index?: string; alone?: boolean } = {},
): TestCode {
  const found = findRepository(path);
  // A linked worktree as if it were the only one.
  const repository = more.alone ? { ...found, linkedWorktree: false, mainRoot: found.root } : found;
  const sqlite = openSqlite(more.index ?? join(temporaryDirectory('code'), 'index.db'), {
    durability: 'normal',
  });
  onTestFinished(() => sqlite.close());
  const code = openCode({
    sqlite: () => sqlite,
    git: createGit(repository.root),
    repository,
    settings: { exclude: [], max_file_bytes: 1_000_000, workers: 2, ...settings },
    ...(more.pool ? { pool: more.pool } : {}),
  });
  return { code, sqlite };
}
