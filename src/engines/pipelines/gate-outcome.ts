import type { Outcome } from '../../stores/runs/index.ts';
import type { CheckReport } from '../inspection/index.ts';

const mostFindings = 60;
const mostOfStack = 1500;

/** What a check says of a node. A tool that failed judged nothing, so it is never a pass. */
export function gateOutcome(report: CheckReport): {
  outcome: Outcome<'test'>;
  note: string;
  /** Changes to what judges changes, which a person has to approve. */
  guarded: string[];
} {
  const { verdict, gates, review } = report;
  const failures = gates.flatMap(({ tool, status, problem }) =>
    status === 'failed' ? [`${tool}: ${problem ?? 'it failed'}`] : [],
  );
  const note = [
    ...gates.map(
      ({ tool, status, command, before }) =>
        `${tool} (${command}): ${status}${before > 0 ? `, ${before} that were there before the change` : ''}`,
    ),
    ...report.not_run,
    ...report.notes,
    ...review.map(({ file, line, message }) => `for you to look at: ${place(file, line)}${message}`),
  ].join('\n');
  const guarded = review
    .filter(({ minor }) => !minor)
    .map(({ file, line, message }) => `${place(file, line)}${message}`);
  if (verdict === 'failed')
    return { outcome: { result: 'findings', text: findingsText(report) }, note, guarded };
  if (failures.length > 0)
    return { outcome: { result: 'broken', message: failures.join('\n') }, note, guarded };
  return { outcome: { result: 'passed' }, note: note || 'No tool judged it.', guarded };
}

const place = (file: string | undefined, line: number | undefined): string =>
  file === undefined ? '' : `${file}${line === undefined ? '' : `:${line}`} `;

function findingsText({ findings, broken_tests }: CheckReport): string {
  const lines = [
    ...findings.map(
      ({ tool, file, line, rule, message, suggestion }) =>
        `${place(file, line)}${tool}${rule ? ` ${rule}` : ''}: ${message}${suggestion ? ` (${suggestion})` : ''}`,
    ),
    ...broken_tests.map(
      ({ id, file, message = '', expected, actual, stack = '' }) =>
        `FAIL ${file !== undefined && id.startsWith(file) ? '' : place(file, undefined)}${id}: ${message}${expected === undefined ? '' : ` (expected ${expected}, got ${actual})`}\n${stack.slice(0, mostOfStack)}`,
    ),
  ];
  const rest = lines.length - mostFindings;
  // A person names findings by their numbers.
  const numbered = lines.map((line, at) => `${at + 1}. ${line}`);
  return [...numbered.slice(0, mostFindings), ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n');
}
