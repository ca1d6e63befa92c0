import { AsyncLocalStorage } from 'node:async_hooks';
import { reportOf } from './errors.ts';

const calls = new AsyncLocalStorage<Set<string>>();

/**
 * A store tells what it could not read where it hands out the rest; the call that is going on says so in its answer,
 * whoever is between. Outside of a call nobody listens.
 */
export function tellUnread(failure: unknown): void {
  if (failure === undefined) return;
  const { message, hint } = reportOf(failure);
  calls.getStore()?.add(hint ? `${message} ${hint}` : message);
}

/** Runs a call; `unread` fills with what it met that could not be read. A call inside of a call shares the outer one's. */
export function collectUnread<T>(work: (unread: ReadonlySet<string>) => Promise<T>): Promise<T> {
  const unread = calls.getStore() ?? new Set<string>();
  return calls.run(unread, () => work(unread));
}
