import type { Tone } from '../components/states.tsx';

const finished = /closed|done|completed|deployed|archived/i;
const dropped = /cancel|deferred|will_not/i;
const running = /^active$|^working$|progress|review|test|implement|inspect|merging/i;

export const isFinished = (status: string): boolean => finished.test(status) || dropped.test(status);

export const statusTone = (status: string): Tone =>
  finished.test(status) ? 'good' : running.test(status) ? 'warn' : 'plain';

export const statusWords = (status: string): string => status.replaceAll('_', ' ').toLowerCase();

export interface Waitable {
  status: string;
  blockedBy: string[];
  blockedReason: string | null;
}

export const waits = (task: Waitable): boolean => task.blockedBy.length > 0 || task.blockedReason !== null;

/** What is worked on stands first, then what can be started, then what waits. */
export const turn = (task: Waitable): number => (running.test(task.status) ? 0 : waits(task) ? 2 : 1);
