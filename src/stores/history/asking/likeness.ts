import { searchWords } from '../../../base/text/index.ts';

const testMark = /(?:^|[./_-])(?:tests?|specs?|__tests__|testing)(?:[./_-]|$)/i;

const bookkeeping =
  /(?:^|\/)(?:change[-_ ]?(?:log|s)|history|news|releases?|authors|contributors|maintainers|\.mailmap|\.all-contributorsrc)(?:[._-][^/]*)?$|(?:^|\/)\.changeset\/|(?:^|\/)[^/]*(?:lock|shrinkwrap)\.(?:json|ya?ml)$|(?:^|\/)go\.sum$|\.(?:lock|snap|map|po|mo|png|jpe?g|gif|svg|ico)$/i;

/** Files that change along with anything, or that nobody edits: change logs, lists of people, locks, generated ones. */
export const isBookkeeping = (path: string): boolean => bookkeeping.test(path);

export const isTestPath = (path: string): boolean => testMark.test(path);

/** What a file is called without folders, ending and the words that make it a test: `test_views.py` → `views`. */
export function stemOfPath(path: string): string {
  const base = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const stem = base
    .replace(/(?:\.d)?\.[a-z0-9]+$/, '')
    .replace(/(?:^|[._-])(?:tests?|specs?)(?=[._-]|$)/g, '');
  return stem.replace(/^[._-]+|[._-]+$/g, '');
}

export interface PathLook {
  path: string;
  folder: string;
  stem: string;
  test: boolean;
  words: Set<string>;
}

export const lookAt = (path: string): PathLook => ({
  path,
  folder: path.slice(0, Math.max(0, path.lastIndexOf('/'))),
  stem: stemOfPath(path),
  test: isTestPath(path),
  words: new Set(searchWords(path.replace(/\.[A-Za-z0-9]+$/, ''))),
});

/** How alike two paths are by their words, 0 to 1. */
export function sharedWords(a: PathLook, b: PathLook): number {
  let shared = 0;
  for (const word of a.words) if (b.words.has(word)) shared++;
  return shared === 0 ? 0 : shared / (a.words.size + b.words.size - shared);
}
