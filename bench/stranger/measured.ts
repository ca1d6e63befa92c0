import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface Cost {
  /** Seconds of processor time, user and system, of the process and all that it started. */
  cpu: number;
  /** Largest memory of all its processes together, in megabytes. */
  memory: number;
}

export interface Measured {
  child: ChildProcess;
  /** Standard output and standard error so far. */
  out(): string;
  err(): string;
  /** Why it was killed, if it was: `time` or `memory`. */
  stopped(): 'time' | 'memory' | undefined;
  kill(signal: NodeJS.Signals): void;
  ended: Promise<{ code: number | null; cost: Cost }>;
}

export const limits = { seconds: 60, megabytes: 1500 };

/** Starts a program in a process group of its own, watches its memory, and ends it when it takes too long. */
export function startMeasured(
  program: string,
  args: string[],
  options: { cwd: string; env: NodeJS.ProcessEnv; seconds?: number; stdin?: 'pipe' | 'ignore' },
): Measured {
  // A signal to the group ends the program; the shell stays to tell what it cost.
  const script = 'trap : TERM INT; "$@" 3>&-; code=$?; times >&3; exit $code';
  const child = spawn('sh', ['-c', script, 'measured', program, ...args], {
    cwd: options.cwd,
    env: options.env,
    detached: true,
    stdio: [options.stdin ?? 'ignore', 'pipe', 'pipe', 'pipe'],
  });
  const texts = ['', '', '', ''];
  for (const at of [1, 2, 3]) {
    const stream = child.stdio[at] as NodeJS.ReadableStream | undefined;
    stream?.setEncoding('utf8');
    stream?.on('data', (chunk: string) => {
      if ((texts[at]?.length ?? 0) < 32 * 1024 * 1024) texts[at] += chunk;
    });
  }
  let stopped: 'time' | 'memory' | undefined;
  let memory = 0;
  const kill = (signal: NodeJS.Signals) => {
    try {
      if (child.pid) process.kill(-child.pid, signal);
    } catch {
      // Already gone.
    }
  };
  const stop = (why: 'time' | 'memory') => {
    stopped ??= why;
    kill('SIGKILL');
  };
  const watch = setInterval(() => {
    memory = Math.max(memory, treeMegabytes(child.pid));
    if (memory > limits.megabytes) stop('memory');
  }, 100);
  const timer = setTimeout(() => stop('time'), (options.seconds ?? limits.seconds) * 1000);
  const ended = new Promise<{ code: number | null; cost: Cost }>((resolve) => {
    child.on('close', (code) => {
      clearInterval(watch);
      clearTimeout(timer);
      resolve({ code: stopped ? null : code, cost: { cpu: childSeconds(texts[3] ?? ''), memory } });
    });
  });
  return { child, out: () => texts[1] ?? '', err: () => texts[2] ?? '', stopped: () => stopped, kill, ended };
}

/** The second line of the shell's `times` is about its children: `0m1.20s 0m0.31s`. */
function childSeconds(times: string): number {
  const parts = [...(times.split('\n')[1] ?? '').matchAll(/(\d+)m([\d.]+)s/g)];
  return parts.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0);
}

/** 0 where the system has no /proc. */
function treeMegabytes(pid: number | undefined): number {
  if (!pid) return 0;
  try {
    const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
    return (pages * 4096) / 1e6 + children.reduce((sum, child) => sum + treeMegabytes(Number(child)), 0);
  } catch {
    return 0;
  }
}
