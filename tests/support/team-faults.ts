import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { systemClock } from '../../src/base/clock.ts';
import { openLibrary } from '../../src/base/library/index.ts';
import { decide, type RunState } from '../../src/engines/orchestrator/index.ts';
import { openRuns } from '../../src/stores/runs/index.ts';
import { planOf, readLog, readRuns } from './executor-kills.ts';
import { ownPostgres } from './postgres.ts';
import { runWriter, startOf } from './run-writer.ts';

export interface TeamFaults {
  commands: number;
  seconds: number;
  kills: number;
  restarts: number;
  cuts: number;
  begunAgain: number;
  lateAnswers: number;
  /** From the first begin of a command to its end, with every take-over in it. */
  longestSeconds: number;
  statementsPerCommand: number | undefined;
  cpuPerCommand: number | undefined;
  broken: string[];
}

const perRun = 19;

/** Workers execute runs while their database is restarted, they are killed, and their network is cut. */
export async function runTeamFaults(options: {
  directory: string;
  commands: number;
  workers: number;
  executor: 'own' | 'dbos';
  faults: boolean;
  random: () => number;
}): Promise<TeamFaults> {
  const { directory, workers, executor, faults, random } = options;
  const log = join(directory, 'log');
  writeFileSync(log, '');
  const home = join(directory, 'postgres');
  mkdirSync(home);
  chmodSync(directory, 0o755);
  const port = 20_000 + Math.floor(random() * 20_000);
  const server = ownPostgres(home, port);
  const library = openLibrary({ url: server.url() });
  const runs = openRuns<RunState>({ library, clock: systemClock, decide });
  for (let number = 0; number * perRun < options.commands; number++) {
    const created = await runs.create({
      session: `s${number % 8}`,
      prompt: `run ${number}`,
      plan: planOf(number),
    });
    await runs.move(created.run, { type: 'plan_approved', revision: 1, start: true }, 'approve');
  }
  await query(server.url(), 'CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
  await query(server.url(), 'SELECT pg_stat_statements_reset()');
  const networks = faults ? Array.from({ length: workers }, (_, at) => openNetwork(at)) : [];
  let isOver = false;
  let [restarts, cuts, kills, cpu] = [0, 0, 0, 0];
  const startAgain = async (at: number): Promise<void> => {
    const network = networks[at];
    const seed = faults && random() < 0.7 ? String(Math.floor(random() * 1e9)) : '';
    const url = server.url(network?.host);
    const words = startOf('run-executor-worker.ts', url, log, '0', seed, executor, faults ? '5' : '200');
    const heard = (line: string) => {
      cpu += Number(/^cpu (\d+)$/.exec(line)?.[1] ?? 0);
    };
    const end = await runWriter([...(network?.lead ?? []), ...words], heard).catch((error) => {
      // One that could not reach the server when it started ends, and is started again.
      if (
        /can't be reached|ECONNREFUSED|terminated|starting up|shutting down|EHOSTUNREACH/.test(String(error))
      )
        return 'killed';
      throw error;
    });
    if (end === 'finished') return;
    kills += 1;
    await sleep(200);
    await startAgain(at);
  };
  const disturb = async (work: () => Promise<void>, seconds: () => number) => {
    while (faults && !isOver) {
      await sleep(seconds() * 1000);
      if (!isOver) await work();
    }
  };
  const disturbing = [
    disturb(
      async () => {
        restarts += 1;
        server.restart();
      },
      () => 5 + 5 * random(),
    ),
    disturb(
      async () => {
        const network = networks[Math.floor(random() * networks.length)];
        if (!network?.cut()) return;
        cuts += 1;
        await sleep(1000 + 4000 * random());
        network.mend();
      },
      () => 3 + 4 * random(),
    ),
  ];
  const started = Date.now();
  try {
    await Promise.all(Array.from({ length: workers }, (_, at) => startAgain(at)));
    const seconds = (Date.now() - started) / 1000;
    isOver = true;
    await Promise.all(disturbing);
    const { longest, begunAgain, overlaps } = readLog(readFileSync(log, 'utf8'));
    const { faults: found, commands, late } = await readRuns(runs);
    const [row] = await query(server.url(), 'SELECT sum(calls) AS calls FROM pg_stat_statements');
    return {
      ...{ commands, seconds: Math.round(seconds), kills, restarts, cuts, begunAgain, lateAnswers: late },
      longestSeconds: longest,
      // Restarts forget what was counted, and processes that were killed say nothing.
      statementsPerCommand: faults ? undefined : Math.round((10 * Number(row?.['calls'])) / commands) / 10,
      cpuPerCommand: faults ? undefined : Math.round((100 * cpu) / commands) / 100,
      broken: [...found, ...overlaps],
    };
  } finally {
    isOver = true;
    await library.close().catch(() => undefined);
    for (const network of networks) network.close();
    server.stop();
  }
}

async function query(url: string, text: string): Promise<Array<Record<string, unknown>>> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query(text);
  await client.end();
  return rows;
}

/** A network namespace with one way to this machine; without the right to make one, workers share its network and nothing is cut. */
function openNetwork(at: number) {
  const name = `sylk-team-${at}`;
  const outside = `sylkt${at}`;
  const host = `10.77.${at}.1`;
  const ip = (...args: string[]) => spawnSync('ip', args).status === 0;
  const close = () => {
    ip('link', 'del', outside);
    ip('netns', 'del', name);
  };
  close();
  const isMade =
    ip('netns', 'add', name) &&
    ip('link', 'add', outside, 'type', 'veth', 'peer', 'name', 'inside', 'netns', name) &&
    ip('addr', 'add', `${host}/24`, 'dev', outside) &&
    ip('link', 'set', outside, 'up') &&
    ip('-n', name, 'addr', 'add', `10.77.${at}.2/24`, 'dev', 'inside') &&
    ip('-n', name, 'link', 'set', 'inside', 'up') &&
    ip('-n', name, 'link', 'set', 'lo', 'up');
  return {
    host: isMade ? host : '127.0.0.1',
    lead: isMade ? ['ip', 'netns', 'exec', name] : [],
    cut: () => isMade && ip('link', 'set', outside, 'down'),
    mend: () => ip('link', 'set', outside, 'up'),
    close,
  };
}
