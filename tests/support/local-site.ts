import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface TestSite {
  url: string;
  /** host:port, as `allow_hosts` takes it. */
  host: string;
  /** Connections so far: a canary that must stay at zero counts here. */
  connections(): number;
  /** Paths that were asked for. */
  requests: string[];
  close(): void;
}

/** A real HTTP server on loopback: fixed pages by path, or any listener. */
export async function startSite(content: Record<string, string> | RequestListener): Promise<TestSite> {
  const listener: RequestListener =
    typeof content === 'function'
      ? content
      : (request, response) => {
          const page = content[request.url ?? '/'];
          const type = /\.(?:md|txt)$/.test(request.url ?? '') ? 'text/plain' : 'text/html';
          if (page === undefined) response.writeHead(404).end();
          else response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(page);
        };
  const requests: string[] = [];
  let connections = 0;
  const server: Server = createServer((request, response) => {
    requests.push(request.url ?? '');
    listener(request, response);
  });
  server.on('connection', () => connections++);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://${host}`, host, connections: () => connections, requests, close };
}
