import {
  createServer as createHttpServer,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { messageOf } from '../errors.ts';
import { state } from '../files/index.ts';

export interface OutletOptions {
  /** `api.example.org`, `*.example.org`, or a port of this machine: `127.0.0.1:11434`. */
  hosts: string[];
  /** Told of each host that was asked for and is not among them. */
  onRefused(host: string): void;
}

/** The ways out of a sandbox without network. */
export interface Outlet {
  /** Sockets that the sandbox has to see, at the same place. */
  directory: string;
  /** Where programs inside find the ways out. */
  environment: Record<string, string>;
  /** The program with its ports opened, as it is started inside. */
  argv(program: string[]): string[];
  /** What the worker that opens the ports needs to see. */
  readable: string[];
  /** Serves a socket of its own: answers the command line that joins standard input and output with it. */
  serve(name: string, onConnection: (socket: Socket) => void): Promise<string[]>;
  close(): Promise<void>;
}

const workerPath = fileURLToPath(
  new URL(`./outlet-worker.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url),
);
const workerWords = (...words: string[]): string[] => [
  process.execPath,
  '--disable-warning=ExperimentalWarning',
  workerPath,
  ...words,
];
const localPort = /^(?:127\.0\.0\.1|localhost):(\d+)$/;
const connectMs = 30_000;

/**
 * Opens a proxy that reaches the named hosts only. It looks names up itself, so that a program inside needs no name server;
 * connections stay encrypted from end to end.
 */
export async function openOutlet({ hosts, onRefused }: OutletOptions): Promise<Outlet> {
  const directory = state.temporaryDirectory('sylk-outlet-');
  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  const listen = async (server: Server, name: string) => {
    server.on('connection', (socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    });
    servers.push(server);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(join(directory, name), resolve);
    });
  };
  const local = hosts.flatMap((host) => localPort.exec(host)?.[1] ?? []).map(Number);
  for (const port of local)
    await listen(
      createServer((socket) => joinSockets(socket, connect(port, '127.0.0.1'))),
      `${port}.sock`,
    );
  await listen(createProxy(hosts, onRefused), 'proxy.sock');
  const proxyPort = firstFree(local);
  const ports = [...local.map((port) => `${port}=${port}.sock`), `${proxyPort}=proxy.sock`].join(',');
  const proxy = `http://127.0.0.1:${proxyPort}`;
  const near = 'localhost,127.0.0.1,::1';
  return {
    directory,
    environment: {
      HTTP_PROXY: proxy,
      HTTPS_PROXY: proxy,
      http_proxy: proxy,
      https_proxy: proxy,
      NO_PROXY: near,
      no_proxy: near,
      // Node's own fetch looks at the others only when told to.
      NODE_USE_ENV_PROXY: '1',
    },
    argv: (program) => workerWords('run', directory, ports, ...program),
    readable: [workerPath, process.execPath, directory],
    serve: async (name, onConnection) => {
      await listen(createServer(onConnection), `${name}.sock`);
      return workerWords('connect', join(directory, `${name}.sock`));
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
      state.remove(directory);
    },
  };
}

const firstFree = (taken: number[]): number => {
  let port = 3128;
  while (taken.includes(port)) port += 1;
  return port;
};

function createProxy(hosts: string[], onRefused: (host: string) => void): Server {
  const allows = (host: string): boolean => {
    const isAllowed = hosts.some((pattern) => matchesHost(pattern, host));
    if (!isAllowed) onRefused(host.slice(0, 255));
    return isAllowed;
  };
  const server = createHttpServer((incoming, response) => forward(incoming, response, allows));
  server.on('connect', (incoming: IncomingMessage, socket: Duplex) => {
    const [host = '', port = '443'] = splitHost(incoming.url ?? '');
    if (!allows(host)) {
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      return;
    }
    const outer = connect({ host, port: Number(port), timeout: connectMs }, () => {
      outer.setTimeout(0);
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      joinSockets(socket, outer);
    });
    outer.on('error', () => socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'));
    outer.on('timeout', () => outer.destroy(new Error('no answer')));
    socket.on('error', () => outer.destroy());
  });
  return server;
}

/** Plain HTTP: the whole address is in the request. */
function forward(
  incoming: IncomingMessage,
  response: ServerResponse,
  allows: (host: string) => boolean,
): void {
  const address = incoming.url ?? '';
  if (!URL.canParse(address) || !allows(new URL(address).hostname)) {
    response.writeHead(403).end('This host is not among those that this program may reach.\n');
    return;
  }
  const { 'proxy-connection': _, 'proxy-authorization': _secret, ...headers } = incoming.headers;
  const outer = request(address, { method: incoming.method, headers, timeout: connectMs }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  outer.on('error', (error) => {
    if (response.headersSent) response.destroy();
    else response.writeHead(502).end(`${messageOf(error)}\n`);
  });
  incoming.pipe(outer);
}

function splitHost(address: string): string[] {
  const [, host = '', port] = /^\[?([^\]]*?)\]?(?::(\d+))?$/.exec(address) ?? [];
  return port === undefined ? [host] : [host, port];
}

const matchesHost = (pattern: string, host: string): boolean =>
  pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host.toLowerCase() === pattern;

function joinSockets(one: Duplex, other: Duplex): void {
  one.pipe(other).pipe(one);
  one.on('error', () => other.destroy());
  other.on('error', () => one.destroy());
}
