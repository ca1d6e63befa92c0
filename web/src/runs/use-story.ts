import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { addressOf, authorization, call } from '../api/client.ts';
import { readStream } from '../api/events.ts';
import { visible } from '../api/visible.ts';

/** Milliseconds until a dropped connection is tried again, at first. */
const soon = 200;

/**
 * Every event of a run as a sentence, as it happens. Events are numbered for good: after a cut, or in another server, the stream goes on
 * after the last one seen.
 */
export function useStory(run: string): readonly string[] {
  const [told, tell] = useState<readonly string[]>([]);
  const client = useQueryClient();
  useEffect(() => {
    const heard: string[] = [];
    const stop = new AbortController();
    let due: ReturnType<typeof setTimeout> | undefined;
    // A burst is told once.
    const changed = () => {
      due ??= setTimeout(() => {
        due = undefined;
        tell([...heard]);
        void client.invalidateQueries({ queryKey: ['get_run'] });
      }, 150);
    };
    void follow(run, heard, changed, stop.signal);
    return () => {
      stop.abort();
      clearTimeout(due);
    };
  }, [run, client]);
  return told;
}

async function follow(run: string, heard: string[], changed: () => void, signal: AbortSignal): Promise<void> {
  // What has happened comes in one answer; what happens from then on, event by event.
  const { story = [] } = await call('get_run', { run, story: true }, signal).catch(() => ({ story: [] }));
  heard.push(...story.map((line) => line.replace(/^\s*\d+\. {2}/, '')));
  changed();
  for (let wait = soon; !signal.aborted; wait = Math.min(wait * 2, 10_000)) {
    try {
      const before = heard.length;
      if (await readOnce(run, heard, changed, signal)) return;
      if (heard.length > before) wait = soon;
    } catch {
      // The connection is tried again below.
    }
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

/** True where the run has ended and everything was told. */
async function readOnce(
  run: string,
  heard: string[],
  changed: () => void,
  signal: AbortSignal,
): Promise<boolean> {
  const reply = await fetch(addressOf('/api/watch_run'), {
    method: 'POST',
    headers: {
      ...authorization(),
      'content-type': 'application/json',
      accept: 'text/event-stream',
      'last-event-id': String(heard.length),
    },
    body: JSON.stringify({ run, story: true }),
    signal,
  });
  if (!reply.ok || !reply.body) return false;
  for await (const { type, id, raw } of readStream(reply.body)) {
    if (type === 'result') return true;
    if (type !== 'run' || id !== heard.length + 1) continue;
    heard.push(visible((raw as { text: string }).text));
    changed();
  }
  return false;
}
