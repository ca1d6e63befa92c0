import type { Finding, Reading, TestResult } from '../../base/reports/index.ts';
import { isTestPath } from '../../base/text/index.ts';
import type { Checks } from '../../stores/checks/index.ts';
import { type CodeStore, reachedFiles } from '../../stores/code/index.ts';
import { baseWith, type ChangedFile } from './change.ts';
import { type Compared, type JudgedTests, judgeTests } from './compare.ts';
import type { Gate } from './gates.ts';
import { addTime, compareSides } from './inspect-files.ts';
import { addFailure, gateRow, type Inspection } from './report.ts';
import { runGate } from './run-gate.ts';

const mostReached = 200;
const mostProved = 10;

type RunTests = (
  side: Parameters<Inspection['copyOf']>[0],
  files: string[] | undefined,
  again?: boolean,
) => Promise<Reading>;

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
  const run: RunTests = async (side, files, again = false) => {
    const result = await runGate(place, gate, await copyOf(side), files, { again });
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
  if (!isBroken) await proveTests(inspection, gate, run);
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
    tests_run: judged.ran,
    cached: false,
  });
}

interface JudgedRounds extends JudgedTests {
  /** Errors of a build that kept tests from running, and that the base does not have. */
  errors: Finding[];
  oldErrors: number;
  ran: number;
  /** Why the tests say nothing. */
  problem?: string;
}

async function runRounds(
  { change, report, request }: Inspection,
  gate: Gate,
  code: CodeStore,
  run: RunTests,
): Promise<JudgedRounds> {
  const { tool } = gate;
  const reached = request.whole ? [] : reachedTests(change.files, code, gate);
  const judged: JudgedRounds = { broken: [], old: [], flaky: [], errors: [], oldErrors: 0, ran: 0 };
  for (const files of reached.length > 0 ? [reached, undefined] : [undefined]) {
    if (!files && reached.length > 0 && request.quick) {
      report.not_run.push(`${tool}: all but ${reached.length} test files that the change reaches.`);
      break;
    }
    request.progress(
      `${tool}: ${files ? `${files.length} test files that the change reaches` : 'all tests'}`,
    );
    const reading = await run('after', files);
    // Reached files may be helpers without a test: then the whole suite decides.
    if (reading.kind === 'failure' && files && reading.cause === 'nothing_run' && !request.quick) continue;
    if (reading.kind === 'failure') return { ...judged, problem: reading.message };
    judged.ran = reading.tests.filter(({ status }) => status !== 'skipped').length;
    const build = await judgeBuild(change.files, reading.findings, () => run('before', files));
    judged.errors = build.fresh;
    judged.oldErrors = build.old;
    const known = new Set([...judged.old, ...judged.flaky].map(({ id }) => id));
    const red = reading.tests.filter(({ id, status }) => status === 'failed' && !known.has(id));
    const fresh = await judgeFailures(red, run, request.progress, tool);
    for (const kind of ['broken', 'old', 'flaky'] as const) judged[kind].push(...fresh[kind]);
    if (fresh.broken.length + build.fresh.length > 0) {
      if (files)
        report.not_run.push(`${tool}: the other tests, because some that the change reaches are red.`);
      break;
    }
  }
  if (judged.ran > 0 || judged.errors.length > 0) return judged;
  const reason =
    judged.oldErrors > 0 ? 'it does not build, as it did not at the base' : 'all of them are skipped';
  return { ...judged, problem: `No test ran: ${reason}.` };
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
async function judgeFailures(
  failed: TestResult[],
  run: RunTests,
  progress: (message: string) => void,
  tool: string,
): Promise<JudgedTests> {
  if (failed.length === 0) return { broken: [], old: [], flaky: [] };
  const files = filesOf(failed);
  progress(`${tool}: ${failed.length} red, once more`);
  const again = await run('after', files, true);
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

/** A new test that is green without the rest of the change tests something else. One file at a time: not every report names files. */
async function proveTests(
  { change, report, request }: Inspection,
  { tool }: Gate,
  run: RunTests,
): Promise<void> {
  const changed = change.files.filter(({ status }) => status !== 'deleted');
  const files = changed.filter(({ path }) => isRunnable(path)).slice(0, mostProved);
  if (files.length === 0 || changed.every(({ path }) => isTestPath(path))) return;
  request.progress(`${tool}: ${files.length} changed test files without the change`);
  const tree = await baseWith(
    change,
    files.map(({ path }) => path),
  );
  const greenIn = async (side: Parameters<RunTests>[0], path: string): Promise<Set<string>> => {
    const reading = await run(side, [path]);
    const tests = reading.kind === 'report' ? reading.tests : [];
    return new Set(tests.flatMap(({ id, status }) => (status === 'passed' ? [id] : [])));
  };
  for (const { path, status } of files) {
    const here = await greenIn('after', path);
    const earlier = status === 'added' ? new Set<string>() : await greenIn('before', path);
    const fresh = [...here].filter((id) => !earlier.has(id));
    if (fresh.length === 0) continue;
    const without = await greenIn({ tree }, path);
    report.unproven_tests.push(...fresh.filter((id) => without.has(id)));
  }
}

/** Changed test files, and test files from which a changed file can be reached. */
function reachedTests(files: ChangedFile[], code: CodeStore, { directory }: Gate): string[] {
  const tests = new Set<string>();
  for (const { path, status } of files) {
    if (status === 'deleted') continue;
    if (isRunnable(path)) tests.add(path);
    const [symbol] = code.find(path);
    if (!symbol) continue;
    for (const one of reachedFiles(code.linked(symbol, { direction: 'in', depth: 4, limit: 5000 }), path))
      if (one.test && isRunnable(one.path)) tests.add(one.path);
  }
  const prefix = directory === '' ? '' : `${directory}/`;
  return [...tests].filter((path) => path.startsWith(prefix)).slice(0, mostReached);
}

/** Files that hold tests, and not what tests are helped by. */
const isRunnable = (path: string): boolean =>
  isTestPath(path) &&
  /\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|kt|php|exs?|sh|bats|swift|dart|cs|cpp|cc|c|ml|zig)$/.test(path) &&
  !/(^|\/)(fixtures?|helpers?|support|__mocks__|data)\//.test(path);
