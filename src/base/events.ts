import { randomBytes } from 'node:crypto';
import { redactValue } from './redact.ts';

/** Something that happened while a server runs. The log is bounded: a slow or absent reader costs nothing. */
export interface ProductEvent {
  id: number;
  type: string;
  at: number;
  data: unknown;
}

export interface EventLog {
  publish(type: string, data: unknown): void;
  /** Events after `id` that are still in the log; `gap` says that older ones were dropped. */
  since(id: number): { events: ProductEvent[]; gap: boolean };
  subscribe(listener: (event: ProductEvent) => void): () => void;
  lastId(): number;
  /** Ids are comparable only within one log; a restart starts a new one. */
  readonly logId: string;
}

export function createEventLog(now: () => number, keep = 2000): EventLog {
  const kept: ProductEvent[] = [];
  const listeners = new Set<(event: ProductEvent) => void>();
  let last = 0;
  return {
    publish: (type, data) => {
      const event = { id: ++last, type, at: now(), data: redactValue(data) };
      kept.push(event);
      if (kept.length > keep) kept.shift();
      for (const listener of listeners) listener(event);
    },
    since: (id) => {
      if (id > last) return { events: [...kept], gap: true };
      const oldest = kept[0]?.id ?? last + 1;
      return { events: kept.filter((event) => event.id > id), gap: id + 1 < oldest && id < last };
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    lastId: () => last,
    logId: randomBytes(8).toString('hex'),
  };
}
