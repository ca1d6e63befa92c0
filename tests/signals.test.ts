import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { mainFile } from './support/program.ts';
import { testRepository } from './support/repository.ts';
import { temporaryDirectory } from './support/temporary.ts';
import { until } from './support/until.ts';

function start(directory: string, places: { temporary: string; home: string }, ...args: string[]) {
  const { temporary, home } = places;
  return spawn(process.execPath, ['--disable-warning=ExperimentalWarning', mainFile(), ...args], {
    cwd: directory,
    env: { PATH: process.env.PATH, HOME: home, TMPDIR: temporary },
  });
}

function manyFiles() {
  const repository = testRepository();
  for (let n = 0; n < 600; n++) repository.write(`many/f${n}.ts`, `export const f${n} = ${n};\n`);
  repository.commit('many');
  return repository;
}

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s ends an index at once, and the next one goes on',
  async (signal) => {
    const repository = manyFiles();
    const places = { temporary: temporaryDirectory('temporary'), home: temporaryDirectory('home') };
    const first = start(repository.path, places, 'index');
    // The work has begun when git was asked.
    const run = join(repository.path, '.git', 'sylk', 'run');
    await until(() => existsSync(run) && readdirSync(run).some((name) => name.startsWith('git-')));
    first.kill(signal);
    expect(await once(first, 'exit')).toEqual([null, signal]);
    const second = start(repository.path, places, 'index', '--json');
    let said = '';
    second.stdout.on('data', (chunk) => (said += chunk));
    expect(await once(second, 'exit')).toEqual([0, null]);
    expect(JSON.parse(said).items).toContainEqual(expect.objectContaining({ source: 'code' }));
  },
);

const interrupt = join(import.meta.dirname, '..', 'src', 'surfaces', 'cli', 'interrupt.ts');

/** How a process ends after SIGTERM; one that goes on is told as `still running` and ended. */
async function endOf(code: string): Promise<unknown> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', code]);
  await once(child.stdout, 'data');
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const patience = new AbortController();
  const waited = setTimeout(15_000, ['still running'], { signal: patience.signal }).catch(() => []);
  const end = await Promise.race([ended, waited]);
  patience.abort();
  child.kill('SIGKILL');
  return end;
}

test.each([
  ['goes on as if nothing was said', 'setInterval(() => {}, 1000);', [143, null]],
  ['serves, and does not come to an end in time', 'serving();', [0, null]],
  ['never comes back', "signal.addEventListener('abort', () => { for (;;); });", [null, 'SIGKILL']],
])('a command that is asked to stop and %s is ended', async (_, work, end) => {
  const code = `import { listenForInterrupt } from '${interrupt}';
    const { signal, serving } = listenForInterrupt(['SIGTERM'], () => {});
    setInterval(() => {}, 1000);
    ${work}
    console.log('ready');`;
  expect(await endOf(code)).toEqual(end);
});

test('a thread that never comes back does not keep the process alive', async () => {
  const code = `import { exitLater } from '${interrupt}'; exitLater(143); for (;;);`;
  const stuck = spawn(process.execPath, ['--input-type=module', '-e', code]);
  expect(await once(stuck, 'exit')).toEqual([null, 'SIGKILL']);
});
