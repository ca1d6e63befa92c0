import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { watched } from '../../tests/support/bus.ts';
import { fixtureRepository } from '../../tests/support/fixture-repository.ts';
import { temporaryDirectory } from '../../tests/support/temporary.ts';
import { openApp } from '../app.ts';
import { fixedClock } from '../base/clock.ts';
import { readPlan } from '../engines/orchestrator/index.ts';
import type { Caller } from './operation.ts';
import { runOperation } from './run.ts';

const person: Caller = { kind: 'person', name: 'person' };

interface Routed {
  status: string;
  answer: string;
  level?: number;
  session: string;
  message_id?: string;
  next_step?: string;
  notes: string[];
  citations: Array<{ ref: string; domain: string; place: string }>;
  route: { target: string; intent: string; verb: string; method: string; subject: string; also: string[] };
}

function shop() {
  const home = temporaryDirectory('home');
  writeFileSync(join(home, 'config.yaml'), 'approvals:\n  rules: [{ action: allow }]\n');
  const repository = fixtureRepository();
  // The story of the repository is of 2025, and some ask for what was last year.
  const clock = fixedClock(Date.UTC(2026, 0, 15, 12));
  const app = openApp({ directory: repository.path, clock, env: { ...process.env, SYLK_HOME: home } });
  onTestFinished(() => app.close());
  const call = async <T = Record<string, never>>(
    name: string,
    input: object,
    caller = person,
  ): Promise<T> => {
    const outcome = await runOperation(app, { name, input, caller });
    if (!outcome.ok) throw Object.assign(new Error(outcome.error.message), outcome.error);
    return outcome.output as T;
  };
  const say = (input: string, more: object = {}, caller = person) =>
    call<Routed>('route', { input, ...more }, caller);
  return { app, call, say, repository };
}

test('where something is goes to the Librarian over the bus and comes back with places (Pattern 1)', async () => {
  const { say, app } = shop();
  const hops = watched(await (await app.guide()).bus());
  const routed = await say('where is the rate limit for logins');
  expect(routed).toMatchObject({
    status: 'answered',
    level: 2,
    route: { target: 'librarian', intent: 'LOCATE', method: 'rules' },
  });
  expect(routed.citations[0]!.place).toContain('src/auth/rate-limit.ts');
  expect(
    hops.some(
      (hop) =>
        hop.target === 'librarian' &&
        hop.type === 'CONTEXT_REQUEST' &&
        hop.status === 'done' &&
        hop.tier === 'level 2',
    ),
  ).toBe(true);
});

test('how it was done goes to the Archivalist with its time, and what lies outside that time is said to (Pattern 2)', async () => {
  const { say } = shop();
  const today = await say('what changed in the rate limiting today');
  expect(today.route).toMatchObject({ target: 'archivalist', intent: 'ACTIVITY' });
  expect(today.citations.every(({ domain }) => domain === 'commits' || domain === 'chronicle')).toBe(true);
  const ever = await say('how did we handle the rate limiting last year');
  expect(ever.route).toMatchObject({ target: 'archivalist', intent: 'HISTORICAL' });
  expect(ever.citations.length).toBeGreaterThan(0);
  const none = await say('how did we handle the rate limiting in 2019-03');
  expect(none.notes.join()).toContain('no records about rate limiting in 2019-03');
});

test('what calls, what breaks and what runs the tests is looked up, whoever the words would go to', async () => {
  const { call, repository } = shop();
  const ask = (question: string) => call<Routed & { route: string; notes: string[] }>('ask', { question });
  const calls = await ask('what calls allow?');
  expect(calls.route).toContain('librarian · LOCATE · allow (looked up');
  expect(calls.citations).toMatchObject([{ place: 'src/auth/session.ts:9', domain: 'code' }]);
  expect(calls.answer).toContain("login: if (!allow(user, 10)) throw new Error('too many attempts');");
  const impact = await ask('what breaks if I change allow');
  expect(impact.citations.map(({ place }) => place)).toEqual(['src/auth/session.ts:9', 'src/index.ts']);
  await call('store_entry', {
    category: 'decision',
    title: 'tests run in a container',
    content: 'The tests are run in a container, because the till needs its own clock.',
  });
  const tests = await ask('how do I run the tests');
  expect(tests.answer).toContain('`npm test`');
  expect(tests.answer).toContain('── Remembered\n[2] tests run in a container');
  const people = await ask('who knows most about the auth folder?');
  expect(people.route).toContain('archivalist · ACTIVITY · auth folder (looked up');
  expect(people.answer).toContain('── Who changed src/auth most, of one person');
  expect(people.citations).toMatchObject([{ place: 'Ada' }]);
  const unknown = await ask('what calls caching');
  expect(unknown.route).not.toContain('looked up');
  const routed = await call<Routed>('route', { input: 'what calls allow?' });
  expect(routed.answer).toContain('── Uses of allow: 1 place');
  repository.write(
    'src/auth/session.ts',
    "import { allow } from './rate-limit.ts';\n\nexport const enter = (user: string) => allow(user, 3);\n",
  );
  expect((await ask('what calls allow?')).answer).toContain(
    'src/auth/session.ts:3 — enter: export const enter = (user: string) => allow(user, 3);',
  );
});

test.each(['forget that', 'delete that decision', 'undo the last decision.'])(
  'who takes something back in words is told how, and nothing is stored: %s',
  async (text) => {
    const { say, call } = shop();
    await say('we decided: tokens live in memory');
    expect((await say(text)).answer).toContain('sylk memory delete ID');
    expect(await call('list_entries', {})).toMatchObject({ total: 1 });
  },
);

test('who asks how something is gets the code before commits of the same words, and before an empty shelf of references', async () => {
  const { call, repository } = shop();
  const ask = (question: string) => call<Routed & { route: string }>('ask', { question });
  for (const text of ['one', 'two'])
    repository.commit('fix: count penguins once', { 'src/penguins.txt': text });
  const how = await ask('how do we forget attempts after a minute');
  expect(how.citations.map(({ domain }) => domain)).toContain('commits');
  expect(how.citations[0]).toMatchObject({ domain: 'code' });
  const repeated = await ask('penguins once');
  expect(repeated.citations.filter(({ place }) => place === 'fix: count penguins once')).toHaveLength(1);
  const practice = await ask('what is best practice for rate limits');
  expect(practice.route).toContain('academic and librarian');
  expect(practice.answer).toMatch(/^── This repository\n.*\n── References\nNo results/s);
});

test('the sender of a message reads its reply, at once and later; another client does not', async () => {
  const { call } = shop();
  const agent = (name: string): Caller => ({ kind: 'agent', name });
  const sent = await call<{ id: string; status: string; reply?: unknown }>(
    'send_message',
    { type: 'STORE_REQUEST', payload: { content: 'Prices are in cents.', category: 'decision' } },
    agent('codex'),
  );
  expect(sent).toMatchObject({ status: 'done', reply: expect.anything() });
  const later = await call('guide_trace', { message: sent.id }, agent('codex'));
  expect(later).toMatchObject({ status: 'done', reply: sent.reply });
  expect(await call('guide_trace', { message: sent.id }, agent('gemini'))).not.toHaveProperty('reply');
  const dispatched = await call<{ expires_at?: string }>('send_message', {
    type: 'TASK_DISPATCH',
    target: 'engineer',
    payload: { task: 'limit attempts' },
  });
  expect(dispatched.expires_at).toBeDefined();
});

test('who checks before acting is told what is there where no mistake is known', async () => {
  const { say } = shop();
  const checked = await say('what should I know before touching the rate limit');
  expect(checked.route).toMatchObject({ target: 'archivalist', verb: 'check' });
  expect(checked.answer).toContain('── Related code and records');
  expect(checked.citations.map(({ place }) => place).join()).toContain('rate-limit.ts');
});

test('what happened to a path is told by its own commits, and an empty stretch of time by the latest ones', async () => {
  const { say, repository } = shop();
  repository.commit('feat: count tokens', { 'src/tokens/count.ts': 'export const count = 1;\n' });
  repository.commit('docs: name the owner', { 'README.md': '# Shop, owned by the till team\n' });
  const places = async (text: string) => {
    const { citations, notes, route } = await say(text);
    expect(route).toMatchObject({ target: 'archivalist', intent: 'ACTIVITY' });
    return { places: citations.map(({ place }) => place), notes: notes.join() };
  };
  expect((await places('what changed in src/tokens/count.ts')).places).toEqual(['feat: count tokens']);
  const folder = await places('what changed in src/tokens in 2025-01');
  expect(folder.places).toEqual(['feat: count tokens']);
  const none = await places('what changed in src/tokens yesterday');
  expect(none).toEqual({
    places: ['feat: count tokens'],
    notes: 'no records about src/tokens yesterday; showing the latest',
  });
  const all = await places('what happened last week');
  expect(all.places.slice(0, 2)).toEqual(['docs: name the owner', 'feat: count tokens']);
  expect(all.notes).toContain('no records last week; showing the latest');
});

test('the latest of an empty stretch of time is the newest of entries and commits together', async () => {
  const { say, call, repository } = shop();
  repository.commit('feat: count tokens', { 'src/tokens/count.ts': 'export const count = 1;\n' });
  await call('store_entry', {
    content: 'Tokens in src/tokens are counted twice.',
    title: 'counting tokens',
    category: 'decision',
  });
  const { citations, notes } = await say('what changed in src/tokens in 2024-06');
  expect(notes.join()).toContain('showing the latest');
  expect(citations.map(({ place }) => place).sort()).toEqual(['counting tokens', 'feat: count tokens']);
});

test('a question about a day is not answered by a decision of another day, nor by the words of the question', async () => {
  const { call } = shop();
  await call('store_entry', { content: 'Prices are in cents.', title: 'cents', category: 'decision' });
  const { linked, notes, citations } = await call<Routed & { linked?: string[] }>('ask', {
    question: 'What did we decide yesterday?',
  });
  expect(linked).toBeUndefined();
  expect(notes.join()).toContain('no records yesterday; showing the latest');
  expect(citations[0]).toMatchObject({ place: 'cents' });
  const today = await call<{ linked?: string[] }>('ask', { question: 'What did we decide today?' });
  expect(today.linked?.join()).toContain('Prices are in cents.');
});

test('the banner of a conflict is shown only where the question is about it', async () => {
  const { call } = shop();
  await call('index_repository', {});
  await call('store_entry', {
    content: 'The function `login` is defined in src/login.ts.',
    title: 'where people log in',
    category: 'decision',
  });
  await call('store_entry', {
    content: 'Penguins are counted every night, after the last sale.',
    title: 'counting penguins',
    category: 'decision',
  });
  const ask = (question: string) => call<Routed>('ask', { question });
  expect((await ask('what did we decide about login')).answer).toContain('Conflict (');
  expect((await ask('what did we decide about penguins')).answer).not.toContain('Conflict (');
});

test('why something was decided is found in the decision records of the repository', async () => {
  const { say, repository } = shop();
  repository.commit('docs: why a minute', {
    'docs/decisions/lockout.md': '# Lockout of a minute\n\nWe chose a minute because support was flooded.\n',
  });
  const { citations, route } = await say('why did we choose a lockout of a minute');
  expect(route).toMatchObject({ target: 'archivalist', intent: 'HISTORICAL' });
  expect(citations[0]!.place).toContain('docs/decisions/lockout.md');
});

test('what is told is kept by the Archivalist once and found again (Pattern 3)', async () => {
  const { say, call } = shop();
  const kept = await say('Remember that we always use pnpm in this repository.');
  expect(kept).toMatchObject({ status: 'stored', route: { target: 'archivalist', verb: 'store' } });
  const { entries } = await call<{ entries: Array<{ content: string; category: string }> }>(
    'search_history',
    { query: 'pnpm' },
  );
  expect(entries).toMatchObject([
    { content: 'we always use pnpm in this repository.', category: 'decision' },
  ]);
  expect(await say('Fixed auth bug by adding null check')).toMatchObject({
    status: 'stored',
    route: { verb: 'complete' },
  });
  expect(await say('what was decided about pnpm')).toMatchObject({ status: 'answered' });
});

test('best practice is answered from the references beside the code (Pattern 4)', async () => {
  const { say, call } = shop();
  const source = temporaryDirectory('source');
  writeFileSync(join(source, 'text.md'), '# Rate limiting\n\nLimit attempts per account and answer 429.\n');
  await call('reference_topic_create', {
    title: 'Rate limiting',
    body: 'Rate limiting',
    kind: 'best_practice',
    sources: [{ type: 'local', path: source }],
  });
  const routed = await say("what's the best practice for rate limiting");
  expect(routed).toMatchObject({ status: 'answered', route: { target: 'academic', also: ['librarian'] } });
  expect(new Set(routed.citations.map(({ domain }) => domain))).toEqual(new Set(['references', 'code']));
  expect(routed.notes.join()).toContain('not instructions');
});

test('what needs agents is classified and answered with the next step', async () => {
  const { say } = shop();
  for (const [text, target] of [
    ['add a health check endpoint', 'architect'],
    ['make the sidebar collapse on small screens', 'designer'],
    ['review my uncommitted changes', 'inspector'],
    ['write unit tests for the auth module', 'tester'],
  ] as const)
    expect(await say(text)).toMatchObject({
      status: 'needs_agents',
      route: { target },
      next_step: expect.stringMatching(/sylk|coding agent/),
    });
});

test('/task reaches the node of a run, which stands on the board as a task; agents are refused', async () => {
  const { say, call, app } = shop();
  await expect(say('/task 1 interrupt')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  const plan = readPlan('prompt: Add a limit\nnodes: [{ id: limit, agent: engineer, prompt: Write it }]');
  const runs = await app.runs();
  const { run } = await runs.create({ session: 'ses_run', prompt: plan.prompt, plan });
  await runs.move(run, { type: 'plan_approved', revision: 1, start: true }, 'approve');
  expect(await say('/task 1 prompt "Mind the clock"')).toMatchObject({
    status: 'done',
    answer: `task:${run}/1 (limit) is working.`,
  });
  const agent: Caller = { kind: 'agent', name: 'client' };
  await expect(say('/task 1 cancel', {}, agent)).rejects.toMatchObject({ code: 'DENIED' });
  await say('/task 1 cancel');
  const { data } = await call<{ data: { items: Array<{ title: string; status: string }> } }>('list_work', {
    type: 'task',
    query: 'limit: Write it',
  });
  expect(data.items).toMatchObject([{ title: 'limit: Write it', status: 'ACTIVE' }]);
  await runs.answer(`${run}:2:0`, { result: 'stopped', cost: 0 });
  await expect(say('/task 1 query "How far are you?"')).rejects.toMatchObject({ code: 'PIPELINE_CLOSED' });
  expect((await runs.events(run)).map(({ type }) => type)).toEqual([
    'created',
    'plan_approved',
    'node_prompted',
    'node_cancelled',
    'answered',
  ]);
});

test('the phase of the run that goes on reaches the Guide, and plain words of the person are moves of it', async () => {
  const { say, call, app } = shop();
  const runs = await app.runs();
  const plan = readPlan('prompt: Add a limit\nnodes: [{ id: limit, agent: engineer, prompt: Write it }]');
  const { run } = await runs.create({ session: 'ses_run', prompt: plan.prompt, plan });
  const state = () => runs.state(run);
  const target = async (input: string) => (await call<{ target: string }>('classify', { input })).target;
  const agent: Caller = { kind: 'agent', name: 'client' };
  expect((await say('Why only one node?', { target: 'architect' })).answer).toContain(
    'limit (engineer): Write it',
  );
  await expect(say('Looks good, go ahead', {}, agent)).rejects.toMatchObject({ code: 'DENIED' });
  expect(await target('Also add a limit for each endpoint')).toBe('architect');
  await say('Looks good, go ahead');
  expect(await state()).toMatchObject({ status: 'running', phase: 'execute' });
  expect((await say("What's taking so long?")).answer).toContain('1. limit  interrupted');
  await say('Stop');
  await runs.answer(`${run}:2:0`, { result: 'stopped', cost: 0, commit: 'c0' });
  expect(await state()).toMatchObject({ status: 'stopped' });
  await say('continue');
  const last = async () => (await state()).open.at(-1)?.id ?? '';
  await runs.answer(await last(), { result: 'asks', question: 'Which name?', cost: 0, commit: 'c1' });
  await runs.answer(await last(), { result: 'unsure', cost: 0 });
  await say('Call it throttle');
  expect(await state()).toMatchObject({
    nodes: [{ stage: 'working' }],
    open: [{ feedback: [{ from: 'person', text: 'Call it throttle' }] }],
  });
  await runs.answer(await last(), { result: 'done', output: '', cost: 0, commit: 'c2' });
  await runs.answer(await last(), { result: 'passed' });
  await runs.answer(await last(), { result: 'passed' });
  await runs.answer(await last(), { result: 'merged', commit: 'm1' });
  expect(await state()).toMatchObject({ phase: 'inspect' });
  await runs.answer(await last(), { result: 'findings', text: 'limit.ts:3 a race' });
  expect(await target('Fix all of these')).toBe('inspector');
  expect((await say('Explain the race')).answer).toContain('limit.ts:3 a race');
  await say('Ignore the race for now');
  expect(await state()).toMatchObject({ phase: 'test', deferred: [expect.stringContaining('a race')] });
  await runs.answer(await last(), { result: 'none', cost: 0 });
  await runs.answer(await last(), { result: 'findings', text: 'FAIL limits' });
  expect(await target('Skip tests for now')).toBe('tester');
  await say('Skip tests for now');
  expect(await state()).toMatchObject({ phase: 'summary' });
});

test('a plan that waits or a run that was stopped does not take questions and notes from the memory', async () => {
  const { say, app } = shop();
  const runs = await app.runs();
  const plan = readPlan('prompt: Add a limit\nnodes: [{ id: limit, agent: engineer, prompt: Write it }]');
  const { run } = await runs.create({ session: 'ses_run', prompt: plan.prompt, plan });
  for (const status of ['proposed', 'stopped']) {
    if (status === 'stopped') await runs.move(run, { type: 'stopped' }, 'stop');
    const before = await runs.state(run);
    expect(before.status).toBe(status);
    expect((await say('where is the login?')).status).toBe('answered');
    expect((await say('what calls login')).status).toBe('answered');
    expect((await say('we decided: tests never sleep, because CI is slow')).status).toBe('stored');
    expect((await runs.state(run)).number).toBe(before.number);
  }
});

test('words that fit two runs ask which; words that fit one of two are its own', async () => {
  const { say, app } = shop();
  const runs = await app.runs();
  const plan = readPlan('prompt: Add a limit\nnodes: [{ id: limit, agent: engineer, prompt: Write it }]');
  const [one, other] = [
    await runs.create({ session: 'ses_one', prompt: 'One', plan }),
    await runs.create({ session: 'ses_other', prompt: 'Other', plan }),
  ];
  const { answer } = await say('looks good');
  expect(answer).toContain(`sylk run approve ${one.run}   One`);
  expect(answer).toContain(`sylk run approve ${other.run}   Other`);
  await runs.move(other.run, { type: 'stopped' }, 'stop');
  await say('looks good');
  expect([(await runs.state(one.run)).status, (await runs.state(other.run)).status]).toEqual([
    'running',
    'stopped',
  ]);
});

test('without a session the active one is taken; one that is not active refuses by name and state (Guide Session Awareness)', async () => {
  const { say, call } = shop();
  const first = await say('where is the login');
  expect((await say('where is the login')).session).toBe(first.session);
  const other = await call<{ id: string }>('create_session', { name: 'aside', activate: false });
  await expect(say('where is the login', { session_id: other.id })).rejects.toMatchObject({
    code: 'INVALID_OPERATION',
    message: expect.stringMatching(new RegExp(`${other.id} is not active \\(state: created\\)`)),
  });
  await expect(say('where is the login', { session: 'ses_none' })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
});

test('/session commands are done at once, and a client has only its own sessions', async () => {
  const { say } = shop();
  const agent: Caller = { kind: 'agent', name: 'client' };
  expect((await say('/session new rate-limiter-feature')).answer).toContain('rate-limiter-feature');
  const [id] = (await say('/session list')).answer.split(' ');
  expect((await say('/session suspend')).answer).toContain(`${id} is suspended`);
  expect((await say(`/session resume ${id}`)).answer).toContain('is active');
  expect((await say('/session list', {}, agent)).answer).not.toContain('rate-limiter-feature');
  await expect(say(`/session switch ${id}`, {}, agent)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('classify says the same without sending, and the older names parse', async () => {
  const { call } = shop();
  expect(
    await call('guide_classify_intent', { input: 'how did we handle the auth migration last month' }),
  ).toMatchObject({
    target: 'archivalist',
    intent: 'HISTORICAL',
    subject: 'auth_migration',
    time_scope: { name: 'last_month' },
    method: 'rules',
  });
  expect(await call('guide_route_message', { input: 'help', session_id: '' })).toMatchObject({
    status: 'done',
  });
  expect(await call('guide_get_status', {})).toMatchObject({ routings: { total: 1 } });
});

test('the status tells what went where: known, frequent and in vain; a client sees its own session only (Guide Memory Management)', async () => {
  const { say, call } = shop();
  for (const what of ['login', 'session', 'limit']) await say(`where is the ${what}`);
  await say('where is the zzyzx');
  const { routings } = await call<{ routings: Record<string, never> }>('status', {});
  expect(routings).toMatchObject({
    total: 4,
    known: { 'where is the *': 'librarian' },
    frequent: [{ pattern: 'where is the *', agent: 'librarian', usage_count: 4 }],
    capabilities: { librarian: ['LOCATE'] },
    by_method: { rules: 4 },
  });
  expect(JSON.stringify(routings)).not.toContain('zzyzx');
  const seen = await call<{ routings: { total: number } }>('status', {}, { kind: 'agent', name: 'client' });
  expect(seen.routings.total).toBe(0);
});

test('a preference of the person changes where a message goes', async () => {
  const { say, call } = shop();
  expect((await say('where is the invoice')).route.target).toBe('librarian');
  await call('set_preference', { category: 'routing.word.invoice', preference: 'archivalist' });
  expect((await say('where is the invoice')).route.target).toBe('archivalist');
});

test('the Guide stands before ask: each question goes to the right place and says how it got there', async () => {
  const { call } = shop();
  const ask = (question: string, more: object = {}) =>
    call<{
      target: string;
      route: string;
      intent: string;
      citations: Array<{ domain: string }>;
      hint?: string;
    }>('ask', { question, ...more });
  const past = await ask('how did we handle the rate limiting last year');
  expect(past).toMatchObject({
    target: 'archivalist',
    intent: 'HISTORICAL',
    route: expect.stringContaining('last year'),
  });
  expect(past.citations.every(({ domain }) => domain !== 'code')).toBe(true);
  expect(await ask('where is the rate limit')).toMatchObject({
    target: 'librarian',
    route: expect.stringContaining('rules'),
  });
  expect(await ask("what's best practice for logins, and how do we do it")).toMatchObject({
    target: 'academic',
    route: expect.stringContaining('academic and librarian'),
  });
  expect(await ask('add a health check endpoint')).toMatchObject({
    target: 'librarian',
    next_step: expect.stringContaining('To have it planned and done'),
  });
  const chosen = await ask('how did we handle the rate limiting last year', { in: 'code' });
  expect(chosen.citations.every(({ domain }) => domain === 'code')).toBe(true);
});
