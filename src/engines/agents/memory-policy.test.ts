import { expect, test } from 'vitest';
import { type Answer, calls, completes, replyOf, runTestLeg } from '../../../tests/support/agent-leg.ts';
import { testRepository } from '../../../tests/support/repository.ts';
import { temporaryDirectory } from '../../../tests/support/temporary.ts';
import { type Model, type ModelRequest, modelError } from '../../base/model/index.ts';
import { openRoles } from '../../stores/roles/index.ts';

const window = 10_000;
const isForNotes = ({ tools }: ModelRequest): boolean => tools === undefined;
const lines = (name: string) =>
  Array.from({ length: 120 }, (_, at) => `${name} line ${at}: value_${name}_${at}\n`).join('');

/** A model that answers in order and says in its notes which part of the work they are of. */
function modelOf(
  answers: Answer[],
  notes: () => string = () => 'remaining: the rest',
): Model & { requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  let given = 0;
  return {
    id: 'test/model',
    window,
    maxOutput: 4_096,
    price: undefined,
    requests,
    stream: async (request) => {
      requests.push(structuredClone({ ...request, signal: undefined, onDelta: undefined }));
      if (isForNotes(request)) return replyOf({ text: notes(), tokens: 50 }, 1_000 + requests.length);
      return replyOf(answers[given] ?? completes, given++);
    },
  };
}

async function work(answers: Answer[], memory: object, notes?: () => string) {
  const repository = testRepository();
  const base = repository.commit('first', { 'one.txt': lines('one'), 'two.txt': lines('two') });
  const model = modelOf(answers, notes);
  const stored: Array<{ category: string; text: string }> = [];
  const role = openRoles({
    personDirectory: temporaryDirectory('person'),
    root: repository.path,
    trusted: () => new Map(),
  }).find('tester');
  if (!role) throw new Error('no tester');
  const result = await runTestLeg({
    repository: repository.path,
    home: temporaryDirectory('window'),
    base,
    model,
    role: { ...role, memory: { checkpoints: [], document: 'tester_summary', ...memory } },
    store: async (category, text) => void stored.push({ category, text }),
  });
  return { ...result, model, stored };
}

const read = (path: string, tokens: number): Answer => ({ ...calls('read_file', { path }), tokens });
const write = (name: string, tokens: number): Answer => ({
  ...calls('write_file', { path: `${name}.txt`, content: name }),
  tokens,
});

test('a summary is stored at each threshold that is passed, in order, once for each fill', async () => {
  const { stored, steps, outcome } = await work(
    [write('a', 3_000), write('b', 8_000), write('c', 8_100), completes],
    { checkpoints: [75, 25, 50] },
  );
  expect(outcome.result).toBe('done');
  expect(stored.map(({ category, text }) => [category, text.split(',', 1)[0]])).toEqual([
    ['tester_summary', 'checkpoint_25%'],
    ['tester_summary', 'checkpoint_50%'],
    ['tester_summary', 'checkpoint_75%'],
  ]);
  expect(stored.map(({ text }) => /summary (\d)/.exec(text)?.[1])).toEqual(['1', '2', '3']);
  expect(stored[2]?.text).toContain('remaining: the rest');
  expect(stored[2]?.text).toContain('Files changed: a.txt, b.txt');
  // One conversation is asked about once, however many thresholds it passed.
  expect(steps.filter(({ kind }) => kind === 'noted')).toHaveLength(2);
});

test('a conversation that is shortened keeps its task and goes on; thresholds are armed again', async () => {
  const { model, stored, steps, outcome } = await work(
    [read('one.txt', 8_000), write('a', 1_000), read('two.txt', 8_000), completes],
    { checkpoints: [50], compact: 75 },
  );
  expect(outcome.result).toBe('done');
  expect(steps.filter(({ kind }) => kind === 'compacted')).toHaveLength(2);
  expect(stored.map(({ text }) => /summary (\d)/.exec(text)?.[1])).toEqual(['1', '2']);
  const [, afterwards] = model.requests.filter((request) => !isForNotes(request));
  expect(afterwards?.messages[0]).toMatchObject({
    role: 'user',
    text: expect.stringContaining('Do the task'),
  });
  expect(afterwards?.messages[1]).toMatchObject({ text: expect.stringContaining('remaining: the rest') });
});

test('what a window no longer holds is found again word for word, and only then is the way there offered', async () => {
  const { model, steps } = await work(
    [
      read('one.txt', 500),
      // Nothing of the first file fits beside a long last exchange.
      { ...calls('run_command', { command: `echo ${'x'.repeat(3_000)}` }), tokens: 8_000 },
      calls('recall_steps', { query: 'value_one_33' }),
      write('a', 600),
      completes,
    ],
    { compact: 75 },
  );
  const questions = model.requests.filter((request) => !isForNotes(request));
  const offered = questions.map(({ tools }) => tools?.some(({ name }) => name === 'recall_steps'));
  expect(offered).toEqual([false, false, true, true, true]);
  expect(JSON.stringify(questions[2]?.messages)).not.toContain('value_one_33');
  const found = steps.find((step) => step.kind === 'result' && step.name === 'recall_steps');
  expect(found).toMatchObject({
    isError: false,
    untrusted: true,
    text: expect.stringContaining('one line 33: value_one_33'),
  });
});

test('the last exchange stays when a conversation is shortened, also where it is long', async () => {
  const { model } = await work([read('one.txt', 500), read('two.txt', 8_000), write('a', 500), completes], {
    compact: 75,
  });
  const questions = model.requests.filter((request) => !isForNotes(request));
  expect(JSON.stringify(questions[2]?.messages)).toContain('value_two_33');
  expect(JSON.stringify(questions[2]?.messages)).not.toContain('value_one_33');
});

test('a model that can write no notes leaves what the steps tell', async () => {
  const { outcome, stored, steps } = await work([write('a', 9_600), completes], { hand_over: 90 }, () => {
    throw modelError('overloaded', 'busy');
  });
  expect(outcome).toMatchObject({ result: 'context_full', bundle: expect.stringContaining('a.txt') });
  expect(stored).toMatchObject([
    { category: 'tester_summary', text: expect.stringMatching(/^tester_context_96%/) },
  ]);
  expect(steps.filter(({ kind }) => kind === 'noted')).toHaveLength(0);
});

test('a task that fills the window by itself is handed over, not shortened again and again', async () => {
  const { outcome, steps } = await work([write('a', 9_000)], { compact: 1 });
  expect(outcome.result).toBe('context_full');
  expect(steps.filter(({ kind }) => kind === 'compacted')).toHaveLength(1);
});
