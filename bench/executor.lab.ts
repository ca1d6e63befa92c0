import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runExecutorKills } from '../tests/support/executor-kills.ts';
import setUpPostgres, { freshPostgres } from '../tests/support/postgres.ts';
import { randomNumbers } from './random.ts';
import type { Bench } from './run-named.ts';

/**
 * `npm run lab -- executor [RUNS] [KILLS]`: three processes execute runs and are killed at a random moment of a random command, on
 * SQLite, on a PostgreSQL of its own, and there with the queues of DBOS; `--commands sqlite`, `postgres` or `dbos` takes one of them.
 */
const executor: Bench = async ({ words, commands: only, seed = '20261117' }) => {
  const directory = mkdtempSync(join(tmpdir(), 'sylk-executor-'));
  const removePostgres = setUpPostgres();
  const [runs = 56, kills = 120] = words.map(Number);
  const databases = {
    sqlite: async () => join(directory, 'library.db'),
    postgres: freshPostgres,
    dbos: freshPostgres,
  };
  try {
    for (const [name, url] of Object.entries(databases)) {
      if (only !== undefined && only !== name) continue;
      const started = Date.now();
      const { broken, ...counts } = await runExecutorKills({
        url: await url(),
        executor: name === 'dbos' ? 'dbos' : 'own',
        directory,
        runs,
        kills,
        random: randomNumbers(Number(seed)),
      });
      const seconds = Math.round((Date.now() - started) / 1000);
      const verdict =
        broken.length === 0 ? 'every command was answered once' : broken.slice(0, 20).join('\n');
      console.log(`${name}: ${JSON.stringify(counts)} in ${seconds} s; ${verdict}`);
      if (broken.length > 0) process.exitCode = 1;
    }
  } finally {
    removePostgres();
    rmSync(directory, { recursive: true });
  }
};

export default executor;
