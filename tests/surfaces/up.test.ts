import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fixtureRepository } from '../support/fixture-repository.ts';
import { startSylk } from '../support/sylk.ts';

test('sylk up serves API, MCP and a page on loopback, says where, and cleans up when it is stopped', async () => {
  const { path } = fixtureRepository();
  const child = startSylk(path, ['up', '--port', '0', '--json']);
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk;
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  while (!out.includes('\n') && child.exitCode === null)
    await new Promise((resolve) => setTimeout(resolve, 50));
  expect(child.exitCode, err).toBe(null);
  const { url, token_file } = JSON.parse(out) as { url: string; token_file: string };
  const { token } = JSON.parse(readFileSync(token_file, 'utf8')) as { token: string };
  const status = await fetch(`${url}/api/get_status`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  });
  expect(((await status.json()) as { repository: string }).repository).toBe(path);
  expect((await fetch(url)).status).toBe(200);
  // A second one shows the way to the first instead of hiding it.
  const second = startSylk(path, ['up']);
  let said = '';
  second.stdout.on('data', (chunk: Buffer) => {
    said += chunk;
  });
  expect(await new Promise((resolve) => second.once('exit', resolve))).toBe(0);
  expect(said).toContain(url);
  child.kill('SIGINT');
  expect(await ended).toBe(0);
  expect(existsSync(token_file)).toBe(false);
});
