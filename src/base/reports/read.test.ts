import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Finding, TestResult } from './index.ts';
import { type GateCategory, type Reading, readableTools, readReport, type ToolOutput } from './index.ts';
import { rowsOf, table } from './table.ts';

/** One run of a tool, and what it says; of a failure the cause alone. */
interface Recording {
  tool: string;
  category: GateCategory;
  /** Recorded here, quoted on a public page, or written in the documented format. */
  source: 'run' | 'quoted' | 'format';
  output: ToolOutput;
  expected: Reading;
}

const folder = new URL('../../../fixtures/reports/', import.meta.url);
const recordings = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.json'))
  .map((name) => ({ name, recording: JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Recording }));
const root = '/project';
const read = ({ tool, category, output }: Recording, change: Partial<ToolOutput> = {}) =>
  readReport(tool, category, { ...output, ...change }, root);

describe('recorded runs', () => {
  test.each(recordings)('$name', ({ recording }) => {
    const { kind, ...rest } = JSON.parse(JSON.stringify(read(recording)));
    if (kind === 'failure') delete rest.message;
    expect({ kind, ...rest }).toEqual(recording.expected);
  });

  test.each(recordings)('$name: a run that was stopped is a failure with its cause', ({ recording }) => {
    expect(read(recording, { timedOut: true })).toMatchObject({ cause: 'timed_out' });
    expect(read(recording, { overMemory: true })).toMatchObject({ cause: 'out_of_memory' });
    expect(read(recording, { signal: 'SIGSEGV' })).toMatchObject({ cause: 'crashed' });
    expect(
      read(recording, { code: 127, stdout: '', stderr: 'sh: 1: x: not found', reports: [] }),
    ).toMatchObject({
      cause: 'missing',
    });
  });
});

const isRed = (findings: Finding[], tests: TestResult[]): boolean =>
  findings.some(({ severity }) => severity === 'error') || tests.some(({ status }) => status === 'failed');

test('a red report beside a clean exit code, and a clean one beside any other code, are never believed', () => {
  for (const { name, recording } of recordings) {
    if (recording.expected.kind === 'failure') continue;
    const { findings, tests } = recording.expected;
    const rows = rowsOf(recording.tool, recording.category);
    const isClean = findings.length === 0 && tests.every(({ status }) => status !== 'failed');
    if (isClean && rows.every(({ silent }) => !silent))
      expect(read(recording, { code: 1 }), name).toMatchObject({ kind: 'failure' });
    // A tool that prints nothing for a finding has its exit code alone.
    if (isRed(findings, tests) && rows.every(({ lenient, silent }) => !lenient && !silent))
      expect(read(recording, { code: 0 }), name).toMatchObject({ kind: 'failure' });
  }
});

const ran = (tool: string, output: Partial<ToolOutput>) =>
  readReport(tool, 'test_framework', { code: 0, stdout: '', stderr: '', reports: [], ...output }, root);

test('a package that was not built is an error beside tests that ran, and a warning is no test', () => {
  const lines = [
    { Action: 'fail', Package: 'example.com/a', Test: 'TestOld' },
    { Action: 'output', Package: 'example.com/b', Output: 'FAIL\texample.com/b [setup failed]\n' },
    { Action: 'fail', Package: 'example.com/b' },
  ];
  const stdout = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  expect(ran('go test', { code: 1, stdout })).toMatchObject({
    findings: [{ severity: 'error', message: 'example.com/b [setup failed]' }],
    tests: [{ name: 'TestOld', status: 'failed' }],
  });
  const stderr = 'warning: unused variable: `a`\n --> src/lib.rs:2:7\n';
  expect(ran('cargo test', { stdout: 'running 0 tests\n', stderr })).toMatchObject({ cause: 'nothing_run' });
});

test('a test that is marked as still to do, and fails, is no failure', () => {
  const later =
    '<testcase name="later"><skipped type="todo" message="true"/><failure message="x"/></testcase>';
  const reports = [`<testsuites>${later}<testcase name="now"/></testsuites>`];
  expect(ran('node:test', { reports })).toMatchObject({
    kind: 'report',
    tests: [
      { name: 'later', status: 'skipped' },
      { name: 'now', status: 'passed' },
    ],
  });
});

test('the table tells which tools were run, which quoted, and which only described', () => {
  const ranks = ['none', 'format', 'quoted', 'run'];
  for (const row of table().tool) {
    const names = [row.tool, ...(row.also ?? [])];
    const own = recordings
      .filter(({ recording }) => names.includes(recording.tool))
      .map(({ recording }) => recording);
    const best = Math.max(0, ...own.map(({ source }) => ranks.indexOf(source)));
    expect(ranks.indexOf(row.evidence), row.tool).toBeLessThanOrEqual(best);
  }
});

test('every report that is cut in the middle gives a reading, and a cut file is never a pass', () => {
  const whole = recordings.filter(({ recording }) => recording.output.reports.length > 0);
  for (const { name, recording } of whole) {
    for (const share of [0.1, 0.5, 0.9]) {
      const reports = recording.output.reports.map((report) =>
        report.slice(0, Math.floor(report.length * share)),
      );
      expect(read(recording, { reports, code: 0 }), `${name} ${share}`).toMatchObject({ kind: 'failure' });
    }
  }
  fc.assert(
    fc.property(
      fc.constantFrom(...recordings),
      fc.double({ min: 0, max: 1, noNaN: true }),
      ({ recording }, share) => {
        const cut = (report: string) => report.slice(0, Math.floor(report.length * share));
        const { stdout, stderr } = recording.output;
        expect(read(recording, { stdout: cut(stdout), stderr: cut(stderr) }).kind).toMatch(/report|failure/);
      },
    ),
    { seed: 20261117, numRuns: 300 },
  );
});

test('paths outside the root, and output that is not whole, are not believed', () => {
  const finding = (file: string) =>
    `[{"filePath":"${file}","messages":[{"ruleId":"r","severity":2,"message":"m"}]}]`;
  const files = ['/etc/passwd', '../a.js', '/project/../a.js', 'file:///project/a%20b.js', 'C:/a.js'].map(
    (file) => {
      const output = { code: 1, stdout: finding(file), stderr: '', reports: [] };
      const reading = readReport('eslint', 'linter', output, root);
      return reading.kind === 'report' ? reading.findings[0]?.file : reading.cause;
    },
  );
  expect(files).toEqual([undefined, undefined, undefined, 'a b.js', undefined]);
  const cut = { code: 0, truncated: true, stdout: '[]', stderr: '', reports: [] };
  expect(readReport('eslint', 'linter', cut, root)).toMatchObject({ cause: 'unreadable' });
});

test('text that was made to be slow is read in time', () => {
  const slow = `${'a:1:'.repeat(200_000)}\n${'File "'.repeat(50_000)}\n${'- '.repeat(100_000)}\n`;
  for (const { tool, category } of readableTools())
    readReport(tool, category, { code: 1, stdout: slow, stderr: slow, reports: [slow] }, root);
}, 60_000);

const text = fc.oneof(
  fc.string({ maxLength: 300 }),
  fc.json(),
  fc.constantFrom('<testsuites><testcase name="', '{"a":['),
);

test('any text gives a reading and never throws', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...readableTools()),
      text,
      text,
      fc.integer({ min: -1, max: 255 }),
      (tool, one, two, code) => {
        const output = { code, stdout: one, stderr: two, reports: [two] };
        expect(['report', 'failure']).toContain(readReport(tool.tool, tool.category, output, root).kind);
      },
    ),
    { seed: 20261117, numRuns: 500 },
  );
});

test("a script of the project's own is read by its exit code, and a program that is missing is no failed test", () => {
  const read = (code: number) =>
    readReport(
      'test script',
      'test_framework',
      { code, stdout: '', stderr: 'Error: expected 1', reports: [] },
      '/x',
    );
  expect(read(0)).toMatchObject({ kind: 'report', tests: [{ status: 'passed' }] });
  expect(read(1)).toMatchObject({
    kind: 'report',
    tests: [{ status: 'failed', message: 'Error: expected 1' }],
  });
  expect(read(127)).toMatchObject({ kind: 'failure', cause: 'missing' });
});
