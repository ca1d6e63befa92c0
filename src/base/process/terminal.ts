import { spawn } from 'node:child_process';
import { SylkError } from '../errors.ts';

/**
 * Runs a command line of the person's own (their editor) on their terminal, with one file as its argument, and answers its exit code. It gets
 * their whole environment, because it is theirs; the file never becomes part of the command line.
 */
export function runOnTerminal(commandLine: string, file: string, env: NodeJS.ProcessEnv): Promise<number> {
  const [command, args] =
    process.platform === 'win32'
      ? ([env['ComSpec'] ?? 'cmd.exe', ['/d', '/s', '/c', `${commandLine} "${file}"`]] as const)
      : (['/bin/sh', ['-c', `${commandLine} "$1"`, 'sh', file]] as const);
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, stdio: 'inherit' });
    child.on('error', (error) =>
      reject(
        new SylkError('UNAVAILABLE', `The editor did not start: ${error.message}`, {
          hint: 'Set EDITOR to an installed program, such as EDITOR=nano.',
        }),
      ),
    );
    child.on('close', (code) => resolve(code ?? 128));
  });
}
