import type { Reading, TestResult } from '../../base/reports/index.ts';
import { isTestPath } from '../../base/text/index.ts';
import type { CodeStore } from '../../stores/code/index.ts';
import { languageOf } from '../../stores/conventions/index.ts';
import { type ChangedFile, mixTrees } from './change.ts';
import type { Gate } from './gates.ts';
import { guardManifest } from './guard-manifests.ts';
import { decidesTests, holdsTests, isSnapshot, steersTests } from './guards.ts';
import { isRunnable, reachedTests } from './reached-tests.ts';
import type { Inspection, RunTests } from './report.ts';

const mostNamed = 10;

type Report = Extract<Reading, { kind: 'report' }>;

/** What judges beside the code: tests, what helps them, their data and stored snapshots. */
const isOfTests = (path: string): boolean =>
  isTestPath(path) || isSnapshot(path) || /(^|\/)conftest\.py$/.test(path);
const isOld = ({ status }: ChangedFile): boolean => status !== 'added';

/**
 * Where a change touches tests or what decides which of them run, the tests of the base have a word: those that ran there and not here,
 * and those that are red with the changed code, are named for a person. `seen` is what ran already, and is green.
 */
export async function hearTestsOfBase(
  inspection: Inspection,
  gate: Gate,
  { run, seen, code }: { run: RunTests; seen: TestResult[]; code: CodeStore },
): Promise<void> {
  const { change, report, request } = inspection;
  const scope = change.base.commit === '' ? 'nothing' : scopeOf(inspection, gate, code);
  if (scope === 'nothing') return;
  request.progress(`${gate.tool}: the tests of the base`);
  const before = await run('before', scope.files);
  if (before.kind === 'failure') {
    if (before.cause !== 'nothing_run')
      report.not_run.push(
        `${gate.tool}: the tests of the base, with which this change was to be compared (${before.message}).`,
      );
    return;
  }
  nameGone(inspection, gate, { before, seen, files: scope.files });
  if (scope.replaced.length > 0) await nameRed(inspection, gate, { run, before, ...scope });
}

interface Scope {
  /** Test files of the base to run; undefined: all tests. */
  files: string[] | undefined;
  /** Where the tests of the change make way for those of the base. */
  replaced: string[];
}

function scopeOf({ change, request }: Inspection, gate: Gate, code: CodeStore): Scope | 'nothing' {
  const { directory } = gate;
  const below = change.files.filter(({ path }) => directory === '' || path.startsWith(`${directory}/`));
  const namesOf = ({ path, from }: ChangedFile) => [path, ...(from ? [from] : [])];
  const touched = below.filter((file) => isOld(file) && namesOf(file).some(isOfTests));
  const deciding = below.filter(
    (file) =>
      namesOf(file).some(decidesTests) ||
      steersTests(file) ||
      guardManifest(file).some(({ guard }) => guard === 'judge') ||
      (isOld(file) && holdsTests(file) && !touched.includes(file)),
  );
  if (touched.length + deciding.length === 0) return 'nothing';
  const isOfGate = (file: ChangedFile) =>
    gate.files.includes(file.path) || namesOf(file).some((path) => languageOf(path) === gate.language);
  const own = touched.filter((file) => isOfGate(file) && namesOf(file).some(isRunnable));
  const others = touched.filter((file) => !namesOf(file).some(isRunnable));
  // A helper may be named as a test is: what it helps runs too.
  const reach = (file: ChangedFile) => reachedTests([file], code, gate, { always: true });
  const helped = touched.flatMap(reach);
  const isWhole = !gate.takesFiles || deciding.length > 0 || others.some((file) => reach(file).length === 0);
  if (!isWhole && own.length + others.length === 0) return 'nothing';
  const isLimited = request.quick && gate.takesFiles;
  if (isWhole && isLimited && own.length === 0) return 'nothing';
  const changed = new Map(change.files.map((file) => [file.path, file]));
  const names = [...new Set([...own.map(({ path }) => path), ...helped])].flatMap((path) => {
    const file = changed.get(path);
    return file && !isOld(file) ? [] : [file?.from ?? path];
  });
  // Without other code, the tests of the base would judge the base.
  const isMixed = change.files.some((file) => !namesOf(file).some(isOfTests));
  const fresh = below.filter((file) => !isOld(file) && isRunnable(file.path));
  return {
    files: isWhole && !isLimited ? undefined : names,
    replaced:
      isMixed && touched.length + fresh.filter(steersTests).length > 0
        ? [...touched, ...fresh].flatMap(namesOf)
        : [],
  };
}

const didRun = ({ status }: TestResult): boolean => status !== 'skipped';

function nameGone(
  { change, report }: Inspection,
  { tool }: Gate,
  { before, seen, files }: { before: Report; seen: TestResult[]; files: string[] | undefined },
): void {
  const [old, now] = [before.tests.filter(didRun), seen.filter(didRun)];
  const ids = new Set(now.map(({ id }) => id));
  // A test that moved to another file is still there.
  const places = new Set(now.map(withoutFile));
  const gone = old.filter((test) => !ids.has(test.id) && !places.has(withoutFile(test)));
  if (gone.length === 0) return;
  const paths = new Set(files?.map((name) => change.files.find(({ from }) => from === name)?.path ?? name));
  const isPlaced = [...old, ...now].every(({ file }) => file !== undefined);
  const left =
    files === undefined
      ? now.length
      : isPlaced
        ? now.filter(({ file = '' }) => paths.has(file)).length
        : old.length - gone.length;
  const counts =
    left < old.length
      ? `${old.length} ${old.length === 1 ? 'test' : 'tests'}${files ? ' of the changed files' : ''} ran before, ${left} now`
      : 'not every test of the base ran';
  const [{ file } = {}] = gone;
  report.review.push({
    guard: 'test',
    ...(gone.every((test) => test.file === file) && file !== undefined ? { file } : {}),
    message: `${tool}: ${counts}. Gone: ${listed(gone.map(withoutFile))}`,
  });
}

const withoutFile = ({ id, file }: TestResult): string =>
  file !== undefined && id.startsWith(`${file} > `) ? id.slice(file.length + 3) : id;

const listed = (names: string[]): string =>
  `${names.slice(0, mostNamed).join(', ')}${names.length > mostNamed ? ` and ${names.length - mostNamed} more` : ''}`;

/** A fact and no verdict: a change of what the code is to do makes them red too. */
async function nameRed(
  { change, report, request, tree }: Inspection,
  { tool }: Gate,
  { run, before, files, replaced }: Scope & { run: RunTests; before: Report },
): Promise<void> {
  const add = (message: string, file?: string) =>
    report.review.push({ guard: 'test', ...(file === undefined ? {} : { file }), message });
  request.progress(`${tool}: the tests of the base with this change`);
  const mixed = { tree: await mixTrees(change.git, tree, change.base.tree, replaced) };
  const reading = await run(mixed, files);
  if (reading.kind === 'failure') {
    add(`${tool}: the tests of the base can't be run with this change (${reading.message.slice(0, 200)})`);
    return;
  }
  const old = new Map(before.tests.map(({ id, status }) => [id, status]));
  const red = reading.tests.filter(({ id, status }) => status === 'failed' && old.get(id) !== 'failed');
  const [error] =
    before.findings.length > 0 ? [] : reading.findings.filter((one) => one.severity === 'error');
  if (error)
    add(`${tool}: the tests of the base can't be built with this change (${error.message})`, error.file);
  if (red.length === 0) return;
  const again = await run(mixed, files, { again: true });
  const green = new Set(
    again.kind === 'report' ? again.tests.flatMap(({ id, status }) => (status === 'passed' ? [id] : [])) : [],
  );
  for (const test of red.slice(0, mostNamed)) {
    const [why] = (test.message ?? '').trim().split('\n');
    const verb = green.has(test.id) ? 'is red once and green again' : 'fails';
    add(
      `with the tests of the base, ${withoutFile(test)} ${verb}${why ? `: ${why.slice(0, 200)}` : ''}`,
      test.file,
    );
  }
  if (red.length > mostNamed) add(`with the tests of the base, ${red.length - mostNamed} more fail`);
}
