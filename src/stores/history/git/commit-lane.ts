import { type Git, isOverMemory } from '../../../base/git/index.ts';
import { createRawParser, headerFormat, type RawSink } from './raw-parser.ts';

export type ReadProblem = { kind: 'renames' | 'changes' | 'commit'; commits: string[] };

type Mode = 'renames' | 'plain' | 'headers';

const compare = ['diff-tree', '--stdin', '--always', '-z', '--root', '-r', '--raw'];

const modeArguments: Record<Mode, string[]> = {
  renames: [...compare, '-M'],
  plain: [...compare, '--no-renames'],
  // Reads the commit only: its parents and its files may be missing.
  headers: ['log', '--no-walk=unsorted', '--stdin', '-z', '-s'],
};

const firstBlock = 64;

export interface LaneOptions {
  git: Git;
  sink: RawSink;
  problem(problem: ReadProblem): void;
  signal?: AbortSignal;
  /** Merges: what differs from every parent. */
  combined?: boolean;
  /** A single commit is read at once; for many commits git buffers. */
  interactive?: boolean;
}

export type CommitLane = ReturnType<typeof createCommitLane>;

/**
 * One `git diff-tree --stdin` that is fed commits and reports their changes. Where objects are missing git stops in
 * the middle; the lane then continues without rename detection for a while, reports it, and tries again.
 */
export function createCommitLane(options: LaneOptions) {
  const { signal } = options;
  const fed: string[] = [];
  let told = 0;
  const sink: RawSink = {
    ...options.sink,
    header: (...rest) => {
      told++;
      options.sink.header(...rest);
    },
  };
  const first = start(options, options.combined ? 'plain' : 'renames', sink);
  return {
    /** Resolves when the process has ended, intentionally or not. */
    stopped: first.stopped,
    isStopped: first.isStopped,
    feed: (commits: string[]) => {
      for (const commit of commits) fed.push(commit);
      first.write(commits);
    },
    /** Resolves when everything was reported and the process has ended. */
    finish: async (): Promise<void> => {
      let whole = await first.end();
      let block = firstBlock;
      while (!whole && told < fed.length) {
        signal?.throwIfAborted();
        const part = fed.slice(told, told + block);
        options.problem({ kind: 'renames', commits: part });
        const unread = new Set(await withoutRenames(options, part, sink, () => told));
        if (unread.size > 0) fed.splice(0, fed.length, ...fed.filter((commit) => !unread.has(commit)));
        block *= 2;
        whole = await runOver(options, options.combined ? 'plain' : 'renames', fed.slice(told), sink);
      }
      signal?.throwIfAborted();
    },
  };
}

/** Reads `part`; returns the commits that could not be read at all. */
async function withoutRenames(options: LaneOptions, part: string[], sink: RawSink, told: () => number) {
  const unread: string[] = [];
  const left = [...part];
  const run = async (mode: Mode, commits: string[]) => {
    const before = told();
    const whole = await runOver(options, mode, commits, sink);
    left.splice(0, told() - before);
    return whole;
  };
  while (left.length > 0 && !(await run('plain', left))) {
    options.signal?.throwIfAborted();
    const [bad] = left;
    if (bad === undefined) break;
    const read = (await run('headers', [bad])) && left[0] !== bad;
    options.problem({ kind: read ? 'changes' : 'commit', commits: [bad] });
    if (read) continue;
    left.shift();
    unread.push(bad);
  }
  return unread;
}

async function runOver(options: LaneOptions, mode: Mode, commits: string[], sink: RawSink): Promise<boolean> {
  if (commits.length === 0) return true;
  const running = start(options, mode, sink);
  running.write(commits);
  return running.end();
}

const laneArguments = (mode: Mode): string[] => [...modeArguments[mode], headerFormat];

/** Reads one commit synchronously, all or nothing: a commit hook has one to read, and no stream to wait for. */
export function glanceAtCommit(git: Git, commit: string, sink: RawSink): boolean {
  const output = git.glance(laneArguments('renames'), `${commit}\n`);
  if (!output) return false;
  const parser = createRawParser(sink);
  parser.push(output);
  return parser.end();
}

function start(options: LaneOptions, mode: Mode, sink: RawSink) {
  const args = laneArguments(mode);
  if (options.combined && mode !== 'headers') args.push('-c');
  const { child, end } = options.git.stream(args, {
    env: { GIT_FLUSH: options.interactive ? '1' : '0' },
  });
  options.signal?.addEventListener('abort', end, { once: true });
  const parser = createRawParser(sink);
  let failure: unknown;
  child.stdout.on('data', (chunk: Buffer) => {
    if (failure) return;
    try {
      parser.push(chunk);
    } catch (error) {
      failure = error;
      end();
    }
  });
  child.stderr.resume();
  let gone = false;
  const closed = new Promise<number>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      gone = true;
      resolve(code ?? 128);
    });
  });
  closed.catch(() => {
    gone = true;
  });
  return {
    // Stopping it intentionally ends it with a failure.
    stopped: closed.catch(() => {}),
    isStopped: () => gone,
    write: (commits: string[]) => {
      if (child.stdin.writable) child.stdin.write(`${commits.join('\n')}\n`);
    },
    end: async () => {
      child.stdin.end();
      // Rename detection loads files: without it, a commit of large files can be read.
      const code = await closed.catch((error) => {
        if (mode === 'renames' && isOverMemory(error)) return 128;
        throw error;
      });
      options.signal?.removeEventListener('abort', end);
      if (failure) throw failure;
      options.signal?.throwIfAborted();
      return parser.end() && code === 0;
    },
  };
}
