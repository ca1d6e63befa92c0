import type { Message } from '../../stores/messages/index.ts';
import type { Bus } from './contract.ts';

interface Subscriber {
  session: string | undefined;
  offer(message: Message): boolean;
}

/** Every subscriber has a bounded queue of its own: a slow one loses messages, nobody waits for it. */
export function createTopics(drop: (name: string) => void) {
  const topics = new Map<string, Set<Subscriber>>();

  const subscribe: Bus['subscribe'] = (topic, { name, session, capacity = 1000 }, seen) => {
    const waiting: Message[] = [];
    let dropped = 0;
    let isBusy = false;
    let isEnded = false;
    const lose = (): false => {
      dropped++;
      drop(name);
      return false;
    };
    const drain = async () => {
      isBusy = true;
      await Promise.resolve();
      for (let message = waiting.shift(); message && !isEnded; message = waiting.shift()) {
        try {
          await seen(message);
        } catch {
          lose();
        }
      }
      isBusy = false;
    };
    const subscriber: Subscriber = {
      session,
      offer: (message) => {
        if (waiting.length >= capacity) return lose();
        waiting.push(message);
        if (!isBusy) void drain();
        return true;
      },
    };
    const subscribers = topics.get(topic) ?? new Set();
    topics.set(topic, subscribers.add(subscriber));
    return {
      dropped: () => dropped,
      end: () => {
        isEnded = true;
        subscribers.delete(subscriber);
        if (subscribers.size === 0 && topics.get(topic) === subscribers) topics.delete(topic);
      },
    };
  };

  /** Answers how many took it. */
  const offer = (topic: string, message: Message): number => {
    let count = 0;
    for (const subscriber of topics.get(topic) ?? [])
      if ((subscriber.session ?? message.session_id) === message.session_id && subscriber.offer(message))
        count++;
    return count;
  };

  return {
    subscribe,
    offer,
    /** Under its session, its target and its type. */
    offerAll: (message: Message, target: string): void => {
      if (topics.size === 0) return;
      offer(`session/${message.session_id}`, message);
      offer(`agent/${target}`, message);
      offer(`type/${message.type}`, message);
    },
  };
}
