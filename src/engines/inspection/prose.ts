import { basename, dirname, extname } from 'node:path';
import { isTestPath } from '../../base/text/index.ts';
import { type Conventions, languageOf } from '../../stores/conventions/index.ts';
import type { ChangedFile } from './change.ts';

const prose =
  /\.(md|markdown|rst|adoc|asciidoc|png|jpe?g|gif|webp|ico|svg|pdf)$|(^|\/)(README|LICEN[SC]E|COPYING|AUTHORS|CONTRIBUTORS|CHANGELOG|CHANGES|HISTORY|NEWS|NOTICE)(\.txt)?$|(^|\/)docs?\/.*\.txt$/i;
const settingsOfTests =
  /(^|\/)(pytest\.ini|tox\.ini|setup\.cfg|pyproject\.toml|(GNUm|[Mm])akefile|[jJ]ustfile|Rakefile|package\.json)$/;

const mostAsked = 100;
const mostReaders = 2000;

/**
 * Changed texts and pictures that no code of the project reads: no tool can judge them. A file is read where code names it, its
 * folder, or all files of its kind, and where tests are taken out of prose. What tests bring with them is never prose.
 */
export async function unreadProse({ projectFiles }: Conventions, files: ChangedFile[]): Promise<Set<string>> {
  const changed = files.filter(
    ({ path, status, from }) =>
      status !== 'deleted' && from === undefined && prose.test(path) && !isTestPath(path),
  );
  // Of so many, somebody reads one.
  if (changed.length === 0 || changed.length > mostAsked) return new Set();
  const names = changed.map(({ path }) => namesOf(path));
  const readers = await projectFiles.holding([...new Set(names.flat()), 'doctest']);
  const isReader = (path: string) =>
    (languageOf(path) !== undefined && !/(^|\/)setup\.py$/.test(path)) || settingsOfTests.test(path);
  const named = readers.filter(isReader);
  if (named.length > mostReaders) return new Set();
  const texts = [...(await projectFiles.readAll(named))];
  // Packages list their README and licence; that says nothing of what tests read.
  const lines = texts.flatMap(([path, text]) =>
    settingsOfTests.test(path) ? text.split('\n').filter((line) => /doctest|test/i.test(line)) : [text],
  );
  const isRead = (words: string[]) =>
    lines.some((text) => text.includes('doctest') || words.some((word) => text.includes(word)));
  return new Set(changed.filter((_, at) => !isRead(names[at] ?? [])).map(({ path }) => path));
}

function namesOf(path: string): string[] {
  const kind = extname(path);
  const folders: string[] = [];
  for (let at = dirname(path); at !== '.'; at = dirname(at)) folders.push(basename(at));
  return [
    basename(path),
    ...(kind === '' ? [] : [`*${kind}`, `${kind}'`, `${kind}"`]),
    ...folders.flatMap((folder) => [
      `'${folder}'`,
      `"${folder}"`,
      `'${folder}/`,
      `"${folder}/`,
      `/${folder}/`,
    ]),
  ];
}
