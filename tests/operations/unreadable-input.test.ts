import { expect, test } from 'vitest';
import { allOperations } from '../../src/operations/list.ts';
import { runOperation } from '../../src/operations/run.ts';
import { conversations } from '../support/memory.ts';
import { testRepository } from '../support/repository.ts';

const unreadable: Array<[what: string, text: string, said: RegExp]> = [
  ['a NUL character', 'log\0in', /NUL character/],
  ['half a character', 'log\ud83d', /half a character/],
];

test.each(unreadable)(
  'no input of any operation takes %s, and the answer names the input',
  async (_, text, said) => {
    const repository = testRepository();
    repository.commit('feat: start', { 'a.ts': 'export const one = 1;\n' });
    const { app } = conversations(undefined, repository).person();
    const tried: string[] = [];
    for (const { name, input } of await allOperations())
      for (const field of Object.keys(input.shape))
        for (const value of [text, [text], { inside: [text] }]) {
          const outcome = await runOperation(app, {
            name,
            input: { [field]: value },
            caller: { kind: 'person', name: 'p\0erson' },
          });
          const error = outcome.ok ? undefined : outcome.error;
          expect(error?.code, `${name} ${field}`).toBe('VALIDATION_ERROR');
          expect(error?.message).toMatch(said);
          expect(error?.message).toContain(field);
          tried.push(`${name}.${field}`);
        }
    expect(tried.length).toBeGreaterThan(500);
  },
);

test('an input nested deeper than anything reads is refused in words', async () => {
  const repository = testRepository();
  repository.commit('feat: start', { 'a.ts': 'export const one = 1;\n' });
  const { app } = conversations(undefined, repository).person();
  const metadata: unknown = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
  const outcome = await runOperation(app, {
    name: 'store_entry',
    input: { content: 'deep', category: 'insight', metadata },
    caller: { kind: 'agent', name: 'agent' },
  });
  expect(outcome.ok ? undefined : outcome.error.message).toMatch(/nested more than 100 levels/);
});
