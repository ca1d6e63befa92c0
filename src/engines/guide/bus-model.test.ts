import fc from 'fast-check';
import { expect, test } from 'vitest';
import { busWorld, held, settled, watched } from '../../../tests/support/bus.ts';
import { SylkError } from '../../base/errors.ts';
import type { Bus } from './bus.ts';

type Step =
  | { do: 'send'; session: string; agent: string; durable: boolean; priority: 'low' | 'high'; ttl: boolean }
  | { do: 'finish'; pick: number; how: 'done' | 'fail' | 'hopeless' }
  | { do: 'wait'; milliseconds: number }
  | { do: 'suspend' | 'resume'; session: string }
  | { do: 'replay'; pick: number };

const sessions = ['ses_a', 'ses_b'];
const agents = ['archivalist', 'librarian'];
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('send' as const),
      session: fc.constantFrom(...sessions),
      agent: fc.constantFrom(...agents),
      durable: fc.boolean(),
      priority: fc.constantFrom('low' as const, 'high' as const),
      ttl: fc.boolean(),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('finish' as const),
      pick: fc.nat(10),
      how: fc.constantFrom('done' as const, 'done' as const, 'fail' as const, 'hopeless' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      milliseconds: fc.constantFrom(100, 700, 2000, 20_000),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom('suspend' as const, 'resume' as const),
      session: fc.constantFrom(...sessions),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('replay' as const), pick: fc.nat(5) }) },
);

interface Life {
  durable: boolean;
  session: string;
  agent: string;
  acted: number;
  attempts: number;
  inFlight: boolean;
}

/** The model knows only what a sender and an agent see: what was taken, what was handed out, what was acted on. */
async function play(steps: Step[]): Promise<void> {
  const { open, time, change, sessions: standings } = busWorld();
  const bus: Bus = open({ limits: { perSession: 12 }, defaults: { timeout: 3_600_000, concurrency: 2 } });
  const hops = watched(bus);
  const lives = new Map<string, Life>();
  const flying: Array<{ id: string; gate: ReturnType<typeof held> }> = [];
  let most = 0;
  for (const agent of agents)
    bus.listen({
      agent,
      concurrency: 2,
      respond: async ({ id, session_id, attempt }, { act }) => {
        const life = lives.get(id)!;
        expect(standings.get(session_id)!.state).toBe('active');
        expect(life.inFlight, `${id} handed out twice at once`).toBe(false);
        expect(attempt).toBeLessThanOrEqual(3);
        life.inFlight = true;
        life.attempts++;
        const gate = held();
        flying.push({ id, gate });
        most = Math.max(most, flying.filter((one) => lives.get(one.id)!.agent === agent).length);
        try {
          await gate.promise;
          return await act(async () => void life.acted++);
        } finally {
          life.inFlight = false;
        }
      },
    });
  let count = 0;
  let refused = 0;
  for (const one of steps) {
    if (one.do === 'send') {
      const id = `m${count++}`;
      const { session, agent, durable } = one;
      lives.set(id, { durable, session, agent, acted: 0, attempts: 0, inFlight: false });
      try {
        await bus.send({
          id,
          session_id: session,
          target: agent,
          source: 'user',
          type: durable ? 'STORE_REQUEST' : 'CONTEXT_REQUEST',
          payload: { content: id },
          priority: one.priority,
          ...(one.ttl ? { ttl: 1500 } : {}),
        });
      } catch (error) {
        expect(['UNAVAILABLE', 'INVALID_OPERATION']).toContain((error as SylkError).code);
        lives.delete(id);
        if ((error as SylkError).code === 'UNAVAILABLE') refused++;
      }
    } else if (one.do === 'finish') {
      const [flight] = flying.splice(one.pick % Math.max(1, flying.length), 1);
      if (one.how === 'done') flight?.gate.resolve(0);
      else
        flight?.gate.reject(
          one.how === 'fail' ? new Error('no') : new SylkError('VALIDATION_ERROR', 'never'),
        );
    } else if (one.do === 'wait') await time.advance(one.milliseconds);
    else if (one.do === 'replay') {
      const { items } = await bus.deadLetters();
      const dead = items[one.pick % Math.max(1, items.length)];
      if (dead && standings.get(dead.session_id)!.state === 'active') await bus.replay(dead.id);
    } else await change(bus, one.session, one.do === 'suspend' ? 'suspended' : 'active');
    await settled();
  }
  for (const session of sessions) await change(bus, session, 'active');
  const left = () => bus.statistics().waiting + bus.statistics().in_flight + flying.length;
  for (let round = 0; round < 200 && left() > 0; round++) {
    for (const { gate } of flying.splice(0)) gate.resolve(0);
    await time.advance(1000);
  }
  const kept = new Map<string, string>();
  for (const hop of hops) kept.set(hop.message_id, hop.status);
  const ends = [...lives].map(([id, life]) => ({ id, life, status: kept.get(id) }));
  expect(ends.filter(({ status }) => !['done', 'dead', 'expired'].includes(status ?? ''))).toEqual([]);
  expect(
    ends.filter(({ life, status }) => life.acted > 1 || (status === 'done') !== (life.acted === 1)),
  ).toEqual([]);
  expect(most).toBeLessThanOrEqual(2);
  const { dead, expired, done, waiting, in_flight, accepted, refused: told } = bus.statistics();
  expect({ waiting, in_flight, told }).toEqual({ waiting: 0, in_flight: 0, told: refused });
  // What died and was sent again is counted as taken again.
  expect(done + dead + expired).toBe(accepted);
}

test('whatever is sent, finished, failed, suspended, waited for and sent again: each message ends once, acted on at most once', async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), play), {
    numRuns: Number(process.env['SYLK_RUNS'] ?? 120),
    seed: Number(process.env['SYLK_SEED'] ?? 20261116),
  });
});
