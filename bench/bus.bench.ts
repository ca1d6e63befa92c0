import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../src/base/clock.ts';
import { openLibrary } from '../src/base/library/index.ts';
import { type Bus, createBus } from '../src/engines/guide/index.ts';
import { openMessages } from '../src/stores/messages/index.ts';
import type { Bench } from './run-named.ts';

const agents = ['librarian', 'archivalist', 'academic', 'architect'];

function open(path: string) {
  const library = openLibrary({ url: path });
  const messages = openMessages({ library, clock: systemClock });
  const bus = createBus({
    messages,
    sessions: { find: async (id) => ({ id, name: id, state: 'active', agents: [] }) },
  });
  return { library, bus };
}

/** The same number of promises and map entries, and nothing of a bus: what the machine gives at this moment. */
async function calibrate(count: number): Promise<number> {
  const seen = new Map<number, object>();
  const from = performance.now();
  for (let at = 0; at < count; at++) {
    await Promise.resolve(at).then((value) => seen.set(value % 1000, { value }));
  }
  return count / ((performance.now() - from) / 1000);
}

/** As many senders as sessions, each with a few messages on their way: what routes, not what piles up. */
async function routed(bus: Bus, sessions: number, count: number, window: number): Promise<number> {
  const from = performance.now();
  let next = 0;
  const sender = async (session: string) => {
    while (next < count) {
      const at = next++;
      await bus.request({
        type: 'CONTEXT_REQUEST',
        source: 'user',
        target: agents[at % agents.length]!,
        session_id: session,
        payload: { query: `question ${at}`, limit: 10 },
        priority: at % 10 === 0 ? 'high' : 'normal',
      });
    }
  };
  await Promise.all(Array.from({ length: sessions * window }, (_, at) => sender(`ses_${at % sessions}`)));
  return count / ((performance.now() - from) / 1000);
}

/** By the clock, and by the processor's: what a busy machine does not distort. */
async function oneWay(bus: Bus, sessions: number, count: number): Promise<{ wall: number; busy: number }> {
  const from = performance.now();
  const before = process.cpuUsage();
  for (let at = 0; at < count; at += 64) {
    const sent: Array<Promise<unknown>> = [];
    for (let each = 0; each < 64; each++)
      sent.push(
        bus.send({
          type: 'DAG_STATUS',
          source: 'orchestrator',
          target: agents[each % agents.length]!,
          session_id: `ses_${(at + each) % sessions}`,
          payload: { done: at, of: count },
        }),
      );
    await Promise.all(sent);
    await bus.idle();
  }
  const { user, system } = process.cpuUsage(before);
  return { wall: count / ((performance.now() - from) / 1000), busy: count / ((user + system) / 1e6) };
}

const median = (values: number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** P15: envelopes routed per second in process and the wait before an agent, beside a loop of bare promises. */
const bench: Bench = async () => {
  const directory = mkdtempSync(join(tmpdir(), 'sylk-bus-bench-'));
  const series: Record<string, number[]> = {
    calibrating: [],
    'one way': [],
    'one way, a processor second': [],
    'asked and answered': [],
    durable: [],
  };
  const waits: number[] = [];
  const halves: number[] = [];
  try {
    for (let round = 0; round < 6; round++) {
      const { library, bus } = open(join(directory, `bus-${round}.db`));
      for (const agent of agents) bus.listen({ agent, concurrency: 64, respond: async () => ({ found: 1 }) });
      // A hop is measured with a few messages on their way, before the flood.
      const hopWaits: number[] = [];
      const unwatch = bus.watch(({ waited_ms }) => hopWaits.push(waited_ms));
      await routed(bus, 4, 10_000, 1);
      unwatch();
      hopWaits.sort((left, right) => left - right);
      waits.push(hopWaits[Math.floor(hopWaits.length * 0.99)] ?? 0);
      halves.push(median(hopWaits));
      const way = await oneWay(bus, 20, 60_000);
      const figures = {
        calibrating: await calibrate(200_000),
        'one way': way.wall,
        'one way, a processor second': way.busy,
        'asked and answered': await routed(bus, 20, 60_000, 2),
      };
      const from = performance.now();
      let next = 0;
      const store = async (session: number) => {
        while (next < 4000) {
          const at = next++;
          await bus.request({
            type: 'STORE_REQUEST',
            source: 'user',
            session_id: `ses_${session % 20}`,
            payload: { content: `entry ${at}` },
          });
        }
      };
      await Promise.all(Array.from({ length: 200 }, (_, at) => store(at)));
      const durable = 4000 / ((performance.now() - from) / 1000);
      // The first round warms up.
      if (round > 0)
        for (const [name, value] of Object.entries({ ...figures, durable })) series[name]!.push(value);
      await bus.close();
      await library.close();
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  for (const [name, values] of Object.entries(series))
    console.log(
      `P15 ${name}: ${Math.round(median(values)).toLocaleString('en')} a second (${values.map((value) => `${Math.round(value / 1000)}k`).join(' ')})`,
    );
  console.log(
    `P15 wait before the agent, 4 on their way: p50 ${median(halves)} ms, p99 ${median(waits)} ms; 20 sessions, 4 agents`,
  );
  console.log(
    `P15 one way / calibrating loop: ${(median(series['one way']!) / median(series['calibrating']!)).toFixed(3)}`,
  );
};

export default bench;
