import { readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type App, openApp } from '../../src/app.ts';
import { fixedClock } from '../../src/base/clock.ts';
import type { Answers, CacheQuestion } from '../../src/engines/answers/index.ts';
import type { ReadQuestion } from '../../src/engines/answers/reader/index.ts';
import { runOperation } from '../../src/operations/run.ts';
import { testRepository } from '../support/repository.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const flags = ['embedding.enabled=false'];
const files = {
  'src/auth/login.ts': 'export function login() {}\n',
  'src/auth/token.ts': 'export function token() {}\n',
  'src/pay/charge.ts': 'export function charge() {}\n',
};

function opened(directory: string, clock = fixedClock(), own = flags) {
  const app = openApp({ directory, clock, flags: own });
  onTestFinished(() => app.close());
  return app;
}

async function indexed(directory: string, clock = fixedClock(), own = flags) {
  const app = opened(directory, clock, own);
  await (await app.indexing()).run({ only: 'code' });
  return app;
}

type Question = CacheQuestion;
const ask = (text: string, rest: Partial<Question> = {}): Question => ({
  text,
  agent: 'librarian',
  intent: 'LOCATE',
  subject: 'login',
  confidence: 0.9,
  viewer: { session: 'ses_a', seesAll: false },
  ...rest,
});

async function keep(app: App, question: Question, evidence: { files?: string[]; refs?: string[] }) {
  const caches = await (await app.answers()).cache();
  const mark = await caches.mark(question);
  return caches.keep(mark, {
    answer: { answer: question.text } as never,
    empty: false,
    evidence: { files: evidence.files ?? [], refs: evidence.refs ?? [] },
    tokens: 1000,
  });
}
/** A question to the Archivalist, read in one way whatever its words. */
async function askArchivalist(
  answers: Answers,
  text: string,
  session: string,
  wanted: Pick<ReadQuestion, 'intent' | 'verb' | 'subject'>,
) {
  const read = await answers.read(text, { session }, { target: 'archivalist' });
  return answers.ask({ text, read: { ...read, ...wanted, confidence: 0.9 } }, { session });
}
const look = async (app: App, question: Question) => (await (await app.answers()).cache()).look(question);
const entries = async (app: App) =>
  (await (await app.answers()).cache())
    .statistics({ session: '', seesAll: true })
    .intents.reduce((sum, each) => sum + each.entries, 0);
const rename = (repository: { path: string; git(...args: string[]): string }, from: string, to: string) =>
  repository.git('mv', from, to);

describe('fed by the indexing engine', () => {
  test('a save drops what cites the file, a touch and other files do not', async () => {
    const repository = testRepository();
    repository.commit('start', files);
    const app = await indexed(repository.path);
    await keep(app, ask('where is login'), { files: ['src/auth/login.ts'] });
    const engine = await app.indexing();
    utimesSync(join(repository.path, 'src/auth/login.ts'), new Date(1e12), new Date(1e12));
    repository.write('src/pay/charge.ts', 'export function charge() { return 1; }\n');
    await engine.run({ only: 'code' });
    expect(await look(app, ask('find the login'))).toMatchObject({ hit: true });
    repository.write('src/auth/login.ts', 'export function login() { return 1; }\n');
    await engine.run({ only: 'code' });
    await expect.poll(() => entries(app)).toBe(0);
    expect(await look(app, ask('find the login'))).toEqual({ hit: false, reason: 'absent' });
  });

  test('PATTERN falls on new, deleted and renamed files in a source directory', async () => {
    const repository = testRepository();
    repository.commit('start', files);
    const app = await indexed(repository.path);
    const question = ask('how do we handle login', { intent: 'PATTERN' });
    const moves = [
      () => repository.write('src/auth/new.ts', 'export const one = 1;\n'),
      () => repository.remove('src/auth/new.ts'),
      () => rename(repository, 'src/auth/token.ts', 'src/auth/tokens.ts'),
    ];
    for (const move of moves) {
      await keep(app, question, { files: ['src/auth/login.ts'] });
      move();
      await (await app.indexing()).run({ only: 'code' });
      await expect.poll(() => entries(app)).toBe(0);
    }
    await keep(app, question, { files: ['src/auth/login.ts'] });
    repository.write('src/pay/new.ts', 'export const one = 1;\n');
    await (await app.indexing()).run({ only: 'code' });
    expect(await look(app, question)).toMatchObject({ hit: true });
  });

  test('LOCATE falls when the name is defined in a new file as well', async () => {
    const repository = testRepository();
    repository.commit('start', files);
    const app = await indexed(repository.path);
    await keep(app, ask('where is login'), { files: ['src/auth/login.ts'] });
    repository.write('src/web/login.ts', 'export function login() {}\n');
    await (await app.indexing()).run({ only: 'code' });
    expect(await look(app, ask('where is login'))).toEqual({ hit: false, reason: 'changed' });
  });

  test('more than 100 files of other content clear the Librarian; as many touched ones clear nothing', async () => {
    const repository = testRepository();
    const many = Object.fromEntries(
      Array.from({ length: 101 }, (_, at) => [`src/many/f${at}.ts`, `export const v = ${at};\n`]),
    );
    repository.commit('start', { ...files, ...many });
    const app = await indexed(repository.path);
    await keep(app, ask('where is login'), { files: ['src/auth/login.ts'] });
    for (const path of Object.keys(many))
      utimesSync(join(repository.path, path), new Date(1e12), new Date(1e12));
    await (await app.indexing()).run({ only: 'code' });
    expect(await entries(app)).toBe(1);
    for (const path of Object.keys(many)) repository.write(path, 'export const other = 1;\n');
    await (await app.indexing()).run({ only: 'code' });
    await expect.poll(() => entries(app)).toBe(0);
  });

  test('what another process indexed counts without any event here', async () => {
    const repository = testRepository();
    repository.commit('start', files);
    const mine = await indexed(repository.path);
    const other = opened(repository.path);
    await keep(mine, ask('where is login'), { files: ['src/auth/login.ts'] });
    expect(await look(other, ask('find the login'))).toMatchObject({ hit: true, hits: 1 });
    expect(await look(mine, ask('find the login'))).toMatchObject({ hit: true, hits: 2 });
    repository.write('src/auth/login.ts', 'export function login() { return 1; }\n');
    const code = await other.code();
    await code.update();
    expect(await look(mine, ask('find the login'))).toEqual({ hit: false, reason: 'changed' });
  });
});

describe('visibility', () => {
  const canary = 'canary-51c0de';
  async function twoAgents() {
    const repository = testRepository();
    repository.commit('start', files);
    const app = await indexed(repository.path);
    const call = async <T>(
      name: string,
      operation: string,
      input: unknown,
      kind = 'agent' as 'agent' | 'person',
    ) => {
      const outcome = await runOperation(app, { name: operation, input, caller: { kind, name } });
      if (!outcome.ok) throw new Error(outcome.error.message);
      return outcome.output as T;
    };
    const enter = async (name: string) => (await call<{ id: string }>(name, 'create_session', { name })).id;
    const [a, b] = [await enter('a'), await enter('b')];
    const store = (name: string, content: string) =>
      call<{ node_id: string }>(name, 'store_entry', { content, category: 'decision' });
    return { app, call, store, a, b };
  }
  const viewer = (session: string) => ({ viewer: { session, seesAll: false } });

  test("A's private answer never reaches B, whatever B asks and however it is classified; A still gets it", async () => {
    const { app, call, store, a, b } = await twoAgents();
    const { node_id } = await store('a', `${canary}: login uses passkeys`);
    const intents = [
      ['librarian', ['LOCATE', 'PATTERN', 'EXPLAIN', 'GENERAL']],
      ['archivalist', ['HISTORICAL', 'ACTIVITY', 'OUTCOME', 'SIMILAR', 'RESUME', 'GENERAL']],
      ['academic', ['RESEARCH']],
    ] as const;
    const texts = [`what did we decide about ${canary} login`, 'where did we leave off'];
    const leaks: string[] = [];
    for (const [agent, own] of intents)
      for (const intent of own)
        for (const text of texts) {
          const question = ask(text, { agent, intent, ...viewer(a) });
          expect(await keep(app, question, { refs: [`entry:${node_id}`] })).toEqual({ kept: true });
          for (const confidence of [0.9, 0.1]) {
            const looked = await look(app, { ...question, confidence, ...viewer(b) });
            if (looked.hit) leaks.push(`${agent} ${intent} ${text}`);
          }
          expect(await look(app, question)).toMatchObject({ hit: true });
        }
    expect(leaks).toEqual([]);
    expect(JSON.stringify(await call('b', 'cache_stats', {}))).not.toContain(canary);
    expect(JSON.stringify(await call('a', 'cache_stats', {}))).toContain(canary);
    expect(JSON.stringify(await call('ada', 'cache_stats', {}, 'person'))).toContain(canary);
  });

  test('sessions that see the same share what the Librarian answered; one that wrote something does not', async () => {
    const { app, store, a, b } = await twoAgents();
    await keep(app, ask('where is login', viewer(a)), { files: ['src/auth/login.ts'] });
    expect(await look(app, ask('find the login', viewer(b)))).toMatchObject({ hit: true });
    await store('a', 'login moved to the gateway');
    expect(await look(app, ask('find the login', viewer(a)))).toMatchObject({ hit: false });
    expect(await look(app, ask('find the login', viewer(b)))).toMatchObject({ hit: true });
    await keep(app, ask('where is login', viewer(a)), { files: ['src/auth/login.ts'] });
    expect(await look(app, ask('find the login', viewer(a)))).toMatchObject({ hit: true });
    expect(await look(app, ask('find the login', viewer(b)))).toMatchObject({ hit: true, hits: 3 });
  });

  test('store, promote, rollback, supersede and forget each raise the version; what another session stores does not', async () => {
    const { app, call, store, a } = await twoAgents();
    const question = ask('what did we decide about login', {
      agent: 'archivalist',
      intent: 'HISTORICAL',
      ...viewer(a),
    });
    const { node_id } = await store('a', 'login uses passkeys');
    const ada = (operation: string, input: unknown) => call('ada', operation, input, 'person');
    const steps: Record<string, () => Promise<unknown>> = {
      store: () => store('a', 'tokens live ten minutes'),
      promote: () => ada('promote', { id: node_id }),
      rollback: () => ada('rollback_promotion', { id: node_id }),
      supersede: () =>
        call('a', 'store_entry', { content: 'login uses keys', category: 'decision', supersedes: node_id }),
    };
    for (const [name, step] of Object.entries(steps)) {
      await keep(app, question, { refs: [`entry:${node_id}`] });
      await store('b', `private to b before ${name}`);
      expect(await look(app, question), name).toMatchObject({ hit: true });
      await step();
      expect(await look(app, question), name).toEqual({ hit: false, reason: 'changed' });
    }
    await keep(app, question, { refs: [`entry:${node_id}`] });
    await ada('forget', { what: node_id });
    expect(await look(app, question)).toEqual({ hit: false, reason: 'absent' });
  });

  test('what was forgotten is in no byte of the kept answers', async () => {
    const { app, call, store, a } = await twoAgents();
    const { node_id } = await store('a', `${canary}: login uses passkeys`);
    const question = ask(`what about ${canary} login`, {
      agent: 'archivalist',
      intent: 'HISTORICAL',
      ...viewer(a),
    });
    await keep(app, question, { refs: [`entry:${node_id}`] });
    const directory = join(app.repository.state.directory, 'cache');
    const holds = () =>
      readdirSync(directory)
        .filter((name) => name.startsWith('answers.db'))
        .some((name) => readFileSync(join(directory, name)).includes(canary));
    expect(holds()).toBe(true);
    await call('ada', 'forget', { what: node_id }, 'person');
    expect(holds()).toBe(false);
  });

  test('a secret in a question or an answer does not reach the disk', async () => {
    const repository = testRepository();
    repository.commit('start', files);
    const app = await indexed(repository.path);
    const secret = ['ghp', 'abcdefghijklmnopqrstuvwxyz0123456789'].join('_');
    await keep(app, ask(`where is login with ${secret}`), { files: ['src/auth/login.ts'] });
    await app.close();
    const file = join(app.repository.state.directory, 'cache', 'answers.db');
    expect(readFileSync(file).includes('where is login with')).toBe(true);
    expect(readFileSync(file).includes(secret)).toBe(false);
  });
});

describe('working trees and branches', () => {
  async function worktrees() {
    const repository = testRepository();
    const first = repository.commit('start', files);
    const place = join(temporaryDirectory('trees'), 'two');
    repository.git('worktree', 'add', '-q', '-b', 'two', place);
    const main = await indexed(repository.path);
    const two = await indexed(place);
    const change = async (path: string, text: string) => {
      writeFileSync(join(place, path), text);
      await (await two.indexing()).run({ only: 'code' });
    };
    return { repository, main, two, place, change, first };
  }

  test('a tree that is the same as the base shares its answers', async () => {
    const { main, two } = await worktrees();
    await keep(two, ask('where is login'), { files: ['src/auth/login.ts'] });
    expect(await look(main, ask('find the login'))).toMatchObject({ hit: true });
  });

  test("another branch's answer never reaches this one, in either direction", async () => {
    const { main, two, change } = await worktrees();
    await change('src/auth/login.ts', 'export function login() { return 2; }\n');
    await keep(two, ask('where is login'), { files: ['src/auth/login.ts'] });
    expect(await look(main, ask('where is login'))).toEqual({ hit: false, reason: 'absent' });
    expect(await look(two, ask('where is login'))).toMatchObject({ hit: true });
    await keep(main, ask('where is the token'), { files: ['src/auth/token.ts', 'src/auth/login.ts'] });
    expect(await look(two, ask('where is the token'))).toEqual({ hit: false, reason: 'changed' });
    expect(await look(main, ask('where is the token'))).toMatchObject({ hit: true });
  });

  test('a base answer serves a branch whose differences it does not rest on', async () => {
    const { main, two, change } = await worktrees();
    await change('src/pay/charge.ts', 'export function charge() { return 2; }\n');
    await keep(main, ask('where is login'), { files: ['src/auth/login.ts'] });
    expect(await look(two, ask('where is login'))).toMatchObject({ hit: true });
    await keep(two, ask('where is the token'), { files: ['src/auth/token.ts'] });
    expect(await look(main, ask('where is the token'))).toEqual({ hit: false, reason: 'absent' });
  });

  test('an answer that cites commits holds only where those commits are', async () => {
    const { repository, main, two, first } = await worktrees();
    const question = ask('how did we handle login', { agent: 'archivalist', intent: 'HISTORICAL' });
    const newer = repository.commit('login: passkeys', { 'README.md': 'keys\n' });
    await keep(main, question, { refs: [`commit:${newer}`] });
    expect(await look(main, question)).toMatchObject({ hit: true });
    expect(await look(two, question)).toEqual({ hit: false, reason: 'changed' });
    repository.commit('more');
    expect(await look(main, question)).toMatchObject({ hit: true });
    repository.git('checkout', '-q', first);
    expect(await look(main, question)).toEqual({ hit: false, reason: 'changed' });
  });
});

test('a damaged file of answers is set aside and questions are answered anew', async () => {
  const repository = testRepository();
  repository.commit('start', files);
  const before = await indexed(repository.path);
  await keep(before, ask('where is login'), { files: ['src/auth/login.ts'] });
  await before.close();
  const file = join(before.repository.state.directory, 'cache', 'answers.db');
  for (const companion of ['-wal', '-shm']) rmSync(`${file}${companion}`, { force: true });
  writeFileSync(file, 'no database at all, but long enough to be read as one'.repeat(100));
  const app = opened(repository.path);
  expect(await look(app, ask('where is login'))).toEqual({ hit: false, reason: 'absent' });
  expect(await keep(app, ask('where is login'), { files: ['src/auth/login.ts'] })).toEqual({ kept: true });
});

describe('through the operations', () => {
  async function shop() {
    const repository = testRepository();
    repository.commit('start', files);
    // Answers made without vectors are not kept, so they are on here.
    const app = await indexed(repository.path, fixedClock(), []);
    const call = async <T>(operation: string, input: unknown, name = 'a') => {
      const outcome = await runOperation(app, { name: operation, input, caller: { kind: 'agent', name } });
      if (!outcome.ok) throw new Error(outcome.error.message);
      return outcome.output as T;
    };
    return { repository, app, call };
  }

  test('what the Archivalist remembered is answered again at level 1, to its own session only, until something new is stored', async () => {
    const { app, call } = await shop();
    const answers = await app.answers();
    const { id: a } = await call<{ id: string }>('create_session', { name: 'a' });
    const { id: b } = await call<{ id: string }>('create_session', { name: 'b' }, 'b');
    const store = (content: string, name: string) =>
      call('store_entry', { content, category: 'decision', title: content }, name);
    await store('login uses passkeys', 'a');
    const past = (query: string, session: string) =>
      askArchivalist(answers, query, session, { intent: 'HISTORICAL', verb: 'recall', subject: 'login' });
    const first = await past('what did we decide about login', a);
    expect(first).toMatchObject({ level: 2, status: 'ok' });
    expect(await past('what was our decision on login', a)).toMatchObject({ level: 1, answer: first.answer });
    expect(JSON.stringify(await past('what was our decision on login', b))).not.toContain('passkeys');
    await store('login lasts an hour', 'a');
    const again = await past('what did we decide about login', a);
    expect(again).toMatchObject({ level: 2 });
    expect(again.answer).toContain('login lasts an hour');
  });

  test('where work stands is kept for its session and falls with the next thing that it does', async () => {
    const { app, call } = await shop();
    const answers = await app.answers();
    const { id } = await call<{ id: string }>('create_session', { name: 'a' });
    const resume = () =>
      askArchivalist(answers, 'where did we leave off', id, {
        intent: 'RESUME',
        verb: 'recall',
        subject: 'session',
      });
    await resume();
    expect(await resume()).toMatchObject({ level: 1 });
    await call('scratchpad_write', { key: 'next', note: 'write the tests' });
    expect(await resume()).toMatchObject({ level: 2 });
  });

  test('a checked approach is never answered from before', async () => {
    const { app, call } = await shop();
    const answers = await app.answers();
    const { id } = await call<{ id: string }>('create_session', { name: 'a' });
    await call('record_failure', { approach: 'retry login forever', reason: 'locked out' });
    const check = () =>
      askArchivalist(answers, 'retry login forever', id, {
        intent: 'GENERAL',
        verb: 'check',
        subject: 'login',
      });
    expect(await check()).toMatchObject({ level: 2 });
    expect(await check()).toMatchObject({ level: 2 });
    expect(await entries(app)).toBe(0);
  });
});
