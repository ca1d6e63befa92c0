import { AsyncLocalStorage } from 'node:async_hooks';
import type { DatabaseConnection, Kysely } from 'kysely';

/** How often a transaction is begun again that its database went away under. */
const mostTries = 5;

/** A transaction on its way. A part of it that failed takes all of it along, even where somebody caught the failure. */
export interface OpenTransaction {
  active: boolean;
  doomed: boolean;
  afterCommit: Array<() => void>;
  kysely: Kysely<never>;
  connection?: DatabaseConnection;
}

export type Transactions = ReturnType<ReturnType<typeof createTransactions>['over']>;

/** The transactions of one library, and what a driver needs to know of them to join. */
export function createTransactions(isUndone: (error: unknown) => boolean = () => false) {
  const storage = new AsyncLocalStorage<OpenTransaction>();
  const joining = () => {
    const open = storage.getStore();
    return open?.active ? open : undefined;
  };
  return {
    joining,
    /** Notes the connection of a transaction that is being started. */
    connected: (connection: DatabaseConnection) => {
      const open = storage.getStore();
      if (open) open.connection ??= connection;
    },
    over: (kysely: Kysely<never>) => ({
      /** The open transaction of this asynchronous call chain, or the plain connection. */
      current: (): Kysely<never> => joining()?.kysely ?? kysely,
      inWrite: () => joining() !== undefined,
      afterCommit: (work: () => void): void => {
        const open = joining();
        if (open) open.afterCommit.push(work);
        else work();
      },
      outside: <T>(work: () => T): T => storage.exit(work),
      /** Runs `work` in one transaction; inside another one it joins it, so that two stores can write as one. */
      write: async <T>(work: () => Promise<T>): Promise<T> => {
        if (joining()) return work();
        let open: OpenTransaction = { active: false, doomed: false, afterCommit: [], kysely };
        const run = () =>
          kysely.transaction().execute(async (transaction) => {
            Object.assign(open, { active: true, kysely: transaction });
            try {
              const result = await work();
              if (open.doomed)
                throw new Error('A part of this transaction failed, so all of it was rolled back.');
              return result;
            } finally {
              // What was started in it and goes on afterwards stands on its own.
              open.active = false;
            }
          });
        for (let tries = 1; ; tries++)
          try {
            const result = await storage.run(open, run);
            for (const follow of open.afterCommit) follow();
            return result;
          } catch (error) {
            if (!isUndone(error) || tries === mostTries) throw error;
            open = { active: false, doomed: false, afterCommit: [], kysely };
          }
      },
    }),
  };
}
