import { randomUUID } from 'node:crypto';
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import { namingFullDisk, retryBusy, type Sqlite, type Statement } from '../sqlite/index.ts';
import { type Connections, changesRows, refuseStream, toValue } from './driver.ts';

/** The last user of each file in this process. Two connections that waited for each other's lock would stop the process. */
const lastUsers = new Map<string, Promise<void>>();

/**
 * One connection, handed to one user at a time, so that statements of two callers never mix inside one transaction.
 * Transactions take the write lock at once and wait for other processes.
 */
export function sqliteConnections(sqlite: Sqlite): Connections {
  const connection = createConnection(sqlite);
  const place = sqlite.path === ':memory:' ? randomUUID() : sqlite.path;
  let release: () => void = () => {};
  return {
    acquire: async () => {
      const before = lastUsers.get(place);
      let open = () => {};
      lastUsers.set(
        place,
        new Promise((resolve) => {
          open = resolve;
        }),
      );
      await before;
      release = open;
      return connection;
    },
    release: () => release(),
    begin: async () => namingFullDisk(sqlite.path, sqlite.begin),
    commit: async () => namingFullDisk(sqlite.path, sqlite.commit),
    rollback: async () => {
      if (sqlite.db.isOpen && sqlite.db.isTransaction) sqlite.exec('ROLLBACK');
    },
    close: async () => sqlite.close(),
  };
}

function createConnection(sqlite: Sqlite): DatabaseConnection {
  const answering = new WeakMap<object, boolean>();
  /** Asked once: describing the columns takes longer than a short statement itself. */
  const answersRows = <T>(statement: Statement<T>): boolean => {
    const known = answering.get(statement) ?? statement.columns().length > 0;
    answering.set(statement, known);
    return known;
  };
  const execute = <R>(query: CompiledQuery): QueryResult<R> => {
    const statement = sqlite.prepare<R>(query.sql);
    const values = query.parameters.map(toValue);
    if (answersRows(statement)) {
      const rows = retryBusy(() => statement.all(...values));
      return { rows, numAffectedRows: BigInt(rows.length) };
    }
    const { changes } = retryBusy(() => statement.run(...values));
    return { rows: [], numAffectedRows: BigInt(changes) };
  };
  return {
    executeQuery: async <R>(query: CompiledQuery): Promise<QueryResult<R>> =>
      // A statement that stands alone is a transaction too, and is acknowledged like one.
      changesRows(query.sql) ? sqlite.write(() => execute<R>(query)) : execute<R>(query),
    streamQuery: refuseStream,
  };
}
