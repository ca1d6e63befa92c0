import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Runs a writer until it is killed or says `done`; each other line that it says is handed on at once. */
export function runWriter(
  [command, ...args]: string[],
  heard: (line: string) => void,
): Promise<'killed' | 'finished'> {
  return new Promise((resolve, reject) => {
    const child = spawn(command!, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'sylk-compile-cache') },
    });
    let finished = false;
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += chunk;
    });
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line === 'done') finished = true;
      else heard(line);
    });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (finished) resolve('finished');
      else if (signal === 'SIGKILL' || code === 137) resolve('killed');
      else reject(new Error(`the writer failed: ${args.join(' ')}: ${code} ${said.slice(0, 2000)}`));
    });
  });
}

/** The words that start a program of this folder. */
export const startOf = (program: string, ...args: string[]): string[] => [
  process.execPath,
  '--disable-warning=ExperimentalWarning',
  join(import.meta.dirname, program),
  ...args,
];
