import type { Clock } from './base/clock.ts';
import type { EventLog } from './base/events.ts';
import type { Library } from './base/library/index.ts';
import { once } from './base/once.ts';
import type { Bus } from './engines/guide/bus/index.ts';
import type { Memory } from './engines/memory/index.ts';

export interface GuideAccessors {
  /** The bus on which agents, sessions and the Guide talk. */
  guideBus(): Promise<Bus>;
}

export function guideAccessors(parts: {
  library: () => Promise<Library>;
  memory: () => Promise<Memory>;
  clock: Clock;
  events: EventLog;
  worktree: string;
  onClose: (work: () => Promise<void>) => void;
}): GuideAccessors {
  const { clock, events } = parts;
  const guideBus = once(async () => {
    const [{ createBus, streamHops, systemTime }, { openMessages }, residents] = await Promise.all([
      import('./engines/guide/bus/index.ts'),
      import('./stores/messages/index.ts'),
      import('./engines/guide/residents/index.ts'),
    ]);
    const [library, memory] = await Promise.all([parts.library(), parts.memory()]);
    const { sessions, chronicle } = memory;
    const time = { ...systemTime, now: clock.now };
    const bus = createBus({
      messages: openMessages({ library, clock }),
      time,
      sessions: {
        find: async (id) => {
          const session = await sessions.find(id);
          return session && { ...session, agents: Object.keys(session.context.active_agents) };
        },
      },
    });
    bus.listen(
      residents.archivalistStores(async (message, payload) => {
        const { entryOfMessage } = await import('./store-message.ts');
        const { entry, result } = await chronicle.store(entryOfMessage(message, payload));
        events.publish('memory', { id: entry.id, category: entry.category, session: entry.session_id });
        return { entry_id: entry.id, result };
      }),
    );
    bus.listen(
      residents.sessionKeeper({
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
      residents.personHears((message) =>
        events.publish('message', { id: message.id, type: message.type, session: message.session_id }),
      ),
    );
    const unhook = sessions.onTransition(async ({ session }) => {
      const told = bus.sessionChanged(session.id, session.state);
      // Inside a transaction it has to wait for the end of it.
      if (library.inWrite()) told.catch(() => undefined);
      else await told;
    });
    const stop = streamHops(bus, (told) => events.publish('guide', told), { time });
    parts.onClose(async () => {
      unhook();
      stop();
      await bus.close();
    });
    return bus;
  });
  return { guideBus };
}
