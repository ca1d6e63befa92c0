import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { childEnvironment } from './environment.ts';

/** Starts a program that goes on when this process and its group have ended. Returns when it has its input. */
export async function leaveBehind(
  command: string,
  args: string[],
  options: { cwd: string; env?: Record<string, string>; input: string },
): Promise<void> {
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: childEnvironment(options.env, process.env, options.cwd),
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    windowsHide: true,
  });
  await once(child, 'spawn');
  child.stdin.on('error', () => {});
  child.stdin.end(options.input);
  await once(child.stdin, 'close');
  child.unref();
}
