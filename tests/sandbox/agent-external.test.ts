import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testRepository } from '../support/repository.ts';
import type { Act } from '../support/scripted-agent.ts';
import { startSylk, sylk } from '../support/sylk.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const program = join(import.meta.dirname, '../support/scripted-agent.ts');

function setUp(prompts: Act[][]) {
  const repository = testRepository();
  repository.commit('first', {
    'cli.js': "module.exports = { flag: '--foo' };\n",
    'package.json': '{"name":"tool","scripts":{"test":"node --test"}}\n',
    'cli.test.js': "require('node:test')('loads', () => require('./cli.js'));\n",
  });
  const home = join(temporaryDirectory('home'), 'sylk');
  mkdirSync(home);
  const script = { prompts, canResume: true, usage: { input: 100, output: 10 } };
  const command = [
    process.execPath,
    '--disable-warning=ExperimentalWarning',
    program,
    JSON.stringify(script),
  ];
  writeFileSync(join(home, 'config.yaml'), JSON.stringify({ agents: { external: { mine: { command } } } }));
  const run = (...args: string[]) => {
    const { code, out, err } = sylk(repository.path, [...args, '--json'], { env: { SYLK_HOME: home } });
    return { code, err, output: out === '' ? undefined : JSON.parse(out) };
  };
  return { repository, run, home };
}

test('a task by an external agent ends in a branch that the tests of the project passed, after what they found was mended', () => {
  const broken = "require('node:test')('new', () => { throw new Error('red as a rose'); });\n";
  const mended = "require('node:test')('new', () => {});\n";
  const { repository, run } = setUp([
    [
      { write: 'cli.js', text: "module.exports = { flag: '--bar' };\n" },
      { write: 'new.test.js', text: broken },
      { say: 'Done?' },
    ],
    [{ expect: 'red as a rose' }, { write: 'new.test.js', text: mended }, { say: 'Done.' }],
  ]);
  const before = [repository.git('rev-parse', 'HEAD'), repository.git('status', '--porcelain')];
  const { code, output, err } = run('agent', 'rename the flag', '--agent', 'mine');
  expect(err).toBe('');
  expect(output).toMatchObject({ status: 'completed', files: ['cli.js', 'new.test.js'], output: 'Done.' });
  expect(output.gates).toContain('node:test (node --test): clean');
  expect(output).toMatchObject({ unpriced: 2, unmeasured: 2, tokens: { input: 200, output: 20 } });
  expect(code).toBe(0);
  expect(repository.git('rev-list', '--count', `main..${output.branch}`)).toBe('1');
  expect([repository.git('rev-parse', 'HEAD'), repository.git('status', '--porcelain')]).toEqual(before);
}, 600_000);

test('agents are listed and tried; one that is not here comes with the line that installs it', () => {
  const { run } = setUp([[]]);
  const { output } = run('agents');
  const row = (id: string) => output.agents.find((agent: { id: string }) => agent.id === id);
  expect(row('mine')).toMatchObject({ login: 'unknown', program: expect.any(String) });
  expect(row('claude-code').next).toContain('claude-agent-acp');
  expect(run('agents', 'test', 'mine')).toMatchObject({
    code: 0,
    output: { agent: 'mine', version: '1.2.3', is_ready: true, can_resume: true, modes: ['careful'] },
  });
  expect(run('agent', 'do it', '--agent', 'nobody').code).not.toBe(0);
}, 600_000);

test('an interrupted run is not said to be running, and what goes on with it is told', async () => {
  const { repository, home } = setUp([[{ say: 'I think.' }, { plan: ['wait'] }, { hang: true }]]);
  const child = startSylk(repository.path, ['agent', 'rename the flag', '--agent', 'mine'], {
    SYLK_HOME: home,
  });
  let said = '';
  const ended = new Promise((resolve) => child.once('close', resolve));
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      if (!said.includes('plan: ') && `${said}${chunk}`.includes('plan: ')) child.kill('SIGINT');
      said += chunk;
    });
  await ended;
  expect(said).toMatch(/run_\w+: interrupted/);
  expect(said).toMatch(/Stopped\. Go on with: sylk agent --resume run_/);
  expect(said).not.toContain(': running');
}, 600_000);
