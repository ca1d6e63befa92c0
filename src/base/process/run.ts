import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { codeOf, SylkError } from '../errors.ts';
import { childEnvironment } from './environment.ts';
import { watchMemory } from './memory.ts';
import { collect, drain } from './output.ts';

export interface RunOptions {
  cwd?: string | undefined;
  /** Added to the allow-list of `childEnvironment`. */
  env?: Record<string, string> | undefined;
  input?: string | Uint8Array | undefined;
  timeoutMs?: number;
  maxOutputBytes?: number;
  /** Ends the program when its output or, on Linux, its own memory passes a limit. Without it, output is only cut. */
  maxMemoryBytes?: number;
  /** Of the program and all that it starts, at once; with `withChildren`, on Linux. */
  maxProcesses?: number | undefined;
  /** The limit of memory holds for the program and all that it starts. */
  withChildren?: boolean | undefined;
  signal?: AbortSignal | undefined;
  /** Output as it comes; what is past the limit too. */
  onOutput?: ((chunk: Buffer, stream: 'stdout' | 'stderr') => void) | undefined;
}

export interface RunResult {
  code: number;
  signal: NodeJS.Signals | null;
  stdout: Buffer;
  stderr: string;
  timedOut: boolean;
  /** Output went on past the limit and was cut. */
  truncated: boolean;
  /** It was ended because it took more memory than it may. */
  overMemory: boolean;
  /** It was ended because it started more processes than it may. */
  overProcesses: boolean;
}

/**
 * Runs a program without a shell. Answers when the program itself has ended, even if a grandchild still holds its
 * pipes; a time-out or an abort ends the whole process group, politely and then not.
 */
export async function runProcess(
  command: string,
  args: string[],
  options: RunOptions = {},
): Promise<RunResult> {
  options.signal?.throwIfAborted();
  const child = spawnGroup(command, args, options);
  const { maxMemoryBytes, maxProcesses, onOutput } = options;
  let passed: 'memoryBytes' | 'processes' | undefined;
  if (maxMemoryBytes !== undefined)
    watchMemory(
      child,
      { memoryBytes: maxMemoryBytes, processes: maxProcesses },
      (what) => {
        passed = what;
        endGroup(child);
      },
      options,
    );
  if (onOutput) {
    child.stdout.on('data', (chunk: Buffer) => onOutput(chunk, 'stdout'));
    child.stderr.on('data', (chunk: Buffer) => onOutput(chunk, 'stderr'));
  }
  const stdout = collect(child.stdout, options.maxOutputBytes ?? 64 * 1024 * 1024, () => {
    if (maxMemoryBytes !== undefined) endGroup(child);
  });
  const stderr = collect(child.stderr, 1024 * 1024, () => {});
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    endGroup(child);
  }, options.timeoutMs ?? 120_000);
  const abort = () => endGroup(child);
  options.signal?.addEventListener('abort', abort, { once: true });
  child.stdin.on('error', () => {});
  child.stdin.end(options.input ?? '');
  try {
    const [code, signal] = (await once(child, 'exit').catch((error) => {
      throw missingProgram(command, error);
    })) as [number | null, NodeJS.Signals | null];
    await drain([stdout, stderr]);
    options.signal?.throwIfAborted();
    return {
      code: code ?? 128,
      signal,
      stdout: stdout.take(),
      stderr: stderr.take().toString('utf8'),
      timedOut,
      truncated: stdout.truncated(),
      overMemory: passed === 'memoryBytes',
      overProcesses: passed === 'processes',
    };
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener('abort', abort);
    child.stdout.destroy();
    child.stderr.destroy();
    if (timedOut || options.signal?.aborted) endGroup(child);
  }
}

export type ChildGroup = ReturnType<typeof spawnGroup>;

export function spawnGroup(command: string, args: string[], options: Pick<RunOptions, 'cwd' | 'env'> = {}) {
  return spawn(command, args, {
    cwd: options.cwd,
    env: childEnvironment(options.env, process.env, options.cwd),
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
}

/** TERM to the whole group, KILL a moment later to whatever ignored it. */
export function endGroup(child: ChildProcess, graceMs = 1000): void {
  const send = (signal: NodeJS.Signals) => {
    try {
      if (process.platform === 'win32' || child.pid === undefined) child.kill(signal);
      else process.kill(-child.pid, signal);
    } catch {
      // The group is already gone.
    }
  };
  send('SIGTERM');
  // Whoever ends before the moment is over takes the group along.
  const kill = () => send('SIGKILL');
  process.once('exit', kill);
  setTimeout(() => {
    process.off('exit', kill);
    kill();
  }, graceMs).unref();
}

function missingProgram(command: string, error: unknown): unknown {
  if (codeOf(error) !== 'ENOENT') return error;
  return new SylkError('UNAVAILABLE', `The program ${command} was not found.`, {
    hint: `Install ${command} and make sure that it is on PATH.`,
    cause: error,
  });
}
