import { join } from 'node:path';
import { expect, test } from 'vitest';
import { probeServer } from './mcp-handshake.ts';

const script = join(import.meta.dirname, '../../tests/support/fake-mcp-server.mjs');
const probe = (behaviour: string, timeoutMs = 20_000) =>
  probeServer(
    { command: process.execPath, args: [script, behaviour] },
    { cwd: import.meta.dirname, timeoutMs },
  );

test('a server that answers is greeted, counted and ended', async () => {
  expect(await probe('ok')).toEqual({
    ok: true,
    server: 'fake',
    version: '9',
    protocol: '2025-06-18',
    tools: 2,
  });
});

test('a server that talks on standard output fails the handshake, with the line', async () => {
  expect(await probe('noisy')).toMatchObject({
    ok: false,
    problem: expect.stringMatching(/not JSON-RPC: Welcome!/),
  });
});

test('a server that dies is reported with what it said', async () => {
  expect(await probe('crash')).toMatchObject({
    ok: false,
    problem: expect.stringMatching(/exit code 3.*cannot open the repository/),
  });
});

test('a server that refuses is reported with its reason', async () => {
  expect(await probe('refuse')).toMatchObject({
    ok: false,
    problem: expect.stringMatching(/database is newer/),
  });
});

test('a server that never answers, and a program that is missing, end in a named problem', async () => {
  expect(await probe('silent', 400)).toMatchObject({
    ok: false,
    problem: expect.stringMatching(/no answer/),
  });
  const missing = await probeServer({ command: '/no/such/sylk', args: [] }, { cwd: import.meta.dirname });
  expect(missing).toMatchObject({
    ok: false,
    problem: expect.stringMatching(/could not start \/no\/such\/sylk/),
  });
});
