import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createGit, findRepository } from '../../src/base/git/index.ts';
import { type History, openHistory } from '../../src/stores/history/index.ts';
import { defaultSettings } from '../../src/stores/history/settings.ts';

/** The history of any git directory, optionally as of an older commit, indexed into a temporary place. */
export function historyAt(gitDirectory: string, commit?: string): { history: History; remove(): void } {
  const place = mkdtempSync(join(tmpdir(), 'sylk-lab-'));
  let target = gitDirectory;
  if (commit) {
    target = join(place, 'repo.git');
    mkdirSync(join(target, 'objects', 'info'), { recursive: true });
    mkdirSync(join(target, 'refs'));
    writeFileSync(join(target, 'objects', 'info', 'alternates'), `${resolve(gitDirectory, 'objects')}\n`);
    writeFileSync(join(target, 'HEAD'), `${commit}\n`);
    writeFileSync(join(target, 'config'), '[core]\n\trepositoryformatversion = 0\n\tbare = true\n');
  }
  const repository = findRepository(target, {});
  const git = createGit(repository.root);
  const history = openHistory({
    path: join(place, 'history.db'),
    repository,
    git,
    settings: { ...defaultSettings, snapshotFrequency: 0 },
  });
  return {
    history,
    remove: () => {
      history.close();
      rmSync(place, { recursive: true, force: true });
    },
  };
}
