import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { httpServer } from '../../../../tests/support/http-server.ts';
import { fixedClock } from '../../../base/clock.ts';
import type { Log } from '../../../base/log.ts';
import { createSkillEngine } from '../engine.ts';
import { respondToSkills } from '../respond.ts';
import { compositeSource } from './composite.ts';
import { type HttpSourceOptions, httpSource } from './http.ts';
import { memorySource } from './memory.ts';

const wire = (id: string, more: Record<string, unknown> = {}) => ({
  id,
  name: id.split('/').at(-1),
  description: `About ${id}`,
  scope: 'project',
  metadata: {},
  ...more,
});

type Answer = (path: string, response: ServerResponse, request: IncomingMessage) => void;

async function api(answer: Answer, options: Partial<HttpSourceOptions> = {}) {
  const requests: Array<{ url: string; headers: IncomingMessage['headers'] }> = [];
  const state = { answer };
  const server = await httpServer((request, response) => {
    requests.push({ url: request.url ?? '', headers: request.headers });
    state.answer(request.url ?? '', response, request);
  });
  const clock = fixedClock();
  const warnings: string[] = [];
  const log: Log = {
    debug: () => {},
    info: () => {},
    warn: (message) => void warnings.push(message),
    error: () => {},
    with: () => log,
  };
  const source = httpSource({
    url: `${server.url}/api`,
    allowHosts: [server.host],
    clock,
    log,
    refreshSeconds: 60,
    timeoutMs: 20_000,
    ...options,
  });
  return { source, clock, requests, warnings, state, server };
}

const json = (response: ServerResponse, value: unknown, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));

/** A server that has these skills, as the wire format has them. */
const serving =
  (skills: () => Array<Record<string, unknown>>): Answer =>
  (path, response) => {
    if (path === '/api/skills') return void json(response, { skills: skills() });
    if (path === '/api/skill-collections')
      return void json(response, {
        collections: [{ path: 'extraction', description: 'Entity extraction', count: 8 }],
      });
    const id = decodeURIComponent(path.slice('/api/skills/'.length));
    const found = skills().find((skill) => skill.id === id);
    if (found) json(response, { ...found, body: `Body of ${id}` });
    else json(response, { error: 'no' }, 404);
  };

describe('wire format', () => {
  const skills = [
    wire('extraction/email-extractor', { metadata: { owner: 'x' } }),
    wire('formatting/markdown'),
  ];

  test('nothing is asked before the first question; the id is encoded in the address', async () => {
    const { source, requests } = await api(serving(() => skills));
    expect(requests).toEqual([]);
    expect(await source.load('extraction/email-extractor')).toEqual({
      descriptor: {
        id: 'extraction/email-extractor',
        name: 'email-extractor',
        scope: 'project',
        source_name: '',
        description: 'About extraction/email-extractor',
        metadata: { owner: 'x' },
        requires_capabilities: [],
      },
      body: 'Body of extraction/email-extractor',
      extensions: {},
    });
    expect(requests.map((request) => request.url)).toEqual(['/api/skills/extraction%2Femail-extractor']);
  });

  test('collection descriptions come from the server', async () => {
    const { source } = await api(serving(() => skills));
    expect(await source.collections!()).toEqual([
      { path: 'extraction', description: 'Entity extraction', count: 8 },
    ]);
  });

  test('auth is a bearer token or a named header', async () => {
    const bearer = await api(
      serving(() => skills),
      { auth: { bearer: 'my-token' } },
    );
    await bearer.source.list();
    expect(bearer.requests[0]!.headers.authorization).toBe('Bearer my-token');
    const named = await api(
      serving(() => skills),
      { auth: { header: 'X-API-Key', value: 'k' } },
    );
    await named.source.list();
    expect(named.requests[0]!.headers).toMatchObject({ 'x-api-key': 'k' });
    expect(named.requests[0]!.headers.authorization).toBeUndefined();
    for (const auth of [{ header: 'bad header', value: 'k' }, { bearer: 'a\r\nHost: evil' }])
      expect(() => httpSource({ url: 'https://example.org', auth })).toThrow(/header/);
  });

  test.each(['https://example.org/api/', 'https://example.org/api', 'https://example.org'])(
    'the base address has no trailing part: %s',
    async (url) => {
      const asked: string[] = [];
      const source = httpSource({
        url,
        get: async (address) => {
          asked.push(address);
          return { status: 200, body: Buffer.from('{"skills":[]}') };
        },
      });
      await source.list();
      expect(asked).toEqual([`${url.replace(/\/$/, '')}/skills`]);
    },
  );

  test.each([
    'ftp://x',
    'file:///etc',
    'not an address',
    'https://u:p@example.org',
    'https://example.org/?a=b',
  ])('%s is no base address', (url) => {
    expect(() => httpSource({ url })).toThrow(/Not the URL of a skills API/);
  });
});

describe('cache', () => {
  test('refresh is always unfiltered: a filtered question asks for everything and poisons nothing', async () => {
    const { source, requests } = await api(serving(() => [wire('extraction/a'), wire('formatting/b')]));
    expect((await source.list({ collection: 'extraction' })).map((skill) => skill.id)).toEqual([
      'extraction/a',
    ]);
    expect((await source.list({ query: 'formatting' })).map((skill) => skill.id)).toEqual(['formatting/b']);
    expect((await source.list()).map((skill) => skill.id)).toEqual(['extraction/a', 'formatting/b']);
    expect(requests.map((request) => request.url)).toEqual(['/api/skills']);
  });

  test('list and documents live for the given time, each document by its id', async () => {
    let body = 'one';
    const { source, requests, clock } = await api((path, response) =>
      path === '/api/skills'
        ? json(response, { skills: [wire('a')] })
        : json(response, { ...wire('a'), body }),
    );
    await source.list();
    await source.load('a');
    body = 'two';
    clock.advance(59_999);
    await source.list();
    expect((await source.load('a')).body).toBe('one');
    expect(requests).toHaveLength(2);
    clock.advance(1);
    await source.list();
    expect((await source.load('a')).body).toBe('two');
    expect(requests).toHaveLength(4);
  });

  test('stale cache: a server that fails leaves what it last gave, with a warning; one that refuses does not', async () => {
    const { source, clock, state, warnings } = await api(serving(() => [wire('a')]));
    await source.list();
    await source.load('a');
    state.answer = (_path, response) => json(response, {}, 500);
    clock.advance(60_000);
    expect((await source.list()).map((skill) => skill.id)).toEqual(['a']);
    expect((await source.load('a')).body).toBe('Body of a');
    expect(warnings).toHaveLength(2);
    state.answer = (_path, response) => json(response, {}, 401);
    await expect(source.list()).rejects.toMatchObject({ code: 'DENIED' });
    await expect(source.load('a')).rejects.toMatchObject({ code: 'DENIED' });
  });

  test('a skill that was taken away on the server is gone after the interval', async () => {
    let skills = [wire('a')];
    const { source, clock } = await api(serving(() => skills));
    await source.load('a');
    skills = [];
    clock.advance(60_000);
    await expect(source.load('a')).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: "Skill 'a' not found",
    });
  });
});

describe('a server that is wrong', () => {
  test.each<[why: string, answer: Answer, code: string]>([
    ['answers 401', (_path, response) => void json(response, {}, 401), 'DENIED'],
    ['answers 404', (_path, response) => void json(response, {}, 404), 'UNAVAILABLE'],
    ['answers 500', (_path, response) => void json(response, {}, 500), 'UNAVAILABLE'],
    ['answers a page', (_path, response) => void response.end('<html>'), 'UNAVAILABLE'],
    ['answers another shape', (_path, response) => void json(response, [1, 2]), 'UNAVAILABLE'],
    ['answers null', (_path, response) => void json(response, null), 'UNAVAILABLE'],
    ['closes the connection', (_path, response) => void response.destroy(), 'UNAVAILABLE'],
    ['never ends', (_path, response) => void response.writeHead(200).write('{"skills":['), 'TIMEOUT'],
    [
      'is huge',
      (_path, response) => void response.end(Buffer.alloc(17 * 1024 * 1024, 32)),
      'BUDGET_EXCEEDED',
    ],
    [
      'sends us to a private address',
      (_path, response) => void response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end(),
      'DENIED',
    ],
  ])('%s: a named failure, and the other sources go on', async (_why, answer, code) => {
    const { source } = await api(answer, code === 'TIMEOUT' ? { timeoutMs: 300 } : {});
    await expect(source.list()).rejects.toMatchObject({ code });
    const composite = compositeSource([
      { name: 'net', source },
      { name: 'mine', source: memorySource([{ descriptor: { id: 'x', description: 'd' }, body: 'b' }]) },
    ]);
    expect((await composite.list()).map((skill) => skill.id)).toEqual(['x']);
  });

  test('one bad entry is a problem, the rest are skills', async () => {
    const { source } = await api((_path, response) =>
      json(response, {
        skills: [
          wire('good'),
          wire('../../etc'),
          { id: 7 },
          null,
          wire('also/good'),
          wire('good', { description: 'again' }),
          wire('odd', { scope: 'galaxy', metadata: 3 }),
        ],
      }),
    );
    expect((await source.list()).map((skill) => skill.id)).toEqual(['also/good', 'good', 'odd']);
    expect((await source.problems!()).map((problem) => [problem.code, problem.line])).toEqual([
      ['wire', 2],
      ['wire', 3],
      ['wire', 4],
    ]);
  });

  test('an answer about another skill is not taken for this one', async () => {
    const { source } = await api((_path, response) => json(response, { ...wire('evil'), body: 'evil' }));
    await expect(source.load('good')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  test('an id cannot change the address that is asked', async () => {
    const { source, requests } = await api(serving(() => []));
    await expect(source.load('../admin')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    await expect(source.load('a+b@c d')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(requests.map((request) => request.url)).toEqual(['/api/skills/a%2Bb%40c%20d']);
  });

  test("a private address is not asked unless a person's own settings name it", async () => {
    const { source, requests } = await api(
      serving(() => []),
      { allowHosts: [] },
    );
    await expect(source.list()).rejects.toMatchObject({ code: 'DENIED' });
    expect(requests).toEqual([]);
  });
});

describe('our own endpoints', () => {
  const given = memorySource([
    {
      descriptor: {
        id: 'extraction/email',
        description: 'Reads mail',
        scope: 'user',
        metadata: { a: 'b' },
        requires_capabilities: ['mail'],
      },
      body: 'Read it.\n</skill>',
      extensions: { license: 'MIT' },
    },
    { descriptor: { id: 'collections', description: 'A root skill of this name' }, body: 'x' },
    { descriptor: { id: 'My Tools/Größe', description: 'odd id' }, body: 'y' },
  ]);
  const engine = createSkillEngine({ source: given });

  test('one Sylk feeds another: lists, texts and collections arrive as they are', async () => {
    const { source, requests } = await api(async (url, response) => {
      const { pathname, searchParams } = new URL(url, 'http://x');
      const answer = await respondToSkills(engine, {
        path: pathname.slice('/api'.length),
        query: {
          collection: searchParams.get('collection') ?? undefined,
          query: searchParams.get('query') ?? undefined,
        },
      });
      json(response, answer.json, answer.status);
    });
    expect(await source.list()).toEqual(await given.list());
    for (const { id } of await given.list()) expect(await source.load(id)).toEqual(await given.load(id));
    expect(await source.collections!()).toEqual(await engine.collections());
    await expect(source.load('no/such')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(requests.some((request) => request.url === '/api/skills/My%20Tools%2FGr%C3%B6%C3%9Fe')).toBe(true);
  });

  test('they filter by collection and text, and answer errors as data', async () => {
    const ask = (path: string, query = {}) => respondToSkills(engine, { path, query });
    expect(await ask('/skills', { collection: 'extraction' })).toMatchObject({
      status: 200,
      json: { skills: [{ id: 'extraction/email' }] },
    });
    expect(await ask('/skills', { query: 'root' })).toMatchObject({
      json: { skills: [{ id: 'collections' }] },
    });
    expect(await ask('/skills/no%2Fsuch')).toMatchObject({
      status: 404,
      json: { error: { code: 'NOT_FOUND' } },
    });
    expect(await ask('/skills/%E0%A4%A')).toMatchObject({ status: 404 });
    expect(await ask('/skills/a/b')).toMatchObject({ status: 404 });
    expect(await ask('/other')).toMatchObject({ status: 404 });
  });
});
