import type { App } from '../app.ts';
import { newId } from '../base/ids.ts';
import type { CallEvent, Caller, Progress } from './operation.ts';

export type CallState = 'running' | 'done' | 'failed' | 'cancelled';

/** One call of an operation in this process. */
export interface Call {
  id: string;
  operation: string;
  caller: Caller;
  startedAt: number;
  state: CallState;
  signal: AbortSignal;
  cancel(): void;
  emit(event: CallEvent): void;
  end(state: CallState): void;
  /** Calls back with every event from the first one still buffered, and resolves when the call ends. */
  watch(onEvent: (event: CallEvent) => void, signal: AbortSignal): Promise<CallState>;
}

const heldEvents = 500;
const heldCalls = 100;

const callsByApp = new WeakMap<App, Map<string, Call>>();

/** The calls of this process for one repository: those in progress, and the latest ones that reported events. */
export function callsOf(app: App): Map<string, Call> {
  const calls = callsByApp.get(app) ?? new Map<string, Call>();
  callsByApp.set(app, calls);
  return calls;
}

export function startCall(app: App, operation: string, caller: Caller, outer?: AbortSignal): Call {
  const calls = callsOf(app);
  const controller = new AbortController();
  const signal = outer ? AbortSignal.any([outer, controller.signal]) : controller.signal;
  const events: CallEvent[] = [];
  const watchers = new Set<(event: CallEvent | undefined) => void>();
  const call: Call = {
    id: newId('call'),
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
      call.state = state;
      if (events.length === 0 && watchers.size === 0) calls.delete(call.id);
      for (const watcher of watchers) watcher(undefined);
    },
    watch: async (onEvent, watching) => {
      for (const event of events) onEvent(event);
      if (call.state !== 'running') return call.state;
      await new Promise<void>((resolve) => {
        const watcher = (event: CallEvent | undefined) => (event ? onEvent(event) : resolve());
        watchers.add(watcher);
        watching.addEventListener(
          'abort',
          () => {
            watchers.delete(watcher);
            resolve();
          },
          { once: true },
        );
      });
      return call.state;
    },
  };
  calls.set(call.id, call);
  const oldest = [...calls.values()].find(({ state }) => state !== 'running');
  if (calls.size > heldCalls && oldest) calls.delete(oldest.id);
  return call;
}

/** Turns work that reports through a callback into a call that yields events. */
export async function* reporting<Output>(
  work: (report: (event: Progress) => void) => Promise<Output>,
): AsyncGenerator<CallEvent, Output> {
  const waiting: CallEvent[] = [];
  let wake = () => {};
  let ended = false;
  const done = work((event) => {
    waiting.push({ type: 'progress', ...event });
    wake();
  }).finally(() => {
    ended = true;
    wake();
  });
  done.catch(() => {}); // Awaited below; must not count as an unhandled rejection until then.
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
