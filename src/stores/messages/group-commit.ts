import type { Library } from '../../base/library/index.ts';

interface Job {
  work: () => Promise<unknown>;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

/**
 * Many small writes, one commit: what arrives during a transaction goes into the next one. Everyone is answered
 * after the commit. A failed write is retried alone, so that it fails no one else's.
 */
export function createGroupCommit(library: Library, most = 500) {
  const waiting: Job[] = [];
  let isRunning = false;

  const commit = async (jobs: Job[]): Promise<void> => {
    try {
      const results = await library.write(async () => {
        const each: unknown[] = [];
        for (const { work } of jobs) each.push(await work());
        return each;
      });
      jobs.forEach(({ resolve }, at) => {
        resolve(results[at]);
      });
    } catch (error) {
      if (jobs.length === 1) for (const { reject } of jobs) reject(error);
      else for (const job of jobs) await commit([job]);
    }
  };

  const flush = async (): Promise<void> => {
    isRunning = true;
    // Writes of the same turn join the first transaction.
    await Promise.resolve();
    while (waiting.length > 0) await commit(waiting.splice(0, most));
    isRunning = false;
  };

  return <T>(work: () => Promise<T>): Promise<T> => {
    // A message sent inside a transaction exists if and only if the rest of it does.
    if (library.inWrite()) return work();
    return new Promise<T>((resolve, reject) => {
      waiting.push({ work, resolve: resolve as Job['resolve'], reject });
      if (!isRunning) void flush();
    });
  };
}
