import type { ChildProcess } from 'node:child_process';
import { system } from '../files/index.ts';

const lookEveryMs = 100;

/**
 * Calls `over` once if a child's own memory passes a limit; files that it maps don't count. Only Linux says how much
 * memory another process has, so there is no limit elsewhere.
 */
export function watchMemory(child: ChildProcess, limitBytes: number, over: () => void): void {
  const timer = setInterval(() => {
    if (ownMemory(child.pid) <= limitBytes) return;
    clearInterval(timer);
    over();
  }, lookEveryMs);
  timer.unref();
  child.once('exit', () => clearInterval(timer));
  child.once('error', () => clearInterval(timer));
}

function ownMemory(pid: number | undefined): number {
  try {
    const [, kilobytes] = /^RssAnon:\s+(\d+) kB$/m.exec(system.readProcessFile(`/proc/${pid}/status`)) ?? [];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}
