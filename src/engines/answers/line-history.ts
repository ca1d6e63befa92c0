import { SylkError } from '../../base/errors.ts';
import type { Git } from '../../base/git/index.ts';
import { redact } from '../../base/redact.ts';

export interface LineCommit {
  commit: string;
  author: string;
  /** Author time, in seconds since 1970. */
  timestamp: number;
  message: string;
}

export interface LineHistory {
  text: string;
  /** The commit that wrote the line as it is, then those that shaped it before, newest first. */
  commits: LineCommit[];
  isUncommitted: boolean;
}

const safely = ['--no-ext-diff', '--no-textconv'];

/** The commits that shaped one line of a file as it is on disk. */
export async function historyOfLine(
  git: Git,
  path: string,
  line: number,
  limit: number,
): Promise<LineHistory> {
  const blame = await git.run(['blame', '--porcelain', '-w', '-M', `-L${line},${line}`, '--', path], {
    accept: [128],
    timeoutMs: 20_000,
  });
  const said = blame.stdout.toString('utf8');
  const [, commit = '', origin = ''] = /^([0-9a-f]{40,64}) (\d+) /.exec(said) ?? [];
  if (blame.code !== 0 || !commit)
    throw new SylkError('NOT_FOUND', `${path} has no line ${line} in this repository.`, {
      hint: /has only (\d+) lines?/.exec(blame.stderr)
        ? `The file has ${/has only (\d+)/.exec(blame.stderr)?.[1]} lines.`
        : 'Give a line of a file that git tracks: sylk why FILE:LINE.',
    });
  const text = redact((/^\t(.*)$/m.exec(said)?.[1] ?? '').trim().slice(0, 200));
  const isUncommitted = /^0+$/.test(commit);
  if (isUncommitted) return { text, commits: [], isUncommitted };
  const name = /^filename (.+)$/m.exec(said)?.[1] ?? path;
  const format = '--format=%x1e%H%x00%aN%x00%at%x00%B';
  const { stdout } = await git.run(
    ['log', '-s', format, `-n${limit}`, ...safely, `-L${origin},${origin}:${name}`, commit],
    { accept: [128], timeoutMs: 20_000 },
  );
  return { text, commits: readCommits(stdout), isUncommitted };
}

/** Reads `--format=%x1e%H%x00%aN%x00%at%x00%B`. */
export const readCommits = (stdout: Buffer): LineCommit[] =>
  stdout
    .toString('utf8')
    .split('\x1e')
    .slice(1)
    .map((entry) => {
      const [commit = '', author = '', time = '0', message = ''] = entry.split('\0');
      return { commit, author: redact(author), timestamp: Number(time), message: redact(message.trim()) };
    });
