import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Clock, fixedClock } from '../../src/base/clock.ts';
import { createGit } from '../../src/base/git/index.ts';
import { openLibrary } from '../../src/base/library/index.ts';
import { once } from '../../src/base/once.ts';
import { openSqlite } from '../../src/base/sqlite/index.ts';
import {
  type Conventions,
  type ConventionsOptions,
  openConventions,
  worktreeFiles,
} from '../../src/stores/conventions/index.ts';
import { type TestRepository, testRepository } from './repository.ts';

/** The store over a real repository, with its databases beside it. Opening it twice is starting it again. */
export function conventionsOf(
  repository: TestRepository,
  {
    clock = fixedClock(),
    url = join(repository.path, '.git', 'test-library.db'),
    meaning,
  }: { clock?: Clock; url?: string; meaning?: ConventionsOptions['meaning'] } = {},
): Conventions {
  const index = once(() => openSqlite(join(repository.path, '.git', 'test-index.db')));
  const library = once(async () => openLibrary({ url }));
  onTestFinished(async () => {
    index.peek()?.close();
    await (await library.peek())?.close();
  });
  const root = repository.path;
  const files = worktreeFiles(createGit(root), root);
  return openConventions({ index, library, files, root, clock, searchPath: '', meaning });
}

/** A repository with these files in one commit, and the store over it. */
export function conventionsWith(files: Record<string, string>): {
  repository: TestRepository;
  conventions: Conventions;
} {
  const repository = testRepository();
  repository.commit('start', files);
  return { repository, conventions: conventionsOf(repository) };
}
