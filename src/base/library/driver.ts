import type { CompiledQuery, DatabaseConnection, Driver } from 'kysely';
import type { createTransactions, OpenTransaction } from './transactions.ts';

/** Connections to one database. A transaction takes the library's write lock, so that writers run one after another. */
export interface Connections<Connection extends DatabaseConnection = DatabaseConnection> {
  acquire(): Promise<Connection>;
  /** Before a statement joins the transaction of the connection. */
  joined?(connection: Connection): Promise<void>;
  release(connection: Connection): void;
  begin(connection: Connection): Promise<void>;
  commit(connection: Connection): Promise<void>;
  rollback(connection: Connection): Promise<void>;
  /** Leaves a statement of an open transaction for the next one, or for the commit, to take along. */
  post?(connection: Connection, statement: CompiledQuery): void;
  close(): Promise<void>;
}

/** A driver whose transactions are joined by everything that is asked within their call chain. */
export function createDriver(
  connections: Connections,
  transactions: Pick<ReturnType<typeof createTransactions>, 'joining' | 'connected'>,
): Driver {
  /** Inside an open transaction of the same call chain: waiting for the connection would wait for oneself. */
  const joined = new WeakMap<DatabaseConnection, OpenTransaction>();
  return {
    init: async () => {},
    acquireConnection: async () => {
      const open = transactions.joining();
      if (open?.connection) {
        await connections.joined?.(open.connection);
        const inside = { ...open.connection };
        joined.set(inside, open);
        return inside;
      }
      const connection = await connections.acquire();
      transactions.connected(connection);
      return connection;
    },
    releaseConnection: async (connection) => {
      if (!joined.has(connection)) connections.release(connection);
    },
    beginTransaction: async (connection) => {
      if (!joined.has(connection)) await connections.begin(connection);
    },
    commitTransaction: async (connection) => {
      if (!joined.has(connection)) await connections.commit(connection);
    },
    rollbackTransaction: async (connection) => {
      const open = joined.get(connection);
      if (open) open.doomed = true;
      else await connections.rollback(connection);
    },
    destroy: connections.close,
  };
}

export const changesRows = (sql: string): boolean => /^\s*(insert|update|delete|replace)\b/i.test(sql);

/** Values as both databases take them. */
export function toValue(value: unknown): string | number | bigint | null | Uint8Array {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value === undefined) return null;
  if (value instanceof Date) return value.toISOString();
  if (value !== null && typeof value === 'object' && !(value instanceof Uint8Array))
    return JSON.stringify(value);
  return value as string | number | bigint | null | Uint8Array;
}

export const refuseStream = (): never => {
  throw new Error('Rows of the library are not streamed: read them in pages.');
};
