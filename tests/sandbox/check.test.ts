import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openApp } from '../../src/app.ts';
import type { CheckReport } from '../../src/engines/inspection/index.ts';
import { runOperation } from '../../src/operations/run.ts';
import { testRepository } from '../support/repository.ts';
import { temporaryDirectory } from '../support/temporary.ts';

/** Tests of a hostile project: each one is green where it could do its deed. */
const deeds = ({
  outside,
  home,
  port,
  state,
}: {
  outside: string;
  home: string;
  port: number;
  state: string;
}) => `
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import test from 'node:test';
test('writes outside', () => writeFileSync(${JSON.stringify(join(outside, 'written'))}, ''));
test('reads a secret of the home directory', () => readFileSync(${JSON.stringify(join(home, '.secret'))}));
test('reaches a server', async () => { await fetch('http://127.0.0.1:${port}/'); });
test('reads the memory', () => { if (!readdirSync(${JSON.stringify(state)}).includes('library.db')) throw new Error('hidden'); });
test('writes into git', () => writeFileSync('.git/hooks/post-checkout', 'evil'));
test('changes the working tree', () => writeFileSync(${JSON.stringify('MARK')}, ''));
`;

test('code of a project that is checked writes, reads and reaches only what the sandbox gives it', async () => {
  let visits = 0;
  const server = createServer((_request, response) => {
    visits++;
    response.end();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const repository = testRepository();
  const outside = temporaryDirectory('outside');
  writeFileSync(join(homedir(), '.secret'), 'x');
  repository.commit('feat: start', {
    'package.json': JSON.stringify({ type: 'module', scripts: { test: 'node --test' } }),
    'src/a.js': 'export const a = 1;\n',
    'test/deeds.test.js': deeds({
      outside,
      home: homedir(),
      port: (server.address() as AddressInfo).port,
      state: join(repository.path, '.git/sylk'),
    }),
  });
  mkdirSync(join(repository.path, '.git/hooks'), { recursive: true });
  repository.write('src/a.js', 'export const a = 2;\n');
  const app = openApp({ directory: repository.path });
  onTestFinished(() => app.close());
  await app.library();
  const check = async (unconfined: boolean): Promise<CheckReport> => {
    const outcome = await runOperation(app, {
      name: 'check_changes',
      input: { unconfined, only: ['test_framework'] },
      caller: { kind: 'person', name: 'ada' },
    });
    if (!outcome.ok) throw new Error(outcome.error.message);
    return outcome.output as CheckReport;
  };
  const confined = await check(false);
  expect(confined.gates).toEqual([expect.objectContaining({ before: 5, tests_run: 6 })]);
  expect(visits).toBe(0);
  expect(existsSync(join(outside, 'written'))).toBe(false);
  expect(existsSync(join(repository.path, '.git/hooks/post-checkout'))).toBe(false);
  expect(existsSync(join(repository.path, 'MARK'))).toBe(false);
  // The same deeds without a sandbox, so that the ones above are known to be stopped by it.
  await check(true);
  expect(visits).toBeGreaterThan(0);
  expect(existsSync(join(outside, 'written'))).toBe(true);
});
