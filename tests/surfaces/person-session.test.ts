import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newLink, serveHttp } from '../../src/surfaces/http/index.ts';
import { createWorkspace } from '../../src/surfaces/shared/workspace.ts';
import { fixtureRepository } from '../support/fixture-repository.ts';
import { launcher } from '../support/program.ts';
import { servedRoutes } from '../support/served-routes.ts';
import { startSylk, sylk } from '../support/sylk.ts';
import { until } from '../support/until.ts';

const hour = 3_600_000;

test('a code opens one session: a second use, an old code and a wrong one are refused', async () => {
  const { tokens, redeem, wait, printCode } = servedRoutes();
  for (const issue of [tokens.issueCode, printCode]) {
    const code = issue();
    expect((await redeem(code)).status).toBe(200);
    expect((await redeem(code)).status).toBe(401);
    const late = issue();
    wait(10 * 60_000);
    expect((await redeem(late)).status).toBe(401);
  }
  const refused = await redeem('wrong');
  expect(await refused.json()).toMatchObject({ error: { hint: expect.stringContaining('sylk up --link') } });
});

test('guessing codes is slowed down, and the right one is still taken', async () => {
  const { tokens, redeem, wait } = servedRoutes();
  const code = tokens.issueCode();
  const statuses = new Set<number>();
  for (let guess = 0; guess < 40; guess++) statuses.add((await redeem(`guess-${guess}`)).status);
  expect([...statuses]).toEqual([401, 429]);
  expect((await redeem(code)).status).toBe(200);
  wait(61_000);
  expect((await redeem('again')).status).toBe(401);
});

test('a session expires, is listed by a name that opens nothing, and ends when a person ends it', async () => {
  const { signIn, send, bearer, wait } = servedRoutes();
  const [one, two] = [await signIn(), await signIn()];
  const list = async (token: string) => {
    const reply = await send('GET', '/api/sessions', { headers: bearer(token) });
    return reply.ok
      ? ((await reply.json()) as { sessions: Array<{ id: string; this_one: boolean }> }).sessions
      : reply.status;
  };
  const sessions = await list(one);
  expect(sessions).toMatchObject([{ this_one: true }, { this_one: false }]);
  const [, other] = sessions as Array<{ id: string }>;
  expect(await list(other?.id ?? '')).toBe(401);
  const events = await send('GET', '/api/events', { headers: bearer(two) });
  const ended = await send('DELETE', `/api/sessions/${other?.id}`, { headers: bearer(one) });
  expect(ended.status).toBe(200);
  expect(await list(two)).toBe(401);
  await events.body?.cancel();
  wait(25 * hour);
  expect(await list(one)).toBe(401);
});

test('the event stream of a session that ended says nothing more', async () => {
  const { signIn, send, bearer, tokens, app } = servedRoutes();
  const token = await signIn();
  const reply = await send('GET', '/api/events', { headers: bearer(token) });
  const reader = reply.body!.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader.read()).value).toContain('event: hello');
  tokens.endSession(tokens.sessions()[0]?.id ?? '');
  app.events.publish('memory', { id: 'first after the end' });
  app.events.publish('memory', { id: 'second after the end' });
  let told = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) told += part.value;
  expect(told).not.toContain('second after the end');
});

test('a decision needs a gesture for exactly it, and sent again it is a conflict', async () => {
  const { signIn, send, bearer } = servedRoutes();
  const headers = bearer(await signIn());
  const input = { path: '/tmp/somewhere' };
  const gesture = async (operation: string, about: unknown): Promise<string> => {
    const reply = await send('POST', '/api/gesture', { headers, body: { operation, input: about } });
    return ((await reply.json()) as { gesture: string }).gesture;
  };
  const trust = async (value?: string, body: unknown = input) =>
    (
      await send('POST', '/api/untrust_repository', {
        headers: value === undefined ? headers : { ...headers, 'x-sylk-gesture': value },
        body,
      })
    ).status;
  expect(await trust()).toBe(403);
  expect(await trust('made-up')).toBe(403);
  expect(await trust(await gesture('trust_repository', input))).toBe(403);
  expect(await trust(await gesture('untrust_repository', { path: '/' }))).toBe(403);
  const right = await gesture('untrust_repository', input);
  expect(await trust(right)).toBe(200);
  expect(await trust(right)).toBe(409);
});

test('there is no route that sells a link to the token of the API', async () => {
  const { send, bearer, tokens } = servedRoutes();
  const reply = await send('POST', '/api/link', { headers: bearer(tokens.api), body: {} });
  expect(reply.status).toBe(404);
});

test.each(['/%ff.js', '/%.js', '/%', '/%c0%af.css', '/assets/%ff'])(
  '%s is not found, and no failure',
  async (path) => {
    const { routes } = servedRoutes();
    const reply = await routes.request(`http://127.0.0.1:7717${path}`, {
      headers: { host: '127.0.0.1:7717' },
    });
    expect([400, 404]).toContain(reply.status);
  },
);

test('a new link for a running server works once, and the file that carries it opens nothing', async () => {
  const { path } = fixtureRepository();
  const workspace = createWorkspace({ directories: [path], env: process.env, flags: [] });
  const selection = { toolsets: ['all'], allow: [], deny: [], readOnly: false };
  const server = await serveHttp({ workspace, selection, port: 0 });
  const link = await newLink(server.tokenFile, workspace.app().user.data);
  const redeem = (code: string) =>
    fetch(`${server.url}/api/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code }),
    });
  const code = new URL(link).hash.replace('#code=', '');
  expect(readFileSync(server.tokenFile, 'utf8')).not.toContain(code);
  expect((await redeem(code)).status).toBe(200);
  expect((await redeem(code)).status).toBe(401);
  await server.close();
  await expect(newLink(server.tokenFile, workspace.app().user.data)).rejects.toThrow(
    'No Sylk server is running',
  );
  await workspace.close();
});

test('a program that starts or asks a server without a terminal is told no code; a terminal is', async () => {
  const { path } = fixtureRepository();
  const child = startSylk(path, ['up', '--port', '0']);
  let told = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      told += chunk;
    });
  await until(() => told.includes('sylk up --link') || child.exitCode !== null);
  expect(told).toContain('/api/<operation>');
  expect(told).not.toContain('#code=');
  const piped = sylk(path, ['up', '--link']);
  expect(piped).toMatchObject({ code: 5, out: '' });
  expect(piped.err).not.toContain('#code=');
  const shown = await onTerminal(path, `sh ${launcher()} up --link`);
  expect(shown).toMatch(/Dashboard {2}http:\/\/127\.0\.0\.1:\d+\/#code=\S{40,}/);
  child.kill('SIGINT');
  await until(() => child.exitCode !== null);
});

/** What a person sees who types a command. */
function onTerminal(cwd: string, command: string): Promise<string> {
  expect(existsSync(join(cwd, '.git'))).toBe(true);
  return new Promise((resolve) => {
    const child = spawn('script', ['-qec', command, '/dev/null'], { cwd });
    let shown = '';
    child.stdout.on('data', (chunk: Buffer) => {
      shown += chunk;
    });
    child.once('exit', () => resolve(shown));
  });
}
