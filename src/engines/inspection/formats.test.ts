import { Parser } from 'htmlparser2';
import { expect, test } from 'vitest';
import { toJunit, toSarif } from './formats.ts';
import type { CheckReport } from './record.ts';

const gate = { directory: '', command: 'x', new: 1, before: 0, seconds: 1, cached: false };
const report: CheckReport = {
  verdict: 'failed',
  base: { commit: 'c'.repeat(40), label: 'main' },
  changed_files: 1,
  gates: [
    { ...gate, tool: 'eslint', category: 'linter', status: 'findings' },
    { ...gate, tool: 'vitest', category: 'test_framework', status: 'findings' },
    { ...gate, tool: 'tsc', category: 'type_checker', status: 'failed', problem: 'out of "memory" & time' },
  ],
  findings: [
    {
      tool: 'eslint',
      category: 'linter',
      file: 'src/a b.ts',
      line: 3,
      rule: 'no-<x>',
      severity: 'error',
      message: 'no\u0007',
    },
  ],
  broken_tests: [{ tool: 'vitest', id: 'a > b', file: 'a.test.ts', message: '1 < 2\nand more' }],
  flaky_tests: [],
  unproven_tests: [],
  review: [{ guard: 'test', file: 'a.test.ts', line: 1, message: 'a test that is skipped' }],
  not_run: [],
  notes: [],
  seconds: 1,
  tool_seconds: 1,
};

test('SARIF has findings and broken tests by tool, failed tools as failed invocations, guarded changes as notes', () => {
  const { runs } = JSON.parse(toSarif(report));
  expect(runs.map(({ tool }: { tool: { driver: { name: string } } }) => tool.driver.name)).toEqual([
    'eslint',
    'vitest',
    'tsc',
    'sylk',
  ]);
  expect(runs[0].results[0]).toMatchObject({
    ruleId: 'no-<x>',
    level: 'error',
    locations: [
      { physicalLocation: { artifactLocation: { uri: 'src/a%20b.ts' }, region: { startLine: 3 } } },
    ],
  });
  expect(runs[1].results[0].message.text).toContain('a > b');
  expect(runs[2].invocations[0]).toMatchObject({ executionSuccessful: false });
  expect(runs[3].results[0]).toMatchObject({ level: 'note', ruleId: 'test' });
});

test('JUnit XML is read back whatever tools print: failed cases, and a failed tool as an error', () => {
  const cases: string[] = [];
  const parser = new Parser(
    { onopentag: (name, { message }) => cases.push(`${name} ${message ?? ''}`) },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(toJunit(report));
  expect(cases.filter((one) => /^(failure|error)/.test(one))).toEqual([
    'failure no',
    'failure 1 < 2\nand more',
    'error out of "memory" & time',
  ]);
});
