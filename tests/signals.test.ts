import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testRepository } from './support/repository.ts';
import { temporaryDirectory } from './support/temporary.ts';

const main = join(import.meta.dirname, '..', 'src', 'main.ts');

function start(directory: string, ...args: string[]) {
  const home = temporaryDirectory('home');
  return spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main, ...args], {
    cwd: directory,
    env: { PATH: process.env.PATH, HOME: home },
  });
}

function manyFiles() {
  const repository = testRepository();
  for (let n = 0; n < 3000; n++) repository.write(`many/f${n}.ts`, `export const f${n} = ${n};\n`);
  repository.commit('many');
  return repository;
}

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s ends an index with exit code %i, and the next one goes on', async (signal, code) => {
  const repository = manyFiles();
  const first = start(repository.path, 'index');
  // The work has begun when git was asked.
  while (first.exitCode === null && !repository.git('status', '--porcelain', '--ignored').includes('.sylk'))
    await new Promise((resolve) => setTimeout(resolve, 20));
  first.kill(signal);
  const [ended] = await once(first, 'exit');
  expect(ended).toBe(code);
  const second = start(repository.path, 'index', '--json');
  let said = '';
  second.stdout.on('data', (chunk) => (said += chunk));
  expect(await once(second, 'exit')).toEqual([0, null]);
  expect(JSON.parse(said).items).toContainEqual(expect.objectContaining({ source: 'code' }));
});
