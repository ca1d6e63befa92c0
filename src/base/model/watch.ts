import { modelError } from './errors.ts';

export interface Timeouts {
  /** Milliseconds without anything of an answer, at first and between its parts. Signs of life do not count. */
  first: number;
  between: number;
  total: number;
}

export const usualTimeouts: Timeouts = { first: 300_000, between: 120_000, total: 1_800_000 };

/**
 * Ends a call from outside of the SDK: when it is cancelled, when the server stays silent, when it takes too long.
 * Whoever waits is told at once; the connection is closed behind.
 */
export function watchCall(signal: AbortSignal | undefined, timeouts: Timeouts) {
  const controller = new AbortController();
  const ended = Promise.withResolvers<never>();
  // A call may end before anybody waits.
  ended.promise.catch(() => {});
  const end = (error: Error) => {
    ended.reject(error);
    controller.abort();
  };
  const silent = (milliseconds: number) =>
    end(modelError('network', `The provider sent nothing of an answer for ${milliseconds / 1000} seconds.`));
  const cancel = () => end(modelError('cancelled', 'The call was cancelled.'));
  let silence = setTimeout(silent, timeouts.first, timeouts.first);
  const total = setTimeout(
    () => end(modelError('network', `The answer took longer than ${timeouts.total / 1000} seconds.`)),
    timeouts.total,
  );
  signal?.addEventListener('abort', cancel, { once: true });
  if (signal?.aborted) cancel();
  return {
    signal: controller.signal,
    race: <T>(work: Promise<T>): Promise<T> => Promise.race([ended.promise, work]),
    heard: () => {
      clearTimeout(silence);
      silence = setTimeout(silent, timeouts.between, timeouts.between);
    },
    stop: () => {
      clearTimeout(silence);
      clearTimeout(total);
      signal?.removeEventListener('abort', cancel);
      controller.abort();
    },
  };
}
