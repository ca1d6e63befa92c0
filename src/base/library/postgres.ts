import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import { plainReason, SylkError } from '../errors.ts';
import { followInPostgres, takeWriteLock } from './changes.ts';
import { type Connections, changesRows, refuseStream, toValue } from './driver.ts';
import { type LibraryMigrations, refuseNewer, stepsFor } from './migrations.ts';

/** A connection that waits for the server as seldom as it can: what needs no reply is sent together with what comes next. */
interface Connection extends DatabaseConnection {
  client: PoolClient;
  begin(): void;
  commit(): Promise<void>;
  rollback(): Promise<void>;
  post(statement: CompiledQuery): void;
}

/** Statements of stores may call these as SQLite's own. */
export const functions = `
  CREATE OR REPLACE FUNCTION json_each(list TEXT) RETURNS TABLE (value TEXT) LANGUAGE sql IMMUTABLE
    AS 'SELECT jsonb_array_elements_text(list::jsonb)';
  CREATE OR REPLACE FUNCTION instr(whole TEXT, part TEXT) RETURNS INTEGER LANGUAGE sql IMMUTABLE
    AS 'SELECT strpos(whole, part)';
  CREATE OR REPLACE FUNCTION unixepoch(kind TEXT) RETURNS DOUBLE PRECISION LANGUAGE sql
    AS 'SELECT extract(epoch FROM clock_timestamp())::double precision';`;

/** A library in a schema of a PostgreSQL database: the first one of the address's search path. */
export function openPostgres(url: string, base: LibraryMigrations) {
  const wanted: LibraryMigrations[] = [base];
  const done = new Set<LibraryMigrations>();
  let opened: Promise<Pool> | undefined;
  const acquire = async (): Promise<Connection> => {
    opened ??= createPool(url);
    const client = await reach(url, await opened);
    const connection = createConnection(client);
    try {
      for (const migrations of wanted) {
        if (done.has(migrations)) continue;
        await inTransaction(connection, () => migrate(url, client, migrations));
        done.add(migrations);
      }
    } catch (error) {
      client.release();
      throw error;
    }
    return connection;
  };
  const connections: Connections<Connection> = {
    acquire,
    // For a store that is opened within a write. Nothing is done for good before that write is.
    joined: async ({ client }) => {
      for (const migrations of wanted) if (!done.has(migrations)) await migrate(url, client, migrations);
    },
    release: ({ client }) => client.release(),
    begin: async (connection) => connection.begin(),
    commit: (connection) => connection.commit(),
    rollback: (connection) => connection.rollback(),
    post: (connection, statement) => connection.post(statement),
    close: async () => {
      const pool = await opened;
      opened = undefined;
      await pool?.end();
    },
  };
  return { connections, migrate: (migrations: LibraryMigrations) => void wanted.push(migrations) };
}

async function createPool(url: string): Promise<Pool> {
  const { default: pg } = await import('pg');
  /** Values as SQLite answers them: every number is a number, yes and no are 1 and 0. */
  const getTypeParser = (type: number, format?: 'text' | 'binary') => {
    if (type === 20 || type === 1700) return Number;
    if (type === 16) return (value: string) => (value === 't' ? 1 : 0);
    return pg.types.getTypeParser(type, format as 'text');
  };
  const pool = new pg.Pool({
    connectionString: url,
    types: { getTypeParser },
    max: 8,
    pipeline: true,
    allowExitOnIdle: true,
  });
  // An idle connection that breaks is replaced by the next query, which says what is wrong where that fails too.
  pool.on('error', () => {});
  return pool;
}

async function reach(url: string, pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw new SylkError('UNAVAILABLE', `${placeOf(url)} can't be reached: ${plainReason(error)}`, {
      hint: 'Check that PostgreSQL is running there, and that the URL, the user and the password are right.',
    });
  }
}

/** Without the password. */
function placeOf(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `The library at ${protocol}//${host}${pathname}`;
}

function createConnection(client: PoolClient): Connection {
  let isOpen = false;
  /** Sent, and not waited for. */
  let begun: Promise<unknown> | undefined;
  let posted: CompiledQuery[] = [];

  const query = ({ sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>) => {
    const { stream } = client.connection;
    // What is asked in one turn goes out as one packet.
    stream.cork();
    process.nextTick(() => stream.uncork());
    return client.query(sql, parameters.map(toValue));
  };
  /** Sends what was left for later and then the statement, and waits for all of it. */
  const send = async (statement: Pick<CompiledQuery, 'sql' | 'parameters'>) => {
    const earlier = [begun, posted.length > 0 ? query(joined(posted)) : undefined];
    begun = undefined;
    posted = [];
    const [result] = await Promise.all([query(statement), ...earlier]);
    return result;
  };
  const connection: Connection = {
    client,
    begin: () => {
      isOpen = true;
      begun = query({ sql: begin, parameters: [] });
      // Whoever waits for the next statement hears of it.
      begun.catch(() => {});
    },
    commit: async () => {
      await send({ sql: 'COMMIT', parameters: [] });
      isOpen = false;
    },
    rollback: async () => {
      posted = [];
      isOpen = false;
      // A connection that broke has undone everything by itself, and what broke it is told already.
      await send({ sql: 'ROLLBACK', parameters: [] }).catch(() => {});
    },
    post: (statement) => void posted.push(statement),
    executeQuery: async <R>(statement: CompiledQuery): Promise<QueryResult<R>> => {
      const { rows, rowCount } =
        // What stands alone is a transaction too, and waits for its turn like one.
        changesRows(statement.sql) && !isOpen
          ? await inTransaction(connection, () => send(statement))
          : await send(statement);
      return { rows, numAffectedRows: BigInt(rowCount ?? 0) };
    },
    streamQuery: refuseStream,
  };
  return connection;
}

/** Several statements that change different rows, as one: PostgreSQL carries out every part of it. */
function joined(statements: CompiledQuery[]): Pick<CompiledQuery, 'sql' | 'parameters'> {
  const parameters: unknown[] = [];
  const texts = statements.map(({ sql, parameters: own }) => {
    const before = parameters.length;
    parameters.push(...own);
    return sql.replace(/\$(\d+)/g, (_, place) => `$${Number(place) + before}`);
  });
  const last = texts.pop() ?? '';
  const parts = texts.map((text, at) => `part${at} AS (${text})`);
  return { sql: parts.length > 0 ? `WITH ${parts.join(', ')} ${last}` : last, parameters };
}

const begin = `BEGIN; SELECT ${takeWriteLock}`;

async function inTransaction<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
  connection.begin();
  try {
    const result = await work();
    await connection.commit();
    return result;
  } catch (error) {
    await connection.rollback();
    throw error;
  }
}

/** Brings one store up to date, forward only, within a transaction that has the write lock. */
async function migrate(
  url: string,
  client: PoolClient,
  { store, steps, followed = [] }: LibraryMigrations,
): Promise<void> {
  const wanted = stepsFor('postgres', steps);
  await client.query(
    'CREATE TABLE IF NOT EXISTS _schema (store TEXT PRIMARY KEY, version BIGINT NOT NULL, applied_at TEXT NOT NULL)',
  );
  const { rows } = await client.query('SELECT version FROM _schema WHERE store = $1', [store]);
  const version = Number(rows[0]?.version ?? 0);
  refuseNewer(placeOf(url), store, version, wanted.length);
  if (version < wanted.length) {
    await client.query(wanted.slice(version).join(';\n'));
    await client.query(
      `INSERT INTO _schema (store, version, applied_at) VALUES ($1, $2, $3)
       ON CONFLICT (store) DO UPDATE SET version = excluded.version, applied_at = excluded.applied_at`,
      [store, wanted.length, new Date().toISOString()],
    );
  }
  if (followed.length > 0)
    await followInPostgres((text, values) => client.query(text, values), store, followed);
}
