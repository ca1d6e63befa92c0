import { withLease } from '../../base/durable/index.ts';
import { reportOf } from '../../base/errors.ts';
import { embedChunks, embedFiles, piece, waitingChunks, waitingFiles } from './embed.ts';
import type { Stand } from './stand.ts';
import { syncIndex } from './sync.ts';

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

  const work = async (most: number): Promise<number> => {
    await syncIndex(stand, { signal: stopped.signal });
    const { sqlite } = stand.index();
    if (stamp() === settled) return 0;
    const files = waitingFiles(stand);
    const chunks = waitingChunks(stand);
    const waiting = files.length + chunks.length;
    // What a file is about goes first: few texts, and they decide which file is found.
    const pieces = [
      ...piecesOf(files.slice(0, most), embedFiles),
      ...piecesOf(chunks.slice(0, Math.max(0, most - files.length)), embedChunks),
    ];
    let done = 0;
    if (waiting > 0)
      await withLease(
        () => sqlite,
        'reference-embedding',
        { seconds: 120 },
        async (held) => {
          for (const { numbers, embed } of pieces) {
            if (stopped.signal.aborted || held.aborted) break;
            await embed(stand, numbers, stopped.signal);
            done += numbers.length;
          }
        },
      );
    if (done === waiting) settled = stamp();
    return done;
  };

  return {
    /** Works until nothing waits; calls at the same time share one run. A failure is logged, and tried again next time. */
    run: async ({ most = Number.POSITIVE_INFINITY }: { most?: number } = {}): Promise<number> => {
      if (!stand.shelf.exists() || stopped.signal.aborted) return 0;
      running ??= work(most)
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

function piecesOf<Embed>(numbers: number[], embed: Embed): Array<{ numbers: number[]; embed: Embed }> {
  return Array.from({ length: Math.ceil(numbers.length / piece) }, (_, at) => ({
    numbers: numbers.slice(at * piece, (at + 1) * piece),
    embed,
  }));
}
