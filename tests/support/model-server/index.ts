import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { type Dialect, dialects, type ScriptedAnswer, type ServerEvent } from './dialects.ts';

export { type Dialect, dialects, type ScriptedAnswer } from './dialects.ts';

export interface ScriptedReply extends ScriptedAnswer {
  /** Answers with this instead of a stream. */
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  /** After the first half of the events: the connection ends, breaks, or stays silent; an event is no JSON. */
  breaks?: 'end' | 'reset' | 'silence' | 'garbage' | 'keep-alive';
}

export interface ServedRequest {
  path: string;
  headers: IncomingMessage['headers'];
  body: Record<string, unknown>;
}

export interface ModelServer {
  url: string;
  requests: ServedRequest[];
  stop(): Promise<void>;
}

const written = ({ name, data }: ServerEvent): string =>
  `${name ? `event: ${name}\n` : ''}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

function send(dialect: Dialect, reply: ScriptedReply, response: ServerResponse): void {
  if (reply.status !== undefined) {
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
    response.end(reply.body ?? '{"error":{"message":"scripted failure","type":"scripted"}}');
    return;
  }
  const events = dialects[dialect](reply).map(written);
  response.writeHead(200, { 'content-type': 'text/event-stream', ...reply.headers });
  const { breaks } = reply;
  if (!breaks) {
    response.end(events.join(''));
    return;
  }
  response.write(events.slice(0, Math.ceil(events.length / 2)).join(''));
  if (breaks === 'end') response.end();
  if (breaks === 'reset') setImmediate(() => response.destroy());
  if (breaks === 'garbage') response.end('data: {"broken":\n\n');
  if (breaks === 'keep-alive') {
    const beat = setInterval(() => response.write(': still here\n\n'), 20);
    response.on('close', () => clearInterval(beat));
  }
}

/** A provider on loopback that answers what it is told, one reply for each request; the last one stays. */
export async function startModelServer(
  dialect: Dialect,
  replies: ScriptedReply[] | ((request: ServedRequest, number: number) => ScriptedReply),
): Promise<ModelServer> {
  const requests: ServedRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const body: Record<string, unknown> = JSON.parse(await readText(incoming));
    const request = { path: incoming.url ?? '', headers: incoming.headers, body };
    requests.push(request);
    const number = requests.length;
    const reply =
      typeof replies === 'function' ? replies(request, number) : (replies[number - 1] ?? replies.at(-1));
    send(dialect, reply ?? {}, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
