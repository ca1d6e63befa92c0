import { state } from '../../../base/files/index.ts';
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
  const sizeNow = (): number => state.entry(path)?.size ?? 0;
  return {
    append: (hops: Hop[]): void => {
      if (hops.length === 0) return;
      if (sizeNow() > most / 2) state.move(path, `${path}.1`);
      state.append(path, hops.map((hop) => `${JSON.stringify({ ...hop, pid: process.pid })}\n`).join(''));
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
  return (state.readText(file) ?? '').split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as Hop];
    } catch {
      return [];
    }
  });
}
