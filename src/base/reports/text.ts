import type { Finding, TestResult } from './record.ts';
import { type TestPattern, type ToolRow, table } from './table.ts';

/* Reports come from outside: lines and fields are cut before a pattern sees them, so that no pattern can run away. */

const maxLine = 2_000;
const maxField = 8_000;
export const maxItems = 50_000;

const escapes = /\u001b\[[0-9;?]{0,20}[A-Za-z]/g;
export const withoutColours = (text: string): string => text.replace(escapes, '');

/** Lines as a terminal leaves them: what was written over is gone. */
export const linesOf = (text: string): string[] =>
  withoutColours(text)
    .split(/\r*\n/)
    .map((line) => line.slice(line.lastIndexOf('\r') + 1).slice(0, maxLine));

export const cut = (text: string): string => text.slice(0, maxField).trim();

/** A path inside the root, relative to it; undefined for any other place. */
export function pathInside(file: string | undefined, root: string): string | undefined {
  if (!file) return undefined;
  let path = file.trim();
  if (path.startsWith('file:')) {
    try {
      path = decodeURIComponent(path.replace(/^file:(\/\/[^/]*)?/, ''));
    } catch {
      return undefined;
    }
  }
  path = path.replaceAll('\\', '/');
  const base = root.replaceAll('\\', '/').replace(/\/+$/, '');
  if (path.startsWith(`${base}/`)) path = path.slice(base.length + 1);
  if (path.startsWith('/') || /^[A-Za-z]:\//.test(path) || path.length > 1_000) return undefined;
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  return parts.length === 0 || parts.includes('..') ? undefined : parts.join('/');
}

const numberOf = (value: unknown): number | undefined => {
  const number = typeof value === 'string' ? Number.parseInt(value, 10) : value;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : undefined;
};
const stringOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? cut(String(value)) || undefined : undefined;

/** `at` is a file that a runner names for failed tests only: it is no part of a test's id. */
export type Fields = Partial<Record<keyof Finding | keyof TestResult | 'suites' | 'seconds' | 'at', unknown>>;

export function severityOf(value: unknown, row: ToolRow, fallback: Finding['severity']): Finding['severity'] {
  const name = String(value ?? '').toLowerCase();
  return row.severities?.[name] ?? table().severities[name] ?? fallback;
}

export function findingOf(fields: Fields, row: ToolRow, root: string): Finding {
  return {
    file: pathInside(stringOf(fields.file), root),
    line: numberOf(fields.line),
    column: numberOf(fields.column),
    endLine: numberOf(fields.endLine),
    rule: stringOf(fields.rule),
    severity: severityOf(fields.severity, row, 'error'),
    message: stringOf(fields.message) ?? 'no message',
    suggestion: stringOf(fields.suggestion),
  };
}

/** What was expected and what came, where the message of a failed test says so in a form that is known. */
function expectation(message: string): { expected?: string; actual?: string } {
  for (const pattern of table().expectations) {
    const groups = new RegExp(pattern, 'm').exec(message.slice(0, maxField))?.groups;
    if (groups) return { expected: stringOf(groups.expected), actual: stringOf(groups.actual) };
  }
  return {};
}

export function testOf(fields: Fields, row: ToolRow, root: string): TestResult {
  const file = pathInside(stringOf(fields.file), root);
  const name = stringOf(fields.name) ?? 'test without a name';
  const suites = (Array.isArray(fields.suites) ? fields.suites : [fields.suites]).flatMap(
    (suite) => stringOf(suite) ?? [],
  );
  const state = String(fields.status ?? '').toLowerCase();
  const status = row.statuses?.[state] ?? table().statuses[state] ?? 'failed';
  const message = status === 'failed' ? stringOf(fields.message) : undefined;
  const told = { expected: stringOf(fields.expected), actual: stringOf(fields.actual) };
  const said = message && told.expected === undefined ? expectation(message) : told;
  const seconds = Number(fields.seconds ?? Number.NaN);
  return {
    id: [file, ...suites, name].filter((part) => part !== undefined).join(' > '),
    name,
    file: file ?? pathInside(stringOf(fields.at), root),
    status,
    message,
    ...said,
    stack: status === 'failed' ? stringOf(fields.stack) : undefined,
    durationMs: numberOf(fields.durationMs) ?? (Number.isFinite(seconds) ? seconds * 1_000 : undefined),
  };
}

/** Findings of tools that print lines. */
export function readText(text: string, names: string[], row: ToolRow, root: string): Finding[] {
  const patterns = names.flatMap((name) => table().patterns[name] ?? []);
  const shapes = patterns.map((pattern) => ({
    pattern,
    line: new RegExp(pattern.line),
    next: pattern.next ? new RegExp(pattern.next) : undefined,
  }));
  const lines = linesOf(text);
  const findings: Finding[] = [];
  for (let index = 0; index < lines.length && findings.length <= maxItems; index++) {
    for (const { pattern, line, next } of shapes) {
      const groups = line.exec(lines[index] ?? '')?.groups;
      if (!groups) continue;
      const following = next ? lookAhead(lines, index, next) : {};
      if (following) findings.push(findingOf({ ...pattern, ...groups, ...following }, row, root));
      if (following) break;
    }
  }
  return findings;
}

function lookAhead(lines: string[], index: number, next: RegExp): Record<string, string> | undefined {
  for (let ahead = index + 1; ahead <= index + 12 && ahead < lines.length; ahead++) {
    const groups = next.exec(lines[ahead] ?? '')?.groups;
    if (groups) return groups;
  }
  return undefined;
}

const keyOf = ({ suites = '', name }: Fields): string => `${suites} ${name}`;

/** Results of test runners that print text: a line for each test, and a section for each failed one. */
export function readTests(text: string, name: string, row: ToolRow, root: string): TestResult[] {
  const shape: TestPattern | undefined = table().tests[name];
  if (!shape) return [];
  const results = shape.result.map((pattern) => new RegExp(pattern));
  const [heading, section, end] = [shape.heading, shape.section, shape.end].map(
    (pattern) => new RegExp(pattern ?? '$^'),
  );
  const tests: Fields[] = [];
  const latest = new Map<string, Fields>();
  const details = new Map<string, string[]>();
  let open: string[] | undefined;
  let above: Fields = {};
  for (const line of linesOf(text)) {
    const start = section?.exec(line)?.groups;
    if (start) {
      open = [];
      details.set(keyOf(start), open);
      continue;
    }
    if (open && end?.test(line)) open = undefined;
    if (open) {
      open.push(line);
      continue;
    }
    above = heading?.exec(line)?.groups ?? above;
    const groups = results.map((pattern) => pattern.exec(line)?.groups).find((each) => each !== undefined);
    if (groups) addTest(tests, latest, { ...above, ...groups });
    if (tests.length > maxItems) break;
  }
  return tests.map((fields) => {
    const said = (details.get(keyOf(fields)) ?? details.get(keyOf({ name: fields.name })))?.join('\n');
    const status = fields.status ?? (said === undefined ? shape.unsaid : undefined);
    return testOf({ ...fields, status, message: fields.message ?? said }, row, root);
  });
}

/** The name and the status of a test may stand in two lines, in either order. */
function addTest(tests: Fields[], latest: Map<string, Fields>, groups: Fields): void {
  const earlier = groups.name === undefined ? tests.at(-1) : latest.get(keyOf(groups));
  if (earlier && (earlier.status === undefined || groups.status === undefined)) {
    Object.assign(earlier, groups);
  } else if (groups.name !== undefined) {
    const test = { ...groups };
    tests.push(test);
    latest.set(keyOf(test), test);
  }
}
