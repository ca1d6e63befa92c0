import { z } from 'zod';
import { isoTime } from '../base/clock.ts';
import { SylkError } from '../base/errors.ts';
import { looseBoolean, looseList } from '../base/loose-input.ts';
import { redactValue } from '../base/redact.ts';
import {
  type CheckReport,
  checkReport,
  gateCategories,
  toJunit,
  toSarif,
} from '../engines/inspection/index.ts';
import { reporting } from './calls.ts';
import { setUpChecks } from './check-setup.ts';
import { operation } from './operation.ts';

const checkChanges = operation({
  name: 'check_changes',
  summary:
    "Check a change: runs the project's own formatter, linters, type checker and tests on the diff from the base, in a sandbox, and reports what the change broke, apart from failures that existed before. Call it before you report work as done.",
  effect: 'derive',
  idempotent: true,
  input: z.object({
    base: z
      .string()
      .optional()
      .describe('branch or commit to compare with; default: where this branch forked from the main branch'),
    commit: z.string().optional().describe('judge this commit instead of the working tree'),
    by_base: looseBoolean
      .default(false)
      .describe('with the tools and settings of the base, which the change can not weaken'),
    only: looseList(z.enum(gateCategories)).optional().describe('only these kinds of tools'),
    quick: looseBoolean.default(false).describe('only the tests that the change can affect'),
    whole: looseBoolean.default(false).describe('all tests at once, not those first that the change reaches'),
    strict: looseBoolean
      .default(false)
      .describe('for pipelines: changes that a person has to look at fail the command, with exit code 5'),
    unconfined: looseBoolean.default(false).describe('run without a sandbox; only a person may request it'),
    format: z
      .enum(['text', 'sarif', 'junit'])
      .default('text')
      .describe('sarif for code hosts and editors, junit for pipelines'),
    minutes: z.coerce.number().min(0.1).max(120).default(10).describe('time limit for each tool, in minutes'),
  }),
  output: checkReport,
  examples: [{ only: ['formatter'], base: 'HEAD' }],
  isFailure: ({ verdict, needs_review }) => (verdict !== 'passed' ? 1 : needs_review ? 5 : 0),
  render,
  run: async function* ({ minutes, commit, by_base, format, strict, ...request }, { app, caller, signal }) {
    if (request.unconfined && caller.kind !== 'person')
      throw new SylkError('DENIED', 'Only a person may run tools without a sandbox.', {
        hint: 'Omit unconfined, or ask the person to run `sylk check --unconfined`.',
      });
    const inspection = await app.inspection();
    const code = await app.code();
    const report = yield* reporting((progress) =>
      inspection.check({
        ...request,
        indexed: request.whole ? undefined : code.update({ signal }),
        subject: commit === undefined ? undefined : { commit },
        judges: by_base ? 'base' : 'own',
        timeoutMs: minutes * 60_000,
        signal,
        progress: (message) => progress({ done: 0, message }),
      }),
    );
    const needs_review = strict && report.verdict === 'passed' && toLookAt(report) > 0;
    const safe = redactValue({ ...report, ...(needs_review ? { needs_review } : {}) });
    if (format === 'text') return safe;
    return { ...safe, document: format === 'sarif' ? toSarif(safe) : toJunit(safe) };
  },
});

const lastChecks = operation({
  name: 'last_checks',
  summary:
    'What the last checks of this repository found: verdict, new findings, broken tests, tools that failed, changes for a person to look at. Runs nothing.',
  effect: 'read',
  input: z.object({ limit: z.coerce.number().int().min(1).max(50).default(10) }),
  output: z.object({ checks: z.array(z.object({ at: z.string(), report: checkReport })) }),
  examples: [{ limit: 1 }],
  render: ({ checks }) =>
    checks.length === 0
      ? 'Nothing was checked yet. Run `sylk check`.'
      : checks.map(({ at, report }) => `${at}\n${render(report)}`).join('\n\n'),
  run: async ({ limit }, { app }) => {
    const inspection = await app.inspection();
    return { checks: inspection.last(limit).map(({ at, report }) => ({ at: isoTime(at), report })) };
  },
});

const verdicts = { passed: 'Passed', failed: 'Broken by this change', unsure: 'Not sure' };
const mostShown = 50;

const toLookAt = ({ review }: CheckReport): number => review.filter(({ minor }) => !minor).length;

function verdictOf(report: CheckReport): string {
  const count = toLookAt(report);
  if (report.needs_review) return 'Needs review';
  if (report.verdict !== 'passed' || count === 0) return verdicts[report.verdict];
  return `Passed, and ${count === 1 ? '1 thing needs' : `${count} things need`} review`;
}

function render(report: CheckReport): string {
  if (report.document !== undefined) return report.document;
  const { base, changed_files, gates, findings, broken_tests, flaky_tests, review, seconds } = report;
  if (changed_files === 0) return `Nothing changed, compared with ${base.label}: no tool ran.`;
  const place = (file?: string, line?: number) => (file ? `${file}${line ? `:${line}` : ''}  ` : '');
  const section = (title: string, lines: string[]) =>
    lines.length === 0
      ? []
      : [
          '',
          title,
          ...lines.slice(0, mostShown).map((line) => `  ${line}`),
          ...(lines.length > mostShown ? [`  and ${lines.length - mostShown} more`] : []),
        ];
  return [
    `${verdictOf(report)}: ${changed_files} changed ${changed_files === 1 ? 'file' : 'files'}, compared with ${base.label}${base.commit ? ` (${base.commit.slice(0, 8)})` : ''}, ${seconds} s.`,
    ...section(
      'Broken tests',
      broken_tests.map(({ id, message }) => `${id}${message ? `\n    ${message.split('\n')[0]}` : ''}`),
    ),
    ...section(
      'New findings',
      findings.map(
        (one) =>
          `${place(one.file, one.line)}${one.severity}: ${one.message}  [${one.tool}${one.rule ? ` ${one.rule}` : ''}]`,
      ),
    ),
    ...section(
      'Tools',
      gates.map((gate) => {
        const what = `${gate.tool} (${gate.category.replace('_', ' ')})${gate.directory ? ` in ${gate.directory}` : ''}`;
        if (gate.status === 'failed') return `! ${what}: could not run: ${gate.problem}`;
        const found =
          gate.tests_run === undefined
            ? `${gate.new} new`
            : `${gate.tests_run} ${gate.tests_run === 1 ? 'test' : 'tests'}, ${gate.new} newly failing`;
        return `${gate.new === 0 ? '✓' : '✗'} ${what}: ${found}${gate.before > 0 ? `, ${gate.before} pre-existing` : ''}  ${gate.seconds} s${gate.cached ? ' (from an earlier check of the same files)' : ''}`;
      }),
    ),
    ...section(
      'Needs review by a person',
      review.map((one) => `${place(one.file, one.line)}${one.message}`),
    ),
    ...section(
      'Flaky tests',
      flaky_tests.map(({ id, seen }) => `${id} (seen ${seen} times)`),
    ),
    ...section('Tests that pass without the change', report.unproven_tests),
    ...section('Not checked', [...report.not_run, ...report.notes]),
  ].join('\n');
}

export const operations = [checkChanges, lastChecks, setUpChecks];
