import { codeOf } from '../errors.ts';
import { system } from '../files/index.ts';

/**
 * When a process began, in a form that only serves to compare; undefined where there is none of that number. Numbers are
 * given again, so a number alone does not say that a process is still the same. '0' where the system does not tell.
 */
export function startTime(pid: number): string | undefined {
  try {
    const status = system.readProcessFile(`/proc/${pid}/stat`);
    const fields = status.slice(status.lastIndexOf(')') + 2).split(' ');
    // A process that has ended stays listed until its parent asks for its exit code.
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch {
    // Only Linux has /proc.
    return isRunning(pid) ? '0' : undefined;
  }
}

export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}
