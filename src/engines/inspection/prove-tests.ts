import type { TestResult } from '../../base/reports/index.ts';
import { isTestPath } from '../../base/text/index.ts';
import { baseWith } from './change.ts';
import type { Gate } from './gates.ts';
import { isRunnable } from './reached-tests.ts';
import type { Inspection, RunTests } from './report.ts';

const mostProved = 10;

/**
 * A new test that is green without the rest of the change tests something else. `seen` is what ran already. Where the report names the
 * files of tests, all files run at once; else one at a time, which tells whose tests they are.
 */
export async function proveTests(
  { change, report, request }: Inspection,
  { tool }: Gate,
  run: RunTests,
  seen: TestResult[],
): Promise<void> {
  const changed = change.files.filter(({ status }) => status !== 'deleted');
  const files = changed.filter(({ path }) => isRunnable(path)).slice(0, mostProved);
  if (files.length === 0 || changed.every(({ path }) => isTestPath(path))) return;
  // A runner that only ends well or badly tells no test from another.
  if (seen.every(({ id }) => id === 'all tests')) return;
  request.progress(`${tool}: ${files.length} changed test files without the change`);
  const tree = await baseWith(
    change,
    files.map(({ path }) => path),
  );
  const isNamed = files.every(({ path }) => seen.some(({ file }) => file === path));
  for (const group of isNamed ? [files] : files.map((file) => [file])) {
    const paths = group.map(({ path }) => path);
    const greenIn = async (side: Parameters<RunTests>[0], wanted: string[]): Promise<Set<string>> => {
      if (wanted.length === 0) return new Set();
      const reading = await run(side, wanted);
      return green(reading.kind === 'report' ? reading.tests : []);
    };
    const here = isNamed
      ? green(seen.filter(({ file = '' }) => paths.includes(file)))
      : await greenIn('after', paths);
    const old = group.filter(({ status }) => status !== 'added').map(({ path }) => path);
    const earlier = await greenIn('before', old);
    const fresh = [...here].filter((id) => !earlier.has(id));
    if (fresh.length === 0) continue;
    const without = await greenIn({ tree }, paths);
    report.unproven_tests.push(...fresh.filter((id) => without.has(id)));
  }
}

const green = (tests: TestResult[]): Set<string> =>
  new Set(tests.flatMap(({ id, status }) => (status === 'passed' ? [id] : [])));
