import { state } from '../../base/files/index.ts';
import type { BusTime, Hop, HopFilter } from './contract.ts';

/** A message on its way, or a question answered without one: that has no message and no wait. */
export type TraceLine =
  | Hop
  | (Pick<Hop, 'at' | 'session_id' | 'source' | 'target' | 'status' | 'ran_ms' | 'tier' | 'cost'> & {
      type: 'ANSWER';
    });

const matches = (hop: TraceLine, { session, agent, message }: HopFilter): boolean =>
  (session === undefined || hop.session_id === session) &&
  (agent === undefined || hop.target === agent || hop.source === agent) &&
  (message === undefined ||
    ('message_id' in hop && (hop.message_id === message || hop.correlation_id === message)));

/** Watchers of the hops of this process. */
export function createTrace() {
  const watchers = new Set<(hop: Hop) => void>();
  return {
    record: (hop: Hop): void => {
      for (const watcher of watchers) {
        try {
          watcher(hop);
        } catch {
          // A watcher must not disturb what it watches.
        }
      }
    },
    watch: (watcher: (hop: Hop) => void): (() => void) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
  };
}

export type Trace = ReturnType<typeof createTrace>;

/**
 * Passes hops on to a shared stream: a few times a second, the newest of them and how many were dropped, so
 * that the stream stays readable however many messages pass.
 */
export function streamHops(
  bus: Pick<Trace, 'watch'>,
  pass: (batch: { hops: Hop[]; left_out: number }) => void,
  { time, every = 200, most = 50 }: { time: BusTime; every?: number; most?: number },
): () => void {
  let waiting: Hop[] = [];
  let leftOut = 0;
  let cancel: (() => void) | undefined;
  const flush = () => {
    cancel = undefined;
    if (waiting.length > 0) pass({ hops: waiting, left_out: leftOut });
    waiting = [];
    leftOut = 0;
  };
  const unwatch = bus.watch((hop) => {
    waiting.push(hop);
    if (waiting.length > most) {
      waiting.shift();
      leftOut++;
    }
    cancel ??= time.after(every, flush);
  });
  return () => {
    unwatch();
    cancel?.();
    flush();
  };
}

/** Hops of every process of a repository, in a bounded file: between half of `most` and `most` bytes. */
export function createTraceFile(path: string, most = 1_000_000) {
  return {
    append: (hops: TraceLine[]): void => {
      if (hops.length === 0) return;
      if ((state.entry(path)?.size ?? 0) > most / 2) state.move(path, `${path}.1`);
      state.append(path, hops.map((hop) => `${JSON.stringify({ ...hop, pid: process.pid })}\n`).join(''));
    },
    /** The newest matches, oldest first; `since` excludes everything up to then. */
    read: ({
      since,
      limit,
      ...filter
    }: HopFilter & { since?: string | undefined; limit: number }): TraceLine[] =>
      [`${path}.1`, path]
        .flatMap(readHops)
        .filter((hop) => matches(hop, filter) && (since === undefined || hop.at > since))
        .slice(-limit),
  };
}

/** A torn line is skipped. */
function readHops(file: string): TraceLine[] {
  return (state.readText(file) ?? '').split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as TraceLine];
    } catch {
      return [];
    }
  });
}
