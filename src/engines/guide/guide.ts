import { join } from 'node:path';
import { type Clock, isoTime } from '../../base/clock.ts';
import type { EventLog } from '../../base/events.ts';
import type { Repository } from '../../base/git/index.ts';
import { objectOf } from '../../base/json.ts';
import type { Library } from '../../base/library/index.ts';
import { once } from '../../base/once.ts';
import { openMessages } from '../../stores/messages/index.ts';
import { openRoutings } from '../../stores/routings/index.ts';
import type { Answers } from '../answers/index.ts';
import { type ReadQuestion, specialists } from '../answers/reader/index.ts';
import type { Memory, MemoryCaller } from '../memory/index.ts';
import { createBus } from './bus.ts';
import { type Listener, systemTime } from './contract.ts';
import { personListener, sessionListener, specialistListener, storeListener } from './listeners.ts';
import { route, type Speaker } from './route.ts';
import { readStatus } from './status.ts';
import { createTraceFile, streamHops, type TraceLine } from './trace.ts';

export interface GuideContext {
  clock: Clock;
  events: EventLog;
  repository: Repository;
  library: () => Promise<Library>;
  memory: () => Promise<Memory>;
  answers: () => Promise<Answers>;
  /** Agents of the engines above. */
  listeners: () => Promise<Listener[]>;
  onClose(work: () => Promise<void>): void;
}

/** Retention of delivered messages; of dead ones, as many as a person can look through. */
const keptDays = 30;
const keptDead = 1000;

/** Pending trace events keep no process alive; they are flushed when the app closes. */
const afterUnref = (milliseconds: number, work: () => void): (() => void) => {
  const timer = setTimeout(work, milliseconds);
  timer.unref();
  return () => clearTimeout(timer);
};

export type Guide = ReturnType<typeof createGuide>;

/** Sends messages to the agents that answer them, and records their routes. */
export function createGuide(context: GuideContext) {
  const { clock, events, repository } = context;
  const messages = once(async () => openMessages({ library: await context.library(), clock }));
  const trace = once(() => createTraceFile(join(repository.state.prepare(), 'run', 'guide-trace.jsonl')));
  const show = (batch: { hops: TraceLine[]; left_out: number }) => {
    events.publish('guide', batch);
    trace().append(batch.hops);
  };

  const bus = once(async () => {
    const [library, memory, answers] = await Promise.all([
      context.library(),
      context.memory(),
      context.answers(),
    ]);
    const { sessions } = memory;
    const time = { ...systemTime, now: clock.now };
    const opened = createBus({
      messages: await messages(),
      time,
      onlyWhenAsked: true,
      sessions: {
        find: async (id) => {
          const session = await sessions.find(id);
          return session && { ...session, agents: Object.keys(session.context.active_agents) };
        },
      },
    });
    opened.listen(storeListener(memory));
    opened.listen(sessionListener(memory, repository.root));
    opened.listen(personListener(events));
    for (const listener of await context.listeners()) opened.listen(listener);
    for (const specialist of specialists) opened.listen(specialistListener(specialist, answers));
    opened.routeBy(async ({ payload, session_id: session }) => {
      const text = typeof payload === 'string' ? payload : String(objectOf(payload)['query'] ?? '');
      return (await answers.read(text, { session })).target;
    });
    const unhook = sessions.onTransition(async ({ session }) => {
      const changed = opened.sessionChanged(session.id, session.state);
      // Inside a transaction it waits for the end of it.
      if (library.inWrite()) changed.catch(() => undefined);
      else await changed;
    });
    const stop = streamHops(opened, show, { time: { ...time, after: afterUnref } });
    context.onClose(async () => {
      unhook();
      stop();
      await opened.close();
    });
    return opened;
  });

  const routings = once(async () => openRoutings({ library: await context.library(), clock }));
  const routes = { memory: context.memory, answers: context.answers, bus, routings };
  return {
    /** The bus on which agents, sessions and the Guide talk. */
    bus,
    /** Bus messages, and questions that `ask` answered, in any process of this repository. */
    trace,
    /** Routes a message and returns the reply. */
    route: (read: ReadQuestion, speaker: Speaker, session: string | undefined) =>
      route(routes, read, speaker, session),
    /** A person sees everything, a client only the messages of its own sessions. */
    status: (caller: MemoryCaller) => readStatus(routes, caller),
    /** Records an answer without a message. */
    traceAnswer: (answer: {
      session: string;
      source: string;
      target: string;
      milliseconds: number;
      level: number;
      cost: number;
    }): void =>
      show({
        hops: [
          {
            at: isoTime(clock.now()),
            type: 'ANSWER',
            session_id: answer.session,
            source: answer.source,
            target: answer.target,
            status: 'done',
            ran_ms: Math.round(answer.milliseconds * 10) / 10,
            tier: `level ${answer.level}`,
            cost: answer.cost,
          },
        ],
        left_out: 0,
      }),
    forgetOldMessages: async (): Promise<void> =>
      void (await (await messages()).prune(clock.now() - keptDays * 86_400_000, keptDead)),
  };
}
