import type { Tone } from '../components/states.tsx';

const finished = /closed|done|completed|deployed|archived/i;
const dropped = /cancel|deferred|will_not/i;
const running = /^active$|progress|review|test|implement/i;

export const isFinished = (status: string): boolean => finished.test(status) || dropped.test(status);

export const statusTone = (status: string): Tone =>
  finished.test(status) ? 'good' : running.test(status) ? 'warn' : 'plain';

export const statusWords = (status: string): string => status.replaceAll('_', ' ').toLowerCase();
