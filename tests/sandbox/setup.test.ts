import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openApp } from '../../src/app.ts';
import { findSetup, runSetup } from '../../src/engines/inspection/setup.ts';
import { setUpChecks } from '../../src/operations/check-setup.ts';
import { runOperation } from '../../src/operations/run.ts';
import { testRepository } from '../support/repository.ts';
import { temporaryDirectory } from '../support/temporary.ts';

test('a set-up command is found by the lock file, runs in the working tree only, and tells why it failed', async () => {
  const worktree = temporaryDirectory('tree');
  const outside = temporaryDirectory('outside');
  for (const name of ['package.json', 'package-lock.json', 'go.mod'])
    writeFileSync(join(worktree, name), '{}');
  expect(findSetup(worktree).map(({ because }) => because)).toEqual(['package-lock.json', 'go.mod']);
  const run = (command: string) =>
    runSetup({
      worktree,
      commands: [{ directory: '', command, because: 'test' }],
      caches: join(worktree, 'caches'),
      hidden: [],
      signal: AbortSignal.timeout(120_000),
      progress: () => {},
    });
  expect(await run('touch ready')).toBeUndefined();
  expect(existsSync(join(worktree, 'ready'))).toBe(true);
  expect(await run(`touch ${outside}/x`)).toMatchObject({
    problem: expect.stringMatching(/No such|Read-only|denied/),
  });
  expect(existsSync(join(outside, 'x'))).toBe(false);
});

test('a person is asked once for the set-up of a repository, and again when its script changes', async () => {
  const repository = testRepository();
  repository.commit('one', { 'script/setup': '#!/bin/sh\ntouch ready\n' });
  chmodSync(join(repository.path, 'script/setup'), 0o755);
  const home = temporaryDirectory('home');
  const app = openApp({ directory: repository.path, env: { ...process.env, HOME: home, SYLK_HOME: home } });
  onTestFinished(() => app.close());
  const asked = async () => (await setUpChecks.consent?.({ show: false }, app))?.allowed === false;
  const run = (kind: 'person' | 'agent') =>
    runOperation(app, { name: 'set_up_checks', input: {}, caller: { kind, name: 'ada' } });
  expect(await asked()).toBe(true);
  expect(await run('agent')).toMatchObject({ ok: false });
  expect(existsSync(join(repository.path, 'ready'))).toBe(false);
  expect(await run('person')).toMatchObject({ ok: true, output: { ran: true } });
  expect(existsSync(join(repository.path, 'ready'))).toBe(true);
  expect(await asked()).toBe(false);
  repository.write('script/setup', '#!/bin/sh\ntouch other\n');
  expect(await asked()).toBe(true);
});
