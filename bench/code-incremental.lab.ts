import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createGit, findRepository } from '../src/base/git/index.ts';
import { createLog } from '../src/base/log.ts';
import { openSqlite } from '../src/base/sqlite/index.ts';
import { createIndexing } from '../src/engines/indexing/index.ts';
import { openCode } from '../src/stores/code/index.ts';
import { dumpCode } from '../tests/support/code-dump.ts';
import { random, randomStep } from '../tests/support/random-code.ts';
import { testRepository } from '../tests/support/repository.ts';
import type { BenchOptions } from './run-named.ts';

/**
 * Step by step = anew. Random working trees (`trees=N`, 60 steps each), and with `--from REPOSITORY` checkouts of a commit
 * that differs in at least 5,000 files, under a watcher, there and back.
 */
export default async function run({ from, words }: BenchOptions): Promise<void> {
  const trees = Number(words.find((word) => word.startsWith('trees='))?.slice(6) ?? 40);
  await inPlace((place) => randomTrees(place, trees));
  for (const directory of from) await inPlace((place) => checkouts(place, directory));
}

async function inPlace(work: (place: string) => Promise<void>): Promise<void> {
  const place = mkdtempSync(join(tmpdir(), 'sylk-lab-'));
  try {
    await work(place);
  } finally {
    rmSync(place, { recursive: true, force: true, maxRetries: 5 });
  }
}

function openAt(root: string, index: string) {
  const sqlite = openSqlite(index, { durability: 'normal', cacheMegabytes: 32 });
  const code = openCode({
    sqlite: () => sqlite,
    git: createGit(root),
    repository: findRepository(root),
    settings: { exclude: [], max_file_bytes: 1_000_000, workers: 2 },
  });
  return { code, sqlite };
}

/** What an index that is made now answers. */
async function anew(root: string, index: string): Promise<string> {
  const { code, sqlite } = openAt(root, index);
  await code.update();
  const answers = dumpCode(code).join('\n');
  sqlite.close();
  rmSync(index);
  return answers;
}

async function randomTrees(place: string, trees: number): Promise<void> {
  let compared = 0;
  let different = 0;
  let lies = 0;
  for (let seed = 1; seed <= trees; seed++) {
    const pick = random(seed);
    const repository = testRepository([], join(place, `tree-${seed}`));
    const present = new Set<string>();
    const { code, sqlite } = openAt(repository.path, join(place, `${seed}.db`));
    await code.update();
    for (let step = 0; step < 60; step++) {
      const touched = randomStep(repository, present, pick);
      await code.update(touched && pick(3) > 0 ? { paths: touched } : {});
      if (step % 5 !== 4) continue;
      const isFresh = (await code.freshness()).state === 'fresh';
      const same = dumpCode(code).join('\n') === (await anew(repository.path, join(place, 'anew.db')));
      compared++;
      if (!same) different++;
      if (isFresh !== same) lies++;
    }
    sqlite.close();
  }
  console.log(
    `${trees} random trees of 60 steps from seed 1: ${compared} comparisons, ${different} differ, freshness wrong ${lies} times`,
  );
}

async function checkouts(place: string, directory: string): Promise<void> {
  const root = join(place, 'repository');
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', root, ...args], { encoding: 'utf8', maxBuffer: 1 << 28 }).trim();
  execFileSync('git', ['clone', '-q', '--shared', directory, root]);
  const newest = git('rev-parse', 'HEAD');
  const { commit, differing } = farEnough(git);
  const { code, sqlite } = openAt(root, join(place, 'index.db'));
  const engine = createIndexing({
    sqlite: () => sqlite,
    sources: async () => [
      {
        name: 'code',
        follows: 'files',
        freshness: () => code.freshness(),
        update: async (options) => {
          const { changed, files } = await code.update(options);
          return { summary: `${files} files`, changed };
        },
      },
    ],
    root,
    gitDirectory: join(root, '.git'),
    directories: async () => code.directories(),
    log: createLog({ tell: () => {} }),
    watch: {},
  });
  try {
    await engine.background();
    for (const target of [commit, newest]) {
      const began = performance.now();
      git('checkout', '-q', '--detach', target);
      const seen: Record<string, number> = {};
      for (;;) {
        const { state } = await code.freshness();
        seen[state] = (seen[state] ?? 0) + 1;
        if (state === 'fresh') break;
        await wait(100);
      }
      const seconds = (performance.now() - began) / 1000;
      const same = dumpCode(code).join('\n') === (await anew(root, join(place, 'anew.db')));
      console.log(
        `checkout of ${target.slice(0, 10)}, ${differing} files differ: settled by itself after ${seconds.toFixed(0)} s (${JSON.stringify(seen)}), ${same ? 'equal to' : 'DIFFERS from'} an index made anew`,
      );
    }
  } finally {
    await engine.stop();
    sqlite.close();
  }
}

/** The youngest of some older commits that differs in 5,000 files, else the oldest. */
function farEnough(git: (...args: string[]) => string): { commit: string; differing: number } {
  const line = git('rev-list', '--first-parent', 'HEAD').split('\n');
  let found = { commit: line.at(-1)!, differing: 0 };
  for (let share = 1; share <= 16; share++) {
    const commit = line[Math.min(line.length - 1, Math.floor((line.length * share) / 16))]!;
    found = { commit, differing: git('diff', '--name-only', commit, 'HEAD').split('\n').length };
    if (found.differing >= 5000) break;
  }
  return found;
}
