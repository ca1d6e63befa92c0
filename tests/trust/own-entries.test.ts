import { expect, onTestFinished, test } from 'vitest';
import { openApp } from '../../src/app.ts';
import { runOperation } from '../../src/operations/run.ts';
import { fixtureRepository } from '../support/fixture-repository.ts';

test('what a session wrote answers its own questions at once, never before everything else, and nobody else’s', async () => {
  const app = openApp({ directory: fixtureRepository().path, flags: ['embedding.enabled=false'] });
  onTestFinished(() => app.close());
  const call = async <T>(caller: string, name: string, input: Record<string, unknown>) => {
    const outcome = await runOperation(app, { name, input, caller: { kind: 'agent', name: caller } });
    if (!outcome.ok) throw new Error(outcome.error.message);
    return outcome.output as T;
  };
  const ask = async (caller: string) => {
    const question = 'does the session store count attempts by address';
    const { citations } = await call<{ citations: Array<{ ref: string }> }>(caller, 'ask', { question });
    return citations.map(({ ref }) => ref);
  };
  await call('writer', 'index_repository', {});
  expect((await ask('writer')).some((ref) => ref.startsWith('entry:'))).toBe(false);
  const content = 'Attempts are counted by address in the session store, because names can be guessed.';
  const { entry } = await call<{ entry: { id: string } }>('writer', 'store_entry', { content });
  const found = await ask('writer');
  expect(found[0]).not.toMatch(/^entry:/);
  expect(found).toContain(`entry:${entry.id}`);
  expect(await ask('reader')).not.toContain(`entry:${entry.id}`);
});
