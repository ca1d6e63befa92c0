import type { Priority } from '../../../stores/messages/index.ts';
import { createDeque, type Deque } from './deque.ts';
import type { Parcel } from './parcel.ts';

/** Turns of each lane in one round. The lowest has one: it is late, never left behind. */
const turns: ReadonlyArray<[Priority, number]> = [
  ['critical', 8],
  ['high', 4],
  ['normal', 2],
  ['low', 1],
];
const laneOf: Record<Priority, number> = { critical: 0, high: 1, normal: 2, low: 3 };

/** What waits for one agent in one session, by priority; in order within a priority. */
export function createLanes() {
  const lanes: Array<Deque<Parcel>> = turns.map(() => createDeque<Parcel>());
  const left = turns.map(([, count]) => count);
  let size = 0;

  const choose = (): number => {
    for (let round = 0; round < 2; round++) {
      for (let lane = 0; lane < lanes.length; lane++)
        if (left[lane]! > 0 && lanes[lane]!.size() > 0) return lane;
      turns.forEach(([, count], lane) => {
        left[lane] = count;
      });
    }
    return -1;
  };

  return {
    /** Saved turns in the round of sessions. */
    credit: 0,
    in_flight: 0,
    size: () => size,
    push: (parcel: Parcel) => {
      lanes[laneOf[parcel.message.priority]]!.push(parcel);
      size++;
    },
    next: (): Parcel | undefined => (size === 0 ? undefined : lanes[choose()]?.peek()),
    shift: (): Parcel | undefined => {
      if (size === 0) return undefined;
      const lane = choose();
      left[lane]!--;
      size--;
      return lanes[lane]!.shift();
    },
    extract: (wanted: (parcel: Parcel) => boolean, limit?: number, within?: number): Parcel[] => {
      const taken: Parcel[] = [];
      for (const lane of lanes)
        taken.push(...lane.extract(wanted, limit === undefined ? undefined : limit - taken.length, within));
      size -= taken.length;
      return taken;
    },
  };
}

export type Lanes = ReturnType<typeof createLanes>;
