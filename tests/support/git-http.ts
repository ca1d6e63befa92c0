import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface GitServer {
  url: string;
  host: string;
  requests: Array<{ path: string; authorization: string | undefined }>;
  /** Answers 503 from now on. */
  fail(on: boolean): void;
  /** Answers 401 to everything without this header. */
  require(authorization: string): void;
}

/** git's own http-backend behind a small server on loopback. */
export async function gitServer(root: string): Promise<GitServer> {
  const requests: GitServer['requests'] = [];
  let failing = false;
  let required: string | undefined;
  const backend = `${spawnSync('git', ['--exec-path'], { encoding: 'utf8' }).stdout.trim()}/git-http-backend`;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://x');
    requests.push({ path: url.pathname, authorization: request.headers.authorization });
    if (failing) return void response.writeHead(503).end();
    if (required !== undefined && request.headers.authorization !== required)
      return void response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
    const child = spawn(backend, [], {
      env: {
        PATH: process.env.PATH ?? '',
        GIT_PROJECT_ROOT: root,
        GIT_HTTP_EXPORT_ALL: '1',
        GIT_CONFIG_COUNT: '1',
        GIT_CONFIG_KEY_0: 'safe.directory',
        GIT_CONFIG_VALUE_0: '*',
        PATH_INFO: url.pathname,
        QUERY_STRING: url.search.slice(1),
        REQUEST_METHOD: request.method ?? 'GET',
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        ...(request.headers['git-protocol'] ? { GIT_PROTOCOL: String(request.headers['git-protocol']) } : {}),
        ...(request.headers['content-encoding']
          ? { HTTP_CONTENT_ENCODING: String(request.headers['content-encoding']) }
          : {}),
      },
    });
    request.pipe(child.stdin);
    child.stdin.on('error', () => {});
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('close', () => {
      const all = Buffer.concat(chunks);
      const end = all.indexOf('\r\n\r\n');
      const headers = all.subarray(0, Math.max(0, end)).toString().split('\r\n');
      const status = Number(/^Status: (\d+)/m.exec(headers.join('\n'))?.[1] ?? 200);
      for (const line of headers) {
        const at = line.indexOf(':');
        if (at > 0 && !line.startsWith('Status'))
          response.setHeader(line.slice(0, at), line.slice(at + 1).trim());
      }
      response.writeHead(status).end(all.subarray(end + 4));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${host}`,
    host,
    requests,
    fail: (on) => {
      failing = on;
    },
    require: (authorization) => {
      required = authorization;
    },
  };
}
