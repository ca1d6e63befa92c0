import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import { plainReason, SylkError } from '../errors.ts';
import { followInPostgres, takeWriteLock } from './changes.ts';
import { closeTables, librarySetting } from './closed-tables.ts';
import { type Connections, changesRows, refuseStream, toValue } from './driver.ts';
import { type LibraryMigrations, stepsFor } from './migrations.ts';
import { copySchema } from './schema-copy.ts';

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

/** A library in a schema of a PostgreSQL database: the first one of the address's search path. `tell` hears of copies that were made. */
export function openPostgres(url: string, base: LibraryMigrations, tell: (line: string) => void) {
  const migrate = migrator(url, tell);
  const wanted: LibraryMigrations[] = [base];
  const done = new Set<LibraryMigrations>();
  let opened: Promise<Pool> | undefined;
  const acquire = async (): Promise<Connection> => {
    opened ??= createPool(url);
    const client = await reach(url, await opened);
    const pool = await opened;
    const connection = createConnection(client, () => reach(url, pool));
    try {
      for (const migrations of wanted) {
        if (done.has(migrations)) continue;
        await inTransaction(connection, () => migrate(client, migrations));
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
      for (const migrations of wanted) if (!done.has(migrations)) await migrate(client, migrations);
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
  return {
    connections,
    migrate: (migrations: LibraryMigrations) => void wanted.push(migrations),
    wanted: wanted as readonly LibraryMigrations[],
  };
}

/** `?schema=NAME` is where the library lies; it is made by whoever comes first. */
function readAddress(url: string): { address: string; schema: string | undefined } {
  const parsed = new URL(url);
  const schema = parsed.searchParams.get('schema') ?? undefined;
  if (schema === undefined) return { address: url, schema };
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema))
    throw new SylkError('VALIDATION_ERROR', `${JSON.stringify(schema)} is no name for a schema.`, {
      hint: 'Use small letters, digits and _, such as ?schema=sylk.',
    });
  parsed.searchParams.delete('schema');
  parsed.searchParams.set('options', `-c search_path=${schema} -c ${librarySetting}=${schema}`);
  return { address: parsed.href, schema };
}

/** Where a team with several repositories has what belongs to one of them: in a schema of its own. */
export function repositoryPlaceOf(url: string, repository: string): string {
  const parsed = new URL(url);
  const schema = schemaOf(url) ?? 'public';
  const word = repository.toLowerCase().replace(/[^a-z0-9]/g, '_');
  // Names that differ in other signs only are still two repositories.
  const digest = createHash('sha256').update(repository).digest('hex').slice(0, 6);
  parsed.searchParams.set('schema', `${schema.slice(0, 20)}_${word.slice(0, 30)}_${digest}`);
  return parsed.href;
}

/** Where another library keeps what belongs to this one: in a schema beside it, in the same database. */
export function systemPlaceOf(url: string): { address: string; schema: string } {
  const parsed = new URL(url);
  parsed.searchParams.delete('schema');
  parsed.searchParams.delete('options');
  return { address: parsed.href, schema: [schemaOf(url), 'dbos'].filter(Boolean).join('_') };
}

function schemaOf(url: string): string | undefined {
  const searched = /search_path=(\w+)/.exec(new URL(url).searchParams.get('options') ?? '')?.[1];
  return readAddress(url).schema ?? searched;
}

async function createPool(url: string): Promise<Pool> {
  const { default: pg } = await import('pg');
  const { address, schema } = readAddress(url);
  /** Values as SQLite answers them: every number is a number, yes and no are 1 and 0. */
  const getTypeParser = (type: number, format?: 'text' | 'binary') => {
    if (type === 20 || type === 1700) return Number;
    if (type === 16) return (value: string) => (value === 't' ? 1 : 0);
    return pg.types.getTypeParser(type, format as 'text');
  };
  const pool = new pg.Pool({
    connectionString: address,
    types: { getTypeParser },
    max: 8,
    pipeline: true,
    allowExitOnIdle: true,
  });
  // An idle connection that breaks is replaced by the next query, which says what is wrong where that fails too.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    reached.add(pool);
    // One that breaks while it is in use fails the statement under way, which is told there.
    client.on('error', () => {});
  });
  if (schema !== undefined) {
    const client = await reach(url, pool);
    try {
      const { rowCount } = await client.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema]);
      if (rowCount === 0) await client.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
    } finally {
      client.release();
    }
  }
  return pool;
}

/** How long a server that restarts is waited for. */
const patienceMs = 20_000;

/** The server is gone, is starting, or has ended the connection; or the network has. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof SylkError) return error.code === 'UNAVAILABLE' && isUnreachable(error.cause);
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return (
    /^(?:ECONN\w+|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|57P0[123]|08\w{3}|53300)$/.test(code) ||
    /^(?:Connection terminated|Client has encountered a connection error|timeout expired)/.test(error.message)
  );
}

async function reach(url: string, pool: Pool): Promise<PoolClient> {
  const until = Date.now() + patienceMs;
  let wait = 50;
  for (;;)
    try {
      return await pool.connect();
    } catch (error) {
      // The first connection of a process tells at once that the address is wrong.
      if (!isUnreachable(error) || !reached.has(pool) || Date.now() > until) throw unreachable(url, error);
      await sleep(wait);
      wait = Math.min(wait * 2, 1000);
    }
}

/** Pools that have had a connection. */
const reached = new WeakSet<Pool>();

const unreachable = (url: string, error: unknown): SylkError =>
  new SylkError('UNAVAILABLE', `${placeOf(url)} can't be reached: ${plainReason(error)}`, {
    hint: 'Check that PostgreSQL is running there, and that the URL, the user and the password are right.',
    cause: error,
  });

/** Without the password. */
function placeOf(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `The library at ${protocol}//${host}${pathname}`;
}

/** Whether a commit that was sent came through is unknown where the connection broke before its reply. */
const afterCommit = 'stored';
const unknownCommit = (error: unknown): unknown =>
  isUnreachable(error)
    ? new SylkError('UNAVAILABLE', 'The database went away while it stored this: it may be stored or not.', {
        hint: 'Look whether it is there, then try again.',
        data: { [afterCommit]: 'unknown' },
        cause: error,
      })
    : error;

/** The server went away before anything was stored: it can be done again. */
export const isUndone = (error: unknown): boolean =>
  isUnreachable(error) && !(error instanceof SylkError && error.data?.[afterCommit] === 'unknown');

const mostTries = 5;

function createConnection(first: PoolClient, reconnect: () => Promise<PoolClient>): Connection {
  let client = first;

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
  /** A statement that stands alone outlives a restart of the server. */
  const alone = async <T>(act: () => Promise<T>): Promise<T> => {
    for (let tries = 1; ; tries++)
      try {
        return await act();
      } catch (error) {
        if (!isUndone(error) || tries === mostTries) throw error;
        client.release(true);
        client = await reconnect();
      }
  };
  const connection: Connection = {
    get client() {
      return client;
    },
    begin: () => {
      isOpen = true;
      begun = query({ sql: begin, parameters: [] });
      // Whoever waits for the next statement hears of it.
      begun.catch(() => {});
    },
    commit: async () => {
      await send({ sql: 'COMMIT', parameters: [] }).catch((error) => {
        throw unknownCommit(error);
      });
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
      const isChange = changesRows(statement.sql);
      const { rows, rowCount } = isOpen
        ? await send(statement)
        : // What stands alone and changes rows is a transaction too, and waits for its turn like one.
          await alone(() => (isChange ? inTransaction(connection, () => send(statement)) : send(statement)));
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

/** Brings one store up to date, forward only, within a transaction that has the write lock; what had rows is copied first. */
const migrator =
  (url: string, tell: (line: string) => void) =>
  async (client: PoolClient, { store, steps, followed = [] }: LibraryMigrations): Promise<void> => {
    const wanted = stepsFor('postgres', steps);
    await client.query(
      'CREATE TABLE IF NOT EXISTS _schema (store TEXT PRIMARY KEY, version BIGINT NOT NULL, applied_at TEXT NOT NULL)',
    );
    const { rows } = await client.query('SELECT version FROM _schema WHERE store = $1', [store]);
    const version = Number(rows[0]?.version ?? 0);
    if (version > wanted.length)
      throw new SylkError(
        'UNAVAILABLE',
        `${placeOf(url)} was written by a newer Sylk: ${store} has version ${version}, this Sylk supports version ${wanted.length}.`,
        { hint: 'Upgrade Sylk on this machine. Nothing was changed.' },
      );
    if (version > 0 && version < wanted.length) await backUpFirst(client, tell);
    if (version < wanted.length) {
      await client.query(wanted.slice(version).join(';\n'));
      await client.query(
        `INSERT INTO _schema (store, version, applied_at) VALUES ($1, $2, $3)
       ON CONFLICT (store) DO UPDATE SET version = excluded.version, applied_at = excluded.applied_at`,
        [store, wanted.length, new Date().toISOString()],
      );
    }
    if (version < wanted.length || store === 'library') await closeTables(client);
    if (followed.length > 0)
      await followInPostgres((text, values) => client.query(text, values), store, followed);
  };

async function backUpFirst(client: PoolClient, tell: (line: string) => void): Promise<void> {
  try {
    const copy = await copySchema(client);
    if (copy)
      tell(
        `The library was copied to the schema ${copy.to} before it was upgraded. To go back, stop everybody, then run in psql: ` +
          `ALTER SCHEMA ${copy.from} RENAME TO ${copy.from}_after; ALTER SCHEMA ${copy.to} RENAME TO ${copy.from};`,
      );
  } catch (error) {
    if (isUnreachable(error)) throw error;
    throw new SylkError(
      'UNAVAILABLE',
      `The library has to be upgraded, and the copy before it could not be made: ${plainReason(error)}`,
      {
        hint: 'Give its user the right to make schemas (GRANT CREATE ON DATABASE … TO …) and room for a copy. Nothing was changed.',
        cause: error,
      },
    );
  }
}
