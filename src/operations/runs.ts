import type { App } from '../app.ts';
import { newId } from '../base/ids.ts';
import type { Caller, Progress, RunEvent } from './operation.ts';

export type RunState = 'running' | 'done' | 'failed' | 'cancelled';

/** One call of an operation in this process. */
export interface Run {
  id: string;
  operation: string;
  caller: Caller;
  startedAt: number;
  state: RunState;
  signal: AbortSignal;
  cancel(): void;
  emit(event: RunEvent): void;
  end(state: RunState): void;
  /** Calls back with every event from the first one that is still held, and resolves when the run ends. */
  watch(onEvent: (event: RunEvent) => void, signal: AbortSignal): Promise<RunState>;
}

const heldEvents = 500;
const heldRuns = 100;

const runsByApp = new WeakMap<App, Map<string, Run>>();

/** The runs of this process for one repository: those under way, and the last that reported something. */
export function runsOf(app: App): Map<string, Run> {
  const runs = runsByApp.get(app) ?? new Map<string, Run>();
  runsByApp.set(app, runs);
  return runs;
}

export function startRun(app: App, operation: string, caller: Caller, outer?: AbortSignal): Run {
  const runs = runsOf(app);
  const controller = new AbortController();
  const signal = outer ? AbortSignal.any([outer, controller.signal]) : controller.signal;
  const events: RunEvent[] = [];
  const watchers = new Set<(event: RunEvent | undefined) => void>();
  const run: Run = {
    id: newId('run'),
    operation,
    caller,
    startedAt: app.clock.now(),
    state: 'running',
    signal,
    cancel: () => controller.abort(),
    emit: (event) => {
      events.push(event);
      if (events.length > heldEvents) events.shift();
      for (const watcher of watchers) watcher(event);
    },
    end: (state) => {
      run.state = state;
      if (events.length === 0 && watchers.size === 0) runs.delete(run.id);
      for (const watcher of watchers) watcher(undefined);
    },
    watch: async (onEvent, watching) => {
      for (const event of events) onEvent(event);
      if (run.state !== 'running') return run.state;
      await new Promise<void>((resolve) => {
        const watcher = (event: RunEvent | undefined) => (event ? onEvent(event) : resolve());
        watchers.add(watcher);
        watching.addEventListener('abort', () => resolve(), { once: true });
      });
      return run.state;
    },
  };
  runs.set(run.id, run);
  const oldest = [...runs.values()].find(({ state }) => state !== 'running');
  if (runs.size > heldRuns && oldest) runs.delete(oldest.id);
  return run;
}

/** Work that reports through a callback, as a run that yields events. */
export async function* reporting<Output>(
  work: (report: (event: Progress) => void) => Promise<Output>,
): AsyncGenerator<RunEvent, Output> {
  const waiting: RunEvent[] = [];
  let wake = () => {};
  let ended = false;
  const done = work((event) => {
    waiting.push({ type: 'progress', ...event });
    wake();
  }).finally(() => {
    ended = true;
    wake();
  });
  done.catch(() => {}); // Awaited below; a failure must not count as unhandled until then.
  for (;;) {
    const event = waiting.shift();
    if (event) yield event;
    else if (ended) return await done;
    else
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  }
}
