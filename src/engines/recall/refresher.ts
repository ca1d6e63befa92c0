import type { Clock } from '../../base/clock.ts';
import { reportOf } from '../../base/errors.ts';
import type { Domain } from '../../stores/passages/index.ts';
import type { Recall } from './recall.ts';
import type { RefreshReport } from './refresh.ts';
import type { Freshness } from './source.ts';

export interface ReadyOptions {
  /** How long to wait for passages before answering from what is there. */
  waitMs?: number;
  signal?: AbortSignal;
  progress?: (event: { done: number; message: string }) => void;
}

/** Within this time after a check nothing is checked again: a burst of questions costs one look at the files. */
const trusted = 2000;
/** A later look is cheap, and only waited for this long. */
const laterPatience = 400;

/** Keeps passages in step with their sources, when somebody asks. */
export function createRefresher(recall: Recall, clock: Clock) {
  let running: Promise<void> | undefined;
  let checkedAt = Number.NEGATIVE_INFINITY;
  let generation = 0;
  let problems: string[] = [];

  const start = (): Promise<void> => {
    running ??= recall
      .refreshAll()
      .then((reports: RefreshReport[]) => {
        if (reports.some((report) => report.added + report.removed > 0)) generation++;
        problems = reports.flatMap((report) =>
          report.problems.map((each) => `${each.owner}: ${each.message}`),
        );
        checkedAt = clock.now();
      })
      .catch((error: unknown) => {
        problems = [reportOf(error).message];
      })
      .finally(() => {
        running = undefined;
      });
    return running;
  };

  return {
    generation: () => String(generation),
    ready: async ({ waitMs = Number.POSITIVE_INFINITY, signal }: ReadyOptions = {}): Promise<void> => {
      if (clock.now() - checkedAt < trusted) return;
      const first = checkedAt === Number.NEGATIVE_INFINITY;
      await within(start(), first ? waitMs : Math.min(waitMs, laterPatience), signal);
    },
    freshness: (domain: Domain): Freshness => {
      const { owners } = recall.parts.passages.counts(domain);
      if (running && checkedAt === Number.NEGATIVE_INFINITY)
        return { state: 'indexing', detail: `${owners} files so far` };
      if (problems.length > 0) return { state: 'stale', detail: problems.slice(0, 3).join('; ') };
      return owners === 0 ? { state: 'empty' } : { state: 'fresh' };
    },
  };
}

async function within(work: Promise<void>, limit: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  if (!Number.isFinite(limit) && !signal) return await work;
  const ended = Promise.withResolvers<void>();
  const timer = Number.isFinite(limit) ? setTimeout(ended.resolve, limit) : undefined;
  const stop = () => ended.reject(signal?.reason);
  signal?.addEventListener('abort', stop, { once: true });
  try {
    await Promise.race([work, ended.promise]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}
