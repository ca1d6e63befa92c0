import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createGit, findRepository } from '../../src/base/git/index.ts';
import { type History, openHistory } from '../../src/stores/history/index.ts';
import { defaultSettings, type HistorySettings } from '../../src/stores/history/settings.ts';

/** The history of a repository on disk, closed after the test. */
export function historyOf(
  directory: string,
  settings: Partial<HistorySettings> = {},
  file = 'history.db',
): History {
  const repository = findRepository(directory, {});
  const git = createGit(repository.root);
  const history = openHistory({
    path: join(repository.commonDirectory, 'sylk-test', file),
    repository,
    git,
    settings: { ...defaultSettings, snapshotFrequency: 0, ...settings },
  });
  onTestFinished(() => history.close());
  return history;
}
