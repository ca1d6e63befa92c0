import { isTestPath } from '../../base/text/index.ts';
import { type CodeStore, reachedFiles } from '../../stores/code/index.ts';
import type { ChangedFile } from './change.ts';
import type { Gate } from './gates.ts';

const mostReached = 200;

/** Changed test files, and test files from which a changed file can be reached; nothing where these are most of all tests. */
export function reachedTests(
  files: ChangedFile[],
  code: CodeStore,
  { directory }: Gate,
  { always }: { always: boolean },
): string[] {
  const tests = new Set<string>();
  for (const { path, status } of files) {
    if (status === 'deleted') continue;
    if (isRunnable(path)) tests.add(path);
    const [symbol] = code.find(path);
    if (!symbol) continue;
    for (const one of reachedFiles(code.linked(symbol, { direction: 'in', depth: 4, limit: 5000 }), path))
      if (one.test && isRunnable(one.path)) tests.add(one.path);
  }
  const isBelow = (path: string) => directory === '' || path.startsWith(`${directory}/`);
  const reached = [...tests].filter(isBelow).slice(0, mostReached);
  const all = code.files().filter(({ path }) => isBelow(path) && isRunnable(path)).length;
  // Two runs take longer than one of everything where the first leaves little out.
  return always || reached.length * 2 <= all ? reached : [];
}

/** Files that hold tests, and not what tests are helped by. */
export const isRunnable = (path: string): boolean =>
  isTestPath(path) &&
  /\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|kt|php|exs?|sh|bats|swift|dart|cs|cpp|cc|c|ml|zig)$/.test(path) &&
  !/(^|\/)(fixtures?|helpers?|support|__mocks__|data)\//.test(path);
