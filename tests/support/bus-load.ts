import { join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { SylkError } from '../../src/base/errors.ts';
import { openLibrary } from '../../src/base/library/index.ts';
import { createBus } from '../../src/engines/guide/index.ts';
import { openMessages } from '../../src/stores/messages/index.ts';
import { movedTime } from './bus.ts';

export interface LoadResult {
  accepted: number;
  done: number;
  dead: number;
  expired: number;
  left: number;
  refused: number;
  /** Fairness of what ten sessions got done while one of them flooded: 1 is even. */
  jain: number;
  /** Of what the quiet sessions sent while one flooded, done by the time as many messages were done as they sent in all. */
  quietDone: number;
  quietSent: number;
  /** Messages of other agents that were done while one agent was stuck. */
  besideStuck: number;
  breakerOpened: boolean;
  breakerClosed: boolean;
  replayed: number;
  /** Bytes of heap with the queue full, and a message. */
  heapFull: number;
  heapEach: number;
}

const jainOf = (values: number[]): number => {
  const sum = values.reduce((total, value) => total + value, 0);
  return sum ** 2 / (values.length * values.reduce((total, value) => total + value ** 2, 0));
};

/** A stuck agent, a full queue, poison, one session that floods: what becomes of everybody else. */
export async function runBusLoad({
  directory,
  queued,
}: {
  directory: string;
  queued: number;
}): Promise<LoadResult> {
  const library = openLibrary({ url: join(directory, 'sylk.db') });
  const time = movedTime(systemClock.now());
  const bus = createBus({
    messages: openMessages({ library, clock: time }),
    sessions: { find: async (id) => ({ id, name: id, state: 'active', agents: [] }) },
    time,
    limits: { perSession: queued / 10, total: queued },
  });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const drained = async (done: () => boolean) => {
    for (let turns = 0; turns < 200_000 && !done(); turns++) await turn();
  };
  let well = false;
  let open = false;
  let gate: () => void = () => {};
  const opened = new Promise<void>((resolve) => {
    gate = resolve;
  });
  const turns: string[] = [];
  bus.listen({ agent: 'stuck', concurrency: 2, timeout: 100_000, respond: () => new Promise(() => {}) });
  bus.listen({
    agent: 'poisoned',
    respond: async () => {
      if (!well) throw new Error('poison');
    },
  });
  bus.listen({
    agent: 'worker',
    concurrency: 8,
    capacity: queued,
    respond: async ({ session_id }) => {
      if (!open) await opened;
      turns.push(session_id);
    },
  });
  const send = (target: string, session: number, more: object = {}) =>
    bus.send({
      type: 'DAG_STATUS',
      source: 'orchestrator',
      target,
      session_id: `ses_${session}`,
      payload: { text: 'x'.repeat(100) },
      ...more,
    } as never);
  let refused = 0;
  const tried = async (work: Promise<unknown>) =>
    work.catch((error) => {
      if (!(error instanceof SylkError) || error.code !== 'UNAVAILABLE') throw error;
      refused++;
    });

  const heapBefore = process.memoryUsage().heapUsed;
  // Session 0 floods until it is refused; nine others send a hundredth of that each; the rest of the queue is filled.
  const flood = queued / 10;
  for (let at = 0; at < flood + 50; at++) await tried(send('worker', 0));
  const quiet = Math.max(20, Math.floor(queued / 1000));
  for (let session = 1; session < 10; session++)
    for (let at = 0; at < quiet; at++) await send('worker', session);
  const stuck = 4;
  for (let at = 0; at < stuck; at++) await send('stuck', 1, { ttl: 60_000 });
  for (let session = 20; bus.statistics().waiting + bus.statistics().in_flight < queued; session++)
    for (let at = 0; at < flood - 1; at++) {
      if (bus.statistics().waiting + bus.statistics().in_flight >= queued) break;
      await tried(send('worker', session));
    }
  for (let at = 0; at < 50; at++) await tried(send('worker', 99));
  const heapFull = process.memoryUsage().heapUsed - heapBefore;
  const waiting = bus.statistics().waiting + bus.statistics().in_flight;

  open = true;
  gate();
  const rounds = quiet * 9;
  await drained(() => turns.length >= waiting - stuck);
  const active = new Set(turns).size;
  // While everybody has something waiting, each round serves each session once. What the flood had in the agent's
  // hands before anybody else came is no part of it.
  const inHand = 7;
  const early = turns.slice(inHand, inHand + active * quiet);
  const shares = Array.from(
    { length: 10 },
    (_, session) => early.filter((one) => one === `ses_${session}`).length,
  );
  const besideStuck = turns.length;

  for (let at = 0; at < 6; at++) await tried(send('poisoned', 5, { max_attempts: 1 }));
  await drained(() => bus.statistics().dead >= 5);
  const breakerOpened = bus.health().find(({ agent }) => agent === 'poisoned')?.breaker === 'open';
  await time.advance(16_000);
  well = true;
  await send('poisoned', 6);
  const isClosed = () => bus.health().find(({ agent }) => agent === 'poisoned')?.breaker === 'closed';
  await drained(isClosed);
  const breakerClosed = isClosed();
  const { items } = await bus.deadLetters({ limit: 100 });
  for (const { id } of items) await bus.replay(id);
  await drained(() => bus.statistics().waiting + bus.statistics().in_flight <= stuck);
  const replayed = items.length - (await bus.deadLetters()).total;
  await time.advance(120_000);
  const statistics = bus.statistics();
  const result = {
    accepted: statistics.accepted,
    done: statistics.done,
    dead: statistics.dead,
    expired: statistics.expired,
    left: statistics.waiting + statistics.in_flight,
    refused,
    jain: jainOf(shares),
    quietDone: early.filter((one) => /^ses_[1-9]$/.test(one)).length,
    quietSent: rounds,
    besideStuck,
    breakerOpened,
    breakerClosed,
    replayed,
    heapFull,
    heapEach: heapFull / waiting,
  };
  await bus.close();
  await library.close();
  return result;
}
