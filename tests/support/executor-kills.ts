import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { systemClock } from '../../src/base/clock.ts';
import { openLibrary } from '../../src/base/library/index.ts';
import { decide, type RunState } from '../../src/engines/orchestrator/index.ts';
import { openRuns, planSchema } from '../../src/stores/runs/index.ts';
import { runWriter, startOf } from './run-writer.ts';

export interface ExecutorKills {
  /** Processes that died with a command in hand, by the moment of it. */
  kills: Record<string, number>;
  commands: number;
  /** What runs paid for, each once; and what was left behind by executions that nobody heard of. */
  paid: number;
  unheard: number;
  /** Executed more than once, because the process that had begun was killed. */
  begunAgain: number;
  lateAnswers: number;
  /** What must never be: each entry says what happened. */
  broken: string[];
}

export const planOf = (number: number) =>
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
  executor?: 'own' | 'dbos';
  random: () => number;
}): Promise<ExecutorKills> {
  const { url, processes = 3, executor = 'own', random } = options;
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
  let left = options.kills;
  const startAgain = async (): Promise<void> => {
    // With a seed the process kills itself while it has a command in hand.
    const seed = left-- > 0 ? String(Math.floor(random() * 1e9)) : '';
    const start = startOf('run-executor-worker.ts', url, log, '0', seed, executor);
    const end = await runWriter(start, () => undefined);
    if (end === 'killed') await startAgain();
  };
  await Promise.all(Array.from({ length: processes }, startAgain));
  const { executions, ...found } = readLog(readFileSync(log, 'utf8'));
  const { faults, commands, late, paid, accepted } = await readRuns(runs);
  await library.close();
  return {
    kills: found.kills,
    commands,
    paid,
    unheard: executions - accepted,
    begunAgain: found.begunAgain,
    lateAnswers: late,
    broken: [...faults, ...found.overlaps],
  };
}

/** Every command has its one answer and its one effect, and the stored state is the fold of the events. */
export async function readRuns(runs: ReturnType<typeof openRuns<RunState>>) {
  const faults: string[] = [];
  const sums = { commands: 0, late: 0, paid: 0, accepted: 0 };
  for (const { id } of await runs.list({ limit: 500 })) {
    const state = await runs.state(id);
    if (state.status !== 'completed') faults.push(`${id} is ${state.status}`);
    const events = await runs.events(id);
    let folded: RunState | undefined;
    for (const { number: _, ...event } of events) folded = decide(folded, event).state;
    if (!isDeepStrictEqual(JSON.parse(JSON.stringify(folded)), state))
      faults.push(`${id}: the state is not the fold of its events`);
    const answers = events.flatMap((event) => (event.type === 'answered' ? [event] : []));
    const answered = new Set(answers.map(({ command }) => command));
    if (answered.size !== answers.length) faults.push(`${id}: a command was answered twice`);
    const left = answers.map(({ outcome }) => ('commit' in outcome ? outcome.commit : undefined));
    const paid = answers.reduce((sum, { outcome }) => sum + ('cost' in outcome ? outcome.cost : 0), 0);
    if (paid !== state.spent) faults.push(`${id} paid ${state.spent} for ${paid}`);
    for (const node of state.nodes) {
      if (node.id === 'look') continue;
      const [work, merge] = [node.commit, node.merged].map((commit) => commit?.split('@')[0]);
      if (
        !left.includes(node.commit) ||
        !left.includes(node.merged) ||
        !answered.has(work ?? '') ||
        work === merge
      )
        faults.push(`${id}: ${node.id} was merged as ${node.merged} from ${node.commit}`);
    }
    const commands = await runs.commands(id);
    for (const { command, status } of commands) {
      if (!answered.has(command.id)) faults.push(`${command.id} is ${status} without an answer`);
      if (command.commit !== undefined && !left.includes(command.commit))
        faults.push(`${command.id} is about ${command.commit}, which nobody answered with`);
    }
    sums.commands += commands.length;
    sums.accepted += answers.length;
    sums.late += commands.reduce((sum, { late }) => sum + late, 0);
    sums.paid += paid;
  }
  return { faults, ...sums };
}

/** Two legs of one node, or two merges of one run, never run at the same time. */
export function readLog(text: string) {
  const begun = new Map<string, number>();
  const firstBegun = new Map<string, number>();
  const kills: Record<string, number> = {};
  const ended: Array<{ key: string; id: string; from: number; to: number }> = [];
  const open = new Map<string, number>();
  for (const line of text.trim().split('\n')) {
    const [word, id = '', kind, node, pid, at] = line.split(' ');
    const run = id.split(':')[0];
    const key = kind === 'merge' ? `${run} branch` : `${run} ${node === '-' ? id : node}`;
    if (word === 'killed') kills[id] = (kills[id] ?? 0) + 1;
    else if (word === 'begin') {
      begun.set(id, (begun.get(id) ?? 0) + 1);
      if (!firstBegun.has(id)) firstBegun.set(id, Number(at));
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
  const begunAgain = [...begun.values()].filter((times) => times > 1).length;
  /** From the first begin of a command to its last end, in seconds: what a take-over takes is in it. */
  const longest = Math.max(0, ...ended.map(({ id, from, to }) => (to - (firstBegun.get(id) ?? from)) / 1000));
  return { longest, kills, executions: ended.length, begunAgain, overlaps };
}
