import type { Message } from '../../../stores/messages/index.ts';
import type { Subscription } from './contract.ts';
import { createDeque } from './deque.ts';

interface Subscriber {
  session: string | undefined;
  offer(message: Message): boolean;
}

/** Who watches what. Every subscriber has a bounded queue of its own: a slow one loses messages, nobody waits for it. */
export function createTopics(dropped: (name: string) => void) {
  const topics = new Map<string, Set<Subscriber>>();

  const subscribe = (
    topic: string,
    { name, session, capacity = 1000 }: { name: string; session?: string; capacity?: number },
    seen: (message: Message) => Promise<void> | void,
  ): Subscription => {
    const waiting = createDeque<Message>();
    let lost = 0;
    let busy = false;
    let ended = false;
    const drain = async () => {
      busy = true;
      await Promise.resolve();
      for (let message = waiting.shift(); message && !ended; message = waiting.shift()) {
        try {
          await seen(message);
        } catch {
          lost++;
          dropped(name);
        }
      }
      busy = false;
    };
    const subscriber: Subscriber = {
      session,
      offer: (message) => {
        if (waiting.size() >= capacity) {
          lost++;
          dropped(name);
          return false;
        }
        waiting.push(message);
        if (!busy) void drain();
        return true;
      },
    };
    const set = topics.get(topic) ?? new Set();
    topics.set(topic, set.add(subscriber));
    return {
      dropped: () => lost,
      end: () => {
        ended = true;
        set.delete(subscriber);
        if (set.size === 0 && topics.get(topic) === set) topics.delete(topic);
      },
    };
  };

  const offer = (topic: string, message: Message): number => {
    let took = 0;
    for (const subscriber of topics.get(topic) ?? [])
      if ((subscriber.session ?? message.session_id) === message.session_id && subscriber.offer(message))
        took++;
    return took;
  };

  return {
    subscribe,
    offer,
    /** Every message is also told under its session, its target and its type. */
    tell: (message: Message, target: string): void => {
      if (topics.size === 0) return;
      offer(`session/${message.session_id}`, message);
      offer(`agent/${target}`, message);
      offer(`type/${message.type}`, message);
    },
  };
}
