import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { SylkError } from '../errors.ts';
import { once } from '../once.ts';
import {
  childEnvironment,
  endGroup,
  type RunResult,
  runProcess,
  spawnGroup,
  watchMemory,
} from '../process/index.ts';
import { createTurns } from '../turns.ts';
import { harmlessArguments, safeArguments, safeEnvironment } from './arguments.ts';
import { refuseForeignOwner } from './owner.ts';
import { isIntact, privateDirectory, repositorySettings } from './private-directory.ts';
import { findRepository, type Repository } from './repository.ts';
import { noSettings, personSettings } from './settings.ts';
import { findSpecialFile, refuseLinks, refuseSpecialFiles } from './special-files.ts';

export interface GitRunOptions {
  input?: string | Uint8Array;
  timeoutMs?: number;
  maxOutputBytes?: number;
  /** The first part of a long answer is enough. A longer one is a failure otherwise. */
  mayCut?: boolean;
  signal?: AbortSignal;
  /** Exit codes that are answers, not failures. */
  accept?: number[];
  env?: Record<string, string>;
}

/** The git program, bound to one directory, with everything off that could run code of the repository. */
export type Git = ReturnType<typeof bindGit>;

/** After this long without an end, the reason is looked for. */
const patienceMs = 2000;

/**
 * git for a repository that came from anywhere. Its configuration is never read by git: the common directory is one of
 * ours, with the repository's objects and references and a configuration that we wrote. No transport is open.
 */
export function createGit(
  directory: string,
  more: { repository?: Repository; env?: Record<string, string>; user?: number } = {},
): Git {
  const repository = once(() => more.repository ?? findRepository(directory));
  const check = once(() => {
    refuseForeignOwner(repository(), more.user);
    refuseSpecialFiles(repository());
  });
  let common: string | undefined;
  const environment = (verb: string): Record<string, string> => {
    check();
    // Somebody may tidy up behind a process that runs for weeks, or change what it made.
    if (!common || !isIntact(common, repository())) common = privateDirectory(repository());
    const env: Record<string, string> = {
      ...safeEnvironment('none'),
      ...noSettings,
      GIT_DIR: repository().gitDirectory,
      GIT_COMMON_DIR: common,
      ...(indexless.has(verb) ? { GIT_INDEX_FILE: join(common, 'no-index') } : {}),
      ...more.env,
    };
    if (!repository().bare) env['GIT_WORK_TREE'] = repository().root;
    return env;
  };
  return bindGit(directory, {
    lead: safeArguments,
    env: (args) => {
      const verb = verbOf(args);
      if (writing.has(verb)) refuseLinks(repository(), args);
      return environment(verb);
    },
    reasonToWait: () => findSpecialFile(repository()),
    setting: (key) =>
      [...personSettings().settings, ...repositorySettings(repository())].findLast(
        ([name]) => name === key,
      )?.[1],
  });
}

/** These read objects only. A damaged index file would end them all the same, so they get the name of one that is not there. */
const indexless = new Set('cat-file diff-tree log ls-tree merge-base rev-list rev-parse show'.split(' '));

const writing = new Set(
  'branch checkout commit hash-object merge read-tree reset stash update-index update-ref worktree'.split(
    ' ',
  ),
);

export interface OwnGitOptions {
  /** Colon-separated transports. */
  protocols?: string;
  gitDirectory?: string;
  env?: Record<string, string>;
}

/** git for a repository that this program itself makes: its configuration is ours, and it may fetch. */
export function createOwnGit(directory: string, options: OwnGitOptions = {}): Git {
  const lead = [
    ...safeArguments,
    ...streamLarge,
    ...(options.gitDirectory ? [`--git-dir=${options.gitDirectory}`] : []),
  ];
  const base = { ...safeEnvironment(options.protocols ?? 'https:ssh'), ...options.env };
  return bindGit(directory, {
    lead,
    // The person's proxies and credentials count where git talks to a server; nowhere else, because filters would too.
    env: (args) => (talking.has(verbOf(args)) ? { ...base, ...replyLimit } : { ...base, ...noSettings }),
    reasonToWait: async () => undefined,
    setting: () => undefined,
  });
}

const talking = new Set(['fetch', 'clone', 'ls-remote']);

/** git keeps a server's whole list of references in one piece of memory; files are written as they come. */
const replyLimit = { GIT_ALLOC_LIMIT: '64m' };
const streamLarge = ['-c', 'core.bigFileThreshold=32m'];

/** Some thousand ordinary patterns take milliseconds; a few hostile ones take for ever. */
const mostListingMs = 20_000;
/** The limit is of one listing, not of a thousand agents that list at once. */
const listing = createTurns(8);
const readsPatterns = (args: string[]): boolean => args.includes('--exclude-standard');

const tookTooLong = (args: string[]): SylkError =>
  readsPatterns(args)
    ? new SylkError('TIMEOUT', `git could not list the files within ${mostListingMs / 1000} s.`, {
        hint: 'A .gitignore pattern with many * slows git down (`git status`, too). Check the patterns in the .gitignore files.',
      })
    : new SylkError('TIMEOUT', `git ${verbOf(args)} took too long.`, {
        hint: 'Try again when the machine is less busy. Run `git fsck` to check the repository.',
      });

interface Binding {
  lead: string[];
  env(args: string[]): Record<string, string>;
  /** Why a command may never end. */
  reasonToWait(): Promise<SylkError | undefined>;
  setting(key: string): string | undefined;
}

function bindGit(directory: string, { lead, env, reasonToWait, setting }: Binding) {
  const run = (args: string[], options?: GitRunOptions): Promise<RunResult> =>
    readsPatterns(args) ? listing(() => runNow(args, options)) : runNow(args, options);
  const runNow = async (
    args: string[],
    { accept = [], mayCut = false, ...options }: GitRunOptions = {},
  ): Promise<RunResult> => {
    const stuck = new AbortController();
    const timer = setTimeout(async () => {
      const reason = await reasonToWait();
      if (reason) stuck.abort(reason);
    }, patienceMs);
    try {
      const result = await runProcess('git', [...lead, ...harmlessArguments(args)], {
        cwd: directory,
        timeoutMs: readsPatterns(args) ? mostListingMs : undefined,
        ...options,
        maxMemoryBytes: mayCut ? undefined : mostMemory,
        env: { ...env(args), ...options.env },
        signal: options.signal ? AbortSignal.any([options.signal, stuck.signal]) : stuck.signal,
      });
      if (result.timedOut) throw tookTooLong(args);
      if (result.overMemory) throw tooLarge(args, 'memory', mostMemory);
      if (result.truncated && !mayCut) throw tooLarge(args, 'output', result.stdout.length);
      if (result.code !== 0 && !accept.includes(result.code)) throw gitFailure(args, result);
      return result;
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    directory,
    run,
    /** Standard output, trimmed of its last newline. */
    text: async (args: string[], options?: GitRunOptions) =>
      (await run(args, options)).stdout.toString('utf8').replace(/\n$/, ''),
    /** NUL-separated output as a list. */
    list: async (args: string[], options?: GitRunOptions) =>
      (await run(args, options)).stdout.toString('utf8').split('\0').filter(Boolean),
    /**
     * The whole output of a command that answers at once, or undefined where it failed, talked too much or took longer
     * than a quarter of a second. Stops this thread meanwhile, and costs half of what a streaming process does.
     */
    glance: (args: string[], input: string): Buffer | undefined => {
      const { status, stdout } = spawnSync('git', [...lead, ...harmlessArguments(args)], {
        cwd: directory,
        env: childEnvironment(env(args), process.env, directory),
        input,
        timeout: 250,
        maxBuffer: 1024 * 1024,
        killSignal: 'SIGKILL',
      });
      return status === 0 ? stdout : undefined;
    },
    /** A streaming process; the caller reads stdout and calls `end`. */
    stream: (args: string[], options: { env?: Record<string, string> } = {}) => {
      const child = spawnGroup('git', [...lead, ...harmlessArguments(args)], {
        cwd: directory,
        env: { ...env(args), ...options.env },
      });
      child.stdin.on('error', () => {});
      const timer = setTimeout(async () => {
        const reason = await reasonToWait();
        if (!reason || child.exitCode !== null) return;
        endGroup(child);
        child.emit('error', reason);
      }, patienceMs);
      timer.unref();
      child.once('exit', () => clearTimeout(timer));
      watchMemory(child, { memoryBytes: mostMemory }, () => {
        endGroup(child);
        child.emit('error', tooLarge(args, 'memory', mostMemory));
      });
      return { child, end: () => endGroup(child) };
    },
    /** What the person or the repository set, for showing or for finding a place; git itself never acts on it. */
    setting,
  };
}

/** A commit can name any number of files with a few objects: git would hold all of them in memory. */
const mostMemory = 256 * 1024 * 1024;

const tooLarge = (args: string[], what: 'memory' | 'output', bytes: number): SylkError =>
  new SylkError(
    'UNAVAILABLE',
    `git ${verbOf(args)} was stopped: it needs more than the limit of ${Math.round(bytes / 1024 / 1024)} MB of ${what}.`,
    {
      hint: 'A commit or a file of this repository is too large to be read.',
      data: { limit: what },
    },
  );

export const isOverMemory = (error: unknown): boolean =>
  error instanceof SylkError && error.data?.['limit'] === 'memory';

/** The command, after settings that stand before it. */
const verbOf = (args: string[]): string =>
  args.find((word, at) => !word.startsWith('-') && args[at - 1] !== '-c') ?? '';

const damagedIndex = /index file (?:corrupt|smaller)|bad index (?:file|version)|unordered stage entries/;

function gitFailure(args: string[], result: RunResult): SylkError {
  const said = result.stderr.trim().split('\n').slice(0, 3).join(' · ').slice(0, 400);
  if (/not a git repository/.test(result.stderr)) {
    return new SylkError('NOT_FOUND', 'This directory is not in a git repository.', {
      hint: 'Run inside a repository, or use --repo PATH. `git init` creates one.',
    });
  }
  if (damagedIndex.test(result.stderr)) {
    return new SylkError('UNAVAILABLE', 'The list of staged files (.git/index) is damaged.', {
      hint: 'Run `rm "$(git rev-parse --git-path index)" && git reset`, then `sylk index`. Only what was staged and not committed is lost.',
    });
  }
  if (/attempting to allocate \d+ over limit/.test(result.stderr)) {
    return new SylkError(
      'UNAVAILABLE',
      `git ${verbOf(args)} was stopped: the server sent more than fits in the limit of 64 MB of memory.`,
      {
        hint: 'Ask the operator of that server, or use another one.',
      },
    );
  }
  return new SylkError('UNAVAILABLE', `git ${args[0]} failed (${result.code}): ${said}`, {
    data: { exitCode: result.code },
  });
}
