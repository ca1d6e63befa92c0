import type { SQLInputValue, StatementSync } from 'node:sqlite';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Sqlite } from '../sqlite/index.ts';
import { namingFullDisk, retryBusy } from '../sqlite/index.ts';
import type { OpenTransaction } from './transactions.ts';

/**
 * Kysely over node:sqlite. One connection, handed to one user at a time, so that statements of two callers never
 * mix inside one transaction. Transactions take the write lock at once and wait for other processes.
 */
export function nodeSqliteDialect(
  sqlite: Sqlite,
  joining: () => OpenTransaction | undefined = () => undefined,
): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => createDriver(sqlite, joining),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

function createDriver(sqlite: Sqlite, joining: () => OpenTransaction | undefined): Driver {
  const connection = createConnection(sqlite);
  /** Inside an open transaction of the same call chain: waiting for the connection would wait for oneself. */
  const joined = new WeakMap<DatabaseConnection, OpenTransaction>();
  let tail: Promise<void> = Promise.resolve();
  let release: () => void = () => {};
  return {
    init: async () => {},
    acquireConnection: async () => {
      const open = joining();
      if (open) {
        const inside = { ...connection };
        joined.set(inside, open);
        return inside;
      }
      return await own();
    },
    releaseConnection: async (given) => {
      if (!joined.has(given)) release();
    },
    beginTransaction: async (given) => {
      if (!joined.has(given)) namingFullDisk(sqlite.path, sqlite.begin);
    },
    commitTransaction: async (given) => {
      if (!joined.has(given)) namingFullDisk(sqlite.path, sqlite.commit);
    },
    rollbackTransaction: async (given) => {
      const open = joined.get(given);
      if (open) open.doomed = true;
      else if (sqlite.db.isOpen && sqlite.db.isTransaction) sqlite.exec('ROLLBACK');
    },
    destroy: async () => sqlite.close(),
  };

  async function own(): Promise<DatabaseConnection> {
    const before = tail;
    let open = () => {};
    tail = new Promise((resolve) => {
      open = resolve;
    });
    await before;
    release = open;
    return connection;
  }
}

const changesRows = /^\s*(insert|update|delete|replace)\b/i;

function createConnection(sqlite: Sqlite): DatabaseConnection {
  const answering = new WeakMap<StatementSync, boolean>();
  /** Asked once: describing the columns takes longer than a short statement itself. */
  const answersRows = (statement: StatementSync): boolean => {
    const known = answering.get(statement) ?? statement.columns().length > 0;
    answering.set(statement, known);
    return known;
  };
  const execute = <R>(query: CompiledQuery): QueryResult<R> => {
    const statement = sqlite.prepare(query.sql);
    const values = query.parameters.map(toSqlite);
    if (answersRows(statement)) {
      const rows = retryBusy(() => statement.all(...values)) as R[];
      return { rows, numAffectedRows: BigInt(rows.length) };
    }
    const { changes, lastInsertRowid } = retryBusy(() => statement.run(...values));
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  };
  return {
    executeQuery: async <R>(query: CompiledQuery): Promise<QueryResult<R>> =>
      // A statement that stands alone is a transaction too, and is acknowledged like one.
      changesRows.test(query.sql) ? sqlite.write(() => execute<R>(query)) : execute<R>(query),
    streamQuery: async function* <R>(query: CompiledQuery): AsyncGenerator<QueryResult<R>> {
      for (const row of sqlite.prepare(query.sql).iterate(...query.parameters.map(toSqlite)))
        yield { rows: [row as R] };
    },
  };
}

function toSqlite(value: unknown): SQLInputValue {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value === undefined) return null;
  if (value instanceof Date) return value.toISOString();
  if (value !== null && typeof value === 'object' && !(value instanceof Uint8Array))
    return JSON.stringify(value);
  return value as SQLInputValue;
}
