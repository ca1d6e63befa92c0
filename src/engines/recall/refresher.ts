import type { Clock } from '../../base/clock.ts';
import { reportOf } from '../../base/errors.ts';
import type { Domain } from '../../stores/passages/index.ts';
import type { Recall } from './recall.ts';
import type { Freshness } from './source.ts';

export interface ReadyOptions {
  /** How long to wait for passages before answering from what is there. */
  waitMs?: number;
  signal?: AbortSignal;
  /** Only these have to be in step; all of them otherwise. */
  domains?: Domain[];
  progress?: (event: { done: number; message: string }) => void;
}

/** Within this time after a check nothing is checked again: a burst of questions costs one look at the files. */
const trusted = 2000;
/** A later look is cheap, and only waited for this long. */
const laterPatience = 400;

/** Keeps passages in step with their sources, when somebody asks. */
export function createRefresher(recall: Recall, clock: Clock) {
  const { passages } = recall.parts;
  const checkedAt = new Map<Domain, number>();
  const problems = new Map<Domain, string[]>();
  let running: Promise<void> | undefined;
  let changes = 0;

  const due = (domains: Domain[]): Domain[] =>
    domains.filter((domain) => clock.now() - (checkedAt.get(domain) ?? Number.NEGATIVE_INFINITY) >= trusted);

  const check = async (domains: Domain[]): Promise<void> => {
    if (domains.length === 0) return;
    try {
      const reports = await recall.refreshAll(undefined, domains);
      for (const domain of domains) {
        const own = reports.filter((report) => report.domain === domain);
        if (own.some((report) => report.added + report.removed > 0)) changes++;
        problems.set(
          domain,
          own.flatMap((report) => report.problems.map((each) => `${each.owner}: ${each.message}`)),
        );
        checkedAt.set(domain, clock.now());
      }
    } catch (error) {
      for (const domain of domains) problems.set(domain, [reportOf(error).message]);
    }
  };

  /** One after the other; who waited finds that most of it is done. */
  const start = (domains: Domain[]): Promise<void> => {
    const mine = (running ?? Promise.resolve()).then(() => check(due(domains)));
    running = mine;
    return mine.finally(() => {
      if (running === mine) running = undefined;
    });
  };

  return {
    /** Moves with every change of the passages, also with those that another process wrote. */
    generation: () =>
      [changes, ...recall.parts.sources.map((source) => passages.generation(source.name) ?? '')].join(' '),
    ready: async ({ waitMs = Number.POSITIVE_INFINITY, ...options }: ReadyOptions = {}): Promise<void> => {
      const domains = due(options.domains ?? recall.domains());
      if (domains.length === 0) return;
      const first = domains.some((domain) => !checkedAt.has(domain));
      await within(start(domains), first ? waitMs : Math.min(waitMs, laterPatience), options.signal);
    },
    freshness: (domain: Domain): Freshness => {
      const { owners } = passages.counts(domain);
      if (running && !checkedAt.has(domain)) return { state: 'indexing', detail: `${owners} files so far` };
      const own = problems.get(domain) ?? [];
      if (own.length > 0) return { state: 'stale', detail: own.slice(0, 3).join('; ') };
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
