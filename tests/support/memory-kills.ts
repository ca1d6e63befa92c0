import { appendFileSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openApp } from '../../src/app.ts';
import { embeddedOf } from '../../src/base/library/index.ts';
import type { Sqlite } from '../../src/base/sqlite/index.ts';
import { runWriter, startOf } from './run-writer.ts';

/** Runs the writer until it dies; what it acknowledged goes to the oracle before anything else happens. */
const killedAt = (directory: string, point: number, oracle: string): Promise<'killed' | 'finished'> =>
  runWriter(startOf('memory-writer.ts', directory, String(point)), (line) =>
    appendFileSync(oracle, `${line}\n`),
  );

export interface KillReport {
  kills: number;
  acknowledged: number;
  /** Acknowledged and not there. */
  lost: string[];
  /** Entries without words, or findings of SQLite's own checks. */
  broken: string[];
  /** What the library looked like after a kill, relative to what was acknowledged. */
  states: number;
  entries: number;
}

/** Kills a process that remembers at counted statements, again and again, and compares with what it acknowledged. */
export async function killWhileRemembering(options: {
  directory: string;
  oracle: string;
  kills: number;
  step: number;
}): Promise<KillReport> {
  const { directory, oracle } = options;
  appendFileSync(oracle, '');
  const states = new Set<string>();
  let broken: string[] = [];
  let point = 1;
  let kills = 0;
  for (; kills < options.kills; kills++) {
    while ((await killedAt(directory, point, oracle)) === 'finished') point = 1 + (point % 7);
    point += options.step;
    const { state, problems } = await look(directory, oracle);
    states.add(state);
    broken = [...broken, ...problems];
  }
  const { present } = await look(directory, oracle);
  const acknowledged = linesOf(oracle);
  return {
    kills,
    acknowledged: acknowledged.length,
    lost: acknowledged.filter((line) => !present.has(line)),
    broken,
    states: states.size,
    entries: [...present].filter((line) => line.startsWith('entry ')).length,
  };
}

const linesOf = (oracle: string): string[] => readFileSync(oracle, 'utf8').split('\n').filter(Boolean);

async function look(directory: string, oracle: string) {
  const wal =
    statSync(join(directory, '.git', 'sylk', 'library.db-wal'), { throwIfNoEntry: false })?.size ?? 0;
  const app = openApp({ directory });
  try {
    const sqlite = embeddedOf(await app.library());
    await app.memory();
    const present = thingsIn(sqlite);
    const acknowledged = new Set(linesOf(oracle));
    const more = [...present].filter((line) => !acknowledged.has(line)).map((line) => line.split(' ')[0]);
    const last = linesOf(oracle).at(-1)?.split(' ')[0] ?? 'nothing';
    return { present, problems: problemsOf(sqlite), state: `${last} ${wal} ${more.sort().join(' ')}` };
  } finally {
    await app.close();
  }
}

const thingsIn = (sqlite: Sqlite): Set<string> =>
  new Set([
    ...sqlite.all<{ id: string }>('SELECT id FROM entries').map(({ id }) => `entry ${id}`),
    ...sqlite.all<{ key: string }>('SELECT key FROM scratchpad').map(({ key }) => `note ${key}`),
    ...sqlite.all<{ path: string }>('SELECT path FROM file_log').map(({ path }) => `file ${path}`),
    ...sqlite.all<{ id: string }>('SELECT id FROM checkpoints').map(({ id }) => `checkpoint ${id}`),
    ...sqlite
      .all<{ category: string }>('SELECT category FROM preferences')
      .map((row) => `wish ${row.category}`),
    ...sqlite.all<{ id: string }>('SELECT id FROM session_snapshots').map(({ id }) => `snapshot ${id}`),
  ]);

function problemsOf(sqlite: Sqlite): string[] {
  return [
    ...sqlite
      .all<{ integrity_check: string }>('PRAGMA integrity_check')
      .map((row) => row.integrity_check)
      .filter((line) => line !== 'ok'),
    ...sqlite.all('PRAGMA foreign_key_check').map((row) => JSON.stringify(row)),
  ];
}
