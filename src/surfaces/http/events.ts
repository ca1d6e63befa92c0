import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { App } from '../../app.ts';
import { type RunRequest, runOperation } from '../../operations/run.ts';

const keepAliveMs = 15_000;
const maxWaiting = 1000;

/**
 * Live events. A reconnecting client sends `last-event-id` (or `?after=`) and misses nothing still buffered; a
 * client that does not read is dropped instead of buffered forever. A session that ended receives no more events.
 */
export function eventStream(
  app: App,
  context: Context,
  isAllowed: () => boolean | Promise<boolean>,
): Response | Promise<Response> {
  const after = Number(context.req.header('last-event-id') ?? context.req.query('after') ?? Number.NaN);
  return streamSSE(context, async (stream) => {
    const waiting = Number.isFinite(after) ? app.events.since(after) : { events: [], gap: false };
    const queue = waiting.events;
    let wake = () => {};
    let ended = false;
    const end = () => {
      ended = true;
      wake();
    };
    const unsubscribe = app.events.subscribe((event) => {
      queue.push(event);
      if (queue.length > maxWaiting) end();
      wake();
    });
    stream.onAbort(end);
    app.onClose(end);
    await stream.writeSSE({
      event: 'hello',
      id: String(app.events.lastId()),
      data: JSON.stringify({ gap: waiting.gap, run: app.events.logId }),
    });
    while (!ended && (await isAllowed())) {
      const event = queue.shift();
      if (event)
        await stream.writeSSE({
          id: String(event.id),
          event: event.type,
          data: JSON.stringify({ at: event.at, data: event.data }),
        });
      else {
        const timedOut = await new Promise<boolean>((resolve) => {
          const timer = setTimeout(() => resolve(true), keepAliveMs);
          wake = () => {
            clearTimeout(timer);
            resolve(false);
          };
        });
        if (timedOut && !ended) await stream.write(': alive\n\n');
      }
    }
    unsubscribe();
  });
}

/** One call as server-sent events: its id, its events, and its result or error. */
export function runStream(app: App, context: Context, request: RunRequest): Response | Promise<Response> {
  return streamSSE(context, async (stream) => {
    const send = (event: string, data: object) => {
      const id = 'number' in data ? String(data.number) : undefined;
      void stream.writeSSE({ event, data: JSON.stringify(data), id });
    };
    const outcome = await runOperation(app, {
      ...request,
      onStart: (call) => send('call', { call }),
      onEvent: (event) => send(event.type, event),
    });
    for (const text of outcome.ok ? outcome.notes : []) send('note', { text });
    await stream.writeSSE(
      outcome.ok
        ? { event: 'result', data: JSON.stringify(outcome.output) }
        : { event: 'error', data: JSON.stringify(outcome.output ?? { error: outcome.error }) },
    );
  });
}
