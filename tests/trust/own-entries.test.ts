import { expect, onTestFinished, test } from 'vitest';
import { openApp } from '../../src/app.ts';
import { runOperation } from '../../src/operations/run.ts';
import { fixtureRepository } from '../support/fixture-repository.ts';

test('what a session wrote answers its own questions and the person’s at once, never before everything else, and no other session’s', async () => {
  const app = openApp({ directory: fixtureRepository().path, flags: ['embedding.enabled=false'] });
  onTestFinished(() => app.close());
  const call = async <T>(caller: string, name: string, input: Record<string, unknown>) => {
    const kind = caller === 'ada' ? 'person' : 'agent';
    const outcome = await runOperation(app, { name, input, caller: { kind, name: caller } });
    if (!outcome.ok) throw new Error(outcome.error.message);
    return outcome.output as T;
  };
  const ask = async (caller: string, question = 'does the session store count attempts by address') => {
    const { citations } = await call<{ citations: Array<{ ref: string }> }>(caller, 'ask', { question });
    return citations.map(({ ref }) => ref);
  };
  await call('writer', 'index_repository', {});
  expect((await ask('writer')).some((ref) => ref.startsWith('entry:'))).toBe(false);
  const content = 'Attempts are counted by address in the session store, because names can be guessed.';
  const { entry } = await call<{ entry: { id: string } }>('writer', 'store_entry', {
    content,
    category: 'general',
  });
  const found = await ask('writer');
  expect(found[0]).not.toMatch(/^entry:/);
  expect(found).toContain(`entry:${entry.id}`);
  const decided = 'what did we decide about counting attempts by address?';
  for (const question of [undefined, decided]) {
    expect(await ask('ada', question)).toContain(`entry:${entry.id}`);
    expect(await ask('reader', question)).not.toContain(`entry:${entry.id}`);
  }
  await call('writer', 'create_session', { name: 'apart' });
  const apart = { content: 'Limits of the session store are kept per address.', category: 'decision' };
  const { entry: named } = await call<{ entry: { id: string } }>('writer', 'store_entry', apart);
  const limits = 'what did we decide about limits of the session store per address?';
  expect(await ask('ada', limits)).toContain(`entry:${named.id}`);
  expect(await ask('reader', limits)).not.toContain(`entry:${named.id}`);
});
