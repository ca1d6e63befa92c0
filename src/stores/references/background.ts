import { withLease } from '../../base/durable/index.ts';
import { reportOf } from '../../base/errors.ts';
import type { ReferencesContext } from './context.ts';
import { embedPiece, waitingPieces } from './embed.ts';
import { syncIndex } from './ingest.ts';

/**
 * Replaces quick vectors by the model's, one process at a time per shelf. Saves after every batch. With
 * nothing to do no model is loaded, and an unchanged shelf is not even scanned.
 */
export function createBackground(context: ReferencesContext) {
  const stopped = new AbortController();
  let running: Promise<number> | undefined;
  let settled = '';
  let told = '';

  /** Changes with every write to the index, by any process. */
  const stamp = () => {
    const { sqlite } = context.index();
    const other = sqlite.get<{ data_version: number }>('PRAGMA data_version')?.data_version;
    return `${other}/${sqlite.get<{ own: number }>('SELECT total_changes() AS own')?.own}`;
  };

  const work = async (most: number): Promise<number> => {
    await syncIndex(context, { signal: stopped.signal });
    const { sqlite } = context.index();
    if (stamp() === settled) return 0;
    const { pieces, waiting } = waitingPieces(context, { most });
    let done = 0;
    if (waiting > 0)
      await withLease(
        () => sqlite,
        'reference-embedding',
        { seconds: 120 },
        async (held) => {
          for (const piece of pieces) {
            if (stopped.signal.aborted || held.aborted) break;
            await embedPiece(context, piece, stopped.signal);
            done += piece.numbers.length;
          }
        },
      );
    if (done === waiting) settled = stamp();
    return done;
  };

  return {
    /** Works until nothing is left; concurrent calls share one run. A failure is logged and retried next time. */
    run: async ({ most = Number.POSITIVE_INFINITY }: { most?: number } = {}): Promise<number> => {
      if (!context.shelf.exists() || stopped.signal.aborted) return 0;
      running ??= work(most)
        .catch((error) => {
          const { message } = reportOf(error);
          if (message !== told && !stopped.signal.aborted)
            context.log.warn(`Vectors of references are waiting: ${message}`);
          told = message;
          return 0;
        })
        .finally(() => {
          running = undefined;
        });
      return running;
    },
    /** Stops after the current batch. */
    stop: async (): Promise<void> => {
      stopped.abort();
      await running;
    },
  };
}
