import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testReferences } from '../../../tests/support/references.ts';
import { temporaryDirectory } from '../../../tests/support/temporary.ts';
import { aboutFile } from './about-file.ts';

async function shelf(files: Record<string, string>) {
  const { store, create } = await testReferences({});
  const source = temporaryDirectory('source');
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(source, name, '..'), { recursive: true });
    writeFileSync(join(source, name), text);
  }
  await create({ sources: [{ type: 'local', path: source }] });
  const first = async (question: string) => (await store.search({ question }))[0]!;
  return { store, first };
}

const filler = (word: string) => `Some more words on ${word} and what surrounds it.\n\n`.repeat(12);

test('a file is found by its title, description and keywords, also where no passage names its subject', async () => {
  const { first } = await shelf({
    'a.md': `---\ntitle: Fine-tuning restarts\ndescription: Bring containers back after a crash\nkeywords: restart, policy\n---\n\n## Values\n\n${filler('values')}`,
    'b.md': `# Policies\n\nA policy of the company. Containers crash. ${filler('companies')}`,
    'c.md': `# Other\n\n${filler('nothing')}`,
  });
  expect((await first('restart policy for containers that crash')).file).toBe('a.md');
});

test('the folders and the name of a file are words of it', async () => {
  const { first } = await shelf({
    'drivers/kubernetes.md': `# Options\n\n${filler('options')}`,
    'drivers/remote.md': `# Options\n\n${filler('options')}`,
  });
  expect((await first('options of the kubernetes driver')).file).toBe('drivers/kubernetes.md');
});

test('of a file that fits, the section that answers comes first, with its lines', async () => {
  const { first } = await shelf({
    'guide.md': `# Caching\n\n${filler('caching')}\n## Expiry\n\nEntries are dropped after an hour.\n\n## Size\n\n${filler('size')}`,
    'other.md': `# Unrelated\n\n${filler('birds')}`,
  });
  expect(await first('when are entries of the cache dropped')).toMatchObject({
    file: 'guide.md',
    heading: expect.stringContaining('Expiry'),
  });
});

test('front matter is read as text: lists, folded lines, TOML, and nothing of it is interpreted', () => {
  const yaml =
    '---\ntitle: "Two words"\ndescription: >-\n  Goes on\n  here\nkeywords:\n  - one\n  - two\n---\nBody\n';
  expect(aboutFile('x/y.md', yaml, [])).toEqual({
    title: 'Two words',
    about: 'Goes on here\none two',
    headings: [],
  });
  expect(aboutFile('x.md', '+++\ntitle = "T"\ntags = ["a", "b"]\n+++\n', []).title).toBe('T');
  expect(aboutFile('src/http-client.ts', 'export {}', []).title).toBe('src http client');
});

test('an implementation comes before the tests that repeat its words, unless tests are asked for', async () => {
  const cases = Array.from(
    { length: 6 },
    (_, at) => `it('runs the cleanup of an effect ${at}', () => {\n  cleanup(effect);\n});\n`,
  );
  const { first } = await shelf({
    'src/effects.js': `/** Runs an effect after the cleanup of the last one. */\nexport function runEffect(effect) {\n  effect.cleanup?.();\n}\n`,
    'test/browser/effects.test.js': `describe('effect cleanup', () => {\n${cases.join('')}});\n`,
    'src/other.js': 'export const other = 1;\n',
  });
  expect((await first('effect cleanup')).file).toBe('src/effects.js');
  expect((await first('tests of effect cleanup')).file).toBe('test/browser/effects.test.js');
});

test('a question that no passage answers has no results; the nearest passages are marked as such', async () => {
  const { store } = await shelf({
    'guide.md': `# Caching\n\nEntries are dropped after an hour.\n\n${filler('caching')}`,
    'types.md': `# Annotations\n\n${filler('annotations')}`,
  });
  for (const question of ['kubernetes ingress annotations', 'qqqqzzzz']) {
    expect(await store.search({ question }), question).toEqual([]);
    const nearest = await store.search({ question, nearest: true });
    expect(
      nearest.map(({ fits }) => fits),
      question,
    ).not.toContain(true);
  }
  expect((await store.search({ question: 'when are entries dropped', nearest: true }))[0]).toMatchObject({
    file: 'guide.md',
    fits: true,
  });
});
