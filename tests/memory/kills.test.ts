import { spawn } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { openApp } from '../../src/app.ts';
import { conversations } from '../support/memory.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const writer = join(import.meta.dirname, '..', 'support', 'memory-writer.ts');

/** Runs the writer until it dies; what it acknowledged goes to the oracle before anything else happens. */
function killedAt(directory: string, point: number, oracle: string): Promise<'killed' | 'finished'> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', writer, directory, String(point)],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'sylk-compile-cache') },
      },
    );
    let finished = false;
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += chunk;
    });
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line === 'done') finished = true;
      else appendFileSync(oracle, `${line}\n`);
    });
    child.on('error', reject);
    child.on('close', (_code, signal) => {
      if (finished) resolve('finished');
      else if (signal === 'SIGKILL') resolve('killed');
      else reject(new Error(`the writer failed at point ${point}: ${said.slice(0, 2000)}`));
    });
  });
}

test('25 kills during writes: every acknowledged entry, note, file and checkpoint is there, and nothing by half', async () => {
  const { repository, person } = conversations();
  const oracle = join(temporaryDirectory('oracle'), 'acknowledged');
  appendFileSync(oracle, '');
  let kills = 0;
  for (let point = 1; kills < 25; point += 17)
    if ((await killedAt(repository.path, point, oracle)) === 'killed') kills++;
    else throw new Error(`nothing was left to kill at point ${point}, after ${kills} kills`);

  const app = openApp({ directory: repository.path });
  const { sqlite } = await app.library();
  expect(sqlite.all('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  expect(sqlite.all('PRAGMA foreign_key_check')).toEqual([]);
  await app.memory();
  const present = new Set([
    ...sqlite.all<{ id: string }>('SELECT id FROM entries').map(({ id }) => `entry ${id}`),
    ...sqlite.all<{ key: string }>('SELECT key FROM scratchpad').map(({ key }) => `note ${key}`),
    ...sqlite.all<{ path: string }>('SELECT path FROM file_log').map(({ path }) => `file ${path}`),
    ...sqlite.all<{ id: string }>('SELECT id FROM checkpoints').map(({ id }) => `checkpoint ${id}`),
  ]);
  const acknowledged = readFileSync(oracle, 'utf8').trim().split('\n');
  expect(acknowledged.length).toBeGreaterThan(50);
  expect(acknowledged.filter((line) => !present.has(line))).toEqual([]);
  const words = sqlite.get<{ missing: number }>(
    'SELECT count(*) AS missing FROM entries WHERE seq NOT IN (SELECT rowid FROM entry_words)',
  );
  expect(words).toEqual({ missing: 0 });
  await app.close();
  const { total } = await person().call<{ total: number }>('search_history', {
    query: 'decision reason',
    cross_session: true,
  });
  expect(total).toBe([...present].filter((line) => line.startsWith('entry ')).length);
});
