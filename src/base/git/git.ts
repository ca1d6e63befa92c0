import { type ChildProcess, spawnSync } from 'node:child_process';
import { SylkError } from '../errors.ts';
import { childEnvironment, endGroup, type RunResult, runProcess, spawnGroup } from '../process/index.ts';
import { safeArguments, safeEnvironment } from './arguments.ts';
import { createFilterGuard, harmlessArguments, listSettings } from './harmless.ts';

export interface GitOptions {
  /** Colon-separated transports; only tests and a person's own settings widen the default. */
  protocols?: string;
  /** For a bare repository, or where the caller knows exactly which one is meant. */
  gitDirectory?: string;
  env?: Record<string, string>;
}

export interface GitRunOptions {
  input?: string | Uint8Array;
  timeoutMs?: number;
  maxOutputBytes?: number;
  signal?: AbortSignal;
  /** Exit codes that are answers, not failures. */
  accept?: number[];
  env?: Record<string, string>;
}

/** The git program, bound to one directory, with everything off that could run code of the repository. */
export interface Git {
  readonly directory: string;
  run(args: string[], options?: GitRunOptions): Promise<RunResult>;
  /** Standard output, trimmed of its last newline. */
  text(args: string[], options?: GitRunOptions): Promise<string>;
  /** NUL-separated output as a list. */
  list(args: string[], options?: GitRunOptions): Promise<string[]>;
  /**
   * The whole output of a command that answers at once, or undefined where it failed, talked too much or took longer
   * than a quarter of a second. Stops this thread meanwhile, and costs half of what a streaming process does.
   */
  glance(args: string[], input: string): Buffer | undefined;
  /** A streaming process; the caller reads stdout and calls `end`. */
  stream(args: string[], options?: { env?: Record<string, string> }): { child: ChildProcess; end(): void };
}

export function createGit(directory: string, options: GitOptions = {}): Git {
  const lead = [...safeArguments, ...(options.gitDirectory ? [`--git-dir=${options.gitDirectory}`] : [])];
  const base = { ...safeEnvironment(options.protocols), ...options.env };
  const guard = createFilterGuard(() => listSettings(lead, directory, childEnvironment(base)));
  const env = (verb: string | undefined, more?: Record<string, string>) => ({
    ...base,
    ...guard(verb ?? ''),
    ...more,
  });
  const run = async (args: string[], runOptions: GitRunOptions = {}) => {
    const result = await runProcess('git', [...lead, ...harmlessArguments(args)], {
      cwd: directory,
      ...runOptions,
      env: env(args[0], runOptions.env),
    });
    if (result.timedOut)
      throw new SylkError('TIMEOUT', `git ${args[0]} took too long.`, {
        hint: 'Try again, or raise the limit.',
      });
    if (result.code !== 0 && !(runOptions.accept ?? []).includes(result.code)) throw gitFailure(args, result);
    return result;
  };
  return {
    directory,
    run,
    text: async (args, runOptions) =>
      (await run(args, runOptions)).stdout.toString('utf8').replace(/\n$/, ''),
    list: async (args, runOptions) =>
      (await run(args, runOptions)).stdout.toString('utf8').split('\0').filter(Boolean),
    glance: (args, input) => {
      const { status, stdout } = spawnSync('git', [...lead, ...harmlessArguments(args)], {
        cwd: directory,
        env: childEnvironment(env(args[0])),
        input,
        timeout: 250,
        maxBuffer: 1024 * 1024,
        killSignal: 'SIGKILL',
      });
      return status === 0 ? stdout : undefined;
    },
    stream: (args, streamOptions = {}) => {
      const child = spawnGroup('git', [...lead, ...harmlessArguments(args)], {
        cwd: directory,
        env: env(args[0], streamOptions.env),
      });
      child.stdin!.on('error', () => {});
      return { child, end: () => endGroup(child) };
    },
  };
}

function gitFailure(args: string[], result: RunResult): SylkError {
  const said = result.stderr.trim().split('\n').slice(0, 3).join(' · ').slice(0, 400);
  if (/dubious ownership/.test(result.stderr)) {
    return new SylkError('DENIED', `git refuses this repository: it belongs to another user.`, {
      hint: 'Run `git config --global --add safe.directory <path>` if you trust it.',
    });
  }
  if (/not a git repository/.test(result.stderr)) {
    return new SylkError('NOT_FOUND', 'This directory is not in a git repository.', {
      hint: 'Run inside a repository, or give --repo PATH; `git init` makes one.',
    });
  }
  return new SylkError('UNAVAILABLE', `git ${args[0]} failed (${result.code}): ${said}`, {
    data: { exitCode: result.code },
  });
}
