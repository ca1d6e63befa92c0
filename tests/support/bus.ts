import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openLibrary } from '../../src/base/library/index.ts';
import {
  type Bus,
  type BusOptions,
  type BusTime,
  createBus,
  type SessionInfo,
} from '../../src/engines/guide/index.ts';
import { type Messages, openMessages } from '../../src/stores/messages/index.ts';
import { temporaryDirectory } from './temporary.ts';

/** Time that stands still until it is moved. */
export function movedTime(
  start = Date.UTC(2026, 0, 1),
): BusTime & { advance(milliseconds: number): Promise<void> } {
  let now = start;
  const due: Array<{ at: number; work: () => void }> = [];
  return {
    now: () => now,
    steady: () => now,
    after: (milliseconds, work) => {
      const entry = { at: now + milliseconds, work };
      due.push(entry);
      return () => {
        const index = due.indexOf(entry);
        if (index >= 0) due.splice(index, 1);
      };
    },
    advance: async (milliseconds) => {
      const end = now + milliseconds;
      await settled();
      for (;;) {
        due.sort((a, b) => a.at - b.at);
        const next = due[0];
        if (!next || next.at > end) break;
        due.shift();
        now = Math.max(now, next.at);
        next.work();
        await settled();
      }
      now = end;
      await settled();
    },
  };
}

/** Everything that can happen without time passing has happened. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 12; turn++) await new Promise((resolve) => setImmediate(resolve));
}

export interface BusWorld {
  path: string;
  time: ReturnType<typeof movedTime>;
  sessions: Map<string, SessionInfo>;
  /** What the library holds. */
  messages: Messages;
  /** A bus as another process would open it, on the same library. */
  open(options?: Partial<BusOptions>): Bus;
  /** Says that a session changed, as the store of sessions does. */
  change(bus: Bus, session: string, state: string): Promise<void>;
}

export function busWorld(): BusWorld {
  const path = join(temporaryDirectory('bus'), 'sylk.db');
  const time = movedTime();
  const sessions = new Map<string, SessionInfo>();
  for (const id of ['ses_a', 'ses_b', 'ses_c'])
    sessions.set(id, { id, name: `work ${id}`, state: 'active', agents: [] });
  const own = openLibrary({ url: path });
  onTestFinished(() => own.close());
  return {
    messages: openMessages({ library: own, clock: time }),
    path,
    time,
    sessions,
    open: (options = {}) => {
      const library = openLibrary({ url: path });
      const bus = createBus({
        messages: openMessages({ library, clock: time }),
        sessions: { find: async (id) => sessions.get(id) },
        time,
        random: () => 0.5,
        ...options,
      });
      onTestFinished(async () => {
        await bus.close();
        await library.close();
      });
      return bus;
    },
    change: async (bus, id, state) => {
      sessions.set(id, { ...sessions.get(id)!, state });
      await bus.sessionChanged(id, state);
    },
  };
}

/** The hops of a bus from now on. */
export function watched(bus: Bus) {
  const hops: Array<Parameters<Parameters<Bus['watch']>[0]>[0]> = [];
  bus.watch((hop) => void hops.push(hop));
  return hops;
}

/** A promise that is kept from outside. */
export function held<T = unknown>() {
  let resolve: (value: T) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
