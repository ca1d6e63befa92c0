import type { Finding, Reading, TestResult } from '../../base/reports/index.ts';
import type { Checks } from '../../stores/checks/index.ts';
import type { CodeStore } from '../../stores/code/index.ts';
import type { ChangedFile } from './change.ts';
import { type Compared, type JudgedTests, judgeTests } from './compare.ts';
import type { Gate } from './gates.ts';
import { addTime, compareSides } from './inspect-files.ts';
import { problemOf } from './next-step.ts';
import { proveTests } from './prove-tests.ts';
import { reachedTests } from './reached-tests.ts';
import { addFailure, gateRow, type Inspection, type RunTests } from './report.ts';
import { runGate } from './run-gate.ts';
import { hearTestsOfBase } from './tests-of-base.ts';

/** Tests that the change reaches first; the whole suite when the change broke none of those. */
export async function inspectTests(
  inspection: Inspection,
  gate: Gate,
  code: CodeStore,
  checks: Checks,
): Promise<void> {
  const { place, report, copyOf } = inspection;
  const { tool, category } = gate;
  let milliseconds = 0;
  const run: RunTests = async (side, files, options) => {
    const result = await runGate(place, gate, await copyOf(side), files, options);
    addTime(inspection, result);
    milliseconds += result.milliseconds;
    return result.reading;
  };
  const judged = await runRounds(inspection, gate, code, run);
  if (judged.problem !== undefined) {
    addFailure(report, gate, judged.problem, milliseconds);
    return;
  }
  const isBroken = judged.broken.length + judged.errors.length > 0;
  if (!isBroken) {
    await proveTests(inspection, gate, run, judged.tests);
    await hearTestsOfBase(inspection, gate, { run, seen: judged.tests, code });
  }
  const flaky = judged.flaky.map(({ id }) => id);
  checks.recordFlakes(flaky);
  const seen = checks.flakes(flaky);
  report.flaky_tests.push(...flaky.map((id) => ({ id, seen: seen.get(id) ?? 1 })));
  report.findings.push(...judged.errors.map((finding) => ({ tool, category, ...finding })));
  report.broken_tests.push(
    ...judged.broken.map(({ id, file, message, expected, actual, stack }) => ({
      tool,
      id,
      file,
      message,
      expected,
      actual,
      stack: stack?.slice(0, 2000),
    })),
  );
  report.gates.push({
    ...gateRow(gate, milliseconds),
    status: isBroken ? 'findings' : 'clean',
    new: judged.broken.length + judged.errors.length,
    before: judged.old.length + judged.oldErrors,
    tests_run: ranIn(judged.tests),
    cached: false,
  });
}

interface JudgedRounds extends JudgedTests {
  /** Errors of a build that kept tests from running, and that the base does not have. */
  errors: Finding[];
  oldErrors: number;
  /** All that ran or was skipped. */
  tests: TestResult[];
  /** Why the tests say nothing. */
  problem?: string;
}

async function runRounds(
  { change, report, request, environment }: Inspection,
  gate: Gate,
  code: CodeStore,
  run: RunTests,
): Promise<JudgedRounds> {
  const { tool } = gate;
  await request.indexed;
  const reached =
    request.whole || !gate.takesFiles
      ? []
      : reachedTests(change.files, code, gate, { always: request.quick ?? false });
  const judged: JudgedRounds = { broken: [], old: [], flaky: [], errors: [], oldErrors: 0, tests: [] };
  for (const files of reached.length > 0 ? [reached, undefined] : [undefined]) {
    if (!files && reached.length > 0 && request.quick) {
      report.not_run.push(`${tool}: all but ${reached.length} test files that the change reaches.`);
      break;
    }
    request.progress(
      `${tool}: ${files ? `${files.length} test files that the change reaches` : 'all tests'}`,
    );
    const reading = files ? await run('after', files) : await runRest(judged.tests, reached, run);
    // Reached files may be helpers without a test: then the whole suite decides.
    if (reading.kind === 'failure' && files && reading.cause === 'nothing_run' && !request.quick) continue;
    if (reading.kind === 'failure') return { ...judged, problem: problemOf(reading, gate, environment) };
    judged.tests = joined(judged.tests, reading.tests);
    const build = await judgeBuild(change.files, reading.findings, () => run('before', files));
    judged.errors = build.fresh;
    judged.oldErrors = build.old;
    const known = new Set([...judged.old, ...judged.flaky].map(({ id }) => id));
    const red = reading.tests.filter(({ id, status }) => status === 'failed' && !known.has(id));
    const fresh = await judgeFailures(red, run, request.progress, tool);
    for (const kind of ['broken', 'old', 'flaky'] as const) judged[kind].push(...fresh[kind]);
    if (fresh.broken.length + build.fresh.length > 0) {
      if (files)
        report.not_run.push(
          `${tool}: the other tests were not run, because some that the change reaches are red (sylk check --whole runs all).`,
        );
      break;
    }
  }
  const isGreen = judged.tests.some(({ status }) => status === 'passed');
  if (isGreen || judged.broken.length + judged.errors.length + judged.flaky.length > 0) return judged;
  const reason =
    judged.oldErrors > 0
      ? 'it does not build, as it did not at the base'
      : judged.old.length > 0
        ? `all of them were red at the base already (${(judged.old[0]?.message ?? judged.old[0]?.id ?? '').split('\n')[0]?.slice(0, 200)})`
        : 'all of them are skipped';
  const message = `No test was green: ${reason}`;
  return {
    ...judged,
    problem: problemOf({ kind: 'failure', cause: 'nothing_run', message }, gate, environment),
  };
}

const ranIn = (tests: TestResult[]): number => tests.filter(({ status }) => status !== 'skipped').length;

const joined = (first: TestResult[], second: TestResult[]): TestResult[] => [
  ...new Map([...first, ...second].map((test) => [test.id, test])).values(),
];

/** All tests, without the files that ran already where the tool can leave them out; all of them where that does not work. */
async function runRest(ran: TestResult[], files: string[], run: RunTests): Promise<Reading> {
  const done = new Set(ran.map(({ file }) => file));
  // A file that the report does not name may not have run.
  if (ranIn(ran) === 0 || !files.every((file) => done.has(file))) return run('after', undefined);
  const rest = await run('after', undefined, { without: files });
  if (rest.kind === 'report') return rest;
  return rest.cause === 'nothing_run' ? { kind: 'report', findings: [], tests: [] } : run('after', undefined);
}

/** Where the base could not be built for any other reason than these errors, nobody is excused. */
async function judgeBuild(
  files: ChangedFile[],
  findings: Finding[],
  before: () => Promise<Reading>,
): Promise<Compared> {
  const errors = findings.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return { fresh: [], old: 0 };
  const base = await before();
  return base.kind === 'report' ? compareSides(files, errors, base.findings) : { fresh: errors, old: 0 };
}

/** Red counts when it repeats here and is green, or not there, at the base. */
export async function judgeFailures(
  failed: TestResult[],
  run: RunTests,
  progress: (message: string) => void,
  tool: string,
): Promise<JudgedTests> {
  if (failed.length === 0) return { broken: [], old: [], flaky: [] };
  const named = filesOf(failed);
  progress(`${tool}: ${failed.length} red, once more`);
  const alone = await run('after', named, { again: true });
  // A file that loads with all the others may not load alone: it says nothing then, here or at the base.
  const isThere =
    alone.kind === 'report' && failed.every(({ id }) => alone.tests.some((test) => test.id === id));
  const files = isThere ? named : undefined;
  const again = isThere || !named ? alone : await run('after', undefined, { again: true });
  progress(`${tool}: the same tests at the base`);
  const before = await run('before', files);
  return judgeTests(
    failed,
    again.kind === 'report' ? again.tests : undefined,
    before.kind === 'report' ? before.tests : undefined,
  );
}

/** The files of these tests; nothing where the report does not name them all. */
function filesOf(tests: TestResult[]): string[] | undefined {
  const files = new Set(tests.map(({ file }) => file ?? ''));
  return files.has('') ? undefined : [...files];
}
