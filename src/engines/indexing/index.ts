// Owns: when stores are updated: on request, on every save, on every branch switch; one process at a time.
// Knows: history and code as sources; others are passed in.
// Must not know: what a store derives, or how.
import { acquireLease, type Lease, withLease } from '../../base/durable/index.ts';
import type { Log } from '../../base/log.ts';
import type { Sqlite } from '../../base/sqlite/index.ts';
import { inBackground } from '../../base/turns.ts';
import type { CompileReport } from '../../stores/code/index.ts';
import { createFailures, type SourceFailure } from './failures.ts';
import { type RunRequest, type RunResult, runSources } from './run.ts';
import type { IndexBatch, IndexSource } from './source.ts';
import { startWatching, type Watching, type WatchOptions } from './watch.ts';

export type { SourceFailure } from './failures.ts';
export type { RunRequest, RunResult } from './run.ts';
export type { IndexBatch, IndexSource } from './source.ts';
export { codeSource, historySource } from './sources.ts';

export interface Indexing {
  /** Updates every source, or one of them, now. */
  run(request?: RunRequest): Promise<RunResult>;
  /** Lets the compiler check the links of code; undefined where another process does that. */
  checkLinks(request?: Pick<RunRequest, 'signal' | 'progress'>): Promise<CompileReport | undefined>;
  /** Watches until stopped. Of several processes one does the work; when it ends another takes over. */
  background(): Promise<void>;
  /** The freshness of each source. */
  freshness(): Promise<Array<{ source: string; state: string; detail: string }>>;
  /** Sources that could not be read at the last attempt, in any process. */
  failures(): SourceFailure[];
  /** Whether this process is the one that watches, and how. */
  watching(): 'elsewhere' | 'watching' | 'polling' | 'off';
  /** Called after every batch that changed something. */
  listen(listener: (batch: IndexBatch) => void): () => void;
  stop(): Promise<void>;
}

export interface IndexingOptions {
  sqlite: () => Sqlite;
  sources: () => Promise<IndexSource[]>;
  /** Replaces links of code by those of a compiler, after everything else. */
  checkLinks?: (request: Pick<RunRequest, 'signal' | 'progress'>) => Promise<CompileReport>;
  root: string;
  gitDirectory: string;
  directories: () => Promise<string[]>;
  log: Log;
  watch?: Pick<WatchOptions, 'debounceMs' | 'pollMs' | 'watchDirectory'>;
  /** How often to check whether another process still watches. */
  takeOverMs?: number;
}

const backgroundLease = 'background';
const linksLease = 'links';

export function createIndexing(options: IndexingOptions): Indexing {
  const listeners = new Set<(batch: IndexBatch) => void>();
  let watching: Watching | undefined;
  let lease: Lease | undefined;
  let keeper: NodeJS.Timeout | undefined;
  let state: 'elsewhere' | 'off' | 'on' = 'off';

  const failures = createFailures(options.sqlite, options.root);
  const tell = (batch: IndexBatch) => {
    for (const listener of listeners) listener(batch);
  };
  /** Work in progress: the databases close after the engine stops, so it ends first. */
  const underWay = new Set<Promise<unknown>>();
  let ending = new AbortController();
  const track = <T>(work: Promise<T>): Promise<T> => {
    const forget = () => underWay.delete(work);
    underWay.add(work);
    work.then(forget, forget);
    return work;
  };
  const update = async (request: RunRequest) => {
    const signals = request.signal ? [request.signal, ending.signal] : [ending.signal];
    const signal = AbortSignal.any(signals);
    return runSources(options.sqlite, await options.sources(), { ...request, signal }, { tell, failures });
  };
  const run = (request: RunRequest = {}) => track(update(request));
  /** What nobody waits for takes turns with the other repositories of this process. */
  const runSoon = (request?: RunRequest) =>
    track(inBackground(() => run(request), { signal: ending.signal, isFirst: true }));

  const checkLinks: Indexing['checkLinks'] = async (request = {}) => {
    const signals = request.signal ? [request.signal, ending.signal] : [ending.signal];
    const ended = AbortSignal.any(signals);
    const work = () =>
      withLease(options.sqlite, linksLease, { signal: ended, waitMs: 0 }, async (signal) =>
        options.checkLinks?.({ ...request, signal }),
      );
    return (await track(inBackground(work, { signal: ended }))) || undefined;
  };
  /** Nobody waits for it. What changes meanwhile is checked right after. */
  let checking: Promise<unknown> | undefined;
  let checkAgain = false;
  const checkLinksSoon = () => {
    checkAgain = checking !== undefined;
    if (checking) return;
    const { signal } = ending;
    checking = checkLinks()
      .then((report) => {
        if (report?.problem) options.log.warn(`links: ${report.problem}`);
      })
      .catch((error) => {
        if (!signal.aborted) options.log.warn(`links: ${error}`);
      })
      .finally(() => {
        checking = undefined;
        if (checkAgain && !signal.aborted) checkLinksSoon();
      });
  };

  const begin = async () => {
    const result = await runSoon();
    for (const problem of result.problems) options.log.warn(`indexing ${problem.source}: ${problem.message}`);
    watching = await startWatching({
      root: options.root,
      gitDirectory: options.gitDirectory,
      directories: options.directories,
      warn: (line) => options.log.warn(line),
      changed: async (paths, reason) => {
        const done = await runSoon(reason === 'files' && paths ? { paths } : {});
        for (const problem of done.problems)
          options.log.warn(`indexing ${problem.source}: ${problem.message}`);
        checkLinksSoon();
      },
      ...options.watch,
    });
    // Changes between the first scan and the start of watching.
    await runSoon();
    checkLinksSoon();
  };

  const takeLease = async () => {
    if (lease) {
      if (!lease.renew()) {
        lease = undefined;
        state = 'elsewhere';
        await watching?.stop();
        watching = undefined;
      }
      return;
    }
    lease = acquireLease(options.sqlite(), backgroundLease, 30);
    state = lease ? 'on' : 'elsewhere';
    if (lease) await begin();
  };

  return {
    run,
    checkLinks,
    background: async () => {
      if (keeper) return;
      keeper = setInterval(
        () => void track(takeLease()).catch((error) => options.log.warn(`indexing: ${error}`)),
        options.takeOverMs ?? 10_000,
      );
      keeper.unref();
      const { signal } = ending;
      await track(takeLease()).catch((error) => {
        if (!signal.aborted) throw error;
      });
    },
    freshness: async () =>
      Promise.all(
        (await options.sources()).map(async (source) => ({
          source: source.name,
          detail: '',
          ...(await source.freshness()),
        })),
      ),
    failures: () => failures.list(),
    watching: () => (state === 'on' ? (watching?.mode ?? 'watching') : state),
    listen: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop: async () => {
      clearInterval(keeper);
      keeper = undefined;
      ending.abort();
      await Promise.allSettled(underWay);
      ending = new AbortController();
      await watching?.stop();
      watching = undefined;
      lease?.release();
      lease = undefined;
      state = 'off';
    },
  };
}
