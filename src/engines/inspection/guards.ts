import { parse } from 'smol-toml';
import { product } from '../../base/files/index.ts';
import { once } from '../../base/once.ts';
import { containsSecret } from '../../base/redact.ts';
import { isTestPath } from '../../base/text/index.ts';
import { declaredNames, isLockFile, languageOf } from '../../stores/conventions/index.ts';
import type { ChangedFile } from './change.ts';
import type { GuardFinding } from './guard-finding.ts';
import { guardManifest } from './guard-manifests.ts';
import { guardTests } from './guard-tests.ts';
import { isRunnable } from './reached-tests.ts';

interface PathRow {
  pattern: RegExp;
  guard: GuardFinding['guard'];
  message: string;
  settings?: boolean;
  /** Decides which tests run, and how. */
  tests?: boolean;
  snapshot?: boolean;
}

interface LineRow {
  where: 'test' | 'source' | 'any';
  /** Only in such files. */
  files?: RegExp;
  pattern: RegExp;
  guard: GuardFinding['guard'];
  message: string;
  /** Looked for in a line and the one after it. */
  next?: boolean;
  /** New tests may say it. */
  onlyInOld?: boolean;
  /** Decides which tests run, and how. */
  tests?: boolean;
  /** Said only where the file had nothing of the kind before. */
  fresh?: boolean;
}

const table = once(() => {
  const text = product.read(new URL('./data/guards.toml', import.meta.url)).toString('utf8');
  const { path, line } = parse(text) as unknown as Record<'path' | 'line', Array<Record<string, string>>>;
  const compile = (source = '') =>
    new RegExp(source.replace('(?i)', ''), source.startsWith('(?i)') ? 'i' : '');
  const rows = (list: typeof path) =>
    list.map((row) => ({
      ...row,
      pattern: compile(row['pattern']),
      files: row['files'] && compile(row['files']),
    }));
  return { paths: rows(path) as unknown as PathRow[], lines: rows(line) as unknown as LineRow[] };
});

/** Settings and commands by which a project is judged; stored snapshots belong to the tests. */
export const isJudgeFile = (path: string): boolean =>
  table().paths.some(({ pattern, settings }) => settings && pattern.test(path));

export const decidesTests = (path: string): boolean =>
  table().paths.some(({ pattern, tests }) => tests && pattern.test(path));

/** Lines that decide which tests run, or how they end: in a new file, too. */
export const steersTests = (file: ChangedFile): boolean =>
  holdsTests(file) && guardLines(file, ({ tests }) => tests === true).length > 0;

export const isSnapshot = (path: string): boolean =>
  table().paths.some(({ pattern, snapshot }) => snapshot && pattern.test(path));

export function guardChange(files: ChangedFile[]): GuardFinding[] {
  return files.flatMap((file) => [
    ...guardPath(file),
    ...guardKind(file),
    ...(holdsTests(file) ? guardTests(file) : []),
    ...guardLines(file),
    ...guardDependencies(file),
    ...guardManifest(file),
  ]);
}

/** Some languages keep tests beside the code they test, in one file. */
export const holdsTests = ({ path, from = path, before = '', after = '' }: ChangedFile): boolean =>
  isTestPath(path) ||
  isTestPath(from) ||
  /(^|\/)(conftest\.py|[^/]*setup[^/]*\.[cm]?[jt]sx?)$/.test(path) ||
  /^\s*#\[(?:\w+::)?test\]|^\s*(?:pub\s+)?mod tests\b/m.test(
    path.endsWith('.rs') ? `${before}\n${after}` : '',
  );

function guardPath({ path, from, status, before, after }: ChangedFile): GuardFinding[] {
  const name = from ?? path;
  const verb = from ? 'moved' : status;
  if (isLockFile(name))
    return [{ guard: 'dependency', file: path, message: `${verb}: the lock file of the packages` }];
  const row = table().paths.find(({ pattern }) => pattern.test(name) || pattern.test(path));
  if (row) return [{ guard: row.guard, file: path, message: `${verb}: ${row.message}` }];
  if (!isTestPath(name) || status === 'added') return [];
  // What no runner takes for a test is gone, wherever it is kept.
  const isLost = !isTestPath(path) || (isRunnable(name) && !isRunnable(path));
  const isGone = status === 'deleted' || (from !== undefined && isLost);
  const message = isGone ? 'a test file is gone' : `an existing test file ${from ? 'was moved' : 'changed'}`;
  const minor = !isGone && from === undefined && onlyAdds(before, after);
  return [{ guard: 'test', file: path, message, minor }];
}

/** Every line that was there is still there, as often. */
function onlyAdds(before: string | undefined, after: string | undefined): boolean {
  if (before === undefined || after === undefined) return false;
  const left = new Map<string, number>();
  for (const line of after.split('\n')) left.set(line.trim(), (left.get(line.trim()) ?? 0) + 1);
  return before.split('\n').every((line) => {
    const count = left.get(line.trim()) ?? 0;
    left.set(line.trim(), count - 1);
    return count > 0;
  });
}

const isData = /\.(json|ndjson|ya?ml|csv|tsv|xml)$/;
const modes: Record<string, string> = { '120000': 'a link', '160000': 'a submodule', '100755': 'a program' };

/** What a file is, besides its text: tools skip what they can't read. */
function guardKind({
  path,
  from,
  status,
  before,
  after,
  modes: [old, now] = ['', ''],
}: ChangedFile): GuardFinding[] {
  const found: string[] = [];
  if (old !== now && status === 'modified')
    found.push(`${modes[now] ?? 'an ordinary file'} in place of ${modes[old] ?? 'an ordinary file'}`);
  else if (now === '120000' || now === '160000') found.push(`${status}: ${modes[now]}`);
  else if (status !== 'deleted' && after === undefined && languageOf(path) !== undefined)
    found.push('a source file that is no text, or too large to be read');
  if (after !== undefined && before !== undefined) {
    if (after.includes('\r\n') && !before.includes('\r\n')) found.push('line ends changed to CRLF');
    if (isData.test(path) && after.length * 2 < before.length && before.length > 20)
      found.push('a file of data has less than half of what it had');
    if (after.startsWith('\uFEFF') && !before.startsWith('\uFEFF'))
      found.push('starts with a byte order mark');
  }
  if ([...path].some((sign) => sign < ' ')) found.push('a name with a sign that nobody sees');
  if (from !== undefined && from.toLowerCase() === path.toLowerCase())
    found.push('renamed in upper and lower case only');
  return found.map((message) => ({ guard: 'judge', file: path, message }));
}

const longestLine = 5000;

function guardLines(file: ChangedFile, wanted: (row: LineRow) => boolean = () => true): GuardFinding[] {
  const { path, before, after, lines } = file;
  if (after === undefined) return [];
  const earlier = new Set(before?.split('\n').map((line) => line.trim()));
  const isTest = holdsTests(file);
  const rows = table().lines.filter(
    (row) =>
      wanted(row) &&
      (row.where === 'any' || (row.where === 'test') === isTest || path.endsWith('.rs')) &&
      (row.files?.test(path) ?? true) &&
      (!row.onlyInOld || before !== undefined) &&
      !(row.fresh && before?.split('\n').some((text) => row.pattern.test(text))),
  );
  const texts = after.split('\n');
  return texts.flatMap((text, at): GuardFinding[] => {
    const line = at + 1;
    if (!lines.has(line) || earlier.has(text.trim())) return [];
    const add = (guard: GuardFinding['guard'], message: string) => ({ guard, file: path, line, message });
    if (text.length > longestLine)
      return [add('judge', `a line of ${text.length} characters, which nobody reads`)];
    const found = rows
      .filter(({ pattern, next }) => pattern.test(next ? `${text}\n${texts[at + 1] ?? ''}` : text))
      .map(({ guard, message }) => add(guard, message));
    return containsSecret(text) ? [...found, add('secret', 'looks like a secret')] : found;
  });
}

function guardDependencies({ path, before, after }: ChangedFile): GuardFinding[] {
  if (after === undefined) return [];
  const earlier = new Set(before === undefined ? [] : declaredNames(path, before));
  const fresh = declaredNames(path, after).filter((name) => !earlier.has(name));
  return fresh.length === 0
    ? []
    : [{ guard: 'dependency', file: path, message: `new packages: ${fresh.slice(0, 20).join(', ')}` }];
}
