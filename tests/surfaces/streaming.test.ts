import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import { openApp } from '../../src/app.ts';
import { callsOf } from '../../src/operations/calls.ts';
import { runOperation } from '../../src/operations/run.ts';
import { runCli } from '../../src/surfaces/cli/index.ts';
import { serveHttp } from '../../src/surfaces/http/index.ts';
import { createWorkspace } from '../../src/surfaces/shared/workspace.ts';
import { fixtureRepository } from '../support/fixture-repository.ts';
import { beginRun, playRun } from '../support/long-run.ts';
import { temporaryDirectory } from '../support/temporary.ts';

function repository() {
  const root = fixtureRepository(join(temporaryDirectory('stream'), 'shop')).path;
  return { root, env: { ...process.env, SYLK_HOME: join(root, '..', 'home') } };
}

async function server(given = repository()) {
  const { root, env } = given;
  const workspace = createWorkspace({ directories: [root], env, flags: [] });
  const selection = { toolsets: ['all'], allow: [], deny: [], readOnly: false };
  const http = await serveHttp({ workspace, selection, port: 0 });
  const close = async () => {
    await http.close();
    await workspace.close();
  };
  onTestFinished(close);
  const { token } = JSON.parse(readFileSync(http.tokenFile, 'utf8')) as { token: string };
  const post = (name: string, input: unknown, accept = 'application/json', more: RequestInit = {}) =>
    fetch(`${http.url}/api/${name}`, {
      method: 'POST',
      ...more,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept,
        ...more.headers,
      },
      body: JSON.stringify(input),
    });
  return { url: http.url, token, post, app: workspace.app(), close };
}

/** The events of a server-sent stream, as they come. */
async function* eventsOf(reply: Response): AsyncGenerator<{ event: string; data: Record<string, unknown> }> {
  let text = '';
  for await (const chunk of reply.body as unknown as AsyncIterable<Uint8Array>) {
    text += Buffer.from(chunk).toString('utf8');
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const block = text.slice(0, end);
      text = text.slice(end + 2);
      const event = /^event: (.*)$/m.exec(block)?.[1] ?? '';
      const data = /^data: (.*)$/m.exec(block)?.[1] ?? '{}';
      yield { event, data: JSON.parse(data) };
    }
  }
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

async function command(...args: string[]) {
  const { root, env } = repository();
  const out: string[] = [];
  const err: string[] = [];
  const io = { out: (text: string) => out.push(text), err: (text: string) => err.push(text) };
  const code = await runCli(args, { ...io, env, cwd: root, terminal: false, colour: false });
  return { code, out: out.join(''), err: err.join('') };
}

test('the command line prints events as lines, and with --json as JSON lines that end with the result', async () => {
  const lines = await command('index', '--events');
  expect(lines.code).toBe(0);
  expect(lines.err).toMatch(/^call call_\w+\n/);
  expect(lines.out).toContain('Indexed 4 commits');
  const json = await command('index', '--events', '--json');
  const events = json.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(events[0]).toEqual({ type: 'call', call: expect.stringMatching(/^call_/) });
  expect(events.map(({ type }) => type)).toContain('progress');
  expect(events.at(-1)).toMatchObject({ type: 'result', output: { items: expect.any(Array) } });
  const quiet = await command('index', '--json');
  expect(JSON.parse(quiet.out)).toHaveProperty('items');
});

test('HTTP streams the id of a run, its events and its result', async () => {
  const { post } = await server();
  const reply = await post('index_repository', {}, 'text/event-stream');
  const events = await all(eventsOf(reply));
  expect(events[0]?.event).toBe('call');
  expect(events.find(({ event }) => event === 'progress')?.data).toMatchObject({
    type: 'progress',
    done: expect.any(Number),
    message: expect.any(String),
  });
  expect(events.at(-1)).toMatchObject({ event: 'result', data: { items: expect.any(Array) } });
});

test('the story of a run is whole through cut connections and a restart of the server: no event is lost, none comes twice', async () => {
  const place = repository();
  let served = await server(place);
  const run = await beginRun(served.app, 12);
  const heard: number[] = [];
  /** Reads on after the last event, as far as a number, and is cut off there. */
  const readTo = async (number: number) => {
    const cut = new AbortController();
    const reply = await served.post('watch_run', { run, story: true }, 'text/event-stream', {
      headers: { 'last-event-id': String(heard.length) },
      signal: cut.signal,
    });
    for await (const { event, data } of eventsOf(reply)) {
      if (event === 'run') heard.push(Number(data['number']));
      if (event === 'result' || heard.length >= number) break;
    }
    cut.abort();
  };
  for (const events of [20, 40, 60]) {
    await playRun(served.app, run, { events: events - 7, loops: 2 });
    const reading = readTo(events);
    // These happen while somebody listens.
    await playRun(served.app, run, { events, loops: 2 });
    await reading;
    if (events !== 40) continue;
    await served.close();
    served = await server(place);
  }
  const { number, status } = await playRun(served.app, run, { loops: 2 });
  await readTo(Number.POSITIVE_INFINITY);
  expect(status).toBe('completed');
  expect(heard).toEqual(Array.from({ length: number }, (_, at) => at + 1));
});

test('a reference topic that needs approval says so as an event before it fails', async () => {
  const { post } = await server();
  const input = {
    title: 'A manual',
    body: 'What it is.',
    sources: [{ type: 'web', url: 'https://example.org/' }],
  };
  const events = await all(eventsOf(await post('reference_topic_create', input, 'text/event-stream')));
  expect(events.slice(-2).map(({ event }) => event)).toEqual(['approval', 'error']);
  expect(events.at(-2)?.data).toMatchObject({ approval_id: expect.any(String) });
});

test('MCP clients get events as progress notifications', async () => {
  const { url, token } = await server();
  const client = new Client({ name: 'stream', version: '1' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  );
  onTestFinished(() => client.close());
  const seen: number[] = [];
  await client.callTool(
    { name: 'index_repository', arguments: {} },
    { onprogress: ({ progress }) => seen.push(progress) },
  );
  expect(seen.length).toBeGreaterThan(0);
  expect(seen).toEqual([...seen].sort((a, b) => a - b));
});

test('a call is listed, watched and cancelled by its id, by who started it', async () => {
  const { post, app } = await server();
  const stream = eventsOf(await post('guide_trace', { watch: 60 }, 'text/event-stream'));
  const first = await stream.next();
  const call = String(first.value?.data['call']);
  expect(((await (await post('list_calls', {})).json()) as { calls: unknown[] }).calls).toContainEqual(
    expect.objectContaining({ call, operation: 'guide_trace', state: 'running' }),
  );
  const stranger = await runOperation(app, {
    name: 'cancel_call',
    input: { call },
    caller: { kind: 'agent', name: 'somebody' },
  });
  expect(stranger).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } });
  const watching = post('watch_call', { call });
  while (callsOf(app).size < 2) await new Promise((resolve) => setTimeout(resolve, 10));
  expect((await post('cancel_call', { call })).status).toBe(200);
  expect(await (await watching).json()).toMatchObject({ call, state: 'cancelled' });
  expect((await all(stream)).at(-1)).toMatchObject({ event: 'result', data: { hops: [] } });
});

test('a call that has ended and said nothing is forgotten', async () => {
  const { root, env } = repository();
  const app = openApp({ directory: root, env });
  onTestFinished(() => app.close());
  await runOperation(app, { name: 'get_status', input: {}, caller: { kind: 'person', name: 'ada' } });
  expect(callsOf(app).size).toBe(0);
});

test('a call that does not wait for its client goes on without it, and a failure before its first event is told', async () => {
  const { url, token, post, app } = await server();
  const begin = (name: string, input: unknown) =>
    fetch(`${url}/api/${name}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        prefer: 'respond-async',
      },
      body: JSON.stringify(input),
    });
  const reply = await begin('index_repository', {});
  expect(reply.status).toBe(202);
  const { call } = (await reply.json()) as { call: string };
  await expect.poll(() => callsOf(app).get(call)?.state).toBe('done');
  const refused = await begin('get_run', { run: 'run_that_was_never_started' });
  expect(refused.status).toBe(404);
  expect(await refused.json()).toEqual(
    await (await post('get_run', { run: 'run_that_was_never_started' })).json(),
  );
});
