import { addressOf, authorization } from './client.ts';

export interface LiveEvent {
  id: number;
  type: string;
  at: number;
  data: unknown;
}

/** Milliseconds until a dropped connection is tried again, at first. */
const soon = 200;

export type Connection = 'connecting' | 'live' | 'lost';

/**
 * Reads the event stream from the oldest event that is kept, and goes on after the last one seen when the connection
 * drops. `gap` is told when events were missed for good, so that views load anew; `past` marks events that happened
 * before the page was opened.
 */
export function followEvents(on: {
  event(event: LiveEvent, past: boolean): void;
  state(state: Connection): void;
  gap(): void;
}): () => void {
  const stop = new AbortController();
  let last = 0;
  let run: string | undefined;
  const read = async () => {
    for (let wait = soon; !stop.signal.aborted; wait = Math.min(wait * 2, 10_000)) {
      on.state(run === undefined ? 'connecting' : 'lost');
      try {
        const headers = { ...authorization(), 'last-event-id': String(last) };
        const reply = await fetch(addressOf('/api/events'), { headers, signal: stop.signal });
        if (reply.ok && reply.body) {
          on.state('live');
          wait = soon;
          for await (const event of readStream(reply.body)) {
            if (event.type === 'hello') {
              const told = event.raw as { gap?: boolean; run?: string };
              const restarted = run !== undefined && run !== told.run;
              if (run !== undefined && (told.gap || restarted)) on.gap();
              run = told.run;
              // Another server counts from one again: everything it tells is new.
              if (restarted && last > 0) {
                last = 0;
                break;
              }
            } else {
              last = event.id;
              const { at, data } = event.raw as { at: number; data: unknown };
              on.event({ id: event.id, type: event.type, at, data }, at < performance.timeOrigin);
            }
          }
        }
      } catch {
        // The connection is tried again below.
      }
      if (!stop.signal.aborted) await new Promise((resolve) => setTimeout(resolve, wait));
    }
  };
  void read();
  return () => stop.abort();
}

/** The events of a reply, one after another. */
export async function* readStream(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<{ id: number; type: string; raw: unknown }> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as unknown as TransformStream<Uint8Array, string>)
    .getReader();
  let buffer = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      buffer += value;
      for (let end = buffer.indexOf('\n\n'); end >= 0; end = buffer.indexOf('\n\n')) {
        const lines = buffer.slice(0, end).split('\n');
        buffer = buffer.slice(end + 2);
        const field = (name: string) =>
          lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
        const data = field('data');
        if (data)
          yield { id: Number(field('id') ?? 0), type: field('event') ?? 'message', raw: JSON.parse(data) };
      }
    }
  } finally {
    // Whoever stops reading early leaves no connection behind.
    await reader.cancel().catch(() => {});
  }
}
