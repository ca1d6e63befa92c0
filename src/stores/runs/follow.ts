import { setTimeout as sleep } from 'node:timers/promises';
import type { RunEvent } from './event.ts';

export type NumberedEvent = RunEvent & { number: number };

export interface FollowOptions {
  /** The number of the last event that the caller has seen. */
  after?: number;
  signal?: AbortSignal;
  /** How often to look for events of other processes; those of this one arrive at once. */
  pollMilliseconds?: number;
}

/** Events as they happen, until the caller leaves the loop or the signal is aborted. `onChange` calls back when there may be more. */
export async function* followEvents(
  readAfter: (number: number) => Promise<NumberedEvent[]>,
  onChange: (wake: () => void) => () => void,
  { after = 0, signal, pollMilliseconds = 1000 }: FollowOptions,
): AsyncGenerator<NumberedEvent> {
  let wake = (): void => undefined;
  const unsubscribe = onChange(() => wake());
  try {
    for (let last = after; !signal?.aborted; ) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const found = await readAfter(last);
      yield* found;
      last = found.at(-1)?.number ?? last;
      if (found.length === 0) await pause(woken, pollMilliseconds, signal);
    }
  } finally {
    unsubscribe();
  }
}

/** Ends with the promise, after a time, or when the signal is aborted, and leaves no timer behind. */
async function pause(
  woken: Promise<void>,
  milliseconds: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const ended = new AbortController();
  const signals = signal ? [signal, ended.signal] : [ended.signal];
  const timer = sleep(milliseconds, undefined, { signal: AbortSignal.any(signals) }).catch(() => undefined);
  await Promise.race([woken, timer]);
  ended.abort();
}
