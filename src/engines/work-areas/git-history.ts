import { isoTime } from '../../base/clock.ts';
import { tree } from '../../base/files/index.ts';
import type { Git } from '../../base/git/index.ts';
import type { Commit, CommitsSince } from './staleness.ts';

/** What areas need of history. */
export interface RecentHistory {
  commitsSince: CommitsSince;
  /** Paths in the current commit. */
  files(): Promise<string[]>;
}

const mostCommits = 2000;

/** Read from git itself and kept until HEAD moves, so that asking again costs nothing. */
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

/** Every move of HEAD is written to its log; its size and time tell whether it moved. */
function headMark(gitDirectory: string): string {
  return tree.entry(gitDirectory, 'logs/HEAD')?.mark ?? '';
}
