import type { Message } from '../../../stores/messages/index.ts';

/** A message on its way through this process. */
export interface Parcel {
  message: Message;
  target: string;
  /** Its state is kept in the library. */
  durable: boolean;
  size: number;
  /** Steady time of acceptance, for the trace. */
  since: number;
  /** Milliseconds since the epoch; infinity when it has all the time. */
  expires: number;
  tier?: string;
  cost?: number;
}

/** Turns in the round: a large message takes the place of several small ones. */
export const costOf = (parcel: Parcel): number => 1 + Math.min(15, Math.floor(parcel.size / 4096));

/** About how many bytes a value takes; stops counting at `enough`. */
export function sizeOf(value: unknown, enough: number): number {
  let size = 0;
  const count = (part: unknown): void => {
    if (size > enough) return;
    if (typeof part === 'string') size += part.length + 2;
    else if (part === null || typeof part !== 'object') size += 8;
    else if (Array.isArray(part)) for (const item of part) count(item);
    else
      for (const key in part) {
        size += key.length + 4;
        count((part as Record<string, unknown>)[key]);
      }
  };
  count(value);
  return size;
}
