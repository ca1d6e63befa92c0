import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openApp } from '../../src/app.ts';
import { fixedClock } from '../../src/base/clock.ts';
import { runOperation } from '../../src/operations/run.ts';
import { fixtureRepository } from '../support/fixture-repository.ts';
import { draft } from '../support/references.ts';
import { temporaryDirectory } from '../support/temporary.ts';

async function world() {
  const repository = fixtureRepository();
  const clock = fixedClock(Date.UTC(2026, 0, 1));
  const home = temporaryDirectory('home');
  const app = openApp({ directory: repository.path, clock, env: { HOME: home, PATH: process.env.PATH } });
  onTestFinished(() => app.close());
  // biome-ignore lint/suspicious/noExplicitAny: each operation has its own output
  const call = async (name: string, input: object): Promise<any> => {
    const outcome = await runOperation(app, { name, input, caller: { kind: 'person', name: 'ada' } });
    if (!outcome.ok) throw new Error(`${name}: ${outcome.error.message}`);
    return outcome.output;
  };
  const source = temporaryDirectory('source');
  writeFileSync(
    join(source, 'buckets.md'),
    '# Token buckets\n\nA bucket refills at a constant rate; a request without a token is refused with 429.\n',
  );
  const references = await app.references();
  const made = await references.create({
    draft: draft({
      title: 'Rate limiting handbook',
      body: 'About limits.',
      sources: [{ type: 'local', path: source }],
    }),
    author: { agent: 'client', model: 'test' },
    answered: false,
    permit: async () => ({ done: async () => {}, release: async () => {} }),
  });
  const domain = (reply: { results: Array<{ domain: string; results: object[] }> }) =>
    reply.results.find((each) => each.domain === 'references')!.results;
  return { app, call, clock, references, domain, topic: made.topic_id };
}

test('search_all answers from references too, quoted, with the trust of their kind and when they were fetched', async () => {
  const { call, domain, topic } = await world();
  const found = domain(await call('search_all', { query: 'token bucket that refills' }));
  expect(found[0]).toMatchObject({
    ref: `topic:${topic}#buckets.md`,
    title: 'Rate limiting handbook › buckets.md',
    trust: 70,
    updated: '2026-01-01',
    reason: expect.stringContaining('quoted from outside (documentation, fetched 2026-01-01)'),
  });
  const code = await call('search_all', { query: 'token bucket', domains: 'code' });
  expect(code.results.map((each: { domain: string }) => each.domain)).toEqual(['code']);
});

test('ask cites references, and stops citing a topic that was marked obsolete', async () => {
  const { call, clock, topic } = await world();
  const cited = async () =>
    (
      await call('ask', { question: 'what happens to a request without a token in the bucket' })
    ).citations.filter(({ domain }: { domain: string }) => domain === 'references');
  expect(await cited()).toHaveLength(1);
  await call('reference_topic_update', { topic_id: topic, status: 'obsolete' });
  clock.advance(3000);
  expect(await cited()).toHaveLength(0);
});

test('freshness is told for references as a source of its own', async () => {
  const { call, clock } = await world();
  const told = async () =>
    (await call('search_all', { query: 'bucket' })).freshness.filter(
      ({ source }: { source: string }) => source === 'references',
    );
  expect(await told()).toEqual([]);
  clock.advance(40 * 86_400_000);
  expect(await told()).toMatchObject([
    { state: 'stale', detail: expect.stringContaining('Rate limiting handbook') },
  ]);
});
