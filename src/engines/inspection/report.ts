import type { Reading } from '../../base/reports/index.ts';
import type { Change } from './change.ts';
import { type Gate, gateCategories } from './gates.ts';
import type { CheckReport } from './record.ts';
import type { RunPlace } from './run-gate.ts';
import type { Environment, WorkingCopy } from './trees.ts';

/** What is judged, and how. */
export interface CheckRequest {
  /** A linked working tree of this repository, or a commit of it. Default: the working tree that was opened. */
  subject?: { worktree: string } | { commit: string } | undefined;
  base?: string | undefined;
  /** Only these files count as changed, below the root. */
  files?: string[] | undefined;
  /**
   * Whose tools and settings judge: those of the base, which the change can't weaken, or those that the change brings.
   * A linked working tree is always judged by its base.
   */
  judges?: 'base' | 'own' | undefined;
  only?: Array<(typeof gateCategories)[number]> | undefined;
  /** Tests that the change reaches, and no others. */
  quick?: boolean | undefined;
  /** The whole suite at once, also where tests that the change reaches are red. */
  whole?: boolean | undefined;
  /** Runs tools without a sandbox. Only a person may say so. */
  unconfined?: boolean | undefined;
  /** The index that tells which tests are reached; other tools run while it is made. */
  indexed?: Promise<unknown> | undefined;
  timeoutMs: number;
  signal: AbortSignal;
  progress(message: string): void;
}

/** What a check works with, besides the request. */
export interface Inspection {
  change: Change;
  place: RunPlace;
  environment: Environment;
  /** The files that tools see: those of the change, or those with the settings of the base. */
  tree: string;
  /** A copy of a tree: its digest, or one side of the change. */
  copyOf(side: 'before' | 'after' | { tree: string }): Promise<WorkingCopy>;
  request: CheckRequest;
  report: CheckReport;
}

/** One run of a test runner: all tests or those of some files, of one side of the change. */
export type RunTests = (
  side: Parameters<Inspection['copyOf']>[0],
  files: string[] | undefined,
  options?: { again?: boolean; without?: string[] },
) => Promise<Reading>;

export const emptyReport = ({ base, files }: Change): CheckReport => ({
  verdict: 'unsure',
  base: { commit: base.commit, label: base.label },
  changed_files: files.length,
  gates: [],
  findings: [],
  broken_tests: [],
  flaky_tests: [],
  unproven_tests: [],
  review: [],
  not_run: [],
  notes: [],
  seconds: 0,
  tool_seconds: 0,
});

export function addFailure(report: CheckReport, gate: Gate, problem: string, milliseconds: number): void {
  report.gates.push({
    ...gateRow(gate, milliseconds),
    status: 'failed',
    problem,
    new: 0,
    before: 0,
    cached: false,
  });
}

export const gateRow = ({ tool, category, directory, words }: Gate, milliseconds: number) => ({
  tool,
  category,
  directory,
  command: words.join(' '),
  seconds: Math.round(milliseconds / 100) / 10,
});

export function nameUnjudged(report: CheckReport, gates: Gate[], { only }: CheckRequest): void {
  // Nobody but a person can judge it.
  if (gates.length === 0)
    report.review.push({
      guard: 'judge',
      message: 'No tool of this project judges the change: nothing was run.',
    });
  const missing = gateCategories
    .filter((category) => !only || only.includes(category))
    .filter((category) => !gates.some((gate) => gate.category === category));
  if (gates.length > 0 && missing.length > 0)
    report.not_run.push(
      `No ${anyOf.format(missing.map((category) => category.replace('_', ' ')))} is named by this project for the changed files.`,
    );
}
const anyOf = new Intl.ListFormat('en', { type: 'disjunction' });

/** A warning is told and fails nobody; a tool that could not judge leaves doubt, whatever the others said. */
export function conclude(
  report: CheckReport,
  { isRead, milliseconds }: { isRead: boolean; milliseconds: number },
): CheckReport {
  const isBroken =
    report.broken_tests.length > 0 || report.findings.some(({ severity }) => severity === 'error');
  const ran = report.gates.filter(({ status }) => status !== 'failed');
  // Prose that no code reads breaks nothing.
  const isUnsure = isRead && (ran.length === 0 || ran.length < report.gates.length);
  return {
    ...report,
    verdict: isBroken ? 'failed' : isUnsure ? 'unsure' : 'passed',
    seconds: Math.round(milliseconds / 100) / 10,
    tool_seconds: Math.round(report.tool_seconds * 10) / 10,
  };
}
