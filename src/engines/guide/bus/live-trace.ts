import type { BusTime } from './bus-time.ts';
import type { Bus, Hop } from './contract.ts';

/**
 * Tells hops to a stream that others share: a few times a second, with the newest of them and how many there were.
 * However many messages pass, the stream stays readable and keeps what else was told in it.
 */
export function streamHops(
  bus: Pick<Bus, 'watch'>,
  tell: (told: { hops: Hop[]; left_out: number }) => void,
  { time, every = 200, most = 50 }: { time: BusTime; every?: number; most?: number },
): () => void {
  let waiting: Hop[] = [];
  let leftOut = 0;
  let cancel: (() => void) | undefined;
  const flush = () => {
    cancel = undefined;
    if (waiting.length > 0) tell({ hops: waiting, left_out: leftOut });
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
