import type { Message } from '../../stores/messages/index.ts';
import type { BusContext } from './context.ts';
import { endedText, putAway, rest } from './outcomes.ts';
import { type Queued, toQueued } from './queued.ts';

// Messages between this process and the library: stored, taken over and returned.

function inFlightIds({ mailboxes }: BusContext, session: string): string[] {
  return mailboxes
    .all()
    .flatMap(({ attempts }) => [...attempts])
    .flatMap(({ items }) => items.map(({ message }) => message))
    .filter(({ session_id }) => session_id === session)
    .map(({ id }) => id);
}

/** Messages that rest before another attempt, removed from the queue. */
function withdrawResting({ resting }: BusContext, wanted: (item: Queued) => boolean): Queued[] {
  const entries = [...resting.values()].filter(({ item }) => wanted(item));
  for (const { item, cancel } of entries) {
    cancel();
    resting.delete(item.message.id);
  }
  return entries.map(({ item }) => item);
}

/** Queues a stored message; false if this process already has it. */
export function takeUp(context: BusContext, message: Message, notBefore: number): boolean {
  const { held, time } = context;
  if (held.items.has(message.id)) return false;
  const now = time.now();
  const facts = { now, steady: time.steady(), mostBytes: Number.POSITIVE_INFINITY };
  const item = { ...toQueued(message, message.target ?? '', facts), durable: true };
  held.add(item);
  if (notBefore > now) rest(context, item, notBefore - now);
  else context.enqueue(item);
  return true;
}

/** Queues what the library has for the agents of this process. */
export async function recover(context: BusContext): Promise<number> {
  const { mailboxes, messages, owner, access, held } = context;
  const targets = mailboxes.all().map(({ agent, session }) => ({ target: agent, session }));
  await messages.expireOverdue();
  if (targets.length === 0) return 0;
  await context.announce();
  for (const mailbox of mailboxes.all()) mailbox.hasMore = false;
  /** Sessions that accept nothing now. */
  const without = new Set<string>();
  for (let count = 0; ; ) {
    const claimed = await messages.claim({ owner, targets, limit: 500, without: [...without] });
    if (claimed.length === 0) return count;
    const returned: string[] = [];
    for (const { message, notBefore } of claimed) {
      const { id, session_id } = message;
      const takes = without.has(session_id) ? 'later' : await access.takes(message);
      if (takes === 'yes' && held.hasRoom(session_id)) {
        count += takeUp(context, message, notBefore) ? 1 : 0;
        continue;
      }
      without.add(session_id);
      if (takes === 'yes') for (const mailbox of mailboxes.inSession(session_id)) mailbox.hasMore = true;
      if (takes === 'never')
        await messages.expireSession(
          session_id,
          endedText(session_id, (await access.look(session_id))?.state),
        );
      returned.push(id);
    }
    await messages.release(owner, returned);
  }
}

export async function sessionChanged(context: BusContext, session: string, state: string): Promise<void> {
  const { access, mailboxes, messages } = context;
  access.forget(session);
  if (state === 'created') return;
  if (state === 'active') {
    await recover(context);
    return;
  }
  await putAway(context, [
    ...mailboxes.all().flatMap(({ queue }) => queue.withdraw(() => true, session)),
    ...withdrawResting(context, ({ message }) => message.session_id === session),
  ]);
  if (state !== 'suspended')
    await messages.expireSession(session, endedText(session, state), inFlightIds(context, session));
}

/** Returns everything that must not be lost, and counts the rest. */
export async function letGo(context: BusContext): Promise<void> {
  const { held, messages, owner } = context;
  withdrawResting(context, () => true);
  for (const item of held.items.values()) if (!item.durable) held.drop('closed');
  await messages.release(owner);
}
