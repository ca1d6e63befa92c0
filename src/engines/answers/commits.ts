import { tree } from '../../base/files/index.ts';
import type { Git } from '../../base/git/index.ts';
import { refOf } from '../../base/ref.ts';
import type { Cited } from './specialists/compose.ts';

const pathShape = /(?<![\w/.-])(?:[\w@-][\w.@-]*\/)*[\w@.-]*[\w@-]\/?(?![\w/-])/g;

/** A file or folder that a text names. Only words with a slash or an ending are paths: `test` in a question is a word. */
export function pathNamedIn({ directory }: Git, text: string): string | undefined {
  for (const [match] of text.matchAll(pathShape)) {
    const path = match.replace(/\/$/, '');
    if (!/[/.]/.test(match) || path.split('/').some((part) => part === '..' || part === '.git')) continue;
    if (tree.entry(directory, path)) return path;
  }
  return undefined;
}

export type CitedCommit = Cited & { at: number };

/** Commits of a stretch of time or of one path, the latest first, merges left out. */
export async function commitsIn(
  git: Git,
  { since, until, path, limit }: { since?: number; until?: number; path?: string; limit: number },
): Promise<CitedCommit[]> {
  const seconds = (milliseconds: number) => `${Math.floor(milliseconds / 1000)}`;
  const { code, stdout } = await git.run(
    [
      'log',
      '--no-merges',
      ...(since === undefined ? [] : [`--since=${seconds(since)}`]),
      ...(until === undefined ? [] : [`--until=${seconds(until)}`]),
      `-n${limit}`,
      '--format=%H%x09%ct%x09%an%x09%s',
      'HEAD',
      '--',
      ...(path ? [`:(literal)${path}`] : []),
    ],
    { accept: [0, 128] },
  );
  // An empty repository has no HEAD.
  if (code !== 0) return [];
  return stdout
    .toString()
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [sha = '', time = '0', author = '', ...subject] = line.split('\t');
      const at = Number(time) * 1000;
      return {
        ref: refOf('commit', sha),
        domain: 'commits',
        place: subject.join('\t'),
        at,
        reason: `${sha.slice(0, 10)} by ${author}, ${new Date(at).toISOString().slice(0, 10)}`,
      };
    });
}

/** Who changed a path most, with the last commit of each; nobody where no file or folder is called so. */
export async function peopleWhoChanged(
  git: Git,
  subject: string,
  limit: number,
): Promise<{ cited: Cited[]; total: number; path?: string }> {
  const path = pathNamedIn(git, subject) ?? (await pathCalled(git, subject));
  if (!path) return { cited: [], total: 0 };
  const log = await git.text(
    ['log', '--no-merges', '-n20000', '--format=%aN%x09%H%x09%cs', 'HEAD', '--', `:(literal)${path}`],
    { accept: [128] },
  );
  const people = new Map<string, { commits: number; last: string; date: string }>();
  for (const line of log.split('\n').filter(Boolean)) {
    const [name = '', last = '', date = ''] = line.split('\t');
    const person = people.get(name);
    if (person) person.commits++;
    else people.set(name, { commits: 1, last, date });
  }
  const busiest = [...people].sort(([, left], [, right]) => right.commits - left.commits);
  return {
    path,
    total: busiest.length,
    cited: busiest.slice(0, limit).map(([name, { commits, last, date }]) => ({
      ref: refOf('commit', last),
      domain: 'commits',
      place: name,
      at: Date.parse(date),
      reason: `${commits} ${commits === 1 ? 'commit' : 'commits'}, last ${last.slice(0, 10)} on ${date}`,
    })),
  };
}

/** The folder or file of this name that is nearest to the root: `the printer` is crates/printer. */
async function pathCalled(git: Git, subject: string): Promise<string | undefined> {
  const wanted = subject
    .toLowerCase()
    .replace(/\s+(?:code|crate|file|folder|library|module|package|part)$/, '')
    .replace(/[\s_-]+/g, '-');
  const isCalled = (name: string) => name.toLowerCase().replace(/[\s_]+/g, '-') === wanted;
  const paths = new Set<string>();
  for (const path of await git.list(['ls-files', '-z', '--cached', '--others', '--exclude-standard'])) {
    const parts = path.split('/');
    for (const [at, part] of parts.entries())
      if (isCalled(at === parts.length - 1 ? part.replace(/\.[^.]+$/, '') : part))
        paths.add(parts.slice(0, at + 1).join('/'));
  }
  return [...paths].sort((a, b) => a.split('/').length - b.split('/').length || (a < b ? -1 : 1))[0];
}
