import type { Finding, TestResult } from '../../base/reports/index.ts';
import type { ChangedFile } from './change.ts';

export interface Compared {
  fresh: Finding[];
  /** Were there before the change. */
  old: number;
}

/**
 * Findings that the change brought. A finding is the same as before when file, rule, message and the text of its line
 * are, wherever that line stands now.
 */
export function compareFindings(
  after: Finding[],
  before: Finding[],
  {
    files,
    lineOf,
  }: { files: ChangedFile[]; lineOf(side: 'before' | 'after', file: string, line: number): string },
): Compared {
  const cameFrom = new Map(files.flatMap(({ path, from }) => (from ? [[path, from] as const] : [])));
  const keyOf = (side: 'before' | 'after', { file = '', line, rule = '', message }: Finding) => {
    const place = side === 'after' ? (cameFrom.get(file) ?? file) : file;
    const text = line === undefined ? '' : lineOf(side, file, line).trim();
    return [place, rule, message.replace(/\d+/g, '0'), text].join('\0');
  };
  const known = new Map<string, number>();
  for (const finding of before)
    known.set(keyOf('before', finding), (known.get(keyOf('before', finding)) ?? 0) + 1);
  const fresh = after.filter((finding) => {
    const key = keyOf('after', finding);
    const left = known.get(key) ?? 0;
    if (left > 0) known.set(key, left - 1);
    return left === 0;
  });
  return { fresh, old: after.length - fresh.length };
}

/** Without a report of the base: only what stands on changed lines is the change's. */
export const onChangedLines = (findings: Finding[], files: ChangedFile[]): Finding[] => {
  const byPath = new Map(files.map((file) => [file.path, file]));
  return findings.filter(({ file = '', line }) => {
    const changed = byPath.get(file);
    return changed !== undefined && (line === undefined || changed.lines.has(line));
  });
};

export interface JudgedTests {
  /** Red here twice, green or absent at the base. */
  broken: TestResult[];
  /** Red at the base too. */
  old: TestResult[];
  /** Red once, green when run again. */
  flaky: TestResult[];
}

/** `again` and `before` are undefined where that run was not possible: then nobody is excused. */
export function judgeTests(
  first: TestResult[],
  again: TestResult[] | undefined,
  before: TestResult[] | undefined,
): JudgedTests {
  const statusIn = (results: TestResult[] | undefined) =>
    new Map(results?.map(({ id, status }) => [id, status]));
  const [second, base] = [statusIn(again), statusIn(before)];
  const judged: JudgedTests = { broken: [], old: [], flaky: [] };
  for (const test of first) {
    if (test.status !== 'failed') continue;
    if (second.get(test.id) === 'passed') judged.flaky.push(test);
    else if (base.get(test.id) === 'failed') judged.old.push(test);
    else judged.broken.push(test);
  }
  return judged;
}
