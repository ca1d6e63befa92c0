import { reportOf } from '../../base/errors.ts';
import { acquireLease } from '../../base/sqlite/index.ts';
import { embedChunks, piece, waitingChunks } from './embed.ts';
import type { Stand } from './stand.ts';
import { syncIndex } from './sync.ts';

const leaseSeconds = 120;

/**
 * Replaces quick vectors by the model's, one process at a time for a shelf. What is done is kept after every piece. With
 * nothing waiting no model is loaded, and a shelf that nobody changed is not even looked through.
 */
export function createBackground(stand: Stand) {
  const stopped = new AbortController();
  let running: Promise<number> | undefined;
  let settled = '';
  let told = '';

  /** Changes with every write to the index, by this process or another. */
  const stamp = () => {
    const { sqlite } = stand.index();
    const other = sqlite.get<{ data_version: number }>('PRAGMA data_version')?.data_version;
    return `${other}/${sqlite.get<{ own: number }>('SELECT total_changes() AS own')?.own}`;
  };

  const work = async (): Promise<number> => {
    await syncIndex(stand, { signal: stopped.signal });
    const { sqlite } = stand.index();
    if (stamp() === settled) return 0;
    const waiting = waitingChunks(stand);
    const lease = waiting.length > 0 ? acquireLease(sqlite, 'reference-embedding', leaseSeconds) : undefined;
    let done = 0;
    try {
      for (let from = 0; lease && from < waiting.length; from += piece) {
        const batch = waiting.slice(from, from + piece);
        await embedChunks(stand, batch, stopped.signal);
        done += batch.length;
        if (!lease.renew()) return done;
      }
    } finally {
      lease?.release();
    }
    if (done === waiting.length) settled = stamp();
    return done;
  };

  return {
    /** Works until nothing waits; calls at the same time share one run. A failure is logged, and tried again next time. */
    run: async (): Promise<number> => {
      if (!stand.shelf.exists() || stopped.signal.aborted) return 0;
      running ??= work()
        .catch((error) => {
          const { message } = reportOf(error);
          if (message !== told && !stopped.signal.aborted)
            stand.log.warn(`Vectors of references wait: ${message}`);
          told = message;
          return 0;
        })
        .finally(() => {
          running = undefined;
        });
      return running;
    },
    /** Ends after the piece that is under way. */
    stop: async (): Promise<void> => {
      stopped.abort();
      await running;
    },
  };
}
