import { SylkError } from '../../base/errors.ts';
import type { BusContext } from './context.ts';
import type { Delivery } from './contract.ts';
import { type Attempt, listenerFor, type Mailbox } from './mailboxes.ts';
import { complete, expire, fail, inBackground, isMessageFault, putAway } from './outcomes.ts';
import type { Queued } from './queued.ts';

/** Messages delivered before other work of the process gets a turn. */
const burstLimit = 256;

/** Delivers messages to agents: as many at once as each accepts, in round-robin order, with timeouts. */
export function createDelivery(context: BusContext) {
  const { messages, owner, time, mailboxes, access, held } = context;
  let burst = 0;
  let isBurstCounted = false;

  const wake = (mailbox: Mailbox): void => {
    if (mailbox.isScheduled || mailbox.queue.size() === 0) return;
    mailbox.isScheduled = true;
    const start = () =>
      burst < burstLimit ? queueMicrotask(() => handOut(mailbox)) : setImmediate(() => handOut(mailbox));
    // An agent works outside of the transaction in which the message was sent.
    if (messages.inWrite()) messages.outside(start);
    else start();
    if (isBurstCounted) return;
    isBurstCounted = true;
    setImmediate(() => {
      isBurstCounted = false;
      burst = 0;
    });
  };

  const handOut = (mailbox: Mailbox): void => {
    mailbox.isScheduled = false;
    const { queue, breaker, concurrency } = mailbox;
    const now = time.now();
    // No session may occupy all slots of an agent.
    const most = Math.max(1, concurrency - 1);
    const may = (session: string, running: number) => running < most && breaker.may(session, now);
    while (mailbox.attempts.size < concurrency) {
      if (burst >= burstLimit) {
        wake(mailbox);
        return;
      }
      const item = queue.take(may);
      if (!item) break;
      burst++;
      if (item.expires <= now) {
        queue.finished(item.message.session_id);
        inBackground(context, expire(context, item));
      } else begin(mailbox, item, now);
    }
    if (mailbox.hasMore && queue.size() < 50) context.refill();
  };

  const begin = (mailbox: Mailbox, first: Queued, now: number): void => {
    const { message } = first;
    const listener = listenerFor(mailbox, message.type);
    const items = [first];
    const key = first.durable ? undefined : listener?.batch?.key(message);
    if (listener?.batch && key !== undefined) {
      const { batch } = listener;
      const isLike = (other: Queued) =>
        !other.durable && other.expires > now && batch.key(other.message) === key;
      items.push(...mailbox.queue.takeLike(message.session_id, isLike, batch.limit - 1));
    }
    const until = now + mailbox.timeout;
    const attempt: Attempt = {
      mailbox,
      items,
      first,
      listener,
      started: time.steady(),
      until,
      isOver: false,
    };
    mailbox.attempts.add(attempt);
    mailbox.breaker.started(message.session_id, message.id);
    for (const each of items) {
      each.message.attempt++;
      each.message.status = 'delivered';
    }
    if (!first.durable && access.takesNow(message)) respond(attempt);
    else void prepare(attempt).catch((thrown) => finish(attempt, { thrown }));
  };

  const prepare = async (attempt: Attempt): Promise<void> => {
    const { first, items, mailbox } = attempt;
    const { message } = first;
    const isTaken = (await access.takes(message)) === 'yes';
    if (isTaken && (!first.durable || (await messages.deliver(message.id, message.attempt, owner)))) {
      attempt.started = time.steady();
      return respond(attempt);
    }
    close(attempt);
    mailbox.breaker.undecided(message.session_id, message.id);
    if (!isTaken) {
      for (const each of items) each.message.attempt--;
      return putAway(context, items);
    }
    held.remove(first);
    held.drop('taken over');
    context.settled();
  };

  const callAgent = (attempt: Attempt): Promise<unknown> => {
    const { listener, items, first } = attempt;
    const delivery = deliveryOf(attempt);
    if (!listener) throw new SylkError('NOT_FOUND', `${first.target} does not accept ${first.message.type}.`);
    if (items.length === 1 || !listener.batch) return listener.respond(first.message, delivery);
    return listener.batch.respond(
      items.map(({ message }) => message),
      delivery,
    );
  };

  const respond = (attempt: Attempt): void => {
    for (const { message } of attempt.items) message.status = 'processing';
    const failed = (thrown: unknown) => finish(attempt, { thrown: thrown ?? new Error('it failed') });
    try {
      callAgent(attempt).then((reply) => finish(attempt, { reply }), failed);
    } catch (thrown) {
      failed(thrown);
    }
  };

  const deliveryOf = (attempt: Attempt): Delivery => {
    const { first, items } = attempt;
    const { id, attempt: number } = first.message;
    return {
      get signal() {
        attempt.controller ??= new AbortController();
        return attempt.controller.signal;
      },
      act: async (work) => {
        if (attempt.isOver)
          throw new SylkError('CONFLICT', `Message ${id} timed out.`, {
            hint: 'Do nothing: it is retried or was dropped.',
          });
        if (!first.durable) return work();
        const reply = await messages.act({ id, owner, attempt: number }, work);
        attempt.acted = { reply };
        return reply;
      },
      note: ({ tier, cost }) => {
        for (const item of items) {
          item.tier = tier ?? item.tier;
          if (cost !== undefined) item.cost = (item.cost ?? 0) + cost / items.length;
        }
      },
    };
  };

  const close = (attempt: Attempt): void => {
    attempt.isOver = true;
    attempt.mailbox.attempts.delete(attempt);
    for (const { message } of attempt.items) attempt.mailbox.queue.finished(message.session_id);
    wake(attempt.mailbox);
  };

  const finish = (
    attempt: Attempt,
    { reply, thrown, isUnclear = false }: { reply?: unknown; thrown?: unknown; isUnclear?: boolean },
  ): void => {
    if (attempt.isOver) return;
    const { mailbox, items, acted, first } = attempt;
    const { session_id, id } = first.message;
    const now = time.now();
    const ran = time.steady() - attempt.started;
    close(attempt);
    const replies = items.length > 1 ? reply : [reply];
    const isWhole = Array.isArray(replies) && replies.length === items.length;
    // A committed effect counts as done, whatever the agent returned afterwards.
    if (!acted && (thrown !== undefined || !isWhole)) {
      const error = thrown ?? new Error(`${mailbox.key} replied to a different number of messages`);
      mailbox.failed += items.length;
      mailbox.lastFailure = now;
      mailbox.lastError = (error instanceof Error ? error.message : String(error)).slice(0, 300);
      if (isMessageFault(error)) mailbox.breaker.undecided(session_id, id);
      else mailbox.breaker.failed(session_id, id, now);
      for (const item of items) inBackground(context, fail(context, item, { thrown: error, ran, isUnclear }));
      return;
    }
    mailbox.done += items.length;
    mailbox.lastSuccess = now;
    mailbox.breaker.succeeded(session_id, id, now);
    if (items.length > 1) held.sums.batched += items.length;
    items.forEach((item, at) => {
      const given: unknown = isWhole ? replies[at] : undefined;
      const own = given === undefined ? acted?.reply : given;
      inBackground(context, complete(context, item, { reply: own, ran, isStored: acted !== undefined }));
    });
  };

  return {
    wake,
    /** Ends attempts that timed out and messages that waited too long; resumes agents whose breaker has rested. */
    sweep: (): void => {
      const now = time.now();
      for (const mailbox of mailboxes.all()) {
        for (const attempt of [...mailbox.attempts])
          if (now >= attempt.until) {
            attempt.controller?.abort();
            const thrown = new SylkError(
              'TIMEOUT',
              `${mailbox.key} did not finish within ${mailbox.timeout} ms.`,
            );
            finish(attempt, { thrown, isUnclear: true });
          }
        for (const item of mailbox.queue.withdraw(({ expires }) => expires <= now))
          inBackground(context, expire(context, item));
        wake(mailbox);
      }
    },
    inFlight: (): number => mailboxes.all().reduce((sum, { attempts }) => sum + attempts.size, 0),
  };
}
