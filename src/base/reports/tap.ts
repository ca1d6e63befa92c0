import { parse } from 'yaml';
import type { TestResult } from './record.ts';
import type { ToolRow } from './table.ts';
import { type Fields, linesOf, maxItems, testOf } from './text.ts';

const point = /^( *)(not )?ok\b(?: +(\d+))?(?: +-)? *(.*)$/;
const directive = /^(.*?) *#\s*(skip|todo)\b.*$/i;
const summary = /^ *# (tests|pass|fail|skip|todo|failed|time|No coverage|\{)/;
const time = / *# time=([\d.]+)(ms|s)\b.*$/;

/** The text of a detail: runners write strings, or texts under headings. */
function stringOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return value === undefined ? undefined : String(value);
  return Object.entries(value)
    .map(([heading, text]) => `${heading}\n${typeof text === 'object' ? JSON.stringify(text) : text}`)
    .join('\n');
}

function detailsOf(lines: string[]): Record<string, unknown> {
  try {
    const value: unknown = parse(lines.join('\n'), { maxAliasCount: 0 });
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    // Details are a courtesy of the tool: the test's status stands without them.
    return { message: lines.join('\n') };
  }
}

interface Point {
  depth: number;
  failed: boolean;
  name: string;
  fields: Fields;
  hasChildren: boolean;
}

/** Test Anything Protocol, with subtests; a test that has subtests counts through them. */
export function readTap(text: string, row: ToolRow, root: string): TestResult[] | undefined {
  const lines = linesOf(text);
  const points: Point[] = [];
  let hasPlan = false;
  let heading: string | undefined;
  for (let index = 0; index < lines.length && points.length <= maxItems; index++) {
    const line = lines[index] ?? '';
    hasPlan ||= /^\s*(TAP version \d+|\d+\.\.\d+)/.test(line);
    if (/^Bail out!/i.test(line)) return undefined;
    const found = point.exec(line);
    if (found) points.push(pointOf(found, points, heading));
    const last = points.at(-1);
    const block = /^( +)---\s*$/.exec(line)?.[1];
    if (last && block !== undefined) {
      const end = lines.findIndex((other, at) => at > index && other.startsWith(`${block}...`));
      if (end < 0 || end - index > 2_000) continue;
      addDetails(last, detailsOf(lines.slice(index + 1, end).map((each) => each.slice(block.length))));
      index = end;
    } else if (row.headings && /^# \S/.test(line)) {
      heading = line.slice(2).trim();
    } else if (last?.failed && /^ *#/.test(line) && !summary.test(line)) {
      last.fields.message = `${last.fields.message ?? ''}${line.replace(/^ *# ?/, '')}\n`.slice(0, 8_000);
    }
  }
  if (!hasPlan) return undefined;
  return points.filter((each) => !each.hasChildren).map((each) => testOf(each.fields, row, root));
}

/** Subtests are printed before the test that holds them. */
function pointOf(found: RegExpExecArray, points: Point[], heading: string | undefined): Point {
  const depth = Math.floor((found[1]?.length ?? 0) / 4);
  const rest = found[4] ?? '';
  const seconds = time.exec(rest);
  const bare = rest.replace(time, '').replace(/ *\{ *$/, '');
  const skipped = directive.exec(bare);
  const failed = found[2] !== undefined && !skipped;
  const name = (skipped?.[1] ?? bare).trim() || `test ${found[3] ?? points.length + 1}`;
  let hasChildren = false;
  for (let at = points.length - 1; at >= 0; at--) {
    const child = points[at];
    if (!child || child.depth <= depth) break;
    hasChildren = true;
    child.fields.suites = [name, ...(Array.isArray(child.fields.suites) ? child.fields.suites : [])];
  }
  const status = skipped ? 'skipped' : failed ? 'failed' : 'passed';
  const duration = seconds ? Number(seconds[1]) * (seconds[2] === 's' ? 1_000 : 1) : undefined;
  return {
    depth,
    failed,
    name,
    fields: { name, status, suites: heading ? [heading] : [], durationMs: duration },
    hasChildren,
  };
}

function addDetails(last: Point, details: Record<string, unknown>): void {
  const at = typeof details.at === 'object' && details.at !== null ? { ...details.at } : {};
  const file = 'fileName' in at ? at.fileName : 'file' in at ? at.file : undefined;
  last.fields.durationMs ??= details.duration_ms;
  if (!last.failed) return;
  last.fields.at = file;
  const said = [details.message, details.error, details.diff, details.details].map(stringOf);
  last.fields.message = said.filter(Boolean).join('\n') || last.fields.message;
  last.fields.expected = stringOf(details.expected ?? details.wanted);
  last.fields.actual = stringOf(details.actual ?? details.found);
  last.fields.stack = stringOf(details.stack);
}
