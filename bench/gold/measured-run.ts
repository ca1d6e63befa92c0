import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

export interface Measured {
  seconds: number;
  /** Processor seconds of the process and its children. */
  cpu: number;
  /** Largest sum of resident memory over the whole process tree, in MB. */
  peak: number;
  output: string;
}

/** Runs a program and watches the memory and time of its whole tree. */
export async function measuredRun(
  command: string,
  args: string[],
  cwd: string,
  env: Record<string, string> = {},
): Promise<Measured> {
  const began = performance.now();
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', () => {});
  let peak = 0;
  let cpu = 0;
  const timer = setInterval(() => {
    const tree = descendants(child.pid!);
    peak = Math.max(
      peak,
      tree.reduce((sum, pid) => sum + residentOf(pid), 0),
    );
    cpu = Math.max(
      cpu,
      tree.reduce((sum, pid) => sum + cpuOf(pid), 0),
    );
  }, 50);
  await new Promise((resolve) => child.on('close', resolve));
  clearInterval(timer);
  return { seconds: (performance.now() - began) / 1000, cpu, peak, output };
}

export function descendants(root: number): number[] {
  const found = [root];
  for (const pid of found) {
    try {
      for (const task of readdirSync(`/proc/${pid}/task`))
        for (const one of readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8')
          .split(' ')
          .filter(Boolean))
          found.push(Number(one));
    } catch {
      // It ended meanwhile.
    }
  }
  return found;
}

export function residentOf(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

export function cpuOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return 0;
  }
}

export function sizeOf(path: string): number {
  try {
    const found = statSync(path);
    if (!found.isDirectory()) return found.size / 1e6;
    return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
  } catch {
    return 0;
  }
}
