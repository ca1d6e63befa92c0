import { expect, test } from 'vitest';
import { openApp } from '../../src/app.ts';
import { allOperations } from '../../src/operations/list.ts';
import { runOperation } from '../../src/operations/run.ts';
import { takeGlobalFlags } from '../../src/surfaces/cli/global-flags.ts';
import { testRepository } from '../support/repository.ts';
import { temporaryDirectory } from '../support/temporary.ts';

/** Words that every plain object answers to as if they were its own keys. */
const words = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'why is the constructor undefined'];

test('a word that is the name of a property of every object is a word like any other', async () => {
  const repository = testRepository();
  repository.commit('one', {
    'src/a.ts': 'export class A {\n  constructor() {}\n  toString() {\n    return "";\n  }\n}\n',
  });
  const app = openApp({
    directory: repository.path,
    flags: ['embedding.enabled=false'],
    env: { PATH: process.env.PATH, HOME: temporaryDirectory('home') },
  });
  const failures: string[] = [];
  for (const { name, effect, examples } of await allOperations()) {
    if (effect !== 'read') continue;
    for (const [field, value] of Object.entries(examples[0] ?? {})) {
      if (typeof value !== 'string') continue;
      for (const word of words) {
        const input = { ...examples[0], [field]: word };
        const outcome = await runOperation(app, { name, input, caller: { kind: 'person', name: 'test' } });
        if (!outcome.ok && outcome.error.code === 'INTERNAL_ERROR')
          failures.push(`${name} ${field}=${word}: ${outcome.error.message}`);
      }
    }
  }
  await app.close();
  expect(failures).toEqual([]);
});

test('a command takes such a word as a word', () => {
  for (const word of words) expect(takeGlobalFlags(['ask', word]).rest).toEqual(['ask', word]);
});
