import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openApp } from '../../src/app.ts';
import { runOperation } from '../../src/operations/run.ts';
import { freshPostgres } from '../support/postgres.ts';
import { testRepository } from '../support/repository.ts';
import { startSylk, sylk } from '../support/sylk.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const everything = { session_id: '', sees_all: true };

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => probe.once('listening', resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}

/** A server of a team as a process of its own, a laptop with a clone and a home of its own, and a token of a person. */
async function teamAndLaptop() {
  const served = testRepository();
  served.commit('first', { 'a.js': 'export const a = 1;\n' });
  const directory = temporaryDirectory('laptop');
  const [clone, home] = [join(directory, 'clone'), join(directory, 'home')];
  spawnSync('git', ['clone', '--quiet', served.path, clone]);
  const team = { SYLK_HOME: join(directory, 'server-home'), SYLK_TEAM_DATABASE: await freshPostgres() };
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const serve = async () => {
    const server = startSylk(served.path, ['serve', '--port', `${port}`, '--no-watch'], team);
    await expect
      .poll(
        () =>
          fetch(`${url}/readyz`).then(
            ({ status }) => status,
            () => 0,
          ),
        { timeout: 60_000 },
      )
      .toBe(200);
    return server;
  };
  const open = (at: string, env: Record<string, string>, clock?: { now(): number }) => {
    const app = openApp({ directory: at, env: { ...process.env, ...env }, ...(clock ? { clock } : {}) });
    onTestFinished(() => app.close());
    return app;
  };
  const ofTeam = open(served.path, team);
  const people = await ofTeam.people();
  await people.add({ name: 'Ada', kind: 'person', person: undefined, by: 'test' });
  await people.giveRight({ name: 'Ada', repository: '*', right: 'writer', by: 'test' });
  const { token } = await people.createToken({ member: 'Ada', label: 'laptop', days: 1 });
  const tokenFile = join(directory, 'token');
  writeFileSync(tokenFile, token);
  return { clone, home, url, serve, open, ofTeam, token, tokenFile, laptop: { SYLK_HOME: home } };
}

type App = ReturnType<typeof openApp>;
const person = { kind: 'person', name: 'Ada' } as const;
const add = async (app: App, content: string, supersedes?: string) => {
  const input = { content, category: 'insight', ...(supersedes ? { supersedes } : {}) };
  const outcome = await runOperation(app, { name: 'store_entry', input, caller: person });
  if (!outcome.ok) throw new Error(outcome.error.message);
  return { id: String(Object(Object(outcome.output).entry).id), notes: outcome.notes.join() };
};
const texts = async (app: App) => {
  const { chronicle } = await app.memory();
  const found = await chronicle.find(everything, { include_superseded: true, limit: 10_000 });
  return found.map(({ id, content, superseded_by }) => `${content} ${id} ${superseded_by}`).sort();
};

test('a laptop that was offline for a day comes back: nothing is lost, nothing is doubled, whatever is killed meanwhile', async () => {
  const { clone, home, url, serve, open, ofTeam, token, tokenFile, laptop } = await teamAndLaptop();
  let server = await serve();
  const login = sylk(clone, ['login', url, '--token-file', tokenFile], { env: laptop });
  expect(login, login.err).toMatchObject({ code: 0, out: expect.stringContaining('Logged in') });
  expect(login.out + login.err).not.toContain(token);
  const kept = join(home, 'logins.json');
  expect(statSync(kept).mode & 0o777).toBe(0o600);
  expect(spawnSync('grep', ['-rlF', token, clone], { encoding: 'utf8' }).stdout).toBe('');
  const first = await add(ofTeam, 'the team caches sessions for an hour');
  expect(sylk(clone, ['memory', 'search', 'sessions', '--json'], { env: laptop }).out).toContain(first.id);
  const me = sylk(clone, ['whoami'], { env: laptop });
  expect(me.out, me.err).toContain('Ada');

  // Offline for a day: one entry every two hours. Meanwhile the team goes on, and corrects the same entry.
  server.kill('SIGKILL');
  let now = Date.now() - 24 * 3_600_000;
  const away = open(clone, laptop, { now: () => now });
  for (let hour = 0; hour < 12; hour++) {
    now += 2 * 3_600_000;
    const { notes } = await add(away, `the laptop learnt number ${hour}`);
    if (hour === 0) expect(notes).toContain('1 of your entries wait here');
  }
  const mine = await add(away, 'the laptop says: sessions are cached for two hours', first.id);
  const theirs = await add(ofTeam, 'the team says: sessions are cached for a day', first.id);
  await away.close();

  // Back: first the server dies as it begins to take what it is sent, then the laptop, as soon as the team has it.
  const audit = await ofTeam.audit();
  const isAsked = async () =>
    (await audit.list({ operation: 'take_entries', offset: 0, limit: 1 })).total > 0;
  const isTaken = async () => (await texts(ofTeam)).some((text) => text.startsWith('the laptop learnt'));
  for (const [isReached, victim] of [
    [isAsked, 'server'],
    [isTaken, 'laptop'],
  ] as const) {
    server = await serve();
    const syncing = startSylk(clone, ['sync'], laptop);
    await expect.poll(isReached, { interval: 5, timeout: 60_000 }).toBe(true);
    (victim === 'server' ? server : syncing).kill('SIGKILL');
    if (victim === 'server') await new Promise((resolve) => syncing.once('close', resolve));
    server.kill('SIGKILL');
  }
  await serve();
  const last = sylk(clone, ['sync', '--json'], { env: laptop });
  expect(last.code, last.err).toBe(0);
  sylk(clone, ['sync'], { env: laptop });

  const back = open(clone, laptop);
  const all = await texts(ofTeam);
  expect(await texts(back)).toEqual(all);
  expect(all).toHaveLength(15);
  for (let hour = 0; hour < 12; hour++)
    expect(all.filter((text) => text.startsWith(`the laptop learnt number ${hour} `))).toHaveLength(1);
  const conflicts = await (await ofTeam.memory()).chronicle.conflicts.list(everything);
  expect(conflicts.map(({ left, right }) => [left.id, right.id].sort())).toEqual([
    [mine.id, theirs.id].sort(),
  ]);
  expect(JSON.parse(sylk(clone, ['sync', '--json'], { env: laptop }).out)).toMatchObject({
    sent: 0,
    received: 0,
  });
  // Who sent it is its author.
  const { source } = await (await ofTeam.memory()).chronicle.get(everything, mine.id);
  expect(source).toBe('Ada');

  const out = sylk(clone, ['logout'], { env: laptop });
  expect(out, out.err).toMatchObject({ code: 0, err: '' });
  expect(existsSync(kept) && readFileSync(kept, 'utf8')).not.toContain(token);
  expect(
    (await fetch(`${url}/api/who_am_i`, { method: 'POST', headers: { authorization: `Bearer ${token}` } }))
      .status,
  ).toBe(401);
});
