import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createGit, findRepository } from '../src/base/git/index.ts';
import { openHistory } from '../src/stores/history/index.ts';
import { defaultSettings } from '../src/stores/history/settings.ts';
import { dumpHistory } from '../tests/support/history-dump.ts';
import { seededRandom } from '../tests/support/random-history.ts';
import type { BenchOptions } from './run-named.ts';

/** Kills an indexing process at growing moments of its run; what is left must end equal to a rebuild. */
export default async function run({ from, words }: BenchOptions): Promise<void> {
  const kills = Number(words[0] ?? 500);
  const random = seededRandom(20_261_115);
  for (const directory of from) {
    const place = mkdtempSync(join(tmpdir(), 'sylk-lab-'));
    const path = join(place, 'history.db');
    const repository = findRepository(directory, {});
    const git = createGit(repository.root, repository.bare ? { gitDirectory: repository.gitDirectory } : {});
    const open = (file: string) =>
      openHistory({
        path: join(place, file),
        repository,
        git,
        settings: { ...defaultSettings, snapshotFrequency: 0 },
      });
    const rebuilt = open('rebuilt.db');
    const wanted = JSON.stringify(dumpHistory(rebuilt, (await rebuilt.ready()).model));
    rebuilt.close();
    const program = join(import.meta.dirname, 'history', 'index-once.ts');
    const whole = await timeOf(program, directory, join(place, 'timing.db'));
    let killed = 0;
    let finished = 0;
    let wrong = 0;
    for (let turn = 0; turn < kills; turn++) {
      if (finished > 0 && turn % 5 === 0)
        for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
      const child = spawn(process.execPath, [program, directory, path], { stdio: 'ignore' });
      const exit = once(child, 'exit');
      await wait(random() * whole * 1.1);
      child.kill('SIGKILL');
      const [code] = await exit;
      if (code === 0) finished++;
      else killed++;
      if (turn % 25 !== 24 && turn !== kills - 1) continue;
      const history = open('history.db');
      if (JSON.stringify(dumpHistory(history, (await history.ready()).model)) !== wanted) wrong++;
      history.close();
    }
    console.log(
      `${directory}: ${killed} killed, ${finished} came to an end, ${wrong} checks differed from a rebuild`,
    );
    rmSync(place, { recursive: true, force: true });
  }
}

async function timeOf(program: string, directory: string, path: string): Promise<number> {
  const start = performance.now();
  await once(spawn(process.execPath, [program, directory, path], { stdio: 'ignore' }), 'exit');
  return performance.now() - start;
}
