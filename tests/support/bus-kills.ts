import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openSqlite } from '../../src/base/sqlite/index.ts';

export interface BusKills {
  kills: number;
  survived: number;
  /** Messages that were acknowledged before a kill. */
  acknowledged: number;
  /** Acknowledged and not done in the end, or done without their effect. */
  lost: string[];
  actedTwice: string[];
  /** Delivered in more than one process, under the same id. */
  deliveredAgain: number;
  /** Different situations a kill left behind. */
  states: number;
}

const writer = join(import.meta.dirname, 'bus-writer.ts');

function run(
  path: string,
  point: number,
  many: number,
  heard: (line: string) => void,
): Promise<'killed' | 'done'> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', writer, path, String(point), String(many)],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'sylk-compile-cache') },
      },
    );
    let finished = false;
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += chunk;
    });
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line === 'done') finished = true;
      else heard(line);
    });
    child.on('error', reject);
    child.on('close', (_code, signal) => {
      if (finished) resolve('done');
      else if (signal === 'SIGKILL') resolve('killed');
      else reject(new Error(`the writer failed at point ${point}: ${said.slice(0, 2000)}`));
    });
  });
}

/** Kills processes in the midst of sending and acting, each taking over from the one before, and counts at the end. */
export async function runBusKills({
  path,
  points,
  many = 6,
}: {
  path: string;
  points: number[];
  many?: number;
}): Promise<BusKills> {
  const acknowledged = new Set<string>();
  const seen = new Map<string, number>();
  const states = new Set<string>();
  let kills = 0;
  let survived = 0;
  let heard = 0;
  const hear = (line: string) => {
    heard++;
    const [word, id] = line.split(' ') as [string, string];
    if (word === 'taken') acknowledged.add(id);
    else seen.set(id, (seen.get(id) ?? 0) + 1);
  };
  for (const point of points) {
    const before = { taken: acknowledged.size, heard };
    if ((await run(path, point, many, hear)) === 'killed') kills++;
    else survived++;
    states.add(`${acknowledged.size - before.taken} taken, ${heard - before.heard} heard, ${stateOf(path)}`);
  }
  await run(path, 0, 0, hear);
  const sqlite = openSqlite(path);
  try {
    if (JSON.stringify(sqlite.all('PRAGMA integrity_check')) !== '[{"integrity_check":"ok"}]')
      throw new Error('the library is not sound');
    const status = new Map(
      sqlite
        .all<{ id: string; status: string }>('SELECT id, status FROM messages')
        .map((row) => [row.id, row.status]),
    );
    const effects = new Map(
      sqlite
        .all<{ message: string; times: number }>(
          'SELECT message, count(*) AS times FROM effects GROUP BY message',
        )
        .map((row) => [row.message, row.times]),
    );
    return {
      kills,
      survived,
      acknowledged: acknowledged.size,
      lost: [...acknowledged].filter((id) => status.get(id) !== 'done' || !effects.has(id)),
      actedTwice: [...effects].filter(([, times]) => times > 1).map(([id]) => id),
      deliveredAgain: [...seen.values()].filter((times) => times > 1).length,
      states: states.size,
    };
  } finally {
    sqlite.close();
  }
}

function stateOf(path: string): string {
  const sqlite = openSqlite(path);
  try {
    const rows = sqlite.all<{ status: string; attempt: number; held: number; count: number }>(
      "SELECT status, attempt, owner != '' AS held, count(*) AS count FROM messages WHERE status != 'done' GROUP BY 1, 2, 3 ORDER BY 1, 2, 3",
    );
    return JSON.stringify(rows);
  } catch {
    return 'before the first table';
  } finally {
    sqlite.close();
  }
}
