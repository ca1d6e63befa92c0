import { expect, onTestFinished, test } from 'vitest';
import { measurePoison } from '../../bench/poison/measure.ts';
import { plant } from '../../bench/poison/plant.ts';
import { openApp } from '../../src/app.ts';
import { testRepository } from '../support/repository.ts';

const words = ['Invoice', 'Ledger', 'Cursor', 'Palette', 'Socket', 'Ticket', 'Folder', 'Report'];

/** A code base in which every name stands once. */
const files = Object.fromEntries(
  words.flatMap((word) => {
    const low = word.toLowerCase();
    return [
      [
        `src/${low}/open-${low}.ts`,
        `/** Opens the ${low}. */\nexport function open${word}(name: string): string {\n  return name;\n}\n`,
      ],
      [
        `src/${low}/${low}-store.ts`,
        `/** Keeps every ${low}. */\nexport class ${word}Store {\n  keep(): void {}\n}\n`,
      ],
    ];
  }),
);

test('poison: a false entry never leads, its conflict with the code is named and its label shown, while true entries stay in the first three', async () => {
  const repository = testRepository();
  repository.commit('start', {
    ...files,
    'package.json': '{ "name": "office", "dependencies": { "zod": "^4.0.0" } }\n',
  });
  const app = openApp({ directory: repository.path, flags: ['embedding.enabled=false'] });
  onTestFinished(() => app.close());
  const figures = await measurePoison(app, await plant(app, { lies: 8, truths: 8 }));
  expect(figures.misses).toEqual([]);
  expect(figures).toMatchObject({ lies: 8, codeFirst: 8, named: 8, labelled: 8, truths: 8, kept: 8 });
});
