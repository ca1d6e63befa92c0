import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { launcher } from '../support/program.ts';
import { testRepository } from '../support/repository.ts';
import { sylk } from '../support/sylk.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const task = 'rename the flag --foo to --bar everywhere';

const project = {
  'cli.js': "const on = process.argv.includes('--foo');\nmodule.exports = { on };\n",
  'README.md': 'Run `node cli.js --foo`.\n',
  'package.json': '{"name":"tool","scripts":{"test":"node --test"}}\n',
  'cli.test.js': "require('node:test')('loads', () => require('./cli.js'));\n",
};

function setUp(steps: object[], files: Record<string, string> = project) {
  const repository = testRepository();
  repository.commit('first', files);
  const home = temporaryDirectory('home');
  const script = join(home, 'script.json');
  const write = (answers: object[]) =>
    writeFileSync(
      script,
      JSON.stringify({ price: { input: 3, output: 15 }, conversations: [{ when: task, steps: answers }] }),
    );
  write(steps);
  const env = { SYLK_HOME: join(home, 'sylk') };
  const agent = (...args: string[]) => {
    const { code, out, err } = sylk(
      repository.path,
      ['agent', ...args, '--model', `script:${script}`, '--json'],
      { env },
    );
    return { code, err, result: out === '' ? undefined : JSON.parse(out) };
  };
  return { repository, agent, write, env, script };
}

const call = (name: string, input: object) => ({ calls: [{ name, input }] });
const editReadme = {
  name: 'edit_file',
  input: { path: 'README.md', old_string: '--foo', new_string: '--bar' },
};
const edits = {
  calls: [
    { name: 'edit_file', input: { path: 'cli.js', old_content: '--foo', new_content: '--bar' } },
    editReadme,
  ],
};
const complete = call('signal_complete', { result: 'Renamed it.', files_modified: ['cli.js', 'README.md'] });

test('a task becomes a branch with one commit that the tests of the project passed, and its cost', () => {
  const { repository, agent } = setUp([
    call('run_command', { command: 'git grep -n -e --foo' }),
    { expect: 'cli.js:1', ...edits },
    { expect: 'Changed README.md', ...call('run_command', { command: 'npm test' }) },
    { expect: 'Exit code 0', ...complete },
  ]);
  const before = [repository.git('rev-parse', 'HEAD'), repository.git('status', '--porcelain')];
  const { code, result, err } = agent(task);
  expect(err).toBe('');
  expect(result).toMatchObject({
    status: 'completed',
    files: ['README.md', 'cli.js'],
    output: 'Renamed it.',
  });
  expect(result.gates).toContain('node:test (node --test): clean');
  expect(result.cost).toBeGreaterThan(0);
  expect(code).toBe(0);
  expect(repository.git('show', `${result.branch}:cli.js`)).toContain('--bar');
  expect(repository.git('rev-list', '--count', `main..${result.branch}`)).toBe('1');
  expect([repository.git('rev-parse', 'HEAD'), repository.git('status', '--porcelain')]).toEqual(before);
  expect(repository.git('worktree', 'list').split('\n')).toHaveLength(1);
}, 600_000);

test('red tests go back to the agent with what failed, and nothing is merged before they are green', () => {
  const broken = call('write_file', {
    path: 'extra.test.js',
    content: "require('node:test')('new', () => { throw new Error('red as a rose'); });\n",
  });
  const { agent } = setUp([
    { ...edits },
    broken,
    complete,
    {
      expect: 'red as a rose',
      ...call('write_file', {
        path: 'extra.test.js',
        content:
          "require('node:test')('new', () => require('assert').equal(require('./cli.js').on, false));\n",
      }),
    },
    complete,
  ]);
  const { result } = agent(task);
  expect(result.questions).toEqual([]);
  expect(result).toMatchObject({ status: 'completed', files: ['README.md', 'cli.js', 'extra.test.js'] });
}, 600_000);

test('a change to the manifest alone is judged by all tests', () => {
  const typed = (type: string) => `{"name":"tool",${type}"scripts":{"test":"node --test"}}\n`;
  const manifest = (type: string) => call('write_file', { path: 'package.json', content: typed(type) });
  const { agent } = setUp([
    call('read_file', { path: 'package.json' }),
    manifest('"type":"module",'),
    complete,
    { expect: 'FAIL', ...manifest('"description":"A tool.",') },
    complete,
  ]);
  const { result } = agent(task);
  expect(result.questions).toEqual([]);
  expect(result).toMatchObject({ status: 'completed', files: ['package.json'] });
}, 600_000);

test('a change that no tool of the project judges is not finished without a person', () => {
  const { agent } = setUp([call('write_file', { path: 'deploy.sh', content: 'echo deployed\n' }), complete], {
    'README.md': project['README.md'],
  });
  const { code, result } = agent(task);
  expect(code).not.toBe(0);
  expect(result.status).not.toBe('completed');
  expect(result.questions).toMatchObject([
    { question: expect.stringContaining('No tool of this project judges') },
  ]);
}, 600_000);

test('a question ends the turn, and the answer reaches the same conversation', () => {
  const { agent } = setUp([
    call('request_help', { question: 'Also in the changelog?' }),
    { expect: 'no, leave it', ...edits },
    complete,
  ]);
  const asked = agent(task);
  expect(asked.code).toBe(5);
  expect(asked.result.questions).toMatchObject([{ question: 'Also in the changelog?' }]);
  const { result } = agent('--resume', asked.result.run, '--answer', 'no, leave it');
  expect(result).toMatchObject({ status: 'completed', run: asked.result.run });
}, 600_000);

test('a plan and a question of several lines are printed as lines', () => {
  const { repository, env, script } = setUp([call('request_help', { question: 'In both?\nOr in one?' })]);
  const shown = sylk(repository.path, ['agent', task, '--model', `script:${script}`], { env });
  expect(shown.out).toContain('Needs you: In both?\n  Or in one?\n');
  expect(shown.err).toContain('▸ Do the task\n');
}, 600_000);

/** Runs a command at a terminal, and types the next reply whenever something is asked. */
async function atTerminal(
  words: string[],
  { cwd, env, replies }: { cwd: string; env: object; replies: string[] },
) {
  const child = spawn('script', ['-qec', ['sh', launcher(), ...words].join(' '), '/dev/null'], {
    cwd,
    env: { ...process.env, ...env, TERM: 'xterm' },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let shown = '';
  let asked = 0;
  child.stdin.write('y\ny\n');
  child.stdout.on('data', (bytes) => {
    shown += bytes;
    for (const questions = shown.split('begins with them): ').length - 1; asked < questions; asked++)
      child.stdin.write(`${replies[asked] ?? ''}\n`);
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  return { code, shown: shown.replaceAll('\r', ''), asked };
}

test('at a terminal a person answers y, n or a; what was typed before is no answer, and a holds for later runs here', async () => {
  const { repository, env, script, write } = setUp([
    { text: 'Two lines\nof words.', ...call('run_command', { command: 'touch made-by-yes' }) },
    { expect: 'Exit code 0', ...call('run_command', { command: 'touch made-by-no' }) },
    { expect: 'the person said no', ...call('run_command', { command: 'mkdir -p made/one' }) },
    { expect: 'Exit code 0', ...edits },
    complete,
  ]);
  const model = ['--model', `script:${script}`];
  const first = await atTerminal(['agent', `'${task}'`, ...model], {
    cwd: repository.path,
    env,
    replies: ['perhaps', 'y', 'n', 'a rm', 'a mkdir -p'],
  });
  expect(first.shown).toContain('The engineer wants to run a command: no rule allows it');
  expect(first.shown).toContain('│ Two lines\n│ of words.\n');
  expect(first.shown).toMatch(/"rm" is not how the command of apr_\w+ begins/);
  expect(first.shown).toContain('completed');
  expect(first).toMatchObject({ code: 0, asked: 5 });
  const changed = () =>
    repository.git('log', '-1', '--name-only', '--format=', '--branches=sylk/*').split('\n').sort();
  expect(changed()).toEqual(['README.md', 'cli.js', 'made-by-yes']);

  write([
    call('run_command', { command: 'mkdir -p made/two' }),
    { expect: 'Exit code 0', ...call('run_command', { command: 'touch made/two/in-a-run' }) },
    { expect: 'Exit code 0', ...edits },
    complete,
  ]);
  const second = await atTerminal(['run', `'${task}'`, '--yes', ...model], {
    cwd: repository.path,
    env,
    replies: ['y'],
  });
  expect(second).toMatchObject({ code: 0, asked: 1 });
  expect(second.shown).toMatch(/policy: run_command: the person allowed it always \(perm_\w+\)/);
  expect(changed()).toEqual(['README.md', 'cli.js', 'made/two/in-a-run']);
  const listed = sylk(repository.path, ['approvals', 'always'], { env }).out;
  expect(listed).toMatch(/^perm_\w+ {2}run_command mkdir -p … {2}\(/);
  const [id = ''] = listed.split(' ');
  expect(sylk(repository.path, ['approvals', 'forget', id], { env })).toMatchObject({ code: 0 });
  expect(sylk(repository.path, ['approvals', 'always'], { env }).out).toBe(
    'Nothing is allowed or refused always.\n',
  );
}, 600_000);

test('a run of one agent is answered like any run, by the model that it was started with', () => {
  const { repository, agent, env } = setUp([
    call('request_help', { question: 'Also in the changelog?\nIt is long.' }),
    { expect: 'no, leave it', ...edits },
    complete,
  ]);
  const { run } = agent(task).result;
  const lines = (...args: string[]) => sylk(repository.path, args, { env });
  const waits = 'Needs you (work): Also in the changelog?\n  It is long.\n';
  expect(lines('run', 'show', run).out).toContain(waits);
  const { code, err, out } = lines('run', 'answer', run, 'no, leave it');
  expect(err).not.toContain('No model');
  expect(out).toContain(`${run}: completed`);
  expect(code).toBe(0);
}, 600_000);
