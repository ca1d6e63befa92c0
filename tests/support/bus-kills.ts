import { openSqlite } from '../../src/base/sqlite/index.ts';
import { runWriter, startOf } from './run-writer.ts';

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
  const run = (point: number, messages: number) =>
    runWriter(startOf('bus-writer.ts', path, String(point), String(messages)), hear);
  for (const point of points) {
    const before = { taken: acknowledged.size, heard };
    if ((await run(point, many)) === 'killed') kills++;
    else survived++;
    states.add(`${acknowledged.size - before.taken} taken, ${heard - before.heard} heard, ${stateOf(path)}`);
  }
  await run(0, 0);
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
