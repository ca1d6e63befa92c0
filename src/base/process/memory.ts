import type { ChildProcess } from 'node:child_process';
import { system } from '../files/index.ts';

const lookEveryMs = 100;

/**
 * Calls `over` once if a child's own memory passes a limit; files that it maps don't count. Only Linux says how much
 * memory another process has, so there is no limit elsewhere.
 */
export function watchMemory(
  child: ChildProcess,
  limitBytes: number,
  over: () => void,
  { withChildren = false } = {},
): void {
  const timer = setInterval(
    () => {
      const used = withChildren && child.pid !== undefined ? memoryOfTree(child.pid) : ownMemory(child.pid);
      if (used <= limitBytes) return;
      clearInterval(timer);
      over();
    },
    withChildren ? 10 * lookEveryMs : lookEveryMs,
  );
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

/** Of a process and all that it started. */
function memoryOfTree(pid: number): number {
  let children: string[] = [];
  try {
    children = system.readProcessFile(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean);
  } catch {
    // It ended meanwhile, or this system doesn't tell.
  }
  return children.reduce((sum, child) => sum + memoryOfTree(Number(child)), ownMemory(pid));
}
