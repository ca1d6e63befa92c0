import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { startTime } from '../process/index.ts';

/**
 * Names one holder in this process: `machine/pid/start/random`. A pid is reused after its process ends; the start time
 * tells the two apart. Containers that share a directory have host names of their own.
 */
export const newOwner = (): string =>
  `${hostname()}/${process.pid}/${startTime(process.pid)}/${randomUUID()}`;

/** Whether the owner is a process of this machine that runs. */
export function isAliveHere(owner: string): boolean {
  const [machine] = owner.split('/');
  return machine === hostname() && !isGone(owner);
}

/** True where the owner's process ran on this machine and has ended. An owner elsewhere is judged by expiry alone. */
export function isGone(owner: string): boolean {
  const [machine, pid, start] = owner.split('/');
  return machine === hostname() && startTime(Number(pid)) !== start;
}

export const pidOf = (owner: string): number => Number(owner.split('/')[1]);
