import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openApp } from '../../src/app.ts';
import { fixedClock } from '../../src/base/clock.ts';
import { findOperation } from '../../src/operations/list.ts';
import { runOperation } from '../../src/operations/run.ts';
import { fixtureRepository } from '../support/fixture-repository.ts';
import { draft } from '../support/references.ts';
import { temporaryDirectory } from '../support/temporary.ts';

interface Reply {
  answer: string;
  level: number;
  citations: Array<{
    ref: string;
    domain: string;
    trust: number;
    trust_name: string;
    freshness: number;
    state: string;
    warnings?: string[];
  }>;
  conflicts: Array<{ left: string; right: string }>;
}

const day = 86_400_000;
const passage = 'A bucket refills at a constant rate; a request without a token is refused with 429.';
const question = 'what happens to a request without a token in the bucket';

async function shelf() {
  const repository = fixtureRepository();
  const clock = fixedClock(Date.now());
  const env = { HOME: temporaryDirectory('home'), PATH: process.env.PATH };
  const app = openApp({ directory: repository.path, clock, env, flags: ['embedding.enabled=false'] });
  onTestFinished(() => app.close());
  const call = async <T>(name: string, input: object, kind: 'person' | 'agent' = 'person'): Promise<T> => {
    const outcome = await runOperation(app, { name, input, caller: { kind, name: 'ada' } });
    if (!outcome.ok) throw new Error(`${name}: ${outcome.error.message}`);
    return outcome.output as T;
  };
  await call('index_repository', {});
  const references = await app.references();
  const add = async (title: string, change: Partial<Parameters<typeof draft>[0]> = {}, text = passage) => {
    const source = temporaryDirectory('source');
    writeFileSync(join(source, 'notes.md'), `# Notes\n\n${text}\n`);
    const { topic_id } = await references.create({
      draft: draft({
        title,
        body: 'Notes.',
        tags: [],
        sources: [{ type: 'local', path: source }],
        trust_score: 10,
        ...change,
      }),
      author: { agent: 'client', model: 'test' },
      answered: false,
      permit: async () => ({ done: async () => {}, release: async () => {} }),
    });
    return topic_id;
  };
  const ask = (asked = question) => call<Reply>('ask', { question: asked, token_budget: 4000 });
  const cited = async (topic: string, asked?: string) =>
    (await ask(asked)).citations.find(({ ref }) => ref.startsWith(`topic:${topic}#`));
  return { app, clock, call, references, add, ask, cited };
}

test('references: the kind of a topic sets the level of the one table', async () => {
  const { add, ask } = await shelf();
  const kinds = {
    rfc: 70,
    documentation: 70,
    paper: 60,
    best_practice: 60,
    tutorial: 60,
    question_and_answer: 30,
    blog_post: 30,
  } as const;
  const topics = new Map<string, number>();
  for (const [kind, level] of Object.entries(kinds))
    topics.set(await add(`Limits as a ${kind}`, { kind: kind as keyof typeof kinds }), level);
  const { citations } = await ask();
  const told = citations.flatMap(({ ref, trust }) =>
    ref.startsWith('topic:') ? [[ref.slice('topic:'.length).replace(/#.*/, ''), trust] as const] : [],
  );
  expect(new Map(told)).toEqual(topics);
});

test('references: a paper outranks a blog post that says the same, whichever was gathered first', async () => {
  const { add, ask } = await shelf();
  const blog = await add('Buckets, my view', { kind: 'blog_post' });
  const paper = await add('Buckets, a study', { kind: 'paper' });
  const order = async (asked: string) => {
    const { citations, answer } = await ask(asked);
    const refs = citations.filter(({ domain }) => domain === 'references');
    return {
      refs: refs.map(({ ref }) => ref.replace(/#.*/, '')),
      answer,
      names: refs.map((each) => each.trust_name),
    };
  };
  const wanted = [`topic:${paper}`, `topic:${blog}`];
  expect(await order(question)).toMatchObject({ refs: wanted, names: ['Academic', 'Informal'] });
  // The Academic answers in parts of its own; the same holds there.
  const academic = await order('what do the references recommend: a request without a token in the bucket');
  expect(academic.refs).toEqual(wanted);
  expect(academic.answer.indexOf('a study')).toBeLessThan(academic.answer.indexOf('my view'));
});

test('references: a low trust_score caps the level of the kind and of what was made from it; a high one never raises it', async () => {
  const { add, cited, call, clock } = await shelf();
  const doubted = await add('Doubted manual', { trust_score: 4 });
  const praised = await add('Praised post', { kind: 'blog_post', trust_score: 10 });
  expect(await cited(doubted)).toMatchObject({
    trust: 40,
    trust_name: 'Low-Rated Source',
    warnings: [expect.stringContaining('Rated 4 of 10')],
  });
  expect(await cited(praised)).toMatchObject({ trust: 30, trust_name: 'Informal' });
  const rumour = await add('Rumours', { trust_score: 1 });
  const { entry } = await call<{ entry: { id: string } }>(
    'store_entry',
    { content: 'Requests over the limit wait in line.', derived_from: [`topic:${rumour}`] },
    'agent',
  );
  await call('promote', { id: entry.id });
  clock.advance(3000);
  const { citations } = await call<Reply>('ask', { question: 'requests over the limit wait in line' });
  // What an agent says and nobody can check is worth 30, and this was made from what is worth 10.
  expect(citations.find(({ ref }) => ref === `entry:${entry.id}`)).toMatchObject({ trust: 10 });
});

test('references: a stale topic is said to be stale, in the data and in the text', async () => {
  const { add, cited, ask, clock, call } = await shelf();
  const topic = await add('Limits handbook', { max_age_days: 30 });
  const fresh = (await cited(topic))!;
  expect(fresh).toMatchObject({ state: 'official docs' });
  clock.advance(30 * day);
  expect((await cited(topic))!.state).toBe('official docs');
  clock.advance(day);
  const stale = (await cited(topic))!;
  expect(stale).toMatchObject({ state: '⚠️ STALE', trust: 70 });
  expect(stale.warnings).toEqual([
    `⚠️ Stale since ${new Date(clock.now()).toISOString().slice(0, 10)} - fetch it again`,
  ]);
  expect(stale.freshness).toBeLessThan(fresh.freshness / 1.9);
  const operation = await findOperation('ask');
  const shown = operation.render!((await ask()) as never, { verbose: true });
  expect(shown).toContain('Authoritative 70; ⚠️ STALE');
  expect(shown).toContain('⚠️ Stale since');
  await call('reference_topic_refresh', { topic });
  expect((await cited(topic))!.state).toBe('official docs');
});

test('references: an obsolete topic is not cited, not even by an answer that was kept', async () => {
  const { add, cited, ask, call } = await shelf();
  const topic = await add('Old limits');
  expect(await cited(topic)).toBeDefined();
  await call('reference_topic_update', { topic_id: topic, status: 'obsolete' });
  const { citations, answer } = await ask();
  expect(citations.filter(({ domain }) => domain === 'references')).toEqual([]);
  expect(answer).not.toContain('Old limits');
});

test('references: documentation of another version than the one in use says so', async () => {
  const { add, cited } = await shelf();
  const other = await add('Zod three', { library: 'zod', library_version: '3.22.0' });
  const same = await add('Zod four', { library: 'zod', library_version: '4.1.0' });
  expect(await cited(other)).toMatchObject({
    state: '⚠️ OTHER VERSION',
    warnings: [expect.stringContaining('Zod three documents zod 3.22.0, but this project uses')],
  });
  expect((await cited(same))!.state).toBe('official docs');
});

test('references: what a topic says of its own world is not held against this code; what it says of a thing defined here is', async () => {
  const { add, ask, cited } = await shelf();
  const own = await add(
    'Buckets',
    {},
    `${passage} Buckets use lodash for timers. \`Bucket\` is in lib/bucket.rb.`,
  );
  expect((await ask()).conflicts).toEqual([]);
  expect(await cited(own)).toMatchObject({ trust: 70, state: 'official docs' });
  const wrong = await add('Shop notes', {}, 'The function `login` is defined in src/login.ts.');
  const answer = await ask('tell me about the function login of the shop');
  expect(answer.citations[0]).toMatchObject({ domain: 'code', ref: 'file:src/auth/session.ts' });
  expect(answer.conflicts).toMatchObject([
    { left: `topic:${wrong}#notes.md`, right: 'symbol:src/auth/session.ts#login' },
  ]);
  expect(answer.citations.find(({ ref }) => ref.startsWith(`topic:${wrong}`))).toMatchObject({
    trust: 20,
    state: '⚠️ UNVERIFIED',
  });
});
