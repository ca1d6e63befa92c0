import { join } from 'node:path';
import { type Clock, isoTime } from '../base/clock.ts';
import type { Embedder } from '../base/embedding/index.ts';
import type { EventLog } from '../base/events.ts';
import type { Git } from '../base/git/index.ts';
import { newId } from '../base/ids.ts';
import type { Library } from '../base/library/index.ts';
import { once } from '../base/once.ts';
import type { Config } from '../config.ts';
import type { Bus, Hop, TraceFile } from '../engines/guide/index.ts';
import type { KnowerQuestion } from '../engines/guide/knowers/index.ts';
import type { Classifier } from '../engines/guide/routing/index.ts';
import type { Memory } from '../engines/memory/index.ts';
import type { CodeStore } from '../stores/code/index.ts';
import type { Conventions } from '../stores/conventions/index.ts';
import type { MessageType } from '../stores/messages/index.ts';
import type { References } from '../stores/references/index.ts';
import type { Routings } from '../stores/routings/index.ts';
import type { KnowerName, Knowers } from './guide-knowers.ts';
import type { KnowledgeAccessors } from './knowledge.ts';

export interface Guide {
  /** Who a message is for and what it wants. */
  classify: Classifier['classify'];
  cache: () => { entries: number; hits: number; misses: number };
  /** Librarian, Archivalist and Academic, as they answer without a model. */
  knowers: Knowers;
  /** Where messages went. */
  routings(): Promise<Routings>;
  /** A question that was answered without the bus is a hop all the same: it stands in the trace and in the stream. */
  answered(hop: AnsweredHop): Promise<void>;
}

export interface AnsweredHop {
  session: string;
  source: string;
  target: KnowerName;
  milliseconds: number;
  level: number;
  cost: number;
}

export interface GuideAccessors {
  /** Who answers what, and what was answered. */
  guide(): Promise<Guide>;
  /** The bus on which agents, sessions and the Guide talk. */
  guideBus(): Promise<Bus>;
  /** What passed over the bus in any process of this repository. */
  guideTrace(): Promise<TraceFile>;
}

/** What was done is kept for so long; what died, as many as a person can look through. */
const keptDays = 30;
const keptDead = 1000;

/** What each of the three who know is asked with. */
const asked = {
  librarian: 'CONTEXT_REQUEST',
  archivalist: 'HISTORY_REQUEST',
  academic: 'RESEARCH_REQUEST',
} as const satisfies Record<KnowerName, MessageType>;

/** Telling what happened keeps no process alive; the rest is told when the app closes. */
const patient = (milliseconds: number, work: () => void): (() => void) => {
  const timer = setTimeout(work, milliseconds);
  timer.unref();
  return () => clearTimeout(timer);
};

export interface GuideParts extends Pick<KnowledgeAccessors, 'resolver' | 'intentCaches'> {
  library: () => Promise<Library>;
  memory: () => Promise<Memory>;
  clock: Clock;
  events: EventLog;
  worktree: string;
  /** What this project is called. */
  project: string;
  references: () => Promise<References>;
  code: () => Promise<CodeStore>;
  conventions: () => Promise<Conventions>;
  git: Git;
  embedding: Config['embedding'];
  /** The embedding model of a process that stays; a command does not wait for it to start. */
  model: () => Promise<Embedder>;
  longLived: () => boolean;
  directory: () => string;
  onClose: (work: () => Promise<void>) => void;
}

export function guideAccessors(parts: GuideParts): GuideAccessors & { forgetOldMessages(): Promise<void> } {
  const { clock, events } = parts;
  const guide = once(async (): Promise<Guide> => {
    const [{ createClassifier }, { guideKnowers }] = await Promise.all([
      import('../engines/guide/routing/index.ts'),
      import('./guide-knowers.ts'),
    ]);
    const { enabled, weights } = parts.embedding;
    const quick = once(async () => {
      const { createStaticEmbedder } = await import('../base/embedding/index.ts');
      return createStaticEmbedder(weights ? { weights } : {});
    });
    parts.onClose(async () => void (await (await quick.peek())?.release()));
    const model = async () => (parts.longLived() ? parts.model() : undefined);
    const { classify, cache } = createClassifier({
      clock,
      project: parts.project,
      ...(enabled ? { quick, model } : {}),
    });
    return {
      classify,
      cache: cache.statistics,
      knowers: guideKnowers(parts),
      routings: once(async () => {
        const { openRoutings } = await import('../stores/routings/index.ts');
        return openRoutings({ library: await parts.library(), clock });
      }),
      answered: async ({ session, source, target, milliseconds, level, cost }) => {
        const hop: Hop = {
          seq: 0,
          at: isoTime(clock.now()),
          message_id: newId('msg'),
          session_id: session,
          type: asked[target],
          source,
          target,
          priority: 'normal',
          status: 'done',
          attempt: 1,
          waited_ms: 0,
          ran_ms: Math.round(milliseconds * 10) / 10,
          tier: `level ${level}`,
          cost,
        };
        events.publish('guide', { hops: [hop], left_out: 0 });
        (await guideTrace()).append([hop]);
      },
    };
  });
  const guideTrace = once(async () => {
    const { createTraceFile } = await import('../engines/guide/index.ts');
    return createTraceFile(join(parts.directory(), 'run', 'guide-trace.jsonl'));
  });
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
    const { knowers, classify } = await guide();
    for (const [agent, type] of Object.entries(asked))
      bus.listen({
        agent,
        types: [type],
        respond: async (message, { signal, note }) => {
          const question = message.payload as KnowerQuestion;
          const session = message.session_id;
          const answer = await knowers[agent as KnowerName]({ ...question, session, signal });
          note({ tier: `level ${answer.level}` });
          return answer;
        },
      });
    bus.routeBy(async ({ payload, session_id: visibility }) => {
      const text = typeof payload === 'string' ? payload : `${(payload as { query?: string })?.query ?? ''}`;
      return (await classify(text, { visibility })).target;
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
  return { guide, guideBus, guideTrace, forgetOldMessages };
}
