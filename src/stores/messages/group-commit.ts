import type { Library } from '../../base/library/index.ts';

interface Job {
  work: () => Promise<unknown>;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

/**
 * Many small writes, one commit: what arrives while a transaction is on its way goes into the next one together.
 * Everybody is answered after the commit. A write that fails is tried alone, so that it spoils nobody else's.
 */
export function createGroupCommit(library: Library, most = 500) {
  const waiting: Job[] = [];
  let running = false;
  let commits = 0;
  let writes = 0;

  const together = async (jobs: Job[]): Promise<void> => {
    try {
      const answers = await library.write(async () => {
        const given: unknown[] = [];
        for (const job of jobs) given.push(await job.work());
        return given;
      });
      commits++;
      writes += jobs.length;
      jobs.forEach((job, at) => {
        job.resolve(answers[at]);
      });
    } catch (error) {
      if (jobs.length === 1) jobs[0]!.reject(error);
      else for (const job of jobs) await together([job]);
    }
  };

  const flush = async (): Promise<void> => {
    if (running) return;
    running = true;
    // What the same turn still sends joins the first transaction.
    await Promise.resolve();
    while (waiting.length > 0) await together(waiting.splice(0, most));
    running = false;
  };

  return {
    run: <T>(work: () => Promise<T>): Promise<T> => {
      // What is sent inside a transaction belongs to it: it is there if and only if the rest of it is.
      if (library.inWrite()) return work();
      return new Promise<T>((resolve, reject) => {
        waiting.push({ work, resolve: resolve as (value: unknown) => void, reject });
        void flush();
      });
    },
    counts: () => ({ commits, writes }),
  };
}

type GroupCommit = ReturnType<typeof createGroupCommit>;
