import { randomBytes } from 'node:crypto';
import { isoTime } from '../../../base/clock.ts';

/** Ids like `newId('msg')`, of which the bus makes many: the random part is drawn once, then they count. */
export function createMessageIds(): (now: number) => string {
  const drawn = randomBytes(6).toString('hex');
  let count = 0;
  return (now) =>
    `msg_${now.toString(36).padStart(9, '0')}${drawn}${(++count).toString(36).padStart(8, '0')}`;
}

/** The text of a moment; messages of one millisecond share it. */
export function createMoments(): (at: number) => string {
  let last = Number.NaN;
  let text = '';
  return (at) => {
    if (at !== last) {
      last = at;
      text = isoTime(at);
    }
    return text;
  };
}
