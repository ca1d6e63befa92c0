import { SylkError } from '../../../base/errors.ts';
import type { BusStatistics } from './contract.ts';
import { createHistogram } from './histogram.ts';
import type { Parcel } from './parcel.ts';

export interface BusLimits {
  /** Messages of one session, over all agents, that this process holds. */
  perSession: number;
  total: number;
  /** Bytes of payload that this process holds; a quarter of it for one session. */
  bytes: number;
  /** Bytes of one payload. */
  message: number;
}

export const busLimits: BusLimits = {
  perSession: 10_000,
  total: 200_000,
  bytes: 256 * 1024 * 1024,
  message: 256 * 1024,
};

/** What this process holds, and what became of everything it took. A full queue refuses; it never forgets. */
export function createLedger(limits: BusLimits) {
  const held = new Map<string, Parcel>();
  const sessions = new Map<string, { count: number; bytes: number }>();
  let bytes = 0;
  const waits = createHistogram();
  const sums = { accepted: 0, done: 0, dead: 0, expired: 0, retried: 0, refused: 0, batched: 0, cost: 0 };
  const dropped: Record<string, number> = {};
  const by = { by_type: {}, by_target: {}, by_tier: {}, by_priority: {} } as Record<
    'by_type' | 'by_target' | 'by_tier' | 'by_priority',
    Record<string, number>
  >;
  const count = (table: Record<string, number>, name: string) => {
    table[name] = (table[name] ?? 0) + 1;
  };

  const full = (what: string, data: Record<string, unknown>): SylkError => {
    sums.refused++;
    return new SylkError('UNAVAILABLE', `${what}: the message was not taken.`, {
      hint: 'Wait for some of them to be done, then send it again.',
      data,
    });
  };

  return {
    held,
    sums,
    full,
    /** Throws where there is no room. */
    requireRoom: (session: string, size: number): void => {
      const own = sessions.get(session);
      if (held.size >= limits.total) throw full('The bus is full', { waiting: held.size });
      if (own && own.count >= limits.perSession)
        throw full(`The queue of session ${session} is full`, { waiting: own.count });
      if (bytes + size > limits.bytes || (own?.bytes ?? 0) + size > limits.bytes / 4)
        throw full('The bus holds as many bytes as it may', { bytes });
    },
    roomOf: (session: string): number =>
      Math.min(limits.total - held.size, limits.perSession - (sessions.get(session)?.count ?? 0)),
    hold: (parcel: Parcel): void => {
      const own = sessions.get(parcel.message.session_id);
      if (own) {
        own.count++;
        own.bytes += parcel.size;
      } else sessions.set(parcel.message.session_id, { count: 1, bytes: parcel.size });
      bytes += parcel.size;
      held.set(parcel.message.id, parcel);
    },
    free: (parcel: Parcel): void => {
      if (held.get(parcel.message.id) !== parcel) return;
      held.delete(parcel.message.id);
      bytes -= parcel.size;
      const own = sessions.get(parcel.message.session_id)!;
      own.count--;
      own.bytes -= parcel.size;
      if (own.count === 0) sessions.delete(parcel.message.session_id);
    },
    accepted: (parcel: Parcel): void => {
      sums.accepted++;
      count(by.by_type, parcel.message.type);
      count(by.by_target, parcel.target);
      count(by.by_priority, parcel.message.priority);
    },
    waited: (milliseconds: number) => waits.add(milliseconds),
    noted: (parcel: Parcel): void => {
      if (parcel.tier !== undefined) count(by.by_tier, parcel.tier);
      sums.cost += parcel.cost ?? 0;
    },
    drop: (reason: string): void => count(dropped, reason),
    statistics: (inFlight: number): BusStatistics => ({
      ...sums,
      dropped: { ...dropped },
      waiting: held.size - inFlight,
      in_flight: inFlight,
      bytes_waiting: bytes,
      by_type: { ...by.by_type },
      by_target: { ...by.by_target },
      by_tier: { ...by.by_tier },
      by_priority: { ...by.by_priority },
      wait_p50_ms: waits.quantile(0.5),
      wait_p99_ms: waits.quantile(0.99),
    }),
  };
}

export type Ledger = ReturnType<typeof createLedger>;
