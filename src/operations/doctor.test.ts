import { appendFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testRepository } from '../../tests/support/repository.ts';
import { temporaryDirectory } from '../../tests/support/temporary.ts';
import { openApp } from '../app.ts';
import { runOperation } from './run.ts';

const secret = `sk-ant-${'abcDEF-123'.repeat(4)}`;

function world(tolerant = false) {
  const repository = testRepository();
  repository.commit('one', { 'a.ts': '' });
  const home = temporaryDirectory('home');
  const open = () =>
    openApp({ directory: repository.path, env: { HOME: home, PATH: process.env.PATH }, tolerant });
  const call = async (app: ReturnType<typeof open>, name: string, input: object = {}) => {
    const outcome = await runOperation(app, { name, input, caller: { kind: 'person', name: 'ada' } });
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.error));
    // biome-ignore lint/suspicious/noExplicitAny: each operation has its own output
    return outcome.output as any;
  };
  return { repository, home, open, call };
}

test('the doctor really starts the MCP server of this installation', async () => {
  const { open, call } = world();
  const app = open();
  const { findings } = await call(app, 'run_doctor');
  const server = findings.find((finding: { id: string }) => finding.id === 'mcp');
  expect(server).toMatchObject({ state: 'ok', detail: expect.stringMatching(/answered with \d+ tools/) });
  await app.close();
});

test('the doctor of a repository without state makes none', async () => {
  const { repository, open, call } = world();
  const app = open();
  await call(app, 'run_doctor');
  await app.close();
  expect(repository.git('status', '--porcelain', '--ignored')).toBe('');
  expect(existsSync(app.repository.state.directory)).toBe(false);
});

test("the doctor works where the person's configuration keeps every other command from starting", async () => {
  const { home, open, call } = world(true);
  mkdirSync(join(home, '.config', 'sylk'), { recursive: true });
  writeFileSync(join(home, '.config', 'sylk', 'config.yaml'), 'log: [broken\n');
  const { healthy, findings } = await call(open(), 'run_doctor');
  expect(healthy).toBe(false);
  expect(findings.find((finding: { id: string }) => finding.id === 'config')).toMatchObject({
    state: 'problem',
    detail: expect.stringMatching(/config\.yaml:\d/),
  });
});

test('logs answer by level, time and text, and a torn line hides nothing else', async () => {
  const { open, call } = world();
  const app = open();
  const state = app.prepareDirectory();
  app.log.info('first');
  app.log.warn('second', { path: 'a.ts' });
  app.log.error(`third with ${secret}`);
  appendFileSync(join(state, 'log', 'sylk.log'), '{"time":"2026-01-01T00:0');
  const all = await call(app, 'read_logs');
  expect(all.entries.map((entry: { message: string }) => entry.message)).toEqual([
    'first',
    'second',
    'third with [redacted:anthropic-key]',
  ]);
  expect(all.unreadable).toBe(1);
  expect((await call(app, 'read_logs', { level: 'warn' })).entries).toHaveLength(2);
  expect((await call(app, 'read_logs', { contains: 'a.ts' })).entries).toHaveLength(1);
  expect((await call(app, 'read_logs', { since: '2990-01-01T00:00:00Z' })).entries).toEqual([]);
  expect((await call(app, 'read_logs', { limit: 1 })).entries[0].message).toMatch(/^third/);
});

test('a debug bundle has versions, findings and log, is for its owner alone and carries no secret', async () => {
  const { open, call, repository } = world();
  repository.commit('two', {
    '.env': `TOKEN=${secret}\n`,
    'canary.ts': 'export const CANARY_CONTENT = 1;\n',
  });
  const app = open();
  app.prepareDirectory();
  app.log.error(`it said ${secret}`, { header: `Bearer ${secret}` });
  const { path } = await call(app, 'collect_debug_bundle');
  const text = readFileSync(path, 'utf8');
  const bundle = JSON.parse(text);
  expect(bundle).toMatchObject({ sylk: expect.any(String), node: process.versions.node });
  expect(bundle.findings.length).toBeGreaterThan(5);
  expect(bundle.log.entries.length).toBeGreaterThan(0);
  expect(text).not.toContain(secret);
  expect(text).not.toContain('CANARY_CONTENT');
  expect(statSync(path).mode & 0o077).toBe(0);
  await app.close();
});
