import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { systemClock } from '../../src/base/clock.ts';
import { openLibrary } from '../../src/base/library/index.ts';
import { decide, type RunState } from '../../src/engines/orchestrator/index.ts';
import { openRuns, planSchema } from '../../src/stores/runs/index.ts';
import { startOf } from './run-writer.ts';

export interface ExecutorKills {
  kills: number;
  commands: number;
  /** Executed more than once, because the process that had begun was killed. */
  begunAgain: number;
  lateAnswers: number;
  /** What must never be: each entry says what happened. */
  broken: string[];
}

const planOf = (number: number) =>
  planSchema.parse({
    prompt: `run ${number}`,
    nodes: [
      { id: 'look', agent: 'librarian', prompt: 'look' },
      { id: 'a', agent: 'engineer', prompt: 'a', depends_on: ['look'] },
      { id: 'b', agent: 'engineer', prompt: 'b', depends_on: ['look'] },
      { id: 'c', agent: 'engineer', prompt: 'c', depends_on: ['a', 'b'] },
    ],
  });

/** Several processes execute the same runs; one after another is killed at random and replaced, then all have to end well. */
export async function runExecutorKills(options: {
  url: string;
  /** For the log of what was begun and ended. */
  directory: string;
  runs: number;
  kills: number;
  processes?: number;
  random: () => number;
}): Promise<ExecutorKills> {
  const { url, processes = 3, random } = options;
  const log = join(options.directory, 'log');
  writeFileSync(log, '');
  const library = openLibrary({ url });
  const runs = openRuns<RunState>({ library, clock: systemClock, decide });
  for (let number = 0; number < options.runs; number++) {
    const created = await runs.create({
      session: `s${number % 3}`,
      prompt: `run ${number}`,
      plan: planOf(number),
    });
    await runs.move(created.run, { type: 'plan_approved', revision: 1, start: true }, 'approve');
  }
  const start = () => {
    const [command = '', ...args] = startOf('run-executor-worker.ts', url, log);
    const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    return { child, ended: new Promise<void>((resolve) => child.on('close', () => resolve())) };
  };
  const workers = Array.from({ length: processes }, start);
  let kills = 0;
  for (; kills < options.kills; kills++) {
    const place = Math.floor(random() * processes);
    const victim = workers[place];
    if (!victim) break;
    // A process that is only starting has nothing to lose: it is killed once it has begun a command, some time later.
    const hasBegun = () => readFileSync(log, 'utf8').includes(` ${victim.child.pid} `);
    while (victim.child.exitCode === null && !hasBegun()) await sleep(5);
    await sleep(random() * 150);
    if (victim.child.exitCode !== null) break;
    victim.child.kill('SIGKILL');
    await victim.ended;
    workers[place] = start();
  }
  await Promise.all(workers.map(({ ended }) => ended));
  const broken = await faultsOf(runs);
  const { begunAgain, overlaps } = readLog(readFileSync(log, 'utf8'));
  const all = (
    await Promise.all((await runs.list({ limit: 500 })).map(({ id }) => runs.commands(id)))
  ).flat();
  await library.close();
  return {
    kills,
    commands: all.length,
    begunAgain,
    lateAnswers: all.reduce((sum, { late }) => sum + late, 0),
    broken: [...broken, ...overlaps],
  };
}

/** Every command has its one answer, and the stored state is the fold of the events. */
async function faultsOf(runs: ReturnType<typeof openRuns<RunState>>): Promise<string[]> {
  const faults: string[] = [];
  for (const { id } of await runs.list({ limit: 500 })) {
    const state = await runs.state(id);
    if (state.status !== 'completed') faults.push(`${id} is ${state.status}`);
    const events = await runs.events(id);
    let folded: RunState | undefined;
    for (const { number: _, ...event } of events) folded = decide(folded, event).state;
    if (!isDeepStrictEqual(JSON.parse(JSON.stringify(folded)), state))
      faults.push(`${id}: the state is not the fold of its events`);
    const answered = events.flatMap((event) => (event.type === 'answered' ? [event.command] : []));
    if (new Set(answered).size !== answered.length) faults.push(`${id}: a command was answered twice`);
    for (const { command, status } of await runs.commands(id))
      if (!answered.includes(command.id)) faults.push(`${command.id} is ${status} without an answer`);
  }
  return faults;
}

/** Two legs of one node, or two merges of one run, never run at the same time. */
function readLog(text: string): { begunAgain: number; overlaps: string[] } {
  const begun = new Map<string, number>();
  const ended: Array<{ key: string; id: string; from: number; to: number }> = [];
  const open = new Map<string, number>();
  for (const line of text.trim().split('\n')) {
    const [word, id = '', kind, node, pid, at] = line.split(' ');
    const run = id.split(':')[0];
    const key = kind === 'merge' ? `${run} branch` : `${run} ${node === '-' ? id : node}`;
    if (word === 'begin') {
      begun.set(id, (begun.get(id) ?? 0) + 1);
      open.set(`${id} ${pid}`, Number(at));
    } else ended.push({ key, id, from: open.get(`${id} ${pid}`) ?? 0, to: Number(at) });
  }
  const overlaps = [...Map.groupBy(ended, ({ key }) => key).values()].flatMap((spans) =>
    spans
      .toSorted((left, right) => left.from - right.from)
      .flatMap((span, at, all) => {
        const next = all[at + 1];
        return next && next.from < span.to ? [`${span.id} and ${next.id} ran at the same time`] : [];
      }),
  );
  return { begunAgain: [...begun.values()].filter((times) => times > 1).length, overlaps };
}
