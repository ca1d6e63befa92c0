import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runExecutorKills } from '../tests/support/executor-kills.ts';
import { randomNumbers } from './random.ts';
import type { Bench } from './run-named.ts';

/** `npm run lab -- executor [RUNS] [KILLS] [--from postgres://…]`: three processes execute runs and are killed at random. */
const executor: Bench = async ({ words, from, seed = '20261117' }) => {
  const directory = mkdtempSync(join(tmpdir(), 'sylk-executor-'));
  const [url = join(directory, 'library.db')] = from;
  const [runs = 50, kills = 40] = words.map(Number);
  const { broken, ...counts } = await runExecutorKills({
    url,
    directory,
    runs,
    kills,
    random: randomNumbers(Number(seed)),
  });
  console.log(JSON.stringify(counts));
  console.log(broken.length === 0 ? 'every command was answered once' : broken.slice(0, 20).join('\n'));
  rmSync(directory, { recursive: true });
  if (broken.length > 0) process.exitCode = 1;
};

export default executor;
