import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** Somebody who listens on loopback and counts who calls. */
export interface Listener {
  host: string;
  url: string;
  /** How many called since the last time. */
  reset(): number;
  close(): void;
}

export async function startListener(): Promise<Listener> {
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.on('error', () => {});
    socket.end('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    url: `http://${host}`,
    reset: () => {
      const count = connections;
      connections = 0;
      return count;
    },
    close: () => server.close(),
  };
}
