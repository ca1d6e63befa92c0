import { expect, test } from 'vitest';
import { readCases, readSeedCases } from '../../../../bench/routing/cases.ts';
import { baselines, runClassifier, scriptedModel } from '../../../../bench/routing/contenders.ts';
import { developmentMaterial, digestOf } from '../../../../bench/routing/material.ts';
import { macroF1 } from '../../../../bench/routing/measure.ts';
import { fixedClock } from '../../../base/clock.ts';
import { createStaticEmbedder, type StaticEmbedder } from '../../../base/embedding/index.ts';
import { createReader } from './index.ts';
import { laneNames } from './lanes.ts';
import { learned } from './learned.ts';
import { nextStepOf } from './route-line.ts';

const quick = createStaticEmbedder();
const classifier = (clock = fixedClock()) => createReader({ clock, quick: async () => quick });

test.each(readSeedCases())(
  'the design’s own example goes to the $target with $intent: $text (Guide Intent Classification)',
  async ({ text, target, intent, verb, subject, time_scope, phase }) => {
    const found = await classifier().read(text, phase ? { phase: phase as 'planning' } : {});
    expect(found).toMatchObject({ target, intent, verb, unsure: false });
    if (subject) expect(found.subject).toBe(subject);
    expect(found.time_scope?.name ?? '').toBe(time_scope);
  },
);

test('the first messages go to the right target: macro-F1 of at least .85 without a model, above the trigger phrases', async () => {
  const cases = readCases('held-out');
  const ours = await runClassifier('static vectors', cases, { quick });
  expect(macroF1(ours.targets)).toBeGreaterThanOrEqual(0.85);
  const [triggers] = baselines(cases);
  expect(macroF1(ours.targets)).toBeGreaterThan(macroF1(triggers!.targets));
});

test('the weights were trained on the development messages as they are (`npm run lab -- routing-train`)', () => {
  const { header } = learned();
  expect(header.lanes).toEqual(laneNames);
  expect(header.trained_on).toBe(digestOf([...developmentMaterial().values()].flat()));
});

test('a pattern in the present is the Librarian’s, in the past or over a time the Archivalist’s (Pattern 2)', async () => {
  const { read } = classifier();
  expect(await read('what patterns do we use for error handling')).toMatchObject({
    target: 'librarian',
    intent: 'PATTERN',
  });
  expect(await read('what patterns have we used for error handling')).toMatchObject({
    target: 'archivalist',
    intent: 'HISTORICAL',
  });
  expect(await read('what was our approach to caching last year')).toMatchObject({
    target: 'archivalist',
    intent: 'HISTORICAL',
    time_scope: { name: 'last_year' },
  });
});

test.each([
  'why do callers pass trimmed names to deepMerge',
  'what made parse_url so slow',
  'thoughts on `applyRules`',
])('a message that names a part of the code is for somebody who knows this code: %s', async (text) => {
  expect(['librarian', 'archivalist']).toContain((await classifier().read(text)).target);
});

test('who asks why is not answered with a place', async () => {
  for (const text of ['why do callers pass trimmed names to parseIP', 'why is the pool drained in close()'])
    expect((await classifier().read(text)).intent).not.toBe('LOCATE');
});

test('what fits nobody is searched for by the Librarian and is not planned by the Architect', async () => {
  expect(await classifier().read('the cat sat on the mat')).toMatchObject({
    target: 'librarian',
    intent: 'GENERAL',
    method: 'default',
    unsure: true,
  });
});

test('best practice is answered beside how this code does it (Pattern 4)', async () => {
  expect(await classifier().read("what's best practice for retries, and how do we do it")).toMatchObject({
    target: 'academic',
    also: ['librarian'],
    subject: 'retries',
  });
});

test.each([
  ['/session', { intent: 'SESSION', command: { name: 'session list', arguments: [] } }],
  ['/session switch ses_1', { command: { name: 'session switch', arguments: ['ses_1'] } }],
  [
    '/task 1 prompt "Focus on error handling first"',
    {
      target: 'engineer',
      command: { name: 'task prompt', arguments: ['1', 'Focus on error handling first'] },
    },
  ],
  [
    '@archivalist where is the rate limiter',
    { target: 'archivalist', method: 'address', subject: 'rate_limiter' },
  ],
  ['@Librarian, how did we do it', { target: 'librarian', method: 'address' }],
  ['/help', { target: 'guide', intent: 'HELP' }],
])('%j needs no classification', async (text, expected) => {
  expect(await classifier().read(text)).toMatchObject({ confidence: 1, ...expected });
});

test.each([
  ['/session dance', /knows no "dance"/],
  ['/session switch', /needs the id/],
  ['/task', /needs a pipeline/],
  ['/task 1 sing', /knows no "sing"/],
  ['/task 1 prompt', /needs a message/],
  ['@archivaliste hello', /no agent @archivaliste/],
  ['@librarian', /nothing to answer/],
])('a wrong command %j is refused with what would be right', async (text, message) => {
  await expect(classifier().read(text)).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    message: expect.stringMatching(message),
    hint: expect.any(String),
  });
});

test.each([
  '@types/node is missing',
  '@testing-library/react fails',
  '@babel/core',
  '/tmp is full',
  '/sessions are slow',
])('%j is no command and no address', async (text) => {
  const { method } = await classifier().read(text);
  expect(['command', 'address']).not.toContain(method);
});

test('only what a model decided is kept, for the same words in the same session, for an hour (Guide Hooks)', async () => {
  const clock = fixedClock();
  const { read, cache } = classifier(clock);
  let asked = 0;
  const model = async () => {
    asked++;
    return 'Sure: {"target": "academic", "intent": "RESEARCH", "subject": "Cats on mats", "confidence": 0.9}';
  };
  const text = 'the cat sat on the mat';
  expect(await read(text, { model, visibility: 'a' })).toMatchObject({
    method: 'model',
    target: 'academic',
    subject: 'cats_on_mats',
  });
  expect(await read('The cat  sat on the mat', { model, visibility: 'a' })).toMatchObject({
    method: 'cache',
    target: 'academic',
  });
  expect(asked).toBe(1);
  expect(await read(text, { model, visibility: 'b' })).toMatchObject({ method: 'model' });
  expect(await read('where is the rate limiter', { model, visibility: 'a' })).toMatchObject({
    method: 'rules',
  });
  expect(cache.statistics().entries).toBe(2);
  clock.advance(61 * 60_000);
  expect(await read(text, { model, visibility: 'a' })).toMatchObject({ method: 'model' });
  expect(asked).toBe(3);
});

test.each(['no json', '{"target": "king"}', 42, '{broken'])(
  'a model that answers %j changes nothing',
  async (answer) => {
    expect(await classifier().read('the cat sat on the mat', { model: async () => answer })).toMatchObject({
      method: 'default',
      unsure: true,
    });
  },
);

test('a model that fails changes nothing', async () => {
  const model = async () => {
    throw new Error('no network');
  };
  expect(await classifier().read('the cat sat on the mat', { model })).toMatchObject({
    method: 'default',
  });
});

test('a model is asked only where the other tiers are not sure', async () => {
  const cases = readCases('held-out');
  const run = await runClassifier('model', cases, { quick, model: scriptedModel(cases) });
  expect(run.methods['model'] ?? 0).toBeLessThan(cases.length / 4);
});

test('a message that is addressed keeps what it asks for; one that asks for nothing gets the usual', async () => {
  const { read } = classifier();
  const options = { target: 'librarian' as const };
  expect(await read('where is the login?', options)).toMatchObject({ target: 'librarian', intent: 'LOCATE' });
  const plain = await read('qwertz', options);
  expect(plain).toMatchObject({ target: 'librarian', verb: 'recall', method: 'address' });
  expect(plain.intent).not.toBe('LOCATE');
});

test('without vectors the rules decide alone', async () => {
  const absent = async (): Promise<StaticEmbedder> => {
    throw new Error('no weights');
  };
  const { read } = createReader({ clock: fixedClock(), quick: absent });
  expect(await read('where is the rate limiter')).toMatchObject({
    target: 'librarian',
    intent: 'LOCATE',
  });
  expect(await read('lol')).toMatchObject({ unsure: true });
});

test('the person’s preferences decide where words leave a choice (Agent-to-Technique Mapping, Router)', async () => {
  const { read } = classifier();
  expect(await read('tell the cat', { preferences: { 'routing.unsure': 'archivalist' } })).toMatchObject({
    target: 'archivalist',
    unsure: true,
  });
  expect(
    await read('where is the invoice', { preferences: { 'routing.word.invoice': '@academic' } }),
  ).toMatchObject({ target: 'academic', reason: expect.stringContaining('preference') });
  expect(await read('build an export to CSV', { preferences: { workflow: 'research first' } })).toMatchObject(
    { target: 'architect', also: ['academic'] },
  );
  expect(
    await read('where is the invoice', {
      preferences: { 'routing.prefer': 'nobody', 'routing.word.invoice': 'king' },
    }),
  ).toMatchObject({ target: 'librarian' });
});

test('said during inspection and testing, a message is for those who present (phases 4 and 5)', async () => {
  const { read } = classifier();
  expect(await read('Fix all of these', { phase: 'inspection' })).toMatchObject({ target: 'inspector' });
  expect(await read('Skip tests for now', { phase: 'testing' })).toMatchObject({ target: 'tester' });
  expect(await read('where is the rate limiter', { phase: 'inspection' })).toMatchObject({
    target: 'librarian',
  });
});

test('a message of any length is classified', async () => {
  for (const text of ['', '   ', '?', 'x'.repeat(100_000), 'where '.repeat(20_000), '@'.repeat(5000)])
    expect((await classifier().read(text)).target).toBeTruthy();
});

test('a question that names this project is about its code, a common word or another name is not taken for it', async () => {
  const of = async (project: string, text: string) =>
    (await createReader({ clock: fixedClock(), quick: async () => quick, project }).read(text)).target;
  const text = 'how does ripgrep detect binary files?';
  expect(await of('ripgrep', text)).toBe('librarian');
  expect(await of('fzf', text)).toBe('academic');
  const common = 'what is best practice for an api?';
  expect(await of('api', common)).toBe('academic');
});

test('what to do with a message is said in plain words, and not below a question that only sounds like one for us', () => {
  const asked = {
    verb: 'recall',
    method: 'examples',
    text: 'where does it suggest similar commands?',
  } as const;
  expect(nextStepOf({ ...asked, target: 'guide', intent: 'HELP' })).toBeUndefined();
  expect(nextStepOf({ ...asked, target: 'tester', intent: 'TEST' })).toBeUndefined();
  expect(nextStepOf({ ...asked, target: 'guide', intent: 'HELP', method: 'rules' })).toContain(
    '`sylk guide help`',
  );
  const told = nextStepOf({ ...asked, target: 'tester', intent: 'TEST', text: 'write tests for the parser' });
  expect(told).toMatch(/^To run the tests: `sylk tools` shows how\./);
});

test.each([
  'how are tests run?',
  'how do I run the tests?',
  'which test covers the parser?',
  'why should tests not use the network?',
])('a question with the words of work in it is a question: %s', async (text) => {
  expect(await classifier().read(text)).toMatchObject({ target: 'librarian', verb: 'recall' });
});
