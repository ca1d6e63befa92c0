import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from './support/temporary.ts';

const root = join(import.meta.dirname, '..');

/** A miniature of the tree with one import in it, judged by the project's own rules. */
function violations(from: string, to: string): string[] {
  const tree = temporaryDirectory('layers');
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), text);
  };
  put(to, 'export const there = 1;\n');
  const depth = '../'.repeat(from.split('/').length - 1);
  put(from, `import { there } from '${depth}${to}';\nexport const here = there;\n`);
  const result = spawnSync(
    join(root, 'node_modules/.bin/depcruise'),
    ['--config', join(root, '.dependency-cruiser.cjs'), '--output-type', 'json', 'src'],
    {
      cwd: tree,
      encoding: 'utf8',
    },
  );
  const { summary } = JSON.parse(result.stdout) as {
    summary: { violations: Array<{ rule: { name: string } }> };
  };
  return summary.violations.map((violation) => violation.rule.name);
}

const forbidden: Array<[from: string, to: string, rule: string]> = [
  ['src/base/errors.ts', 'src/stores/history/index.ts', 'base-stays-low'],
  ['src/stores/history/index.ts', 'src/engines/recall/index.ts', 'stores-stays-low'],
  ['src/stores/history/query.ts', 'src/stores/code/index.ts', 'stores-are-strangers'],
  ['src/engines/recall/index.ts', 'src/operations/run.ts', 'engines-stays-low'],
  ['src/engines/recall/index.ts', 'src/engines/guide/index.ts', 'engine-order-recall'],
  ['src/engines/clients/index.ts', 'src/engines/doctor/index.ts', 'engine-order-clients'],
  ['src/engines/novel/index.ts', 'src/engines/recall/index.ts', 'engine-without-a-place'],
  ['src/app.ts', 'src/operations/run.ts', 'app-stays-low'],
  ['src/operations/history.ts', 'src/surfaces/cli/index.ts', 'operations-stays-low'],
  ['src/surfaces/cli/index.ts', 'src/stores/history/index.ts', 'surfaces-know-operations'],
  ['src/surfaces/cli/index.ts', 'src/surfaces/http/routes.ts', 'surfaces-are-strangers'],
  ['src/app.ts', 'src/stores/history/tables.ts', 'enter-by-index-from-the-top'],
  ['src/engines/recall/index.ts', 'src/stores/history/tables.ts', 'enter-by-index'],
];

test.each(forbidden)('%s may not import %s', (from, to, rule) => {
  expect(violations(from, to)).toContain(rule);
});

test('imports that point down are allowed', () => {
  expect(violations('src/stores/history/query.ts', 'src/base/errors.ts')).toEqual([]);
  expect(violations('src/engines/answers/ask.ts', 'src/engines/recall/index.ts')).toEqual([]);
  expect(violations('src/app.ts', 'src/stores/history/index.ts')).toEqual([]);
  expect(violations('src/surfaces/cli/index.ts', 'src/operations/run.ts')).toEqual([]);
});
