import { expect, test } from 'vitest';
import { grepAndRead } from '../../bench/recall/grep-and-read.ts';
import { report } from '../../bench/recall-quality.lab.ts';
import { readQuery } from '../../src/engines/recall/query.ts';
import { testRepository } from '../support/repository.ts';

test('the reading protocol counts every file it opens until it has met the gold, and gives up after twenty', async () => {
  const repository = testRepository();
  repository.commit('start', {
    'a.ts': 'const session = 1; // login login\n',
    'b.ts': `${'x\n'.repeat(200)}login session\n${'x\n'.repeat(200)}`,
    'c.ts': 'nothing\n',
  });
  const count = (text: string) => text.length;
  const question = 'where is the login of a session';
  const whole = await grepAndRead(repository.path, question, new Set(['b.ts']), 1, 'whole', count);
  const window = await grepAndRead(repository.path, question, new Set(['b.ts']), 1, 'window', count);
  expect(whole).toMatchObject({ found: 1, filesRead: 2 });
  expect(window.tokens).toBeLessThan(whole.tokens);
  expect(await grepAndRead(repository.path, question, new Set(['c.ts']), 1, 'whole', count)).toMatchObject({
    found: 0,
    filesRead: 2,
  });
});

test('a quality figure follows the weights that it is asked for, and without any the order of the product', () => {
  const asked = [
    {
      hard: true,
      gold: new Set(['b']),
      query: readQuery('two words'),
      rows: [
        { path: 'a', letter: 0, signals: { words: 1, meaning: 0.1 } },
        { path: 'b', letter: 0, signals: { words: 0.5, meaning: 1 } },
      ],
    },
  ];
  const set = { name: 'two files', asked };
  expect(report(set, 'words', () => ({ words: 1 })).mrr).toBe(0.5);
  expect(report(set, 'meaning', () => ({ meaning: 1 })).mrr).toBe(1);
  expect(report(set, 'as it came', undefined).mrr).toBe(0.5);
});
