import { setTimeout as sleep } from 'node:timers/promises';
import { isAbort, SylkError } from '../../base/errors.ts';
import { acquireLease, type Lease, leaseHolder, type Sqlite } from '../../base/sqlite/index.ts';
import type { Failures, SourceFailure } from './failures.ts';
import type { IndexBatch, IndexSource, SourceReport, SourceUpdate } from './source.ts';

export interface RunRequest extends SourceUpdate {
  only?: string | undefined;
  /** How long to wait for another process that is indexing. */
  waitMs?: number;
}

export interface RunResult {
  items: Array<{ source: string } & SourceReport>;
  problems: SourceFailure[];
}

export const workLease = 'indexing';
const leaseSeconds = 30;

/** Brings sources up to date, one process at a time; one that fails does not stop the next. */
export async function runSources(
  sqlite: () => Sqlite,
  sources: IndexSource[],
  request: RunRequest,
  { tell, failures }: { tell(batch: IndexBatch): void; failures: Failures },
): Promise<RunResult> {
  const lease = await waitForLease(sqlite, request);
  const stop = new AbortController();
  const timer = setInterval(
    () => {
      if (!lease.renew()) stop.abort(new SylkError('CONFLICT', 'Another process took over indexing.'));
    },
    (leaseSeconds * 1000) / 3,
  );
  timer.unref();
  const signal = request.signal ? AbortSignal.any([request.signal, stop.signal]) : stop.signal;
  const result: RunResult = { items: [], problems: [] };
  try {
    for (const source of sources) {
      if (request.only && request.only !== source.name) continue;
      if (request.paths && source.follows === 'commits') continue;
      try {
        const { failure, ...report } = await source.update({ ...request, signal });
        result.items.push({ source: source.name, ...report });
        if (failure) result.problems.push(failures.record(source.name, failure));
        else failures.clear(source.name);
        if (report.changed && report.changed.length > 0)
          tell({ source: source.name, changed: report.changed });
      } catch (error) {
        if (isAbort(error) || signal.aborted) throw error;
        result.problems.push(failures.record(source.name, error));
      }
    }
    return result;
  } finally {
    clearInterval(timer);
    lease.release();
  }
}

async function waitForLease(sqlite: () => Sqlite, request: RunRequest): Promise<Lease> {
  const deadline = Date.now() + (request.waitMs ?? 60_000);
  for (;;) {
    request.signal?.throwIfAborted();
    const lease = acquireLease(sqlite(), workLease, leaseSeconds);
    if (lease) return lease;
    if (Date.now() > deadline) {
      const holder = leaseHolder(sqlite(), workLease);
      throw new SylkError('BLOCKED', `Another process is indexing${holder ? ` (pid ${holder.pid})` : ''}.`, {
        hint: 'Wait for it, or ask again: answers come from what is there already.',
      });
    }
    await sleep(50);
  }
}
