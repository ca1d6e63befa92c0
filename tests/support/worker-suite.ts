import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runTestLeg } from './agent-leg.ts';
import { testRepository } from './repository.ts';
import { temporaryDirectory } from './temporary.ts';
import type { Deed, WorkerKind } from './worker-cases.ts';

const limit = 120_000;

/** What has to be true of a leg, whoever works. */
export function describeWorker({ name, leg }: WorkerKind): void {
  const setUp = (deeds: Deed[][]) => {
    const repository = testRepository();
    const base = repository.commit('first', { 'a.txt': 'one\n', 'docs/b.txt': 'b\n' });
    const home = temporaryDirectory('leg');
    return { repository: repository.path, show: repository.git, base, home, ...leg(deeds, home) };
  };

  test(
    `${name}: a task ends with its files in one commit on the base, and what was said`,
    async () => {
      const world = setUp([
        [{ write: 'c.txt', text: 'new\n' }, { run: 'cat a.txt' }, { done: 'Added c.txt.' }],
      ]);
      const { outcome, steps } = await runTestLeg(world);
      expect(outcome).toMatchObject({ result: 'done', output: 'Added c.txt.' });
      const commit = outcome.result === 'done' ? outcome.commit : '';
      expect(world.show('show', `${commit}:c.txt`)).toBe('new');
      expect(world.show('rev-parse', `${commit}^`)).toBe(world.base);
      expect(steps.map(({ kind }) => kind)).toContain('calling');
      expect(steps.find((step) => step.kind === 'result' && step.text.includes('one'))).toMatchObject({
        untrusted: true,
      });
    },
    limit,
  );

  test(
    `${name}: what the rules deny is not done, the worker is told, and the work goes on`,
    async () => {
      const world = setUp([
        [{ run: 'touch denied.txt' }, { write: 'allowed.txt', text: 'x\n' }, { done: 'Without it.' }],
      ]);
      const { outcome } = await runTestLeg({
        ...world,
        rules: [{ action: 'deny', command: 'touch' }],
      });
      expect(outcome).toMatchObject({ result: 'done' });
      const commit = outcome.result === 'done' ? outcome.commit : '';
      expect(world.show('ls-tree', '--name-only', commit).split('\n')).toEqual([
        'a.txt',
        'allowed.txt',
        'docs',
      ]);
    },
    limit,
  );

  test(
    `${name}: a question ends the leg, and the answer reaches the next one`,
    async () => {
      const world = setUp([
        [{ ask: 'Which name?' }],
        [{ expect: 'call it c' }, { write: 'c.txt', text: 'x\n' }, { done: 'Named it.' }],
      ]);
      const asked = await runTestLeg(world);
      expect(asked.outcome).toMatchObject({ result: 'asks', question: 'Which name?' });
      const { outcome } = await runTestLeg({ ...world, leg: 2, message: 'call it c' });
      expect(outcome).toMatchObject({ result: 'done', output: 'Named it.' });
    },
    limit,
  );

  test(
    `${name}: what the judges found is told to the same conversation`,
    async () => {
      const world = setUp([
        [{ write: 'c.txt', text: 'bad\n' }, { done: 'First.' }],
        [{ expect: 'c.txt is bad' }, { write: 'c.txt', text: 'good\n' }, { done: 'Second.' }],
      ]);
      await runTestLeg(world);
      const { outcome } = await runTestLeg({
        ...world,
        leg: 2,
        feedback: [{ from: 'inspector', leg: 1, text: 'c.txt is bad' }],
      });
      expect(outcome).toMatchObject({ result: 'done', output: 'Second.' });
    },
    limit,
  );

  test(
    `${name}: a leg that ended and was not reported is not worked on again`,
    async () => {
      const world = setUp([[{ write: 'c.txt', text: 'x\n' }, { done: 'Once.' }]]);
      const first = await runTestLeg(world);
      const again = await runTestLeg({ ...world, epoch: 2 });
      expect(again.outcome).toMatchObject({ result: 'done', output: 'Once.' });
      expect(again.steps.length).toBe(first.steps.length);
    },
    limit,
  );

  test(
    `${name}: a worker that changes nothing asks`,
    async () => {
      const { outcome } = await runTestLeg(setUp([[{ done: 'Nothing to do.' }]]));
      expect(outcome).toMatchObject({ result: 'asks' });
      expect(outcome.result === 'asks' && outcome.question).toContain('No file was changed');
    },
    limit,
  );

  test(
    `${name}: the same call with the same result three times asks the person, with a checkpoint`,
    async () => {
      const world = setUp([
        [...Array.from({ length: 6 }, () => ({ run: 'cat a.txt' })), { done: 'Never said.' }],
      ]);
      const { outcome, steps } = await runTestLeg(world);
      expect(outcome).toMatchObject({ result: 'asks' });
      expect(outcome.result === 'asks' && outcome.question).toContain('3 times');
      expect(steps.some(({ kind }) => kind === 'checkpoint')).toBe(true);
    },
    limit,
  );

  test(
    `${name}: a stop keeps what was done, as a commit`,
    async () => {
      const controller = new AbortController();
      const world = setUp([
        [{ write: 'c.txt', text: 'x\n' }, { run: 'ls' }, { run: 'sleep 60' }, { done: 'Never said.' }],
      ]);
      const { outcome } = await runTestLeg({
        ...world,
        rules: [{ action: 'allow', effect: 'command' }],
        signal: controller.signal,
        onStep: (step) => {
          if (step.kind === 'result' && step.text.includes('a.txt')) controller.abort('stopped');
        },
      });
      expect(outcome).toMatchObject({ result: 'stopped' });
      const commit = outcome.result === 'stopped' ? (outcome.commit ?? '') : '';
      expect(world.show('show', `${commit}:c.txt`)).toBe('x');
    },
    limit,
  );

  test(
    `${name}: the memory's tools are there, and pass the same rules`,
    async () => {
      const asked: string[] = [];
      const world = setUp([
        [
          { call: 'recall_names', input: { of: 'x' } },
          { call: 'send_out', input: {} },
          { write: 'c.txt', text: 'x\n' },
          { done: 'Done.' },
        ],
      ]);
      const tool = (toolName: string, effect: 'read' | 'fetch') => ({
        name: toolName,
        description: 'For the test.',
        inputSchema: { type: 'object' },
        tier: 'core' as const,
        effect,
        run: async (input: Record<string, unknown>) => {
          asked.push(`${toolName} ${JSON.stringify(input)}`);
          return { text: 'Ada Lovelace' };
        },
      });
      const { outcome, steps } = await runTestLeg({
        ...world,
        tools: [tool('recall_names', 'read'), tool('send_out', 'fetch')],
      });
      expect(outcome).toMatchObject({ result: 'done' });
      expect(asked).toEqual(['recall_names {"of":"x"}']);
      const texts = steps.flatMap((step) => (step.kind === 'result' ? [step.text] : []));
      expect(texts.join('\n')).toContain('Ada Lovelace');
      expect(texts.join('\n')).toContain('send_out was refused');
    },
    limit,
  );

  test(
    `${name}: no secret of the agent's words or results is stored`,
    async () => {
      const secret = `ghp_${'a1B2'.repeat(9)}`;
      const world = setUp([
        [{ write: 'c.txt', text: 'x\n' }, { run: `echo ${secret}` }, { done: `It is ${secret}.` }],
      ]);
      const { steps } = await runTestLeg(world);
      expect(JSON.stringify(steps)).not.toContain(secret);
    },
    limit,
  );

  test(
    `${name}: nothing outside the work place is written`,
    async () => {
      const world = setUp([
        [{ write: '../outside.txt', text: 'x\n' }, { write: 'in.txt', text: 'x\n' }, { done: 'Tried.' }],
      ]);
      const { directory } = await runTestLeg(world);
      expect(existsSync(join(directory, '..', 'outside.txt'))).toBe(false);
    },
    limit,
  );
}
