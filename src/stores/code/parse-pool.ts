import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { ParsedFile } from './parse-file.ts';
import { skipped } from './read-problem.ts';

export interface ParseJob {
  path: string;
  /** The working tree of the path. */
  root: string;
  modified: number;
  size: number;
  /** Set when there is no file on disk (a bare repository). */
  bytes?: Uint8Array;
}

export interface ParseReply {
  batch: number;
  files: ParsedFile[];
}

export interface ParsePoolOptions {
  workers?: number;
  /** Time limit for one file. */
  timeoutMs?: number;
  /** A worker is replaced after this many bytes: grammars keep the memory of the largest file. */
  recycleBytes?: number;
  /** The worker script; tests pass one that fails. */
  program?: URL;
}

const batchFiles = 24;
const batchBytes = 400_000;
const startLimitMs = 60_000;

interface Running {
  worker: Worker;
  batch?: ParseJob[];
  number: number;
  bytes: number;
  timer?: NodeJS.Timeout;
  ready: boolean;
}

/** Parsers that run in this process, for any repository. */
let alive = 0;

/**
 * Parses on every core; beside another repository on those that are left, and on one at least. In-flight batches are bounded by the number of workers, and results are passed on as they
 * arrive, so that memory does not grow with the repository. A worker that crashes or hangs is replaced; the files of
 * its batch are retried one by one, and only the failing one is skipped.
 */
export async function parseAll(
  jobs: Iterable<ParseJob>,
  deliver: (files: ParsedFile[]) => void,
  options: ParsePoolOptions & { signal?: AbortSignal } = {},
): Promise<void> {
  const timeoutMs = options.timeoutMs ?? 10_000;
  const recycleBytes = options.recycleBytes ?? 48_000_000;
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const program = options.program ?? new URL(`./parse-worker.${extension}`, import.meta.url);
  const source = batches(jobs);
  const retries: ParseJob[][] = [];
  const running = new Set<Running>();
  let exhausted = false;

  const take = (): ParseJob[] | undefined => {
    const retry = retries.shift();
    if (retry) return retry;
    if (exhausted) return undefined;
    const next = source.next();
    if (!next.done) return next.value;
    exhausted = true;
    return undefined;
  };

  await new Promise<void>((resolve, reject) => {
    let settled = false;
    const finish = (error?: unknown) => {
      if (settled) return;
      settled = true;
      for (const one of running) stop(one);
      options.signal?.removeEventListener('abort', onAbort);
      if (error === undefined) resolve();
      else reject(error);
    };
    const onAbort = () => finish(options.signal?.reason);
    options.signal?.addEventListener('abort', onAbort, { once: true });
    if (options.signal?.aborted) return finish(options.signal.reason);

    /** Gives a worker its next batch, or ends it. */
    const feed = (one: Running) => {
      const batch = take();
      if (!batch) {
        stop(one);
        running.delete(one);
        return;
      }
      one.batch = batch;
      one.number++;
      one.bytes += batch.reduce((sum, job) => sum + job.size, 0);
      arm(one);
      one.worker.postMessage({ batch: one.number, jobs: batch, timeoutMs });
    };
    const finishWhenDone = () => {
      if (running.size === 0) finish();
    };

    /** The time limit starts when the worker is ready: on a busy machine, starting takes longer than most files. */
    const arm = (one: Running) => {
      clearTimeout(one.timer);
      const limit = one.ready ? timeoutMs * 2 + (one.batch?.length ?? 0) * 500 : startLimitMs;
      one.timer = setTimeout(() => lost(one), limit);
    };

    /** The worker died or hangs: its files are retried one at a time. */
    const lost = (one: Running) => {
      if (settled || !running.delete(one)) return;
      stop(one);
      const [first, ...more] = one.batch ?? [];
      try {
        if (first && more.length === 0) deliver([skipped(first, 'parser failed')]);
        else for (const job of one.batch ?? []) retries.push([job]);
      } catch (error) {
        return finish(error);
      }
      start();
      finishWhenDone();
    };

    const start = () => {
      const one: Running = { worker: new Worker(program, workerOptions), number: 0, bytes: 0, ready: false };
      alive++;
      running.add(one);
      one.worker.on('message', (reply: ParseReply | 'ready') => {
        if (reply === 'ready') {
          one.ready = true;
          if (one.batch) arm(one);
          return;
        }
        if (settled || reply.batch !== one.number) return;
        clearTimeout(one.timer);
        one.batch = undefined;
        // The worker continues while its results are written.
        if (one.bytes < recycleBytes) feed(one);
        else {
          running.delete(one);
          stop(one);
          start();
        }
        try {
          deliver(reply.files);
        } catch (error) {
          return finish(error);
        }
        finishWhenDone();
      });
      one.worker.on('error', () => lost(one));
      one.worker.on('exit', () => lost(one));
      feed(one);
    };
    const count = Math.max(1, Math.min(options.workers ?? availableParallelism() - alive, 16));
    for (let index = 0; index < count && !exhausted; index++) start();
    finishWhenDone();
  });
}

const workerOptions = {
  resourceLimits: { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 24 },
  stdout: false,
  stderr: false,
};

function stop(one: Running): void {
  alive--;
  clearTimeout(one.timer);
  one.worker.removeAllListeners();
  one.worker.on('error', () => {});
  void one.worker.terminate();
}

function* batches(jobs: Iterable<ParseJob>): Generator<ParseJob[]> {
  let batch: ParseJob[] = [];
  let bytes = 0;
  for (const job of jobs) {
    batch.push(job);
    bytes += job.size;
    if (batch.length >= batchFiles || bytes >= batchBytes) {
      yield batch;
      batch = [];
      bytes = 0;
    }
  }
  if (batch.length > 0) yield batch;
}
