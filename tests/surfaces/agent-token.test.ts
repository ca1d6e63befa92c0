import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { allOperations } from '../../src/operations/list.ts';
import { isForPersons } from '../../src/operations/operation.ts';
import { type ServedRoutes, servedRoutes } from '../support/served-routes.ts';

const operations = await allOperations();
const personOnly: Array<[method: string, path: string, body?: unknown]> = [
  ['GET', '/api/sessions'],
  ['DELETE', '/api/sessions/any'],
  ['POST', '/api/gesture', { operation: 'approve', input: {} }],
  ...operations
    .filter(isForPersons)
    .map(({ name }): [string, string, unknown] => ['POST', `/api/${name}`, { not_an_input: true }]),
];

/** Everything that the holder of the API's token is told, on every way that there is. */
async function everythingTold(served: ServedRoutes): Promise<string[]> {
  const told: string[] = [];
  const headers = served.bearer(served.tokens.api);
  const keep = async (reply: Response): Promise<Response> => {
    for (const [name, value] of reply.headers) told.push(name, value);
    if (reply.headers.get('content-type')?.startsWith('text/event-stream')) {
      const reader = reply.clone().body?.getReader();
      const { value } = (await reader?.read()) ?? {};
      told.push(new TextDecoder().decode(value));
      return reply;
    }
    told.push(await reply.clone().text());
    return reply;
  };
  const ask = (method: string, path: string, body?: unknown) =>
    served.send(method, path, { headers, body }).then(keep);

  for (const { name, examples } of operations)
    for (const example of examples) await ask('POST', `/api/${name}`, example);
  for (const path of ['.sylk/run/http.json', '.git/config', `${served.home}/run`, '../', '/etc/hostname'])
    for (const name of ['get_file', 'get_artifact', 'search', 'read_skill_resource'])
      await ask('POST', `/api/${name}`, { path, ref: `file:${path}`, query: path, skill_id: 'x' });
  const paths = [
    ...['/', '/index.html', '/plain.js', '/plain.css', '/%ff.js', '/mcp', '/api', '/api/', '/api/link'],
    ...[
      '/api/session',
      '/api/sessions',
      '/api/gesture',
      '/api/events',
      '/api/events?after=0',
      '/api/nothing',
    ],
    ...['/api/openapi.json', '/api/skills', '/api/skills/x', '/api/skill-collections', '/run/http.json'],
  ];
  for (const path of paths)
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'])
      await ask(method, path, method === 'GET' || method === 'HEAD' ? undefined : { code: 'a', url: 'b' });
  await askMcp(served, keep);
  return told;
}

async function askMcp(served: ServedRoutes, keep: (reply: Response) => Promise<Response>): Promise<void> {
  const client = new Client({ name: 'agent', version: '1' }, { capabilities: { elicitation: {} } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${served.url}/mcp`), {
      fetch: async (address, init) => {
        const request = new Request(address, init);
        request.headers.set('host', new URL(served.url).host);
        request.headers.set('authorization', `Bearer ${served.tokens.api}`);
        return keep(await served.routes.fetch(request));
      },
    }),
  );
  const tried = (work: Promise<unknown>) => work.catch(() => undefined);
  await client.listTools();
  for (const { name, examples } of operations)
    await tried(client.callTool({ name, arguments: (examples[0] ?? {}) as Record<string, unknown> }));
  const { resources } = await client.listResources();
  await client.listResourceTemplates();
  for (const { uri } of resources) await tried(client.readResource({ uri }));
  for (const uri of ['sylk://status', 'file:///etc/hostname', 'sylk://run/http.json'])
    await tried(client.readResource({ uri }));
  const { prompts } = await client.listPrompts();
  for (const { name } of prompts) await tried(client.getPrompt({ name, arguments: {} }));
  await client.close();
}

/** What lies beside the token that an agent reads: every file that the server or a terminal leaves. */
function filesUnder(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => join(directory, name))
    .filter((path) => /\.(?:json|log|txt|jsonl)$/.test(path) && statSync(path).isFile())
    .map((path) => readFileSync(path, 'utf8'));
}

/** Whole texts, the strings in JSON, words and everything that looks like a token. */
function stringsIn(texts: string[]): Set<string> {
  const found = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value === 'string') {
      if (value.length < 500) found.add(value);
    } else if (value && typeof value === 'object')
      for (const [key, inner] of Object.entries(value)) {
        found.add(key);
        collect(inner);
      }
  };
  for (const text of new Set(texts)) {
    try {
      collect(JSON.parse(text));
    } catch {
      collect(text);
    }
    for (const [token] of text.matchAll(/[A-Za-z0-9_-]{16,}/g)) found.add(token);
    for (const [word] of text.matchAll(/[^\s"'`,;:=()<>[\]{}\\]{4,}/g)) found.add(word);
  }
  return found;
}

/** A decision without a click is refused to a person too, in words of its own: that one was taken for a person. */
const isRefused = async (reply: Response): Promise<boolean> =>
  [401, 403, 429].includes(reply.status) && !(await reply.text()).includes('needs a click');

test("no string of any reply to an agent's token opens a person's session: not as a bearer, a code or a cookie", async () => {
  const served = servedRoutes();
  const person = await served.signIn();
  const [code, printed] = [served.tokens.issueCode(), served.printCode()];
  const strings = stringsIn([...(await everythingTold(served)), ...filesUnder(served.home)]);
  expect(strings.size).toBeGreaterThan(3_000);
  strings.add(served.tokens.api);

  const accepted: string[] = [];
  const attempt = async (how: string, value: string, sent: Promise<Response>) => {
    if (!(await isRefused(await sent))) accepted.push(`${how} ${value}`);
  };
  const cookies = (value: string) =>
    ['sylk-token', 'sylk-session', 'session', 'token', 'authorization']
      .map((name) => `${name}=${value}`)
      .join('; ');
  for (const value of strings) {
    await attempt('code', value, served.redeem(value));
    if (!/^[\x21-\x7e]+$/.test(value)) continue;
    await attempt('bearer', value, served.send('GET', '/api/sessions', { headers: served.bearer(value) }));
    await attempt(
      'cookie',
      value,
      served.send('GET', '/api/sessions', { headers: { cookie: cookies(value) } }),
    );
    if (!/^[A-Za-z0-9_-]{16,}$/.test(value)) continue;
    for (const [method, path, body] of personOnly) {
      await attempt(
        `bearer ${path}`,
        value,
        served.send(method, path, { headers: served.bearer(value), body }),
      );
      const headers = {
        ...served.bearer(served.tokens.api),
        cookie: cookies(value),
        'x-sylk-gesture': value,
      };
      await attempt(`cookie ${path}`, value, served.send(method, path, { headers, body }));
    }
  }
  expect(accepted).toEqual([]);

  // The limit on wrong tokens hid nothing: what is right is still taken after all of them.
  expect((await served.send('GET', '/api/sessions', { headers: served.bearer(person) })).status).toBe(200);
  expect((await served.redeem(code)).status).toBe(200);
  expect((await served.redeem(printed)).status).toBe(200);
}, 600_000);

test("an agent's token is refused on every route that is for persons", async () => {
  const served = servedRoutes();
  for (const [method, path, body] of personOnly) {
    const reply = await served.send(method, path, { headers: served.bearer(served.tokens.api), body });
    expect(reply.status, path).toBe(403);
  }
});
