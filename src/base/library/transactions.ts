import { AsyncLocalStorage } from 'node:async_hooks';
import type { Kysely } from 'kysely';

export interface Transactions {
  /** The open transaction of this asynchronous call chain, or the plain connection. */
  current(): Kysely<never>;
  /** Runs `work` in one transaction; inside another one it joins it, so that two stores can write as one. */
  write<T>(work: () => Promise<T>): Promise<T>;
}

export function createTransactions(kysely: Kysely<never>): Transactions {
  const open = new AsyncLocalStorage<Kysely<never>>();
  return {
    current: () => open.getStore() ?? kysely,
    write: (work) =>
      open.getStore() ? work() : kysely.transaction().execute((transaction) => open.run(transaction, work)),
  };
}
