import type { ChildProcess } from 'node:child_process';
import { system } from '../files/index.ts';

const lookEveryMs = 100;

interface Use {
  memoryBytes: number;
  processes: number;
}

/**
 * Calls `over` once if a child's own memory passes a limit, or, with its children, their number; files that are mapped
 * don't count. Only Linux says how much memory another process has, so there is no limit elsewhere.
 */
export function watchMemory(
  child: ChildProcess,
  limit: { [What in keyof Use]?: Use[What] | undefined },
  over: (what: keyof Use) => void,
  { withChildren = false }: { withChildren?: boolean | undefined } = {},
): void {
  const timer = setInterval(
    () => {
      const used = useOf(child.pid, withChildren);
      const passed = (['memoryBytes', 'processes'] as const).find(
        (what) => used[what] > (limit[what] ?? Number.POSITIVE_INFINITY),
      );
      if (!passed) return;
      clearInterval(timer);
      over(passed);
    },
    withChildren ? 10 * lookEveryMs : lookEveryMs,
  );
  timer.unref();
  child.once('exit', () => clearInterval(timer));
  child.once('error', () => clearInterval(timer));
}

/** Of a process and all that it started. */
function useOf(pid: number | undefined, withChildren: boolean): Use {
  const use = { memoryBytes: 0, processes: 0 };
  const left = pid === undefined ? [] : [pid];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    use.memoryBytes += ownMemory(next);
    use.processes++;
    if (withChildren) left.push(...childrenOf(next));
  }
  return use;
}

function ownMemory(pid: number): number {
  try {
    const [, kilobytes] = /^RssAnon:\s+(\d+) kB$/m.exec(system.readProcessFile(`/proc/${pid}/status`)) ?? [];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}

function childrenOf(pid: number): number[] {
  try {
    return system.readProcessFile(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);
  } catch {
    // It ended meanwhile, or this system doesn't tell.
    return [];
  }
}
