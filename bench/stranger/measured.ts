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

/** Seconds of processor time, or of waiting for nothing: the clock alone says little on a busy machine. */
export const limits = { seconds: 60, megabytes: 1500 };

/** Starts a program in a process group of its own, watches its memory, and ends it when it takes too long. */
export function startMeasured(
  program: string,
  args: string[],
  options: {
    cwd: string;
    env: NodeJS.ProcessEnv;
    seconds?: number;
    megabytes?: number;
    stdin?: 'pipe' | 'ignore';
  },
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
  let progress = { cpu: 0, at: Date.now() };
  const seconds = options.seconds ?? limits.seconds;
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
    const used = treeUse(child.pid);
    memory = Math.max(memory, used.memory);
    if (memory > (options.megabytes ?? limits.megabytes)) stop('memory');
    if (used.cpu - progress.cpu > 0.5) progress = { cpu: used.cpu, at: Date.now() };
    if (used.cpu > seconds || Date.now() - progress.at > seconds * 1000) stop('time');
  }, 100);
  const ended = new Promise<{ code: number | null; cost: Cost }>((resolve) => {
    child.on('close', (code) => {
      clearInterval(watch);
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

/** What a process and all below it use now. 0 where the system has no /proc. */
function treeUse(pid: number | undefined): Cost {
  if (!pid) return { cpu: 0, memory: 0 };
  try {
    const [pages] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ').slice(1);
    // After the name in brackets: 12 to 15 are user and system time, its own and of children that ended, in 1/100 s.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
    const own = fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) / 100, 0);
    return children
      .map((each) => treeUse(Number(each)))
      .reduce((sum, each) => ({ cpu: sum.cpu + each.cpu, memory: sum.memory + each.memory }), {
        cpu: own,
        memory: (Number(pages) * 4096) / 1e6,
      });
  } catch {
    return { cpu: 0, memory: 0 };
  }
}
