import { readEvents, readGo } from './event-readers.ts';
import { readJson } from './json.ts';
import type { FailureCause, Finding, GateCategory, Reading, TestResult, ToolOutput } from './record.ts';
import { rowsOf, type ToolRow, table } from './table.ts';
import { readTap } from './tap.ts';
import { cut, linesOf, maxItems, readTests, readText, withoutColours } from './text.ts';
import { readCheckstyle, readJunit, readTrx } from './xml.ts';

const maxReport = 64 * 1_024 * 1_024;

interface Content {
  findings: Finding[];
  tests: TestResult[];
}

const failure = (cause: FailureCause, message: string): Reading => ({ kind: 'failure', cause, message });

/** The first line that says something, for a person who asks why a tool broke. */
function firstLine(output: ToolOutput): string {
  const lines = linesOf(`${output.stderr.slice(0, 20_000)}\n${output.stdout.slice(0, 20_000)}`).filter(
    (line) => line.trim() !== '' && !/^npm (warn|notice)|Warning: |^\s+at |^JSON report written/i.test(line),
  );
  const telling = lines.filter((line) =>
    /error|fail|cannot|can't|could ?n.t|could not|not found|invalid|unknown|no such|panic|no .*files/i.test(
      line,
    ),
  );
  const said = telling.length > 0 ? telling : lines;
  const text = said
    .slice(0, 2)
    .map((line) => line.trim())
    .join(' ');
  return (text || 'it printed nothing').slice(0, 300);
}

const inCodes = (code: number, codes: string): boolean =>
  codes.split(',').some((range) => {
    const [from, to] = range.split('-').map(Number);
    return code >= (from ?? -1) && code <= (to ?? from ?? -1);
  });

const says = (text: string, pattern: string | undefined): boolean =>
  pattern !== undefined && new RegExp(pattern, 'im').test(text);

function merge(contents: Array<Content | undefined>): Content | undefined {
  const read = contents.filter((content) => content !== undefined);
  if (read.length < contents.length || read.length === 0) return undefined;
  return { findings: read.flatMap(({ findings }) => findings), tests: read.flatMap(({ tests }) => tests) };
}

const asFindings = (findings: Finding[] | undefined): Content | undefined =>
  findings && { findings, tests: [] };
const asTests = (tests: TestResult[] | undefined): Content | undefined => tests && { findings: [], tests };

function readOne(text: string, row: ToolRow, root: string): Content | undefined {
  switch (row.reader) {
    case 'json':
      return readJson(text, row, root);
    case 'text':
      return asFindings(readText(text, row.patterns ?? [], row, root));
    case 'tests':
      return asTests(readTests(text, row.tests ?? '', row, root));
    case 'junit':
      return asTests(readJunit(text, row, root));
    case 'checkstyle':
      return asFindings(readCheckstyle(text, row, root));
    case 'trx':
      return asTests(readTrx(text, row, root));
    case 'tap':
      return asTests(readTap(text, row, root));
    case 'go':
      return asTests(readGo(text, row, root));
    case 'events':
      return asTests(readEvents(text, row, root));
    // `contentOf` reads the exit code.
    case 'exit':
      return undefined;
  }
}

const printedBy = (output: ToolOutput): string => `${output.stdout}\n${output.stderr}`;

function textsOf(row: ToolRow, output: ToolOutput): string[] {
  if (row.source === 'file') return output.reports;
  return [row.source === 'output' ? printedBy(output) : output[row.source]];
}

function contentOf(row: ToolRow, output: ToolOutput, root: string): Content | undefined {
  if (row.reader === 'exit') {
    const status = inCodes(output.code, row.clean ?? '0') ? ('passed' as const) : ('failed' as const);
    const message = status === 'failed' ? firstLine(output) : undefined;
    return { findings: [], tests: [{ id: 'all tests', name: 'all tests', status, message }] };
  }
  const texts = textsOf(row, output);
  const content = merge(
    texts.map((text) => (text.length > maxReport ? undefined : readOne(text, row, root))),
  );
  if (row.reader === 'text' || row.patterns === undefined) return content;
  // A test run that does not compile has findings of the compiler and no tests.
  const errors = readText(printedBy(output), row.patterns, row, root);
  if (!content) return errors.length > 0 ? { findings: errors, tests: [] } : undefined;
  // Tests of a compiler print its errors: where tests ran, only errors in files of the project are errors of the build.
  const isGreen = inCodes(output.code, row.clean ?? '0');
  const own = errors.filter(
    ({ file }) => content.tests.length === 0 || (!isGreen && !/^[</]/.test(file ?? '')),
  );
  return { ...content, findings: [...content.findings, ...own] };
}

/** Why nothing was read, as far as the printed text tells. */
function causeOf(row: ToolRow, output: ToolOutput): FailureCause | undefined {
  const text = withoutColours(`${output.stderr.slice(0, 100_000)}\n${output.stdout.slice(0, 100_000)}`);
  const { causes } = table();
  if (output.code === 127 || output.code === 126 || says(text, causes.missing)) return 'missing';
  if (says(text, causes.out_of_memory)) return 'out_of_memory';
  if (says(text, row.unconfigured) || says(text, causes.not_configured)) return 'not_configured';
  return says(text, row.nothing) ? 'nothing_run' : undefined;
}

/** A compiler says the same of one file for every target that it builds. */
const distinct = (findings: Finding[]): Finding[] => [
  ...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values(),
];

/** Two tests with one id would hide each other. */
function withOwnIds(tests: TestResult[]): TestResult[] {
  const counts = new Map<string, number>();
  return tests.map((test) => {
    const count = (counts.get(test.id) ?? 0) + 1;
    counts.set(test.id, count);
    return count === 1 ? test : { ...test, id: `${test.id} (${count})` };
  });
}

/** Holds what was read against the exit code: where the two disagree, neither is believed. */
function judge(row: ToolRow, output: ToolOutput, content: Content): Reading {
  const { code } = output;
  const isRed =
    content.tests.some(({ status }) => status === 'failed') ||
    content.findings.some(({ severity }) => severity === 'error');
  // Warnings of a compiler are no tests.
  const isEmpty =
    content.tests.length === 0 &&
    (row.category === 'test_framework' ? !isRed : content.findings.length === 0);
  if (inCodes(code, row.clean ?? '0')) {
    if (isRed && !row.lenient)
      return failure('unreadable', `It ended with ${code} (clean), but its report has failures.`);
  } else if (!inCodes(code, row.findings ?? '1')) {
    return failure(causeOf(row, output) ?? 'crashed', `It ended with ${code}: ${firstLine(output)}`);
  } else if (isEmpty || (row.category === 'test_framework' && !isRed)) {
    if (row.silent && printedBy(output).trim() === '')
      return { kind: 'report', findings: [{ severity: 'error', message: row.silent }], tests: [] };
    const emptied = isEmpty && row.category === 'test_framework' && !['tests', 'go'].includes(row.reader);
    const cause = causeOf(row, output) ?? (emptied ? 'nothing_run' : 'crashed');
    return failure(cause, `It ended with ${code}, but its report has no failures: ${firstLine(output)}`);
  }
  if (isEmpty && (row.category === 'test_framework' || causeOf(row, output) === 'nothing_run'))
    return failure(causeOf(row, output) ?? 'nothing_run', `Nothing was checked: ${firstLine(output)}`);
  return { kind: 'report', findings: distinct(content.findings), tests: withOwnIds(content.tests) };
}

function readAs(row: ToolRow, output: ToolOutput, root: string): Reading {
  if (output.truncated && row.source !== 'file')
    return failure('unreadable', 'It printed more than the limit, so its report is incomplete.');
  try {
    const content = contentOf(row, output, root);
    const text = withoutColours(printedBy(output));
    if (says(text.slice(0, 200_000), row.broken))
      return failure(causeOf(row, output) ?? 'crashed', firstLine(output));
    if (content && content.findings.length + content.tests.length > maxItems)
      return failure('unreadable', `Its report has more than ${maxItems} entries.`);
    if (content) return judge(row, output, content);
    if (inCodes(output.code, row.clean ?? '0') && says(text.slice(0, 200_000), row.cleanText))
      return { kind: 'report', findings: [], tests: [] };
    const hasReport =
      inCodes(output.code, row.clean ?? '0') || /^\s*[[{<]/.test(textsOf(row, output).join('\n'));
    const cause = causeOf(row, output) ?? (hasReport ? 'unreadable' : 'crashed');
    return failure(
      cause,
      `It ended with ${output.code} and no report that can be read: ${firstLine(output)}`,
    );
  } catch (error) {
    // A report is text from outside: what no reader foresaw is unreadable, and other tools go on.
    return failure('unreadable', cut(`Its report can't be read: ${String(error)}`));
  }
}

/** What a run of a tool says. Any text is taken: what can't be read is a failure with its cause, never a pass. */
export function readReport(tool: string, category: GateCategory, output: ToolOutput, root: string): Reading {
  const rows = rowsOf(tool, category);
  if (output.timedOut) return failure('timed_out', 'It timed out.');
  if (output.overMemory) return failure('out_of_memory', 'It exceeded the memory limit.');
  if (output.signal) return failure('crashed', `It was ended by ${output.signal}.`);
  const fitting = rows.filter(({ source }) => (source === 'file') === output.reports.length > 0);
  const readings = (fitting.length > 0 ? fitting : rows).map((row) => readAs(row, output, root));
  const reports = readings.filter((reading) => reading.kind === 'report');
  return (
    reports.find(({ findings, tests }) => findings.length + tests.length > 0) ??
    reports[0] ??
    readings[0] ??
    failure('unreadable', `Reports of ${tool} can't be read.`)
  );
}
