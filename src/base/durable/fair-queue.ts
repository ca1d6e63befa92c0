export interface FairQueueOptions<T> {
  /** Whose turn an item takes. */
  groupOf(item: T): string;
  /** Turns of each lane in one round of its group, first lane first. A lane with one turn is late, never left out. */
  turns: readonly number[];
  laneOf(item: T): number;
  /** Turns in the round of groups that an item takes; at least 1. */
  costOf(item: T): number;
}

interface Group<T> {
  lanes: T[][];
  turnsLeft: number[];
  size: number;
  /** Turns saved for an item that costs several. */
  credit: number;
  running: number;
}

/** Empty groups cost less to keep than to make again, up to this many. */
const keptGroups = 1000;

/**
 * What waits, by group and lane. Groups are visited in rounds, so that one that floods waits behind itself (deficit round
 * robin); within a lane the order is that of arrival.
 */
export function createFairQueue<T>({ groupOf, turns, laneOf, costOf }: FairQueueOptions<T>) {
  const groups = new Map<string, Group<T>>();
  /** Groups that have something waiting, in the order of their turns. */
  const round: string[] = [];
  let at = 0;
  let size = 0;

  const groupNamed = (name: string): Group<T> => {
    let group = groups.get(name);
    if (!group) {
      if (groups.size >= keptGroups)
        for (const [other, { size: waiting, running }] of groups)
          if (waiting + running === 0) groups.delete(other);
      group = { lanes: turns.map(() => []), turnsLeft: [...turns], size: 0, credit: 0, running: 0 };
      groups.set(name, group);
    }
    return group;
  };

  const nextLane = ({ lanes, turnsLeft }: Group<T>): number => {
    const choose = () => lanes.findIndex((lane, index) => lane.length > 0 && (turnsLeft[index] ?? 0) > 0);
    const lane = choose();
    if (lane >= 0) return lane;
    turns.forEach((count, index) => {
      turnsLeft[index] = count;
    });
    return choose();
  };

  const advance = () => {
    at = (at + 1) % round.length;
  };

  const leaveRound = (index: number) => {
    const [name = ''] = round.splice(index, 1);
    groupNamed(name).credit = 0;
    if (index < at) at--;
    if (at >= round.length) at = 0;
  };

  const shift = (group: Group<T>, lane: number): T => {
    group.turnsLeft[lane] = (group.turnsLeft[lane] ?? 0) - 1;
    group.size--;
    size--;
    return group.lanes[lane]?.shift() as T;
  };

  const remove = (name: string, wanted: (item: T) => boolean, limit = Number.POSITIVE_INFINITY): T[] => {
    const group = groups.get(name);
    const removed: T[] = [];
    group?.lanes.forEach((lane, index) => {
      if (!lane.some(wanted)) return;
      group.lanes[index] = lane.filter((item) => {
        if (removed.length >= limit || !wanted(item)) return true;
        removed.push(item);
        return false;
      });
    });
    if (!group || removed.length === 0) return removed;
    group.size -= removed.length;
    size -= removed.length;
    if (group.size === 0) leaveRound(round.indexOf(name));
    return removed;
  };

  return {
    size: () => size,
    sizeOf: (name: string): number => groups.get(name)?.size ?? 0,
    groups: (): readonly string[] => round,
    push: (item: T): void => {
      const name = groupOf(item);
      const group = groupNamed(name);
      if (group.size === 0) round.push(name);
      group.lanes[laneOf(item)]?.push(item);
      group.size++;
      size++;
    },
    /** The next item whose group may have a turn now; it counts as running until `finished`. */
    take: (may: (name: string, running: number) => boolean): T | undefined => {
      for (let skipped = 0; skipped < round.length; ) {
        const name = round[at] as string;
        const group = groupNamed(name);
        if (!may(name, group.running)) {
          skipped++;
          advance();
          continue;
        }
        group.credit += 1;
        const lane = nextLane(group);
        const cost = costOf(group.lanes[lane]?.[0] as T);
        if (group.credit < cost) {
          // It saves up, which ends after as many rounds as the item costs.
          skipped = 0;
          advance();
          continue;
        }
        group.credit -= cost;
        const item = shift(group, lane);
        group.running++;
        if (group.size === 0) leaveRound(at);
        else advance();
        return item;
      }
      return undefined;
    },
    /** Others of the same group, to be worked on together with one that was taken. */
    takeLike: (name: string, like: (item: T) => boolean, limit: number): T[] => {
      const taken = remove(name, like, limit);
      if (taken.length > 0) groupNamed(name).running += taken.length;
      return taken;
    },
    finished: (name: string): void => {
      const group = groups.get(name);
      if (group) group.running--;
    },
    /** Takes items out without a turn. */
    withdraw: (wanted: (item: T) => boolean, name?: string): T[] =>
      (name === undefined ? [...round] : [name]).flatMap((each) => remove(each, wanted)),
  };
}

export type FairQueue<T> = ReturnType<typeof createFairQueue<T>>;
