import { join } from 'node:path';
import { type Clock, isoTime } from '../base/clock.ts';
import type { EventLog } from '../base/events.ts';
import type { Library } from '../base/library/index.ts';
import { once } from '../base/once.ts';
import type { Answers } from '../engines/answers/index.ts';
import { specialists } from '../engines/answers/reader/index.ts';
import type { Bus, Hop, TraceFile } from '../engines/guide/index.ts';
import type { Memory } from '../engines/memory/index.ts';
import type { Routings } from '../stores/routings/index.ts';

export interface GuideAccessors {
  /** Where messages went. */
  routings(): Promise<Routings>;
  /** The bus on which agents, sessions and the Guide talk. */
  guideBus(): Promise<Bus>;
  /** Messages that passed over the bus, and questions that `ask` answered, in any process of this repository. */
  guideTrace(): Promise<TraceFile>;
  traceAnswer(answer: TracedAnswer): Promise<void>;
}

export interface TracedAnswer {
  session: string;
  source: string;
  target: string;
  milliseconds: number;
  level: number;
  cost: number;
}

/** What was done is kept for so long; what died, as many as a person can look through. */
const keptDays = 30;
const keptDead = 1000;

/** Telling what happened keeps no process alive; the rest is told when the app closes. */
const patient = (milliseconds: number, work: () => void): (() => void) => {
  const timer = setTimeout(work, milliseconds);
  timer.unref();
  return () => clearTimeout(timer);
};

export interface GuideParts {
  library: () => Promise<Library>;
  memory: () => Promise<Memory>;
  answers: () => Promise<Answers>;
  clock: Clock;
  events: EventLog;
  worktree: string;
  directory: () => string;
  onClose: (work: () => Promise<void>) => void;
}

export function guideAccessors(parts: GuideParts): GuideAccessors & { forgetOldMessages(): Promise<void> } {
  const { clock, events } = parts;
  const routings = once(async () => {
    const { openRoutings } = await import('../stores/routings/index.ts');
    return openRoutings({ library: await parts.library(), clock });
  });
  const guideTrace = once(async () => {
    const { createTraceFile } = await import('../engines/guide/index.ts');
    return createTraceFile(join(parts.directory(), 'run', 'guide-trace.jsonl'));
  });
  const traceAnswer = async ({ session, source, target, milliseconds, level, cost }: TracedAnswer) => {
    const line = {
      at: isoTime(clock.now()),
      type: 'ANSWER',
      session_id: session,
      source,
      target,
      status: 'done',
      ran_ms: Math.round(milliseconds * 10) / 10,
      tier: `level ${level}`,
      cost,
    } as const;
    events.publish('guide', { hops: [line], left_out: 0 });
    (await guideTrace()).append([line]);
  };
  const guideBus = once(async () => {
    const [guideEngine, { openMessages }] = await Promise.all([
      import('../engines/guide/index.ts'),
      import('../stores/messages/index.ts'),
    ]);
    const { createBus, streamHops, systemTime, storeListener, sessionListener, notifyPerson } = guideEngine;
    const [library, memory] = await Promise.all([parts.library(), parts.memory()]);
    const { sessions } = memory;
    const time = { ...systemTime, now: clock.now };
    const bus = createBus({
      messages: openMessages({ library, clock }),
      time,
      onlyWhenAsked: true,
      sessions: {
        find: async (id) => {
          const session = await sessions.find(id);
          return session && { ...session, agents: Object.keys(session.context.active_agents) };
        },
      },
    });
    bus.listen(
      storeListener(async (message, payload) => {
        const { entryOfMessage } = await import('../engines/memory/index.ts');
        const { entry, result } = await memory.remember(entryOfMessage(message, payload));
        return { entry_id: entry.id, result };
      }),
    );
    bus.listen(
      sessionListener({
        create: async (given) => {
          const { id } = await sessions.create(given);
          return (await sessions.transition(id, 'activate')).id;
        },
        switchTo: async (id, source) => {
          await sessions.current.switchTo({ client: source, worktree: parts.worktree }, id);
        },
        suspend: async (id) => void (await memory.suspend(await sessions.get(id))),
        resume: async (id) => {
          const { state } = await sessions.get(id);
          await sessions.transition(id, state === 'created' ? 'activate' : 'resume');
        },
        complete: async (id, summary) => void (await memory.complete(await sessions.get(id), summary)),
      }),
    );
    bus.listen(
      notifyPerson((message) =>
        events.publish('message', { id: message.id, type: message.type, session: message.session_id }),
      ),
    );
    const answers = await parts.answers();
    for (const specialist of specialists) bus.listen(guideEngine.specialistListener(specialist, answers));
    bus.routeBy(async ({ payload, session_id: session }) => {
      const text = typeof payload === 'string' ? payload : `${(payload as { query?: string })?.query ?? ''}`;
      return (await answers.read(text, { session })).target;
    });
    const unhook = sessions.onTransition(async ({ session }) => {
      const told = bus.sessionChanged(session.id, session.state);
      // Inside a transaction it has to wait for the end of it.
      if (library.inWrite()) told.catch(() => undefined);
      else await told;
    });
    const file = await guideTrace();
    const show = (told: { hops: Hop[]; left_out: number }) => {
      events.publish('guide', told);
      file.append(told.hops);
    };
    const stop = streamHops(bus, show, { time: { ...time, after: patient } });
    parts.onClose(async () => {
      unhook();
      stop();
      await bus.close();
    });
    return bus;
  });
  const forgetOldMessages = async () => {
    const { openMessages } = await import('../stores/messages/index.ts');
    const messages = openMessages({ library: await parts.library(), clock });
    await messages.prune(clock.now() - keptDays * 86_400_000, keptDead);
  };
  return { routings, guideBus, guideTrace, traceAnswer, forgetOldMessages };
}
