import { fileRef } from '../../base/ref.ts';
import { isTestPath, searchWords } from '../../base/text/index.ts';
import type { AnswersContext } from './context.ts';
import type { Cited } from './specialists/compose.ts';

/** Test files that use a symbol, those named after it or its file first; or test files named by the words. */
export async function testsOf(
  { code, git }: AnswersContext,
  subject: string,
  limit: number,
): Promise<{ cited: Cited[]; total: number }> {
  const store = await code();
  const last = subject.split(/::|[.#]/).at(-1);
  const symbol = store.find(subject).find(({ kind, name }) => kind !== 'file' && name === last);
  const uses = symbol
    ? store.uses(symbol).filter(({ path, at_line }) => isTestPath(path) && at_line > 0)
    : [];
  const byFile = Map.groupBy(uses, ({ path }) => path);
  const words = searchWords(subject.replace(/\.\w+$/, ''));
  const ownWords = symbol ? searchWords(lastPart(symbol.path)) : [];
  const named = (path: string, wanted: string[]) => {
    const own = searchWords(lastPart(path));
    return wanted.length > 0 && wanted.every((word) => own.includes(word));
  };
  const files = await git.list(['ls-files', '-z', '--cached', '--others', '--exclude-standard']);
  const paths = new Set([
    ...byFile.keys(),
    ...files.filter((path) => isTestPath(path) && (named(path, words) || named(path, ownWords))),
  ]);
  const rank = (path: string) =>
    Number(named(path, words)) * 4 + Number(named(path, ownWords)) * 2 + Number(byFile.has(path)) * 3;
  const usesIn = (path: string) => byFile.get(path)?.length ?? 0;
  const ordered = [...paths].sort((a, b) => rank(b) - rank(a) || usesIn(b) - usesIn(a) || (a < b ? -1 : 1));
  return {
    total: ordered.length,
    cited: ordered.slice(0, limit).map((path) => {
      const [first] = (byFile.get(path) ?? []).sort((a, b) => a.at_line - b.at_line);
      return {
        ref: fileRef(path),
        domain: 'code',
        place: first ? `${path}:${first.at_line}` : path,
        reason: first
          ? `uses ${symbol?.name} in ${usesIn(path)} ${usesIn(path) === 1 ? 'line' : 'lines'}${first.kind === 'file' ? '' : `, first in ${first.qualified}`}`
          : 'named after it',
      };
    }),
  };
}

const lastPart = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
