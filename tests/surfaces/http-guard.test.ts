import { readFileSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { allOperations } from '../../src/operations/list.ts';
import { isForPersons } from '../../src/operations/operation.ts';
import { serveHttp } from '../../src/surfaces/http/index.ts';
import { createWorkspace } from '../../src/surfaces/shared/workspace.ts';
import { fixtureRepository } from '../support/fixture-repository.ts';

async function started(readOnly = false) {
  const workspace = createWorkspace({ directories: [fixtureRepository().path], env: process.env, flags: [] });
  const server = await serveHttp({
    workspace,
    selection: { toolsets: ['all'], allow: [], deny: [], readOnly },
    port: 0,
  });
  onTestFinished(async () => {
    await server.close();
    await workspace.close();
  });
  const { token } = JSON.parse(readFileSync(server.tokenFile, 'utf8')) as { token: string };
  return { server, token, port: Number(new URL(server.url).port) };
}

interface Reply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** A request with any Host header, which fetch does not allow. */
function send(
  port: number,
  method: string,
  path: string,
  headers: Record<string, string>,
  body = '',
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const call = request(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        headers: { 'content-length': Buffer.byteLength(body), ...headers },
      },
      (reply) => {
        const chunks: Buffer[] = [];
        const end = () => {
          resolve({
            status: reply.statusCode ?? 0,
            headers: reply.headers,
            body: Buffer.concat(chunks).toString(),
          });
          call.destroy();
        };
        reply.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          if (String(reply.headers['content-type']).startsWith('text/event-stream')) end();
        });
        reply.on('end', end);
      },
    );
    call.on('error', reject);
    call.end(body);
  });
}

test('every route that holds data refuses a foreign host, a foreign origin and a missing or wrong token', async () => {
  const { token, port } = await started();
  const operations = (await allOperations()).map((operation) => operation.name);
  const routes: Array<[string, string]> = [
    ['GET', '/api/events'],
    ['GET', '/api/openapi.json'],
    ['GET', '/api/sessions'],
    ['DELETE', '/api/sessions/any'],
    ['POST', '/api/gesture'],
    ['POST', '/mcp'],
    ['GET', '/mcp'],
    ['GET', '/api/nothing'],
    ...operations.map((name): [string, string] => ['POST', `/api/${name}`]),
  ];
  const own = `127.0.0.1:${port}`;
  for (const [method, path] of routes) {
    const bearer = { authorization: `Bearer ${token}` };
    const cases: Array<[label: string, headers: Record<string, string>, status: number]> = [
      ['foreign host', { host: 'evil.example', ...bearer }, 403],
      ['rebound host', { host: `evil.example:${port}`, ...bearer }, 403],
      ['foreign origin', { host: own, origin: 'http://evil.example', ...bearer }, 403],
      ['null origin', { host: own, origin: 'null', ...bearer }, 403],
      ['no token', { host: own }, 401],
      ['own origin, no token', { host: own, origin: `http://${own}` }, 401],
      ['token in the address', { host: own }, 401],
    ];
    for (const [label, headers, status] of cases) {
      const target = label === 'token in the address' ? `${path}?token=${token}` : path;
      const reply = await send(port, method, target, headers);
      expect(reply.status, `${method} ${path} ${label}`).toBe(status);
    }
  }
  const wrong = await send(port, 'POST', '/api/get_status', {
    host: own,
    authorization: `Bearer ${token.slice(1)}x`,
  });
  expect(wrong.status).toBe(401);
  for (const name of ['localhost', '[::1]', '127.0.0.1']) {
    const reply = await send(port, 'POST', '/api/get_status', {
      host: `${name}:${port}`,
      authorization: `Bearer ${token}`,
      origin: `http://${name}:${port}`,
    });
    expect(reply.status, name).toBe(200);
  }
  expect(
    (await send(port, 'GET', '/api/events', { host: own, authorization: `Bearer ${token}` })).body,
  ).toContain('event: hello');
});

test('guessing tokens is slowed down', async () => {
  const { port } = await started();
  const statuses = new Set<number>();
  for (let guess = 0; guess < 40; guess++) {
    statuses.add(
      (
        await send(port, 'POST', '/api/get_status', {
          host: `127.0.0.1:${port}`,
          authorization: `Bearer guess-${guess}`,
        })
      ).status,
    );
  }
  expect([...statuses]).toEqual([401, 429]);
});

test('a link opens the dashboard once; its code is in the fragment only', async () => {
  const { server, port } = await started();
  const code = new URL(server.link()).hash.replace('#code=', '');
  const redeem = () =>
    send(
      port,
      'POST',
      '/api/session',
      { host: `127.0.0.1:${port}`, 'content-type': 'application/json' },
      JSON.stringify({ code }),
    );
  expect((await redeem()).status).toBe(200);
  expect((await redeem()).status).toBe(401);
});

test('the token file is readable by its owner alone', async () => {
  const { server } = await started();
  expect(statSync(server.tokenFile).mode & 0o077).toBe(0);
});

test('pages carry a strict content security policy and cannot be framed', async () => {
  const { port } = await started();
  const reply = await send(port, 'GET', '/', { host: `127.0.0.1:${port}` });
  expect(reply.status).toBe(200);
  const policy = String(reply.headers['content-security-policy']);
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain('unsafe');
  expect(reply.body).not.toMatch(/<script>|style=|https?:\/\//);
});

test('a body over the limit is refused before it is parsed', async () => {
  const { port, token } = await started();
  const reply = await send(
    port,
    'POST',
    '/api/get_status',
    { host: `127.0.0.1:${port}`, authorization: `Bearer ${token}` },
    'x'.repeat(5 * 1024 * 1024),
  );
  expect(reply.status).toBe(413);
});

test('a read-only server refuses everything that is not a read', async () => {
  const { port, token } = await started(true);
  for (const operation of await allOperations()) {
    if (operation.effect === 'read') continue;
    const reply = await send(
      port,
      'POST',
      `/api/${operation.name}`,
      { host: `127.0.0.1:${port}`, authorization: `Bearer ${token}` },
      JSON.stringify(operation.examples[0] ?? {}),
    );
    expect(reply.status, operation.name).toBe(403);
  }
});

test('decisions of a person are refused to the holder of the network token', async () => {
  const { port, token } = await started();
  for (const operation of await allOperations()) {
    if (!isForPersons(operation)) continue;
    const reply = await send(
      port,
      'POST',
      `/api/${operation.name}`,
      { host: `127.0.0.1:${port}`, authorization: `Bearer ${token}` },
      JSON.stringify(operation.examples[0] ?? {}),
    );
    expect(reply.status, operation.name).toBe(403);
  }
});
