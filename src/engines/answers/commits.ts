import { undefinedIfMissing } from '../../base/errors.ts';
import { tree } from '../../base/files/index.ts';
import type { Git } from '../../base/git/index.ts';
import { refOf } from '../../base/ref.ts';
import { reasonOf } from '../../stores/history/index.ts';
import { historyOfLine, type LineCommit, readCommits } from './line-history.ts';
import { type Meant, pathCalled, pathNamedIn, pathsCalled } from './paths.ts';
import type { Cited } from './specialists/compose.ts';

export type CitedCommit = Cited & { at: number };

/** Commits of a stretch of time or of one path, the latest first, merges left out. */
export async function commitsIn(
  git: Git,
  {
    since,
    until,
    paths = [],
    limit,
  }: { since?: number; until?: number; paths?: string[] | undefined; limit: number },
): Promise<CitedCommit[]> {
  const seconds = (milliseconds: number) => `${Math.floor(milliseconds / 1000)}`;
  const { code, stdout } = await git.run(
    [
      'log',
      '--no-merges',
      ...(since === undefined ? [] : [`--since=${seconds(since)}`]),
      ...(until === undefined ? [] : [`--until=${seconds(until)}`]),
      `-n${limit}`,
      `--format=${commitFormat}`,
      'HEAD',
      '--',
      ...literally(paths),
    ],
    { accept: [0, 128] },
  );
  // An empty repository has no HEAD.
  return code === 0 ? readCited(stdout.toString()) : [];
}

const literally = (paths: string[]): string[] => paths.map((path) => `:(literal)${path}`);

/** `a.go and b.go`: what was counted. */
const together = (paths: string[]): string =>
  paths.length > 1 ? `${paths.slice(0, -1).join(', ')} and ${paths.at(-1)}` : (paths[0] ?? '');

const alsoCalled = ({ also }: Meant): string[] =>
  also.length > 0 ? [`Also called so, and not counted: ${also.join(', ')}`] : [];

/** The date is the author's, in UTC, as everywhere. */
export const commitFormat = '%H%x09%at%x09%an%x09%s';

/** Commits that git printed in this format. */
export const readCited = (log: string): CitedCommit[] =>
  log
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

/** Who changed a path most, with the last commit of each; nobody where no file or folder is called so. */
export async function peopleWhoChanged(
  git: Git,
  subject: string,
  limit: number,
  /** The files of symbols that are called so. */
  filesOf: (name: string) => Promise<string[]>,
): Promise<{ cited: Cited[]; total: number; path?: string; notes?: string[] }> {
  const named = subject === '.' ? subject : pathNamedIn(git, subject);
  const meant = named ? { paths: [named], also: [] } : await pathsCalled(git, subject, filesOf);
  if (!meant) return { cited: [], total: 0 };
  const log = await git.text(
    [
      ...['log', '--no-merges', '-n20000', '--format=%aN%x09%aE%x09%H%x09%at', 'HEAD', '--'],
      ...literally(meant.paths),
    ],
    { accept: [128] },
  );
  const people: Person[] = [];
  const byIdentity = new Map<string, Person>();
  for (const line of log.split('\n').filter(Boolean)) {
    const [name = '', email = '', last = '', time = '0'] = line.split('\t');
    const date = new Date(Number(time) * 1000).toISOString().slice(0, 10);
    const identities = [`name ${name.toLowerCase()}`, `email ${addressOf(email)}`];
    const person = identities.map((identity) => byIdentity.get(identity)).find(Boolean);
    const known = person ?? { names: new Map(), commits: 0, last, date };
    if (!person) people.push(known);
    known.commits++;
    known.names.set(name, (known.names.get(name) ?? 0) + 1);
    for (const identity of identities) byIdentity.set(identity, known);
  }
  const busiest = people.sort((left, right) => right.commits - left.commits);
  return {
    path: together(meant.paths),
    notes: alsoCalled(meant),
    total: busiest.length,
    cited: busiest.slice(0, limit).map(({ names, commits, last, date }) => ({
      ref: refOf('commit', last),
      domain: 'commits',
      place: [...names].sort((a, b) => b[1] - a[1])[0]?.[0] ?? '',
      at: Date.parse(date),
      reason: `${commits} ${commits === 1 ? 'commit' : 'commits'}, last ${last.slice(0, 10)} on ${date}`,
    })),
  };
}

/** One who commits under several names or addresses; the mailmap is applied already. */
interface Person {
  names: Map<string, number>;
  commits: number;
  last: string;
  date: string;
}

/** GitHub gives one person several addresses: `123+name@users.noreply.github.com`. */
const addressOf = (email: string): string => email.toLowerCase().replace(/^\d+\+(?=.*@users\.noreply\.)/, '');

/** The latest commits of a file or folder; nothing where none is called so. */
export async function changesIn(
  git: Git,
  subject: string,
  limit: number,
  filesOf: (name: string) => Promise<string[]>,
): Promise<{ cited: Cited[]; total: number; path?: string; notes?: string[] }> {
  const exact = subject.replace(/\/$/, '');
  const isThere =
    !exact.split('/').some((part) => part === '..' || part === '.git') && tree.entry(git.directory, exact);
  const meant = isThere ? { paths: [exact], also: [] } : await pathsCalled(git, subject, filesOf);
  if (!meant) return { cited: [], total: 0 };
  const cited = await commitsIn(git, { paths: meant.paths, limit });
  return { cited, total: cited.length, path: together(meant.paths), notes: alsoCalled(meant) };
}

const mostShapes = 6;

/** The commits that shaped a line, or the latest of a file, each with the reason that its message gives. */
export async function whyOf(
  git: Git,
  subject: string,
  line: number | undefined,
): Promise<{ cited: Cited[]; total: number; path?: string }> {
  const path = pathNamedIn(git, subject) ?? (await pathCalled(git, subject));
  if (!path) return { cited: [], total: 0 };
  const commits =
    line === undefined
      ? await messagesOf(git, path)
      : (await historyOfLine(git, path, line, mostShapes).catch(undefinedIfMissing))?.commits;
  const cited = (commits ?? []).map(({ commit, author, timestamp, message }) => {
    const { reason, issues, why } = reasonOf(message);
    const at = timestamp * 1000;
    return {
      ref: refOf('commit', commit),
      domain: 'commits',
      place: message.split('\n')[0] ?? '',
      at,
      reason: `${commit.slice(0, 10)} by ${author}, ${new Date(at).toISOString().slice(0, 10)} (${[reason, ...issues].join(', ')})${why ? `: ${why}` : ''}`,
    };
  });
  return { cited, total: cited.length, path: line === undefined ? path : `${path}:${line}` };
}

async function messagesOf(git: Git, path: string): Promise<LineCommit[]> {
  const { stdout } = await git.run(
    ['log', '--no-merges', '--follow', '-n10', '--format=%x1e%H%x00%aN%x00%at%x00%B', 'HEAD', '--', path],
    { accept: [128], timeoutMs: 10_000 },
  );
  return readCommits(stdout);
}
