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
  /\s+(?:code|codebase|component|crate|directory|feature|file|files|folder|functionality|handling|implementation|integration|library|logic|middleware|module|package|part|stuff|subsystem|support|system)$/i;

const asksForTests = /\b(?:tests?|specs?|testing)\b/i;
const asksForDocuments =
  /\b(?:docs?|documents?|documentation|manual|guide|readme|website|changelog|examples?|demos?)\b/i;

/** Beside the code: nobody means it who asks about a part of the project, unless the words say so. */
const isDocument = (path: string): boolean =>
  /(?:^|\/)(?:bench(?:mark)?s?|demos?|docs?|documentation|examples?|samples?|site|website|www)(?:\/|$)|\.(?:md|mdx|rst|adoc|html)$|^[^/]*\.txt$/i.test(
    path,
  );

/** Files and folders that words mean, and others that are called so and were not meant. */
export interface Meant {
  paths: string[];
  also: string[];
}

const mostMeant = 8;
const mostAlso = 4;

/**
 * What is called so: `the printer` is crates/printer, `bash completion` is every file of the code with both words in its
 * name. Tests and documents are meant where the words ask for them, and where nothing else is called so: then `called` finds
 * the files of the code by the names in them.
 */
export async function pathsCalled(
  git: Git,
  subject: string,
  called: (words: string) => Promise<string[]> = async () => [],
): Promise<Meant | undefined> {
  const named = subject.replace(sortsOfPlace, '');
  const paths = new Set<string>();
  for (const path of await git.list(['ls-files', '-z', '--cached', '--others', '--exclude-standard'])) {
    const parts = path.split('/');
    for (const at of parts.keys()) paths.add(parts.slice(0, at + 1).join('/'));
  }
  const isAside = (path: string): boolean =>
    (isTestPath(path) && !asksForTests.test(subject)) ||
    (isDocument(path) && !asksForDocuments.test(subject));
  const exact = exactly([...paths], named).sort(nearer);
  const others = byWords([...paths], named).sort(nearer);
  const all = [...new Set([...exact, ...others])];
  const [first] = exact.filter((path) => !isAside(path));
  const meant = first
    ? [first, ...exact.filter((path) => path !== first && isSibling(path, first) && !isAside(path))]
    : fewestWords(withoutInner(others.filter((path) => !isAside(path))));
  const found = meant.length > 0 ? meant : (await called(named)).filter((path) => !isAside(path));
  const chosen = found.length > 0 ? found.slice(0, mostMeant) : all.slice(0, 1);
  if (chosen.length === 0) return undefined;
  const inside = (path: string) => chosen.some((each) => path === each || path.startsWith(`${each}/`));
  return { paths: chosen, also: withoutInner(all.filter((path) => !inside(path))).slice(0, mostAlso) };
}

/** The folder or file that is called so. */
export const pathCalled = async (git: Git, subject: string): Promise<string | undefined> =>
  (await pathsCalled(git, subject))?.paths[0];

/** `queue.h` and `queue-inl.h`, `queue.c`: one part in several files. */
const isSibling = (path: string, other: string): boolean =>
  /\.\w+$/.test(other) && bareName(path) === bareName(other);

const bareName = (path: string): string => lastPart(withoutEnding(path)).replace(/[-_.](?:inl|impl)$/i, '');

const withoutInner = (paths: string[]): string[] =>
  paths.filter((path) => !paths.some((outer) => path.startsWith(`${outer}/`)));

/** Of too many, those that are called by little else. */
function fewestWords(paths: string[]): string[] {
  if (paths.length <= mostMeant) return paths;
  const extra = (path: string) => searchWords(lastPart(withoutEnding(path))).length;
  const least = Math.min(...paths.map(extra));
  return paths.filter((path) => extra(path) === least);
}

const depth = (path: string): number => path.split('/').length;
const isBeside = (path: string): number => Number(isTestPath(path) || isDocument(path));
const nearer = (a: string, b: string): number =>
  isBeside(a) - isBeside(b) || depth(a) - depth(b) || (a < b ? -1 : 1);

const lastPart = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
const withoutEnding = (path: string): string => path.replace(/(?<=[^/])\.[^./]+$/, '');

function exactly(paths: string[], named: string): string[] {
  const plain = (text: string) => text.toLowerCase().replace(/[\s_-]+/g, '-');
  const wanted = plain(named);
  const isCalled = (path: string) => plain(lastPart(path)) === wanted || plain(bareName(path)) === wanted;
  return paths.filter(isCalled);
}

/** Every word is in the path, and one of them in its last part. */
function byWords(paths: string[], named: string): string[] {
  const wanted = searchWords(named);
  if (wanted.length === 0) return [];
  return paths.filter((path) => {
    const last = searchWords(lastPart(withoutEnding(path)));
    const all = searchWords(withoutEnding(path));
    return (
      wanted.some((word) => last.some((own) => isForm(word, own))) &&
      wanted.every((word) => all.some((own) => isForm(word, own)))
    );
  });
}

/** `walker` and `walk`, `async` and `asyncio`. */
function isForm(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return (
    short === long ||
    (short.length >= 4 && long.startsWith(short) && short.length >= long.length * 0.6) ||
    (short.length >= 5 && long.endsWith(short))
  );
}
