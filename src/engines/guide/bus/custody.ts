import type { Message, Messages } from '../../../stores/messages/index.ts';
import type { BusTime } from './bus-time.ts';
import { parcelOf } from './envelope.ts';
import type { Ledger } from './ledger.ts';
import type { Membership } from './membership.ts';
import type { Outcomes } from './outcomes.ts';
import type { Parcel } from './parcel.ts';
import type { Posts } from './posts.ts';

export interface CustodyParts {
  messages: Messages;
  owner: string;
  time: BusTime;
  posts: Posts;
  ledger: Ledger;
  membership: Membership;
  outcomes: Outcomes;
  enqueue(parcel: Parcel): void;
  /** Says that this process is alive, before it has anything. */
  heard(): Promise<void>;
  ended(): void;
}

/** Messages between this process and the library: what is put away, taken over, and given back. */
export function createCustody(parts: CustodyParts) {
  const { messages, owner, time, posts, ledger, membership, outcomes } = parts;

  const flying = (session?: string): string[] =>
    posts
      .all()
      .flatMap((post) => [...post.flights])
      .flatMap((flight) => flight.parcels)
      .filter(({ message }) => session === undefined || message.session_id === session)
      .map(({ message }) => message.id);

  /** Everything of the session that waits here, out of the queues. */
  const withdraw = (session: string): Parcel[] => [
    ...posts.all().flatMap((post) => post.inbox.withdraw(() => true, session)),
    ...outcomes.wakeEarly(({ message }) => message.session_id === session),
  ];

  /** From now on the library answers for it. */
  const keep = async (parcel: Parcel): Promise<void> => {
    if (parcel.durable) return;
    parcel.durable = true;
    await messages.accept({ ...parcel.message, target: parcel.target, status: 'queued' }, owner);
  };

  const park = async (parcels: Parcel[]): Promise<void> => {
    for (const parcel of parcels) {
      const { session_id } = parcel.message;
      if (membership.takes(parcel.message, await membership.look(session_id)) === 'never') {
        await outcomes.expire(parcel, 0, `session ${session_id} has ended`);
        continue;
      }
      await keep(parcel);
      await messages.settle(parcel.message.id, owner, { status: 'queued', release: true });
      ledger.free(parcel);
    }
    parts.ended();
  };

  /** Puts into the queues what the library has for the agents of this process, session by session. */
  const recover = async (): Promise<number> => {
    const targets = posts.all().map(({ agent, session }) => ({ target: agent, session }));
    if (targets.length === 0) return 0;
    await parts.heard();
    const without: string[] = [];
    let taken = 0;
    for (const post of posts.all()) post.more = false;
    for (;;) {
      const claimed = await messages.claim({ owner, targets, limit: 500, without });
      for (const { message, notBefore } of claimed) {
        const { session_id } = message;
        if (without.includes(session_id)) continue;
        const takes = membership.takes(
          message,
          session_id === '' ? undefined : await membership.look(session_id),
        );
        const room = ledger.roomOf(session_id) > 0;
        if (takes === 'yes' && room) {
          taken += take(message, notBefore) ? 1 : 0;
          continue;
        }
        without.push(session_id);
        if (takes === 'never') await messages.expireSession(session_id, `session ${session_id} has ended`);
        else {
          await messages.release(owner, session_id, [...ledger.held.keys()]);
          if (!room) for (const post of posts.inSession(session_id)) post.more = true;
        }
      }
      if (claimed.length === 0) return taken;
    }
  };

  const take = (message: Message, notBefore: number): boolean => {
    const { id, target } = message;
    if (ledger.held.has(id)) return false;
    const now = time.now();
    const made = { now, steady: time.steady(), most: Number.POSITIVE_INFINITY };
    const parcel = { ...parcelOf(message, target ?? '', made), durable: true };
    ledger.hold(parcel);
    if (notBefore > now) outcomes.rest(parcel, notBefore - now);
    else parts.enqueue(parcel);
    return true;
  };

  return {
    park,
    recover,
    take,
    pendingOf: async (session: string): Promise<Message[]> => {
      const atWork = new Set(flying(session));
      for (const parcel of ledger.held.values())
        if (parcel.message.session_id === session && !atWork.has(parcel.message.id)) await keep(parcel);
      return messages.pendingOf(session);
    },
    restore: async (given: Message[]): Promise<number> => {
      let restored = 0;
      for (const message of given) {
        if (ledger.held.has(message.id)) continue;
        const { known } = await messages.accept({ ...message, status: 'queued' }, '');
        if (known === undefined) restored++;
      }
      await recover();
      return restored;
    },
    sessionChanged: async (session: string, state: string): Promise<void> => {
      membership.forget(session);
      if (state === 'active') {
        await recover();
        return;
      }
      if (state === 'created') return;
      const waiting = withdraw(session);
      if (state === 'suspended') {
        for (const parcel of waiting) {
          await keep(parcel);
          ledger.free(parcel);
        }
        await messages.release(owner, session, flying(session));
        return;
      }
      for (const parcel of waiting)
        await outcomes.expire(parcel, 0, `session ${session} has ended (${state})`);
      await messages.expireSession(session, `session ${session} has ended (${state})`, flying(session));
    },
    /** Gives everything back that may not be lost, and counts what may. */
    letGo: async (): Promise<void> => {
      for (const parcel of ledger.held.values()) if (!parcel.durable) ledger.drop('closed');
      await messages.release(owner);
    },
  };
}
