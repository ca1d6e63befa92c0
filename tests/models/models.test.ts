import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { openApp } from '../../src/app.ts';
import { runOperation } from '../../src/operations/run.ts';
import { fixtureRepository } from '../support/fixture-repository.ts';
import { httpServer } from '../support/http-server.ts';
import { type ScriptedReply, startModelServer } from '../support/model-server/index.ts';
import { pathsBelow } from '../support/paths-below.ts';
import { sourceLauncher } from '../support/program.ts';
import { sylk } from '../support/sylk.ts';
import { temporaryDirectory } from '../support/temporary.ts';

/** The rules are not sure about these, and the sources do not suffice. */
const questions = ['quarterly', 'weekly', 'monthly', 'purple', 'wooden'].map(
  (word) => `explain ${word} palette weather of login`,
);
const [unclear = ''] = questions;
const librarian = '{"target":"librarian","intent":"EXPLAIN","confidence":0.9}';

/** A model that classifies and writes, in a home of its own. */
function scripted(written: string[], more: object = {}) {
  const path = join(temporaryDirectory('script'), 'answers.json');
  const conversations = [
    ...written.map((text, at) => ({
      when: `USER QUERY: ${questions[at]}`,
      steps: [{ text, usage: { input: 900, output: 40 } }],
    })),
    { steps: [{ text: librarian, usage: { input: 250, output: 20 } }] },
  ];
  writeFileSync(path, JSON.stringify({ price: { input: 3, output: 15 }, conversations, ...more }));
  return path;
}

function open(flags: string[], env: NodeJS.ProcessEnv = {}) {
  const repository = fixtureRepository();
  const home = temporaryDirectory('home');
  const app = openApp({
    directory: repository.path,
    env: { ...process.env, SYLK_HOME: home, ...env },
    flags,
  });
  onTestFinished(() => app.close());
  const call = async <T>(name: string, input: Record<string, unknown>, caller: object = {}) => {
    const outcome = await runOperation(app, {
      name,
      input,
      caller: { kind: 'person', name: 'test', ...caller },
    });
    if (!outcome.ok) throw Object.assign(new Error(outcome.error.message), outcome.error);
    return outcome.output as T;
  };
  return { app, call, home, repository };
}

interface Answered {
  level: number;
  answer: string;
  route: string;
  notes: string[];
  warnings?: string[];
  inferences?: string[];
  cost: { model_tokens: number; usd?: number };
}
const spentBy = async (call: ReturnType<typeof open>['call']) => {
  const { lines } = await call<{ lines: Array<{ name: string; calls: number; usd: number }> }>('get_cost', {
    by: 'agent',
  });
  return Object.fromEntries(lines.map(({ name, calls }) => [name, calls]));
};

test('one model classifies and writes: cited, marked, paid for, and cached', async () => {
  const script = scripted(['login opens a session [1].\n[INFERENCE] The map grows.']);
  const { call, home, repository } = open([`models.fast=script:${script}`]);
  await call('index_repository', {});
  const first = await call<Answered>('ask', { question: unclear });
  expect(first).toMatchObject({
    level: 3,
    answer: 'login opens a session [1].\n[INFERENCE] The map grows.',
    inferences: ['The map grows.'],
    cost: { model_tokens: 940, usd: 0.0033 },
  });
  expect(first.route).toContain('a model decided');
  const again = await call<Answered>('ask', { question: unclear });
  expect(again).toMatchObject({ level: 1, cost: { model_tokens: 0 } });
  expect(await spentBy(call)).toEqual({ guide: 1, librarian: 1 });
  const shown = sylk(repository.path, ['ask', unclear, '--set', `models.fast=script:${script}`], {
    env: { SYLK_HOME: home },
  });
  expect(shown.out).toContain('login opens a session [1].');
});

test('an answer that the code refutes, that cites nothing or what its source does not know is shown with a warning, and asked for again', async () => {
  const script = scripted([
    'We no longer use zod for validation [1].',
    'Nothing is certain.',
    'See [1] and [99].',
    'It logs in [1].\n[INFERENCE] We no longer use zod for validation.',
    'It is paid with `chargeCard` [1].',
  ]);
  const { call } = open([`models.fast=script:${script}`]);
  await call('index_repository', {});
  const expected = [
    'package.json lists zod',
    'cites no source',
    '[99] is cited',
    'package.json lists zod',
    '[1] is cited for “chargeCard” and does not mention it',
  ];
  for (const [at, warning] of expected.entries())
    for (const _again of [1, 2]) {
      const answered = await call<Answered>('ask', { question: questions[at] });
      expect(answered.level).toBe(3);
      expect(answered.warnings?.join()).toContain(warning);
    }
  expect((await spentBy(call)).librarian).toBe(10);
});

test('without a model in the settings nothing is asked, whatever keys are there; read-only servers ask nothing', async () => {
  const server = await startModelServer('anthropic', [{ text: [librarian] }]);
  onTestFinished(server.stop);
  const endpoint = `models.endpoints={"anthropic":"${server.url}"}`;
  const key = { ANTHROPIC_API_KEY: 'k' };
  const without = open([endpoint], key);
  await without.call('index_repository', {});
  expect(await without.call<Answered>('ask', { question: unclear })).toMatchObject({ level: 2 });
  const readOnly = open([endpoint, 'models.fast=anthropic/claude-sonnet-4-5'], key);
  await readOnly.call('index_repository', {});
  expect(await readOnly.call<Answered>('ask', { question: unclear }, { readOnly: true })).toMatchObject({
    level: 2,
  });
  expect(server.requests).toEqual([]);
  await readOnly.call<Answered>('ask', { question: unclear });
  expect(server.requests.length).toBeGreaterThan(0);
});

test('a repository names no model, no address and no price', () => {
  const { repository, home } = open([]);
  mkdirSync(join(repository.path, '.sylk'), { recursive: true });
  const text =
    'models:\n  fast: anthropic/x\n  endpoints: {anthropic: "http://evil.example/v1"}\ntelemetry:\n  endpoint: http://evil.example\n';
  writeFileSync(join(repository.path, '.sylk', 'config.yaml'), text);
  const app = openApp({ directory: repository.path, env: { ...process.env, SYLK_HOME: home } });
  onTestFinished(() => app.close());
  expect(app.config.models).toMatchObject({ fast: '', endpoints: {} });
  expect(app.config.telemetry.endpoint).toBe('');
  expect(
    app.loadedConfig.warnings.filter((line) => line.includes('never read from a repository')),
  ).toHaveLength(3);
});

test('a budget stops the writer, and the answer from the sources says why', async () => {
  const { call } = open([`models.fast=script:${scripted(['Never said [1].'])}`]);
  await call('index_repository', {});
  await call('set_budget', { scope: 'day', usd: 0.02 });
  const answered = await call<Answered>('ask', { question: unclear });
  expect(answered.level).toBe(2);
  expect(answered.notes.join()).toContain('The budget of this day does not allow this call');
  expect(await spentBy(call)).toEqual({ guide: 1 });
});

test('an agent cannot set a budget', async () => {
  const { call } = open([]);
  await expect(call('set_budget', { scope: 'day', usd: 1_000 }, { kind: 'agent' })).rejects.toMatchObject({
    code: 'DENIED',
  });
});

const canary = 'zq-canary-77e1c0d94b5f4a6e';

test.each(['environment', 'file'] as const)(
  'a key in the %s is in no file, answer, failure, log or span',
  async (place) => {
    const spans: string[] = [];
    const collector = await httpServer(async (request, response) => {
      spans.push(await readText(request));
      response.end('{}');
    });
    const echo: ScriptedReply = {
      status: 401,
      body: JSON.stringify({ error: { message: `bad key ${canary}` } }),
    };
    const server = await startModelServer('openai', [
      echo,
      { text: [librarian] },
      { text: [`The key is ${canary} [1].`] },
      echo,
    ]);
    onTestFinished(server.stop);
    const { app, call, home, repository } = open(
      [
        'models.fast=openai/gpt-5-mini',
        `models.endpoints={"openai":"${server.url}"}`,
        `telemetry.endpoint=${collector.url}`,
        'log.level=debug',
      ],
      place === 'environment' ? { OPENAI_API_KEY: canary } : {},
    );
    const file = join(home, 'credentials');
    if (place === 'file') writeFileSync(file, `OPENAI_API_KEY=${canary}\n`, { mode: 0o600 });
    const shown: unknown[] = [await call('list_models', {})];
    await call('index_repository', {});
    for (const question of questions) shown.push(await call('ask', { question }));
    shown.push(await call('get_cost', {}), await call('read_logs', {}));
    await app.close();
    expect(server.requests.length).toBeGreaterThanOrEqual(4);
    expect(JSON.stringify(server.requests[0]?.headers)).toContain(canary);
    const said = JSON.stringify(shown) + spans.join();
    expect(said).toContain('gpt-5-mini');
    expect(said).not.toContain(canary);
    const files = [repository.path, home]
      .flatMap((place) => pathsBelow(place))
      .filter((path) => path !== file);
    expect(files.filter((path) => readFileSync(path).includes(canary))).toEqual([]);
  },
);

test('spans have usage and names, and contents only where the person asks for them', async () => {
  const bodies: string[] = [];
  const collector = await httpServer(async (request, response) => {
    bodies.push(`${request.url} ${await readText(request)}`);
    response.end('{}');
  });
  const ask = async (contents: boolean) => {
    const script = scripted(['login opens a session [1].']);
    const { app, call } = open([
      `models.fast=script:${script}`,
      `telemetry.endpoint=${collector.url}`,
      `telemetry.contents=${contents}`,
    ]);
    await call('index_repository', {});
    await call('ask', { question: unclear });
    await app.close();
    return bodies.splice(0).join();
  };
  const bare = await ask(false);
  for (const part of ['/v1/traces', 'gen_ai.usage.input_tokens', '"900"', 'gen_ai.agent.name', 'librarian'])
    expect(bare).toContain(part);
  expect(bare).not.toContain('palette');
  expect(await ask(true)).toContain('palette');
});

test('a command without a model loads no part of any provider', () => {
  const repository = fixtureRepository();
  const hook = join(temporaryDirectory('hook'), 'hook.mjs');
  writeFileSync(
    hook,
    `import { registerHooks } from 'node:module';
     import { appendFileSync } from 'node:fs';
     registerHooks({ load(url, context, next) { appendFileSync(process.env.LOADED, url + '\\n'); return next(url, context); } });`,
  );
  const loaded = join(temporaryDirectory('loaded'), 'urls');
  const env = { NODE_OPTIONS: `--import=${hook}`, LOADED: loaded, ANTHROPIC_API_KEY: 'k' };
  const options = { env, start: ['sh', sourceLauncher] as [string, string] };
  expect(sylk(repository.path, ['--version'], options).code).toBe(0);
  expect(sylk(repository.path, ['ask', unclear], options).code).toBe(0);
  const urls = readFileSync(loaded, 'utf8');
  expect(urls).toContain('operations/recall/ask');
  expect(
    urls.split('\n').filter((url) => /@ai-sdk|genai-prices|base\/model\/(?!config)|stores\/ledger/.test(url)),
  ).toEqual([]);
});
