import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freshPostgres } from '../support/postgres.ts';
import { testRepository } from '../support/repository.ts';
import { startSylk, sylk } from '../support/sylk.ts';
import { done, write } from '../support/team.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const task = 'Write three files';
const writes = ['one', 'two', 'three'].map((name) => write(`${name}.js`, `export const ${name} = 1;\n`));

test('a worker in another clone goes on from the checkpoint of one that was killed, and the branch is in the hub', async () => {
  const laptop = testRepository();
  laptop.commit('first', {
    'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }\n',
    'all.test.js': "import test from 'node:test';\ntest('all', () => {});\n",
  });
  const directory = temporaryDirectory('team');
  const hub = join(directory, 'hub.git');
  spawnSync('git', ['init', '--quiet', '--bare', hub]);
  const clones = ['first', 'second'].map((name) => join(directory, name));
  for (const clone of clones) spawnSync('git', ['clone', '--quiet', laptop.path, clone]);
  const [first = '', second = ''] = clones;
  const scriptOf = (name: string, steps: object[]) => {
    const path = join(directory, name);
    writeFileSync(path, JSON.stringify({ conversations: [{ when: `# Task\n${task}`, steps }] }));
    return `script:${path}`;
  };
  // The first worker writes two files, and then hears nothing from its model.
  const hanging = scriptOf('hanging.json', [...writes.slice(0, 2), { hang: true }]);
  const whole = scriptOf('whole.json', [...writes, done()]);
  const envOf = (name: string) => ({
    SYLK_HOME: join(directory, `home-${name}`),
    SYLK_TEAM_DATABASE: url,
    SYLK_TEAM_HUB: hub,
  });
  const url = await freshPostgres();
  const startWorker = (clone: string, name: string, model: string) =>
    startSylk(clone, ['worker', '--executor', 'own', '--model', model, '--json'], envOf(name));
  const killed = startWorker(first, 'first', hanging);
  const started = startSylk(laptop.path, ['run', task, '--yes', '--json'], envOf('laptop'));
  const lines: string[] = [];
  started.stdout.on('data', (chunk) => lines.push(String(chunk)));
  const ended = new Promise<number | null>((resolve) => started.on('close', resolve));
  await new Promise<void>((resolve) => {
    killed.stdout.on('data', (chunk) => {
      if (String(chunk).includes('two.js')) resolve();
    });
  });
  const inHub = (...args: string[]) =>
    spawnSync('git', ['--git-dir', hub, ...args], { encoding: 'utf8' }).stdout;
  const [run = ''] = lines.join('').match(/run_\w+/) ?? [];
  await expect
    .poll(() => inHub('for-each-ref', `refs/sylk/${run}/work/1-1`), { timeout: 20_000 })
    .not.toBe('');
  await expect
    .poll(() => inHub('ls-tree', '--name-only', `refs/sylk/${run}/work/1-1`), { timeout: 20_000 })
    .toContain('two.js');
  killed.kill('SIGKILL');

  startWorker(second, 'second', whole);
  expect(await ended, lines.join('')).toBe(0);
  const shown = JSON.parse(lines.join('').trim().split('\n').at(-1) ?? '').output;
  expect(shown).toMatchObject({ status: 'completed', files: ['one.js', 'three.js', 'two.js'] });
  expect(inHub('ls-tree', '--name-only', shown.branch).split('\n')).toContain('three.js');
  expect(laptop.git('rev-parse', shown.branch)).toBe(shown.commit);
  // What the first had done was not done again.
  const transcript = sylk(laptop.path, ['transcript', run, '--json'], { env: envOf('laptop') }).out;
  expect(transcript.match(/"kind": ?"calling"/g)).toHaveLength(4);
});
