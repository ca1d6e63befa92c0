import { SylkError } from '../../../base/errors.ts';
import type { Messages } from '../../../stores/messages/index.ts';
import type { BusTime } from './bus-time.ts';
import type { Delivery } from './contract.ts';
import type { Ledger } from './ledger.ts';
import type { Membership } from './membership.ts';
import { isHopeless, type Outcomes } from './outcomes.ts';
import type { Parcel } from './parcel.ts';
import type { Flight, Post, Posts } from './posts.ts';

export interface DispatchParts {
  messages: Messages;
  owner: string;
  time: BusTime;
  posts: Posts;
  membership: Membership;
  outcomes: Outcomes;
  ledger: Ledger;
  /** Its session does not take it now: keep it for later. */
  park(parcels: Parcel[]): Promise<void>;
  /** An agent has room and there is more for it in the library. */
  refill(): void;
}

/** Messages handed out before everything else in the process gets a turn. */
const burstLimit = 256;

/** Hands messages to agents: as many at once as each takes, in the order of the rounds, and watches the time. */
export function createDispatch(parts: DispatchParts) {
  const { messages, owner, time, posts, membership, outcomes, ledger } = parts;
  let burst = 0;
  let resting = false;

  const wake = (post: Post): void => {
    if (post.scheduled || post.inbox.size() === 0) return;
    post.scheduled = true;
    const start = () =>
      burst < burstLimit ? queueMicrotask(() => run(post)) : setImmediate(() => run(post));
    // An agent works on its own account, not inside of the transaction in which somebody wrote to it.
    if (messages.inWrite()) messages.outside(start);
    else start();
    if (!resting) {
      resting = true;
      setImmediate(() => {
        resting = false;
        burst = 0;
      });
    }
  };

  const run = (post: Post): void => {
    post.scheduled = false;
    const now = time.now();
    const most = Math.max(1, post.concurrency - 1);
    const may = (session: string, inFlight: number) => inFlight < most && post.breaker.may(session, now);
    while (post.flights.size < post.concurrency) {
      if (burst >= burstLimit) {
        wake(post);
        return;
      }
      const parcel = post.inbox.take(may);
      if (!parcel) break;
      burst++;
      if (parcel.expires <= now) {
        post.inbox.landed(parcel.message.session_id);
        void outcomes.expire(parcel);
        continue;
      }
      begin(post, parcel, now);
    }
    if (post.more && post.inbox.size() < 50) parts.refill();
    const rests = post.inbox.size() > 0 ? post.breaker.rests(now) : undefined;
    if (rests === undefined || post.resuming) return;
    post.resuming = true;
    time.after(rests + 1, () => {
      post.resuming = false;
      wake(post);
    });
  };

  const begin = (post: Post, parcel: Parcel, now: number): void => {
    const { message } = parcel;
    const listener = posts.listenerFor(post, message.type);
    const parcels = [parcel];
    if (listener?.batch && !parcel.durable) {
      const { key, limit } = listener.batch;
      const own = key(message);
      if (own !== undefined)
        parcels.push(
          ...post.inbox.takeLike(
            message.session_id,
            (other) => !other.durable && other.expires > now && key(other.message) === own,
            limit - 1,
          ),
        );
    }
    const started = time.steady();
    const until = now + post.timeout;
    const flight: Flight = { post, parcels, listener: listener ?? unheard, started, until, over: false };
    post.flights.add(flight);
    post.breaker.going(message.session_id, message.id);
    for (const { message: each } of parcels) {
      each.attempt++;
      each.status = 'delivered';
    }
    const standing =
      message.session_id === '' ? { standing: undefined } : membership.peek(message.session_id);
    if (!parcel.durable && standing && membership.takes(message, standing.standing) === 'yes') fly(flight);
    else void prepare(flight).catch((error) => land(flight, { error }));
  };

  /** What has to be asked or committed before the agent may see it. */
  const prepare = async (flight: Flight): Promise<void> => {
    const [parcel] = flight.parcels as [Parcel];
    const { message } = parcel;
    const takes = membership.takes(
      message,
      message.session_id === '' ? undefined : await membership.look(message.session_id),
    );
    if (takes !== 'yes') {
      for (const { message: each } of flight.parcels) each.attempt--;
      clear(flight);
      flight.post.breaker.abandoned(message.session_id, message.id);
      return parts.park(flight.parcels);
    }
    if (parcel.durable && !(await messages.deliver(message.id, message.attempt, owner))) {
      clear(flight);
      flight.post.breaker.abandoned(message.session_id, message.id);
      return outcomes.lost(parcel);
    }
    flight.started = time.steady();
    fly(flight);
  };

  const fly = (flight: Flight): void => {
    const { listener, parcels } = flight;
    const [{ message }] = parcels as [Parcel];
    for (const parcel of parcels) parcel.message.status = 'processing';
    const delivery = deliveryOf(flight);
    flight.delivery = delivery;
    try {
      const answer =
        parcels.length > 1
          ? listener.batch!.respond(
              parcels.map((parcel) => parcel.message),
              delivery,
            )
          : listener.respond(message, delivery);
      answer.then(
        (reply) => land(flight, { reply }),
        (error) => land(flight, { error }),
      );
    } catch (error) {
      land(flight, { error });
    }
  };

  const deliveryOf = (flight: Flight): Delivery => {
    const [parcel] = flight.parcels as [Parcel];
    const { id, attempt } = parcel.message;
    return {
      get signal() {
        flight.controller ??= new AbortController();
        return flight.controller.signal;
      },
      act: async (work) => {
        if (flight.over)
          throw new SylkError('CONFLICT', `The time for message ${id} is over.`, {
            hint: 'Do nothing: it is tried again or was given up.',
          });
        if (!parcel.durable) return work();
        const { reply } = await messages.act({ id, owner, attempt }, work);
        flight.acted = { reply };
        return reply;
      },
      note: ({ tier, cost }) => {
        for (const each of flight.parcels) {
          if (tier !== undefined) each.tier = tier;
          if (cost !== undefined) each.cost = (each.cost ?? 0) + cost / flight.parcels.length;
        }
      },
    };
  };

  const clear = (flight: Flight): void => {
    flight.over = true;
    flight.post.flights.delete(flight);
    for (const { message } of flight.parcels) flight.post.inbox.landed(message.session_id);
    wake(flight.post);
  };

  const land = (flight: Flight, outcome: { reply?: unknown; error?: unknown; unclear?: boolean }): void => {
    if (flight.over) return;
    const { post, parcels, acted } = flight;
    const [{ message }] = parcels as [Parcel];
    const now = time.now();
    const ran = time.steady() - flight.started;
    clear(flight);
    const replies = parcels.length > 1 ? outcome.reply : [outcome.reply];
    const missing = !('error' in outcome) && (!Array.isArray(replies) || replies.length !== parcels.length);
    // What acted is done, whatever the agent said afterwards.
    const failed = !acted && ('error' in outcome || missing);
    if (failed) {
      const error = outcome.error ?? new Error(`${post.key} answered for another number of messages`);
      post.failed += parcels.length;
      post.lastFailure = now;
      post.lastError = error instanceof Error ? error.message.slice(0, 300) : String(error);
      if (isHopeless(error)) post.breaker.abandoned(message.session_id, message.id);
      else post.breaker.failed(message.session_id, message.id, now);
      for (const parcel of parcels) settled(outcomes.failed(parcel, error, ran, outcome.unclear));
      return;
    }
    post.done += parcels.length;
    post.lastSuccess = now;
    post.latency.add(ran);
    post.breaker.succeeded(message.session_id, message.id, now);
    if (parcels.length > 1) ledger.sums.batched += parcels.length;
    parcels.forEach((parcel, at) => {
      const reply = acted && outcome.reply === undefined ? acted.reply : (replies as unknown[])[at];
      settled(outcomes.done(parcel, reply, ran, acted !== undefined));
    });
  };

  /** The library did not take the outcome: the message is as it was, and is taken up again from there. */
  const settled = (outcome: Promise<void>): void => {
    outcome.catch(() => ledger.drop('outcome not kept'));
  };

  return {
    wake,
    /** Ends attempts whose time is over and messages that waited too long. */
    sweep: (): void => {
      const now = time.now();
      for (const post of posts.all()) {
        for (const flight of [...post.flights])
          if (now >= flight.until && !flight.over) {
            flight.controller?.abort();
            land(flight, {
              error: new SylkError('TIMEOUT', `${post.key} did not end within ${post.timeout} ms.`),
              unclear: true,
            });
          }
        for (const parcel of post.inbox.withdraw(({ expires }) => expires <= now))
          settled(outcomes.expire(parcel));
        wake(post);
      }
    },
    inFlight: (): number => posts.all().reduce((sum, post) => sum + post.flights.size, 0),
  };
}

const unheard = {
  agent: '',
  respond: async (message: { type: string; target?: string | undefined }) => {
    throw new SylkError('NOT_FOUND', `${message.target ?? 'The agent'} does not take ${message.type}.`);
  },
};
