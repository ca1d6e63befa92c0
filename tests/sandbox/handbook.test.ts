import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { handbook, untrueExamples } from '../support/handbook.ts';

const pages = globSync('*.md', { cwd: handbook });

test.each(pages)('every command on the page %s prints what the page says', (page) => {
  expect(untrueExamples(page)).toEqual([]);
});

test('the first page leads to every other one', () => {
  const contents = readFileSync(join(handbook, 'README.md'), 'utf8');
  for (const page of pages) if (page !== 'README.md') expect(contents).toContain(`](${page})`);
});
