import { SylkError } from '../../base/errors.ts';
import type { Queued } from './queued.ts';

export const busLimits = {
  /** Messages of one session, over all agents, that this process holds. */
  perSession: 10_000,
  total: 200_000,
  /** Bytes of payload that this process holds; a quarter of it for one session. */
  bytes: 256 * 1024 * 1024,
  /** Bytes of one payload. */
  message: 256 * 1024,
};

export type BusLimits = typeof busLimits;

/** What this process holds, within its limits, and what became of everything it accepted. */
export function createHeld(limits: BusLimits) {
  const items = new Map<string, Queued>();
  const sessions = new Map<string, { count: number; bytes: number }>();
  let bytes = 0;
  /** `refused`: a queue was full or an agent was unavailable: the sender was told, nothing is lost. */
  const sums = { accepted: 0, done: 0, dead: 0, expired: 0, retried: 0, refused: 0, batched: 0, cost: 0 };
  /** Dropped after acceptance, by reason: only messages that may be lost. */
  const dropped: Record<string, number> = {};
  const byTier: Record<string, number> = {};

  const refuse = (message: string, hint: string, data?: Record<string, unknown>): SylkError => {
    sums.refused++;
    return new SylkError('UNAVAILABLE', message, { hint, data });
  };
  const full = (what: string, data: Record<string, unknown>): SylkError =>
    refuse(`${what}: the message was not accepted.`, 'Wait until some are done, then send it again.', data);

  return {
    items,
    sums,
    refuse,
    full,
    /** Throws if there is no room. */
    requireRoom: (session: string, size: number): void => {
      const own = sessions.get(session);
      if (items.size >= limits.total) throw full('The bus is full', { waiting: items.size });
      if (own && own.count >= limits.perSession)
        throw full(`The queue of session ${session} is full`, { waiting: own.count });
      if (bytes + size > limits.bytes || (own?.bytes ?? 0) + size > limits.bytes / 4)
        throw full('The bus has reached its size limit', { bytes });
    },
    hasRoom: (session: string): boolean =>
      items.size < limits.total && (sessions.get(session)?.count ?? 0) < limits.perSession,
    add: (item: Queued): void => {
      const { id, session_id } = item.message;
      const own = sessions.get(session_id);
      if (own) {
        own.count++;
        own.bytes += item.size;
      } else sessions.set(session_id, { count: 1, bytes: item.size });
      bytes += item.size;
      items.set(id, item);
    },
    remove: (item: Queued): void => {
      const { id, session_id } = item.message;
      const own = sessions.get(session_id);
      if (items.get(id) !== item || !own) return;
      items.delete(id);
      bytes -= item.size;
      own.count--;
      own.bytes -= item.size;
      if (own.count === 0) sessions.delete(session_id);
    },
    countEnd: (item: Queued, status: 'done' | 'dead' | 'expired'): void => {
      sums[status]++;
      if (item.tier !== undefined) byTier[item.tier] = (byTier[item.tier] ?? 0) + 1;
      sums.cost += item.cost ?? 0;
    },
    drop: (reason: string): void => {
      dropped[reason] = (dropped[reason] ?? 0) + 1;
    },
    statistics: (inFlight: number) => ({
      ...sums,
      waiting: items.size - inFlight,
      in_flight: inFlight,
      dropped: { ...dropped },
      by_tier: { ...byTier },
    }),
  };
}

export type Held = ReturnType<typeof createHeld>;
