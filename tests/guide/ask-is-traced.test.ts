import { expect, onTestFinished, test } from 'vitest';
import { openApp } from '../../src/app.ts';
import { runOperation } from '../../src/operations/run.ts';
import { fixtureRepository } from '../support/fixture-repository.ts';

test('the trace has a question with who answered it, from what, and at what cost, and no message for it', async () => {
  const app = openApp({ directory: fixtureRepository().path, flags: ['embedding.enabled=false'] });
  onTestFinished(() => app.close());
  const call = async <T>(name: string, input: Record<string, unknown>) => {
    const outcome = await runOperation(app, { name, input, caller: { kind: 'person', name: 'test' } });
    if (!outcome.ok) throw new Error(outcome.error.message);
    return outcome.output as T;
  };
  await call('index_repository', {});
  await call('ask', { question: 'where do users log in?' });
  await call('ask', { question: 'why did we choose sessions in memory' });
  const { hops } = await call<{ hops: Array<Record<string, unknown>> }>('guide_trace', {});
  expect(hops).toMatchObject([
    {
      type: 'ANSWER',
      source: 'user',
      target: 'librarian',
      tier: 'level 2',
      cost: 0,
      status: 'done',
    },
    { type: 'ANSWER', target: 'archivalist', tier: 'level 2' },
  ]);
  for (const hop of hops) expect(hop).not.toHaveProperty('message_id');
});
