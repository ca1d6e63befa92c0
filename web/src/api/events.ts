import { authorization } from './client.ts';

export interface LiveEvent {
  id: number;
  type: string;
  at: number;
  data: unknown;
}

export type Connection = 'connecting' | 'live' | 'lost';

/**
 * Reads the event stream and goes on after the last event seen when the connection drops. `onGap` is told when events
 * were missed for good, so that views load anew.
 */
export function followEvents(on: {
  event(event: LiveEvent): void;
  state(state: Connection): void;
  gap(): void;
}): () => void {
  const stop = new AbortController();
  let last: number | undefined;
  const read = async () => {
    for (let wait = 500; !stop.signal.aborted; wait = Math.min(wait * 2, 10_000)) {
      on.state(last === undefined ? 'connecting' : 'lost');
      try {
        const headers = {
          ...authorization(),
          ...(last === undefined ? {} : { 'last-event-id': String(last) }),
        };
        const reply = await fetch('/api/events', { headers, signal: stop.signal });
        if (reply.ok && reply.body) {
          on.state('live');
          wait = 500;
          for await (const event of parse(reply.body)) {
            if (event.type === 'hello') {
              const { gap } = event.raw as { gap?: boolean };
              if (gap) on.gap();
              last ??= event.id;
            } else {
              last = event.id;
              const { at, data } = event.raw as { at: number; data: unknown };
              on.event({ id: event.id, type: event.type, at, data });
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

async function* parse(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<{ id: number; type: string; raw: unknown }> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as unknown as TransformStream<Uint8Array, string>)
    .getReader();
  let buffer = '';
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
}
