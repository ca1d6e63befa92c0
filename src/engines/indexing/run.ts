import { leaseHolder, withLease } from '../../base/durable/index.ts';
import { isAbort, SylkError } from '../../base/errors.ts';
import type { Sqlite } from '../../base/sqlite/index.ts';
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

/** Updates sources, one process at a time; a failed one does not stop the next. */
export async function runSources(
  sqlite: () => Sqlite,
  sources: IndexSource[],
  request: RunRequest,
  { tell, failures }: { tell(batch: IndexBatch): void; failures: Failures },
): Promise<RunResult> {
  const result: RunResult = { items: [], problems: [] };
  const isDone = await withLease(
    sqlite,
    workLease,
    { signal: request.signal, waitMs: request.waitMs ?? 60_000 },
    async (signal) => {
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
      return true;
    },
  );
  if (isDone) return result;
  const holder = leaseHolder(sqlite(), workLease);
  throw new SylkError('BLOCKED', `Another process is indexing${holder ? ` (pid ${holder.pid})` : ''}.`, {
    hint: 'Wait for it, or ask again: answers come from the existing index.',
  });
}
