import { appendFileSync, mkdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Hop } from './contract.ts';

export interface TraceFilter {
  session?: string | undefined;
  agent?: string | undefined;
  message?: string | undefined;
  /** Only what happened after this moment. */
  since?: string | undefined;
  limit: number;
}

/** Hops of every process of a repository, in a file that stays small: the newest half to all of `most` bytes. */
export function createTraceFile(path: string, most = 1_000_000) {
  const sizeNow = (): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return {
    append: (hops: Hop[]): void => {
      if (hops.length === 0) return;
      mkdirSync(dirname(path), { recursive: true });
      if (sizeNow() > most / 2) renameSync(path, `${path}.1`);
      appendFileSync(path, hops.map((hop) => `${JSON.stringify({ ...hop, pid: process.pid })}\n`).join(''), {
        mode: 0o600,
      });
    },
    /** The newest that are asked for, oldest first. A torn line costs itself. */
    read: (filter: TraceFilter): Hop[] =>
      [`${path}.1`, path]
        .flatMap((file) => linesOf(file))
        .filter(
          (hop) =>
            (filter.session === undefined || hop.session_id === filter.session) &&
            (filter.agent === undefined || hop.target === filter.agent || hop.source === filter.agent) &&
            (filter.message === undefined ||
              hop.message_id === filter.message ||
              hop.correlation_id === filter.message) &&
            (filter.since === undefined || hop.at > filter.since),
        )
        .slice(-filter.limit),
  };
}

export type TraceFile = ReturnType<typeof createTraceFile>;

function linesOf(file: string): Hop[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return [];
  }
  return text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as Hop];
    } catch {
      return [];
    }
  });
}
