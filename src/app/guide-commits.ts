import { tree } from '../base/files/index.ts';
import type { Git } from '../base/git/index.ts';
import { refOf } from '../base/ref.ts';
import type { CommitRange, Structure } from '../engines/guide/knowers/index.ts';

const pathShape = /(?<![\w/.-])(?:[\w@-][\w.@-]*\/)*[\w@.-]*[\w@-]\/?(?![\w/-])/g;

/** Only what has a slash or an ending is taken for a path: `test` in a question is a word. */
export function namedPath(root: string, query: string): string | undefined {
  for (const [found] of query.matchAll(pathShape)) {
    const path = found.replace(/\/$/, '');
    if (!/[/.]/.test(found) || path.split('/').some((part) => part === '..' || part === '.git')) continue;
    if (tree.entry(root, path)) return path;
  }
  return undefined;
}

/** Commits that change files themselves; an empty repository has none. */
export async function commitsOf(git: Git, { since, until, path, limit }: CommitRange) {
  const second = (milliseconds: number) => `${Math.floor(milliseconds / 1000)}`;
  const { code, stdout } = await git.run(
    [
      'log',
      '--no-merges',
      ...(since === undefined ? [] : [`--since=${second(since)}`]),
      ...(until === undefined ? [] : [`--until=${second(until)}`]),
      `-n${limit}`,
      '--format=%H%x09%ct%x09%an%x09%s',
      'HEAD',
      '--',
      ...(path ? [`:(literal)${path}`] : []),
    ],
    { accept: [0, 128] },
  );
  if (code !== 0) return [];
  return stdout
    .toString()
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [sha = '', seconds = '0', author = '', ...subject] = line.split('\t');
      return {
        ref: refOf('commit', sha),
        domain: 'commits',
        place: subject.join('\t'),
        trust: 90,
        at: Number(seconds) * 1000,
        reason: `${sha.slice(0, 10)} by ${author}, ${new Date(Number(seconds) * 1000).toISOString().slice(0, 10)}`,
      };
    });
}

/** Who changed a path most, the busiest first, with the last commit of each. */
export async function peopleOf(
  git: Git,
  subject: string,
  limit: number,
): Promise<Structure & { path?: string }> {
  const path = namedPath(git.directory, subject) ?? (await pathCalled(git, subject));
  if (!path) return { found: [], total: 0 };
  const log = await git.text(
    ['log', '--no-merges', '-n20000', '--format=%aN%x09%H%x09%cs', 'HEAD', '--', `:(literal)${path}`],
    { accept: [128] },
  );
  const people = new Map<string, { commits: number; last: string; date: string }>();
  for (const line of log.split('\n').filter(Boolean)) {
    const [name = '', last = '', date = ''] = line.split('\t');
    const known = people.get(name);
    if (known) known.commits++;
    else people.set(name, { commits: 1, last, date });
  }
  const found = [...people].sort(([, left], [, right]) => right.commits - left.commits);
  return {
    path,
    total: found.length,
    found: found.slice(0, limit).map(([name, { commits, last, date }]) => ({
      ref: refOf('commit', last),
      domain: 'commits',
      trust: 90,
      place: name,
      at: Date.parse(date),
      reason: `${commits} ${commits === 1 ? 'commit' : 'commits'}, the last ${last.slice(0, 10)} on ${date}`,
    })),
  };
}

/** The folder or file that is called so, the one nearest to the root: `the printer` is crates/printer. */
async function pathCalled(git: Git, subject: string): Promise<string | undefined> {
  const wanted = subject
    .toLowerCase()
    .replace(/\s+(?:code|crate|file|folder|library|module|package|part)$/, '')
    .replace(/[\s_-]+/g, '-');
  const called = (name: string) => name.toLowerCase().replace(/[\s_]+/g, '-') === wanted;
  const found = new Set<string>();
  for (const path of await git.list(['ls-files', '-z', '--cached', '--others', '--exclude-standard'])) {
    const parts = path.split('/');
    for (const [at, part] of parts.entries())
      if (called(at === parts.length - 1 ? part.replace(/\.[^.]+$/, '') : part))
        found.add(parts.slice(0, at + 1).join('/'));
  }
  return [...found].sort((a, b) => a.split('/').length - b.split('/').length || (a < b ? -1 : 1))[0];
}
