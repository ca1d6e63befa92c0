import { isoTime } from '../../base/clock.ts';
import { tree } from '../../base/files/index.ts';
import type { Git } from '../../base/git/index.ts';
import { commitRecord, type History, type HistoryView, listCommits } from '../../stores/history/index.ts';
import type { Commit, CommitsSince } from './staleness.ts';

/** How long a question about an area waits for an index in progress. */
const patience = 1500;

/**
 * Commits from the history store, under current file names. Without an index, `otherwise`
 * answers.
 */
export function storedHistory(history: () => Promise<History>, otherwise: RecentHistory): RecentHistory {
  let kept: { view: HistoryView; newestFirst: Array<{ id: number; sha: string; at: number }> } | undefined;
  const view = async (): Promise<HistoryView> => (await (await history()).ready({ waitMs: patience })).view;
  const commitsOf = (current: HistoryView) => {
    if (kept?.view !== current) {
      const newestFirst = listCommits(current)
        .map(({ id, sha }) => ({ id, sha, at: current.facts.committed(id) * 1000 }))
        .sort((left, right) => right.at - left.at);
      kept = { view: current, newestFirst };
    }
    return kept.newestFirst;
  };
  return {
    commitsSince: async (since) => {
      const current = await view().catch(() => undefined);
      if (!current) return otherwise.commitsSince(since);
      const from = Date.parse(since);
      const commits: Commit[] = [];
      for (const { id, sha, at } of commitsOf(current)) {
        if (at <= from) break;
        commits.push({
          sha,
          at: isoTime(at),
          paths: pathsOf(current, id),
          // Read when shown: few are.
          get subject() {
            return commitRecord(current, id).message.split('\n', 1).join('');
          },
        });
      }
      return { commits, complete: true };
    },
    files: async () => {
      const current = await view().catch(() => undefined);
      return current ? current.alive().map((path) => current.name(path)) : otherwise.files();
    },
  };
}

/** A renamed file counts under its current path; a deleted one under its last. */
function pathsOf(view: HistoryView, commit: number): string[] {
  const paths = new Set<string>();
  view.facts.eachChange(commit, (path) => {
    const home = view.currentPath(path);
    paths.add(view.name(home >= 0 && view.isAlive(home) ? home : path));
  });
  return [...paths];
}

/** What areas need from history. */
export interface RecentHistory {
  commitsSince: CommitsSince;
  /** Paths in the current commit. */
  files(): Promise<string[]>;
}

const mostCommits = 2000;

/** Read from git and cached until HEAD moves, so that repeated queries are free. */
export function gitHistory(git: Git, gitDirectory: string): RecentHistory {
  let kept: { head: string; since: string; commits: Commit[]; complete: boolean } | undefined;
  const read = async (since: string) => {
    const head = headMark(gitDirectory);
    if (kept && kept.head === head && head !== '' && kept.since <= since) return kept;
    const commits = await readCommits(git, since);
    kept = { head, since, commits, complete: commits.length < mostCommits };
    return kept;
  };
  return {
    commitsSince: async (since) => {
      const { commits, complete } = await read(since);
      return { commits: commits.filter((commit) => commit.at > since), complete };
    },
    files: () => git.list(['ls-tree', '-r', '-z', '--name-only', '--full-tree', 'HEAD']).catch(() => []),
  };
}

async function readCommits(git: Git, since: string): Promise<Commit[]> {
  const seconds = Math.floor(Date.parse(since) / 1000);
  const { stdout } = await git.run([
    'log',
    '-z',
    '--name-only',
    '--no-merges',
    '--no-renames',
    '--format=%x01%H%x02%ct%x02%s',
    `--max-count=${mostCommits}`,
    `--since=@${seconds}`,
    'HEAD',
  ]);
  const commits: Commit[] = [];
  for (const record of stdout.toString('utf8').split('\x01').slice(1)) {
    const [head = '', ...names] = record.split('\0');
    const [sha = '', time = '', subject = ''] = head.split('\x02');
    const paths = names.map((name) => name.replace(/^\n/, '')).filter((name) => name !== '');
    commits.push({ sha, at: isoTime(Number(time) * 1000), subject, paths });
  }
  return commits;
}

/** Every move of HEAD is written to its log; size and time of the log show whether it moved. */
function headMark(gitDirectory: string): string {
  return tree.entry(gitDirectory, 'logs/HEAD')?.mark ?? '';
}
