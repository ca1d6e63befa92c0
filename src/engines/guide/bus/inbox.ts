import { createLanes, type Lanes } from './lanes.ts';
import { costOf, type Parcel } from './parcel.ts';

const keptShards = 1000;

/**
 * What waits for one agent: a shard for each session, with its own lanes, visited in a round. A session that floods
 * waits behind itself; one that sends large messages pays for them with turns (deficit round robin).
 */
export function createInbox() {
  const shards = new Map<string, Lanes>();
  /** Sessions that have something waiting, in the order of their turns. */
  const round: string[] = [];
  let at = 0;
  let fresh = true;
  let size = 0;

  const shardOf = (session: string): Lanes => {
    let lanes = shards.get(session);
    if (!lanes) {
      if (shards.size >= keptShards) forgetEmpty();
      lanes = createLanes();
      shards.set(session, lanes);
    }
    return lanes;
  };

  /** A shard costs more to make than to keep, so that empty ones stay until there are many. */
  const forgetEmpty = () => {
    for (const [session, lanes] of shards)
      if (lanes.size() === 0 && lanes.in_flight === 0) shards.delete(session);
  };

  const leave = (index: number) => {
    shards.get(round[index]!)!.credit = 0;
    round.splice(index, 1);
    if (index < at) at--;
    else if (index === at) fresh = true;
    if (at >= round.length) at = 0;
  };

  const step = () => {
    at = round.length === 0 ? 0 : (at + 1) % round.length;
    fresh = true;
  };

  const removed = (session: string, parcels: Parcel[]): Parcel[] => {
    size -= parcels.length;
    if (parcels.length > 0 && shards.get(session)?.size() === 0) {
      const index = round.indexOf(session);
      if (index >= 0) leave(index);
    }
    return parcels;
  };

  return {
    size: () => size,
    sizeOf: (session: string): number => shards.get(session)?.size() ?? 0,
    inFlightOf: (session: string): number => shards.get(session)?.in_flight ?? 0,
    sessions: (): string[] => [...round],
    push: (parcel: Parcel): void => {
      const session = parcel.message.session_id;
      const lanes = shardOf(session);
      if (lanes.size() === 0) round.push(session);
      lanes.push(parcel);
      size++;
    },
    /** The next one whose session may have a turn now. */
    take: (may: (session: string, inFlight: number) => boolean): Parcel | undefined => {
      let skipped = 0;
      while (round.length > 0 && skipped < round.length) {
        const session = round[at]!;
        const lanes = shards.get(session)!;
        if (!may(session, lanes.in_flight)) {
          skipped++;
          step();
          continue;
        }
        if (fresh) lanes.credit += 1;
        fresh = false;
        const cost = costOf(lanes.next()!);
        if (lanes.credit < cost) {
          // It is saving up, which ends after at most sixteen rounds.
          skipped = 0;
          step();
          continue;
        }
        lanes.credit -= cost;
        const parcel = lanes.shift()!;
        size--;
        lanes.in_flight++;
        if (lanes.size() === 0) leave(at);
        else if (lanes.credit < 1) step();
        return parcel;
      }
      return undefined;
    },
    /** Others of the same session that wait, to be answered together. */
    takeLike: (session: string, like: (parcel: Parcel) => boolean, limit: number): Parcel[] => {
      const lanes = shards.get(session);
      if (!lanes || limit <= 0) return [];
      const taken = lanes.extract(like, limit, 256);
      lanes.in_flight += taken.length;
      return removed(session, taken);
    },
    /** Takes out whatever waits and is asked for, to be kept, given up or told. */
    withdraw: (wanted: (parcel: Parcel) => boolean, session?: string): Parcel[] => {
      const taken: Parcel[] = [];
      for (const name of session === undefined ? [...shards.keys()] : [session]) {
        const lanes = shards.get(name);
        if (lanes) taken.push(...removed(name, lanes.extract(wanted)));
      }
      return taken;
    },
    landed: (session: string): void => {
      const lanes = shards.get(session);
      if (lanes) lanes.in_flight--;
    },
  };
}

export type Inbox = ReturnType<typeof createInbox>;
