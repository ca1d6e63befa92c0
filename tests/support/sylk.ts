import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { launcher } from './program.ts';

export interface Finished {
  code: number | null;
  out: string;
  err: string;
}

/** Runs the real program to its end. */
export function sylk(
  cwd: string,
  args: string[],
  options: { env?: Record<string, string>; input?: string; start?: [program: string, file: string] } = {},
): Finished {
  const [program, file] = options.start ?? ['sh', launcher()];
  const result = spawnSync(program, [file, ...args], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    input: options.input ?? '',
    env: { ...process.env, ...options.env },
  });
  return { code: result.status, out: result.stdout, err: result.stderr };
}

/** Starts the real program; it is ended with the test. */
export function startSylk(
  cwd: string,
  args: string[],
  env: Record<string, string> = {},
): ChildProcessWithoutNullStreams {
  const child = spawn('sh', [launcher(), ...args], { cwd, env: { ...process.env, ...env } });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return child;
}
