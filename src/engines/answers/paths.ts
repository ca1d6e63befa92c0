import { tree } from '../../base/files/index.ts';
import type { Git } from '../../base/git/index.ts';
import { isTestPath, searchWords } from '../../base/text/index.ts';

const pathShape = /(?<![\w/.-])\.?(?:[\w@.-]+\/)*[\w@.-]*[\w@-]\/?(?![\w/-])/g;

/** A file or folder that a text names. Only words with a slash or an ending are paths: `test` in a question is a word. */
export function pathNamedIn({ directory }: Git, text: string): string | undefined {
  for (const [match] of text.matchAll(pathShape)) {
    const path = match.replace(/\/$/, '');
    if (!/[/.]/.test(match) || path.split('/').some((part) => part === '..' || part === '.git')) continue;
    if (tree.entry(directory, path)) return path;
  }
  return undefined;
}

/** Nouns that say what sort of thing a path is, not what it is called. */
const sortsOfPlace =
  /\s+(?:code|codebase|component|crate|directory|feature|file|files|folder|functionality|implementation|library|logic|middleware|module|package|part|stuff|subsystem|support|system)$/i;

/** What nobody means who asks about a part of the project. */
const isAside = (path: string): boolean =>
  isTestPath(path) || /(?:^|\/)(?:bench(?:mark)?s?|demos?|docs?|examples?|samples?)(?:\/|$)/i.test(path);

/**
 * The folder or file that is called so: `the printer` is crates/printer, `owner filter` is src/filter/owner.rs. Code comes
 * before tests, demos and documents, then what is nearest to the root.
 */
export async function pathCalled(git: Git, subject: string): Promise<string | undefined> {
  const named = subject.replace(sortsOfPlace, '');
  const paths = new Set<string>();
  for (const path of await git.list(['ls-files', '-z', '--cached', '--others', '--exclude-standard'])) {
    const parts = path.split('/');
    for (const at of parts.keys()) paths.add(parts.slice(0, at + 1).join('/'));
  }
  return exactly([...paths], named) ?? byWords([...paths], named);
}

const depth = (path: string): number => path.split('/').length;
const nearer = (a: string, b: string): number =>
  Number(isAside(a)) - Number(isAside(b)) || depth(a) - depth(b) || (a < b ? -1 : 1);

const lastPart = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
const withoutEnding = (path: string): string => path.replace(/(?<=[^/])\.[^./]+$/, '');

function exactly(paths: string[], named: string): string | undefined {
  const plain = (text: string) => text.toLowerCase().replace(/[\s_-]+/g, '-');
  const wanted = plain(named);
  const isCalled = (path: string) =>
    plain(lastPart(path)) === wanted || plain(lastPart(withoutEnding(path))) === wanted;
  return paths.filter(isCalled).sort(nearer)[0];
}

/** Every word is in the path, and one of them in its last part. */
function byWords(paths: string[], named: string): string | undefined {
  const wanted = searchWords(named);
  if (wanted.length === 0) return undefined;
  const extra = (path: string) => searchWords(lastPart(withoutEnding(path))).length;
  return paths
    .filter((path) => {
      const last = searchWords(lastPart(withoutEnding(path)));
      const all = searchWords(withoutEnding(path));
      return (
        wanted.some((word) => last.some((own) => isForm(word, own))) &&
        wanted.every((word) => all.some((own) => isForm(word, own)))
      );
    })
    .sort((a, b) => Number(isAside(a)) - Number(isAside(b)) || extra(a) - extra(b) || nearer(a, b))[0];
}

/** `walker` and `walk`, `async` and `asyncio`. */
function isForm(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short === long || (short.length >= 4 && long.startsWith(short) && short.length >= long.length * 0.6);
}
