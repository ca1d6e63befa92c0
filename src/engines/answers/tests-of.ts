import { fileRef } from '../../base/ref.ts';
import { isTestPath, searchWords } from '../../base/text/index.ts';
import type { CodeStore, SymbolRecord } from '../../stores/code/index.ts';
import type { AnswersContext } from './context.ts';
import type { Cited } from './specialists/compose.ts';

/** A line of a test file that is about the subject, and the test around it. */
interface TestLine {
  path: string;
  line: number;
  test: string;
  uses: boolean;
}

/**
 * Test files that use the symbols that the subject names or describes, or have tests named after it, with these tests; then
 * test files that are named so themselves.
 */
export async function testsOf(
  { code, git }: AnswersContext,
  subject: string,
  limit: number,
): Promise<{ cited: Cited[]; total: number }> {
  const store = await code();
  const words = searchWords(subject.replace(/\.\w+$/, '').replace(/\(.*?\)/g, ' '));
  const symbols = symbolsMeant(store, subject, words);
  const lines = [
    ...symbols.flatMap((symbol) => testLines(store, symbol)),
    ...testsNamed(store, subject, words),
  ];
  const byFile = Map.groupBy(lines, ({ path }) => path);
  const ownWords = symbols.map(({ path }) => searchWords(lastPart(path)));
  const named = (path: string, wanted: string[]) => {
    const own = searchWords(lastPart(path));
    return wanted.length > 0 && wanted.every((word) => own.includes(word));
  };
  const isBeside = (path: string) => ownWords.some((wanted) => named(path, wanted));
  const files = await git.list(['ls-files', '-z', '--cached', '--others', '--exclude-standard']);
  const paths = new Set([
    ...byFile.keys(),
    ...files.filter((path) => isTestPath(path) && (named(path, words) || isBeside(path))),
  ]);
  const rank = (path: string) =>
    Number(named(path, words)) * 4 + Number(isBeside(path)) * 2 + Number(byFile.has(path)) * 3;
  const usesIn = (path: string) => byFile.get(path)?.length ?? 0;
  const ordered = [...paths].sort((a, b) => rank(b) - rank(a) || usesIn(b) - usesIn(a) || (a < b ? -1 : 1));
  return {
    total: ordered.length,
    cited: ordered.slice(0, limit).map((path) => {
      const own = (byFile.get(path) ?? []).sort((a, b) => a.line - b.line);
      return {
        ref: fileRef(path),
        domain: 'code',
        place: own[0] ? `${path}:${own[0].line}` : path,
        reason: own[0] ? reasonFor(symbols, own) : 'named after it',
      };
    }),
  };
}

const mostMeant = 4;
/** `parse_size`, `parseSize`, `Flag.parse`: no word of a sentence. */
const codeName = /^[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|#)[\p{L}\p{N}_$]+)*$/u;
const isSpelledAsCode = (name: string): boolean => /[a-z\d][A-Z]|[_.#:]/.test(name);

/** The symbols that are named; where none is, those that have all the words in their name. */
function symbolsMeant(store: CodeStore, subject: string, words: string[]): SymbolRecord[] {
  const parts = subject.split(/[\s,()]+/).filter((part) => codeName.test(part));
  const names = parts.length === 1 ? parts : parts.filter(isSpelledAsCode);
  const exact = names.flatMap((name) => {
    const last = name.split(/::|[.#]/).at(-1);
    return store.find(name).find((one) => one.kind !== 'file' && one.name === last) ?? [];
  });
  if (exact.length > 0) return exact;
  return store
    .search({ query: subject, limit: 40 })
    .filter(({ path, matched }) => !isTestPath(path) && hasAll(matched.name, words))
    .slice(0, mostMeant);
}

const hasAll = (found: string[], words: string[]): boolean =>
  words.length > 0 && words.every((word) => found.includes(word));

const testLines = (store: CodeStore, symbol: SymbolRecord): TestLine[] =>
  store
    .uses(symbol)
    .filter(({ path, at_line }) => isTestPath(path) && at_line > 0)
    .map(({ path, at_line, kind, qualified }) => ({
      path,
      line: at_line,
      test: kind === 'file' ? '' : qualified,
      uses: true,
    }));

const testsNamed = (store: CodeStore, subject: string, words: string[]): TestLine[] =>
  store
    .search({ query: subject, limit: 60 })
    .filter(
      ({ path, kind, matched }) =>
        isTestPath(path) && (kind === 'function' || kind === 'method') && hasAll(matched.name, words),
    )
    .map(({ path, line, qualified }) => ({ path, line, test: qualified, uses: false }));

const mostTests = 6;

/** `uses parse in 3 lines: test_a (12), test_b (30)` */
function reasonFor(symbols: SymbolRecord[], lines: TestLine[]): string {
  const firstLine = new Map<string, number>();
  for (const { test, line } of lines) if (test && !firstLine.has(test)) firstLine.set(test, line);
  const tests = [...firstLine].map(([test, line]) => `${test} (${line})`);
  const more = tests.length > mostTests ? ` and ${tests.length - mostTests} more` : '';
  const used = new Set(lines.filter(({ uses }) => uses).map(({ line }) => line)).size;
  const names = [...new Set(symbols.map(({ name }) => name))].join(', ');
  const how = used > 0 ? `uses ${names} in ${used} ${used === 1 ? 'line' : 'lines'}` : 'has tests named so';
  return tests.length > 0 ? `${how}: ${tests.slice(0, mostTests).join(', ')}${more}` : how;
}

const lastPart = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
