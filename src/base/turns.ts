import { availableParallelism } from 'node:os';

interface TurnOptions {
  /** Leaves the row. */
  signal?: AbortSignal | undefined;
  /** Goes before others that wait and are not. */
  isFirst?: boolean;
}

/** Lets at most `most` works run at once, of all that it is given; the others wait in the order in which they came. */
export function createTurns(most: number) {
  const waiting: Array<{ start(): void; isFirst: boolean }> = [];
  let running = 0;

  const wait = (isFirst: boolean, signal?: AbortSignal): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = () => {
      waiting.splice(waiting.indexOf(mine), 1);
      reject(signal?.reason);
    };
    const mine = {
      isFirst,
      start: () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      },
    };
    signal?.addEventListener('abort', leave, { once: true });
    const at = isFirst ? waiting.findIndex((each) => !each.isFirst) : -1;
    waiting.splice(at < 0 ? waiting.length : at, 0, mine);
    return promise;
  };
  return async <T>(work: () => Promise<T>, { signal, isFirst = false }: TurnOptions = {}): Promise<T> => {
    signal?.throwIfAborted();
    if (running < most) running += 1;
    else await wait(isFirst, signal);
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next.start();
      else running -= 1;
    }
  };
}

/** One core is left to whoever asks. */
export const coresForBackground = Math.max(1, availableParallelism() - 1);

/** Work that nobody waits for, of all repositories that this process has open. */
export const inBackground = createTurns(coresForBackground);
