import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { isRunning } from '../../src/base/process/index.ts';
import { runTestLeg, treeDigest } from '../support/agent-leg.ts';
import { testRepository } from '../support/repository.ts';
import type { Act } from '../support/scripted-agent.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { until } from '../support/until.ts';
import { type ScriptedLegOptions, scriptedLeg } from '../support/worker-cases.ts';

const limit = 180_000;

function setUp(prompts: Act[][], more: Partial<ScriptedLegOptions> = {}) {
  const repository = testRepository();
  const base = repository.commit('first', { 'a.txt': 'one\n' });
  const home = temporaryDirectory('leg');
  const leg = scriptedLeg(prompts, home, { unconfined: false, ...more });
  return { repository: repository.path, show: repository.git, base, home, ...leg };
}

const written = (name: string): Act => ({ write: name, text: 'x\n' });
const kindsOf = (steps: Array<{ kind: string }>) => steps.map(({ kind }) => kind);

test(
  'an agent that is killed is started again, goes on with its session, and the crash is told',
  async () => {
    const world = setUp(
      [
        [written('one.txt'), { dieOnce: 'first' }],
        [{ expect: 'ended in the middle' }, written('two.txt'), { say: 'Both.' }],
      ],
      { canResume: true },
    );
    const { outcome, steps } = await runTestLeg(world);
    expect(outcome).toMatchObject({ result: 'done', output: 'Both.' });
    const connected = steps.flatMap((step) => (step.kind === 'connected' ? [step] : []));
    expect(connected.map(({ isLoaded }) => isLoaded)).toEqual([false, true]);
    expect(connected[1]?.session).toBe(connected[0]?.session);
    expect(
      steps.some((step) => step.kind === 'note' && step.text.includes('stopped: it was ended by SIGKILL')),
    ).toBe(true);
    const commit = outcome.result === 'done' ? outcome.commit : '';
    expect(world.show('ls-tree', '--name-only', commit).split('\n')).toEqual(['a.txt', 'one.txt', 'two.txt']);
  },
  limit,
);

test(
  'an agent that cannot load a session gets a new one, with what was done before',
  async () => {
    const world = setUp([
      [{ say: 'I begin with one.txt.' }, written('one.txt'), { dieOnce: 'first' }],
      [{ expect: 'I begin with one.txt.' }, { expect: '# Task' }, written('two.txt'), { say: 'Both.' }],
    ]);
    const { outcome, steps } = await runTestLeg(world);
    expect(outcome).toMatchObject({ result: 'done', output: 'Both.' });
    const sessions = steps.flatMap((step) => (step.kind === 'connected' ? [step.session] : []));
    expect(new Set(sessions).size).toBe(2);
  },
  limit,
);

test(
  'an agent that crashes again and again fails the leg, and what it did is in a checkpoint',
  async () => {
    const world = setUp([[written('one.txt'), { run: 'true' }, { die: 3 }]], { canResume: true });
    const { outcome, steps } = await runTestLeg(world);
    expect(outcome).toMatchObject({ result: 'failed', retryable: false });
    expect(outcome.result === 'failed' && outcome.message).toContain('exited with code 3');
    expect(steps.filter(({ kind }) => kind === 'connected')).toHaveLength(3);
    // What its turns took is not known, and not nothing.
    const spent = steps.flatMap((step) => (step.kind === 'spent' ? [step] : []));
    expect(spent).toHaveLength(3);
    expect(spent[0]).toMatchObject({ usage: { measured: false } });
    expect(spent[0]?.cost).toBeUndefined();
    expect(spent[0]?.usage.inputTokens).toBeGreaterThan(100);
    expect(kindsOf(steps)).toContain('checkpoint');
  },
  limit,
);

test(
  'nothing that an agent starts outlives its leg',
  async () => {
    const mark = `7${Date.now() % 100_000}`;
    const world = setUp([[{ leave: `sleep ${mark}` }, written('one.txt'), { say: 'Left something.' }]]);
    const { steps } = await runTestLeg(world);
    const [connected] = steps.flatMap((step) => (step.kind === 'connected' ? [step] : []));
    expect(connected?.process?.pid).toBeGreaterThan(1);
    await until(() => !isRunning(connected?.process?.pid ?? 0));
    expect(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })).not.toContain(`sleep ${mark}`);
  },
  limit,
);

test(
  'an agent sees another home, changes nothing of the person, and of its own home only sessions stay',
  async () => {
    const canary = join(homedir(), 'canary-of-the-person.txt');
    writeFileSync(canary, 'mine');
    onTestFinished(() => rmSync(canary));
    const world = setUp([
      [
        { run: `cat ${canary}; echo over > ${canary}; echo mine > ~/own.txt; cat ~/own.txt` },
        written('one.txt'),
        { say: 'Tried.' },
      ],
    ]);
    const { steps } = await runTestLeg(world);
    const [ran] = steps.flatMap((step) => (step.kind === 'result' ? [step.text] : []));
    expect(ran).toContain('No such file');
    expect(readFileSync(canary, 'utf8')).toBe('mine');
    expect(existsSync(join(homedir(), 'own.txt'))).toBe(false);
    expect(existsSync(join(homedir(), '.scripted'))).toBe(false);
    expect(readdirSync(join(world.home, 'homes', 'run_1', 'work'))).toContain('.scripted');
  },
  limit,
);

test(
  'an agent reaches the hosts that are named, and no others; each refusal is told',
  async () => {
    const server = createServer((_, response) => response.end('hello'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const fetchThem: Act[] = [
      { fetch: `http://127.0.0.1:${port}/` },
      { fetch: 'http://metadata.example/' },
      { fetch: 'https://elsewhere.example/' },
      { run: `curl -s -m 5 --noproxy '*' http://192.0.2.1/ || echo unreachable` },
      written('one.txt'),
      { say: 'Fetched.' },
    ];
    const world = setUp([fetchThem], { hosts: [`127.0.0.1:${port}`] });
    const { steps } = await runTestLeg(world);
    const texts = steps.flatMap((step) => (step.kind === 'result' ? [step.text] : []));
    expect(texts.slice(0, 4).map((text) => text.replace(/\s*exit \d+$/, ''))).toEqual([
      '200',
      '403',
      '000',
      'unreachable',
    ]);
    const refused = steps.flatMap((step) =>
      step.kind === 'note' && step.about === 'network' ? [step.text] : [],
    );
    expect(refused.join('\n')).toContain('metadata.example');
    expect(refused.join('\n')).toContain('elsewhere.example');
    expect(refused.join('\n')).not.toContain('127.0.0.1');
  },
  limit,
);

test(
  'an agent without a login asks the person for it at once, with what it offers',
  async () => {
    const { outcome } = await runTestLeg(setUp([[]], { needsLogin: true }));
    expect(outcome).toMatchObject({ result: 'asks' });
    expect(outcome.result === 'asks' && outcome.question).toContain(
      'scripted is not logged in; it offers: Log in with Example.',
    );
  },
  limit,
);

const notesOf = (steps: Array<{ kind: string; text?: string }>) =>
  steps.flatMap((step) => (step.kind === 'note' ? [step.text ?? ''] : []));

test.each([
  ['initialize', 3],
  ['session/new', 12],
] as const)(
  'an agent that never answers %s is told of, and given up after its limit with the next step',
  async (ignores, answerSeconds) => {
    const { outcome, steps } = await runTestLeg(setUp([[]], { ignores, answerSeconds }));
    expect(notesOf(steps).join('\n')).toContain(
      `Waits for scripted to answer ${ignores}, at most ${answerSeconds} s.`,
    );
    expect(outcome).toMatchObject({ result: 'failed', retryable: false });
    const message = outcome.result === 'failed' ? outcome.message : '';
    expect(message).toContain(`did not answer ${ignores} within ${answerSeconds} s`);
    expect(message).toContain('sylk agents test scripted');
  },
  limit,
);

test(
  'an agent that says nothing after a prompt is told of, stopped at its limit, and the person is asked',
  async () => {
    const world = setUp([[written('one.txt'), { hang: true }]], { silentMinutes: 0.05 });
    const { outcome, steps } = await runTestLeg(world);
    expect(notesOf(steps).join('\n')).toContain('scripted has said nothing for');
    expect(outcome).toMatchObject({ result: 'asks' });
    expect(outcome.result === 'asks' && outcome.question).toContain('said nothing for 0.05 minutes');
  },
  limit,
);

test(
  'an agent that calls the same again and again, and ignores that it is stopped, is ended all the same',
  async () => {
    const { outcome, steps } = await runTestLeg(setUp([[written('one.txt'), { repeat: 1_000_000 }]]));
    expect(outcome).toMatchObject({ result: 'asks' });
    expect(outcome.result === 'asks' && outcome.question).toContain('same result 3 times');
    expect(steps.filter(({ kind }) => kind === 'calling').length).toBeLessThan(1500);
  },
  limit,
);

test(
  'an error that an agent answers is told with its details',
  async () => {
    const { outcome, steps } = await runTestLeg(setUp([[{ fail: 'the model is overloaded' }]]));
    expect(outcome).toMatchObject({ result: 'failed', retryable: true });
    expect(outcome.result === 'failed' && outcome.message).toContain('the model is overloaded');
    expect(notesOf(steps).join()).toContain('the model is overloaded');
  },
  limit,
);

test(
  'what is not the protocol is ignored and told of a few times, and nothing of it reaches the terminal',
  async () => {
    const printed = vi.spyOn(console, 'error');
    onTestFinished(() => printed.mockRestore());
    const update = (body: object, sessionId = 'x') =>
      JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { sessionId, update: body } });
    const words = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'not mine' } };
    const raw = [
      'Welcome!',
      '[]',
      '{"jsonrpc":"2.0","id":77,"result":1}',
      update(words),
      update({ sessionUpdate: 'tool_call' }),
      '{"jsonrpc":"2.0","method":"session/update"}',
      '{"jsonrpc":"2.0","method":"no/such","params":1}',
    ];
    const world = setUp([[...raw.map((line) => ({ raw: line })), written('one.txt'), { say: 'Done.' }]]);
    const { outcome, steps } = await runTestLeg(world);
    expect(outcome).toMatchObject({ result: 'done', output: 'Done.' });
    expect(notesOf(steps).filter((note) => note.includes('it is ignored'))).toHaveLength(3);
    expect(printed).not.toHaveBeenCalled();
  },
  limit,
);

test(
  'an agent of another protocol version is refused',
  async () => {
    const { outcome } = await runTestLeg(setUp([[]], { protocol: 9 }));
    expect(outcome).toMatchObject({ result: 'failed', retryable: false });
    expect(outcome.result === 'failed' && outcome.message).toContain('speaks version 9');
  },
  limit,
);

test(
  'an agent that floods is cut: its words end at a limit, and so does its leg',
  async () => {
    const world = setUp([[written('one.txt'), { say: 'flood '.repeat(2000), times: 5000 }]]);
    const { outcome, steps } = await runTestLeg(world);
    expect(outcome).toMatchObject({ result: 'asks' });
    expect(outcome.result === 'asks' && outcome.question).toContain(
      'It sent more than 50 million characters',
    );
    const longest = Math.max(...steps.map((step) => ('text' in step ? step.text.length : 0)));
    expect(longest).toBeLessThan(200_000);
  },
  limit,
);

test(
  'an agent that works longer than it may is stopped, and the person is asked',
  async () => {
    const world = setUp([[written('one.txt'), { hang: true }, written('two.txt')]], { minutes: 0.05 });
    const { outcome } = await runTestLeg(world);
    expect(outcome).toMatchObject({ result: 'asks' });
    expect(outcome.result === 'asks' && outcome.question).toContain('its limit');
  },
  limit,
);

test(
  'a turn that passes the budget is cancelled at the first report, and what it cost is told',
  async () => {
    const world = setUp([[written('one.txt'), { usage: { used: 10, cost: 2.5 } }, { hang: true }]]);
    const { outcome, steps } = await runTestLeg({ ...world, budget: 2 });
    expect(outcome).toMatchObject({ result: 'asks', cost: 2.5 });
    expect(outcome.result === 'asks' && outcome.question).toContain('$2.5');
    expect(steps.find(({ kind }) => kind === 'spent')).toMatchObject({ cost: 2.5 });
  },
  limit,
);

test(
  'a word of the person reaches an agent in the middle of its turn',
  async () => {
    const world = setUp(
      [
        [written('one.txt'), { hang: true }],
        [{ expect: 'use tabs' }, { say: 'With tabs.' }],
      ],
      { canResume: true },
    );
    let isBusy = false;
    const { outcome } = await runTestLeg({
      ...world,
      signals: () => (isBusy ? [{ command: 'c', kind: 'prompt', message: 'use tabs' }] : []),
      onStep: (step) => {
        isBusy ||= step.kind === 'result';
      },
    });
    expect(outcome).toMatchObject({ result: 'done', output: 'With tabs.' });
  },
  limit,
);

test(
  'an agent that is asked in the middle of its turn answers, and goes on with its task',
  async () => {
    const world = setUp(
      [
        [written('one.txt'), { hang: true }],
        [{ expect: 'which files' }, { say: 'Only one.txt.' }],
        [{ expect: 'Go on with the task' }, written('two.txt'), { say: 'Both.' }],
      ],
      { canResume: true },
    );
    let isBusy = false;
    const { outcome, steps } = await runTestLeg({
      ...world,
      signals: () => (isBusy ? [{ command: 'c', kind: 'query', message: 'which files?' }] : []),
      onStep: (step) => {
        isBusy = step.kind === 'result' && !isBusy;
      },
    });
    expect(outcome).toMatchObject({ result: 'done', output: 'Both.' });
    expect(steps.filter((step) => step.kind === 'said' && step.answers)).toMatchObject([
      { text: 'Only one.txt.', answers: ['which files?'] },
    ]);
  },
  limit,
);

test(
  'another process goes on where one was killed, and the agent of the first is gone',
  async () => {
    const world = setUp(
      [
        [written('one.txt'), { run: 'true' }, { hang: true }],
        [{ expect: 'ended in the middle' }, written('two.txt'), { say: 'Both.' }],
      ],
      { canResume: true },
    );
    const first = new AbortController();
    const died = runTestLeg({
      ...world,
      signal: first.signal,
      onStep: (step) => {
        if (step.kind === 'checkpoint') first.abort('the process ends');
      },
    });
    await expect(died).rejects.toBeDefined();
    const { outcome, directory } = await runTestLeg({ ...world, epoch: 2 });
    expect(outcome).toMatchObject({ result: 'done', output: 'Both.' });
    expect(readdirSync(directory)).toEqual(expect.arrayContaining(['one.txt', 'two.txt']));
    expect(treeDigest(directory)).toHaveLength(64);
  },
  limit,
);
