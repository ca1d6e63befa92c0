import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Finding, TestResult } from './index.ts';
import { type GateCategory, type Reading, readableTools, readReport, type ToolOutput } from './index.ts';

/** One run of a tool, and what it says. `source` is "run" or the address of the page that quotes the output. */
interface Recording {
  tool: string;
  category: GateCategory;
  source: string;
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
    expect(JSON.parse(JSON.stringify(read(recording)))).toEqual(recording.expected);
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
    const other = isRed(findings, tests) ? 0 : 70;
    const reading = read(recording, { code: other });
    if (reading.kind === 'report') expect(isRed(reading.findings, reading.tests), name).toBe(true);
    if (!isRed(findings, tests)) expect(reading, name).toMatchObject({ kind: 'failure' });
  }
});

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
