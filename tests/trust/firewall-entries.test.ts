import { expect, onTestFinished, test } from 'vitest';
import { openApp } from '../../src/app.ts';
import { runOperation } from '../../src/operations/run.ts';
import { fixtureRepository } from '../support/fixture-repository.ts';
import { sylk } from '../support/sylk.ts';

interface Stored {
  entry: { id: string; verification: string; needs_review: boolean };
  warnings: string[];
}

async function shop() {
  const repository = fixtureRepository();
  const app = openApp({ directory: repository.path, flags: ['embedding.enabled=false'] });
  onTestFinished(() => app.close());
  const call = async <T>(name: string, input: object, kind: 'person' | 'agent' = 'agent') => {
    const outcome = await runOperation(app, { name, input, caller: { kind, name: 'ada' } });
    if (!outcome.ok) throw new Error(`${name}: ${outcome.error.message}`);
    return outcome.output as T;
  };
  await call('index_repository', {}, 'person');
  const store = (content: string, category: string, kind?: 'person' | 'agent') =>
    call<Stored>('store_entry', { content, category }, kind);
  return { repository, app, call, store };
}

test('a failure, an insight or a hypothesis is never verified because its words occur in the code', async () => {
  const { store, call } = await shop();
  const text = '`login` is in src/auth/session.ts and we use zod for validation.';
  for (const category of ['failure', 'insight', 'hypothesis'])
    expect((await store(text, category)).entry, category).toMatchObject({
      verification: 'none',
      needs_review: false,
    });
  expect((await store(text, 'decision')).entry.verification).toBe('against_code');
  const { citations } = await call<{ citations: Array<{ ref: string; state: string }> }>('ask', {
    question: 'what failed with login and zod',
    in: 'chronicle',
  });
  const { entry } = await store(text, 'failure');
  expect(citations.find(({ ref }) => ref === `entry:${entry.id}`)?.state).toBe('⚠️ UNVERIFIED');
});

test("a person's decision that the code can't judge stays a person's word, without a warning or review", async () => {
  const { store, call } = await shop();
  const { entry, warnings } = await store(
    'We chose JWT over sessions because it is stateless.',
    'decision',
    'person',
  );
  expect(entry).toMatchObject({ verification: 'by_user', needs_review: false });
  expect(warnings).toEqual([]);
  const { text } = await call<{ text: string }>('get_briefing', { tier: 'full' }, 'person');
  expect(text).toMatch(/\[person ada, [^\]]*\] We chose JWT over sessions/);
});

test("what the code says against a person's word stands beside it, not instead of it", async () => {
  const { store, call, repository, app } = await shop();
  const { entry, warnings } = await store('We no longer use zod for validation.', 'decision', 'person');
  expect(entry.verification).toBe('by_user');
  expect(warnings.join()).toContain('package.json lists zod');
  const reply = await call<{ citations: Array<{ ref: string; state: string; warnings?: string[] }> }>(
    'ask',
    { question: 'what did we decide about zod', in: 'chronicle' },
    'person',
  );
  const cited = reply.citations.find(({ ref }) => ref === `entry:${entry.id}`);
  expect(cited?.state).not.toContain('UNVERIFIED');
  expect(cited?.warnings?.join()).toContain('The code says otherwise');
  await app.close();
  const { out } = sylk(repository.path, ['brief']);
  expect(out).toContain('⚠️ disputed: We no longer use zod');
  expect(out).not.toContain('UNVERIFIED');
});
