import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { createGit, findRepository } from '../../src/base/git/index.ts';
import { runProcess } from '../../src/base/process/index.ts';
import { openSqlite } from '../../src/base/sqlite/index.ts';
import { openRecall } from '../../src/engines/recall/index.ts';
import { openCode } from '../../src/stores/code/index.ts';
import { openHistory } from '../../src/stores/history/index.ts';
import { defaultSettings } from '../../src/stores/history/settings.ts';

/** The whole product's recall over any git directory as of a commit, in a temporary place: nothing newer is there. */
export async function recallAt(gitDirectory: string, commit: string, options: { threads?: number } = {}) {
  const place = mkdtempSync(join(tmpdir(), 'sylk-lab-'));
  const tree = join(place, 'tree');
  const run = async (...args: string[]) => {
    const result = await runProcess('git', args, { timeoutMs: 600_000 });
    if (result.code !== 0) throw new Error(`git ${args.join(' ')}: ${result.stderr}`);
    return result.stdout.toString('utf8');
  };
  await run('clone', '-q', '--shared', '--no-checkout', gitDirectory, tree);
  await run('-C', tree, 'checkout', '-q', '--detach', commit);
  const refs = (await run('-C', tree, 'for-each-ref', '--format=%(refname)')).split('\n');
  for (const ref of refs) if (ref && !ref.endsWith('/HEAD')) await run('-C', tree, 'update-ref', '-d', ref);
  const repository = findRepository(tree, { SYLK_DIR: join(place, 'sylk') });
  const git = createGit(tree);
  const sqlite = openSqlite(join(place, 'sylk', 'index.db'), { durability: 'normal' });
  const history = openHistory({
    path: join(place, 'sylk', 'history.db'),
    repository,
    git,
    settings: { ...defaultSettings, snapshotFrequency: 0 },
  });
  const code = openCode({
    sqlite: () => sqlite,
    git,
    repository,
    settings: { exclude: [], max_file_bytes: 1_000_000, workers: 2 },
  });
  const recall = openRecall({
    repository,
    git,
    index: () => sqlite,
    history,
    code,
    clock: systemClock,
    longLived: false,
    settings: {
      enabled: true,
      runtime: 'auto',
      threads: options.threads ?? 0,
      idle_seconds: 60,
      weights: '',
      endpoint_url: '',
      endpoint_model: '',
      endpoint_dimensions: 0,
      endpoint_key: '',
    },
  });
  await history.update();
  await code.update();
  await recall.ready();
  return {
    recall,
    code,
    tree,
    remove: async () => {
      await recall.close();
      history.close();
      sqlite.close();
      rmSync(place, { recursive: true, force: true });
    },
  };
}
