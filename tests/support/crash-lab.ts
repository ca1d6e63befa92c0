import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { embeddedOf, openLibrary } from '../../src/base/library/index.ts';
import { openSqlite, versionOf } from '../../src/base/sqlite/index.ts';
import { crashMigrations, releasedMigrations } from './crash-schema.ts';
import { runWriter, startOf } from './run-writer.ts';

export type CrashMode = 'library' | 'migrate' | 'derive';

export interface CrashRound {
  mode: CrashMode;
  kills: number;
  survived: number;
  /** Different states that a kill left: where in the work, what the log held, what was acknowledged. */
  states: number;
  acknowledged: number;
}

export interface CrashOptions {
  directory: string;
  mode: CrashMode;
  /** Failpoints to use, one kill each; counted in statements, or in writes of the system when `strace` is given. */
  points: number[];
  strace?: boolean;
}

/** Kills a writer at each point in turn, on one database, and checks what is left after every kill. */
export async function runCrashLab({
  directory,
  mode,
  points,
  strace = false,
}: CrashOptions): Promise<CrashRound> {
  const path = join(directory, `${mode}.db`);
  const released = join(directory, 'released.db');
  if (mode === 'migrate') makeReleased(released);
  const oracle = openSync(join(directory, `${mode}.oracle`), 'a+');
  const acknowledged = new Set<number>();
  const states = new Set<string>();
  let survived = 0;
  try {
    for (const point of points) {
      if (mode === 'migrate') for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true });
      if (mode === 'migrate') copyFileSync(released, path);
      const ended = await killedAt(mode, path, point, strace, (id) => {
        writeSync(oracle, `${id}\n`);
        fsyncSync(oracle);
        acknowledged.add(id);
      });
      if (ended === 'finished') survived++;
      const wal = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? -1;
      const found =
        mode === 'migrate' ? await checkMigrated(path) : await checkWritten(mode, path, acknowledged);
      states.add(`${wal} ${found}`);
    }
  } finally {
    closeSync(oracle);
  }
  return {
    mode,
    kills: points.length - survived,
    survived,
    states: states.size,
    acknowledged: acknowledged.size,
  };
}

function killedAt(
  mode: CrashMode,
  path: string,
  point: number,
  strace: boolean,
  onAcknowledged: (id: number) => void,
): Promise<'killed' | 'finished'> {
  const start = startOf('crash-writer.ts', mode, path, strace ? '0' : String(point));
  const inject = ['-e', 'trace=pwrite64', '-e', `inject=pwrite64:signal=SIGKILL:when=${point}`];
  return runWriter(strace ? ['strace', '-f', '-o', '/dev/null', ...inject, ...start] : start, (line) =>
    onAcknowledged(Number(line)),
  );
}

function makeReleased(path: string): void {
  const sqlite = openSqlite(path);
  sqlite.exec(
    'CREATE TABLE _schema (store TEXT PRIMARY KEY, version INTEGER NOT NULL, applied_at TEXT NOT NULL)',
  );
  for (const step of releasedMigrations) sqlite.exec(step);
  sqlite.run("INSERT INTO _schema VALUES ('notes', 1, '2026-01-01')");
  sqlite.write(() => {
    for (let id = 1; id <= 50; id++) {
      sqlite.run('INSERT INTO notes VALUES (?, ?)', id, `note ${id}`);
      sqlite.run('INSERT INTO tags VALUES (?, ?)', id, 'a');
    }
  });
  sqlite.close();
}

function requireSound(sqlite: { all(sql: string): unknown[] }): void {
  const verdict = JSON.stringify(sqlite.all('PRAGMA integrity_check'));
  if (verdict !== '[{"integrity_check":"ok"}]') throw new Error(`integrity: ${verdict}`);
  const broken = sqlite.all('PRAGMA foreign_key_check');
  if (broken.length > 0) throw new Error(`foreign keys: ${JSON.stringify(broken)}`);
}

/** Acknowledged writes are there, and no write is there by half. */
async function checkWritten(mode: CrashMode, path: string, acknowledged: Set<number>): Promise<string> {
  if (!existsSync(path)) return 'no file';
  if (mode === 'library') {
    const library = openLibrary({ url: path });
    if (library.notice) throw new Error(library.notice);
    library.migrate({ store: 'notes', steps: releasedMigrations });
    requireSound(embeddedOf(library));
    const rows = embeddedOf(library).all<{ id: number; tags: number }>(
      'SELECT id, (SELECT count(*) FROM tags WHERE note = notes.id) AS tags FROM notes',
    );
    const half = rows.filter((row) => row.tags !== 2);
    if (half.length > 0) throw new Error(`half written: ${JSON.stringify(half)}`);
    requireAll(acknowledged, new Set(rows.map((row) => row.id)));
    await library.close();
    return `${rows.length}`;
  }
  const index = openSqlite(path, { durability: 'normal' });
  requireSound(index);
  if (versionOf(index, 'items') === 0) {
    index.close();
    return 'no tables';
  }
  const batches = index.all<{ batch: number; items: number }>(
    'SELECT batch, (SELECT count(*) FROM items WHERE items.batch = head.batch) AS items FROM head',
  );
  if (batches.some((row) => row.items !== 20)) throw new Error(`half a batch: ${JSON.stringify(batches)}`);
  const { items } = index.get<{ items: number }>('SELECT count(*) AS items FROM items')!;
  if (items !== batches.length * 20) throw new Error(`${items} items in ${batches.length} batches`);
  requireAll(acknowledged, new Set(batches.map((row) => row.batch)));
  index.close();
  return `${batches.length}`;
}

function requireAll(acknowledged: Set<number>, there: Set<number>): void {
  const lost = [...acknowledged].filter((id) => !there.has(id));
  if (lost.length > 0) throw new Error(`acknowledged but lost: ${lost.join(', ')}`);
}

/** All of the migration or nothing of it, every row there, a copy of the old state beside it; then it goes through. */
async function checkMigrated(path: string): Promise<string> {
  const before = openSqlite(path);
  requireSound(before);
  const version = versionOf(before, 'notes');
  if (version !== 1 && version !== crashMigrations.length)
    throw new Error(`half migrated: version ${version}`);
  const columns = before.all<{ name: string }>('PRAGMA table_info(notes)').map((column) => column.name);
  if (columns.includes('kind') !== version > 1) throw new Error(`version ${version} with columns ${columns}`);
  before.close();
  const library = openLibrary({ url: path });
  library.migrate({ store: 'notes', steps: crashMigrations });
  const rows = embeddedOf(library).get<{ notes: number; tags: number }>(
    'SELECT (SELECT count(*) FROM notes) AS notes, (SELECT count(*) FROM tags) AS tags',
  )!;
  if (rows.notes !== 50 || rows.tags !== 50) throw new Error(`rows lost: ${JSON.stringify(rows)}`);
  requireSound(embeddedOf(library));
  await library.close();
  if (!readdirSync(join(dirname(path), 'backups')).some((name) => name.startsWith('migrate-notes-v1-')))
    throw new Error('there is no copy of the old state');
  return `v${version}`;
}
