import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGit, findRepository } from '../src/base/git/index.ts';
import { openHistory } from '../src/stores/history/index.ts';
import { defaultSettings } from '../src/stores/history/settings.ts';
import { dumpHistory } from '../tests/support/history-dump.ts';
import { seededRandom, writeRandomHistory } from '../tests/support/random-history.ts';
import type { BenchOptions } from './run-named.ts';

const firstSeed = 20_270_000;

/** Incremental = rebuild over many random histories; the words may say how many. */
export default async function run({ words }: BenchOptions): Promise<void> {
  const count = Number(words[0] ?? 200);
  const kinds: Record<string, number> = {};
  let different = 0;
  for (let seed = firstSeed; seed < firstSeed + count; seed++) {
    const place = mkdtempSync(join(tmpdir(), 'sylk-lab-'));
    spawnSync('git', ['init', '-q', '-b', 'main', place]);
    const random = seededRandom(seed);
    const shas = writeRandomHistory(place, random, 40);
    const open = (file: string) => {
      const repository = findRepository(place, {});
      const path = join(place, '.git', file);
      const settings = { ...defaultSettings, snapshotFrequency: 0 };
      return openHistory({ path, repository, git: createGit(place), settings });
    };
    const [stepwise, rebuilt] = [open('a.db'), open('b.db')];
    for (let at = 3; at < shas.length; at += 1 + Math.floor(random() * 9)) {
      const target = random() < 0.25 ? Math.floor(random() * at) : at;
      spawnSync('git', ['-C', place, 'update-ref', 'refs/heads/main', shas[target]!]);
      const { kind } = await stepwise.update();
      kinds[kind] = (kinds[kind] ?? 0) + 1;
    }
    const [left, right] = [await stepwise.ready(), await rebuilt.ready()];
    const same =
      JSON.stringify(dumpHistory(stepwise, left.view)) === JSON.stringify(dumpHistory(rebuilt, right.view));
    if (!same) {
      different++;
      console.log(`seed ${seed}: differs`);
    }
    stepwise.close();
    rebuilt.close();
    rmSync(place, { recursive: true, force: true });
  }
  console.log(
    `${count} histories of 40 commits from seed ${firstSeed}: ${different} differ; updates ${JSON.stringify(kinds)}`,
  );
}
