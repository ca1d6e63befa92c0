import { useSyncExternalStore } from 'react';
import type { LiveEvent } from './events.ts';

/** What the page heard since it was opened and what the server still kept from before, oldest first. */
const most = 5000;
let heard: readonly LiveEvent[] = [];
const listeners = new Set<() => void>();
let waiting: LiveEvent[] = [];

/** A burst is told once: views are not painted for every single event. */
export function hear(event: LiveEvent): void {
  if (waiting.length === 0) setTimeout(tell, 100);
  waiting.push(event);
}

function tell(): void {
  heard = [...heard, ...waiting].slice(-most);
  waiting = [];
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useHeard = (): readonly LiveEvent[] => useSyncExternalStore(subscribe, () => heard);
