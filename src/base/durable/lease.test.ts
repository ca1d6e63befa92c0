import { spawnSync } from 'node:child_process';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../../tests/support/temporary.ts';
import { openSqlite } from '../sqlite/index.ts';
import { acquireLease, leaseHolder, withLease } from './index.ts';

const fresh = () => {
  const path = join(temporaryDirectory('lease'), 'x.db');
  return { path, sqlite: openSqlite(path) };
};

test('of two that want the same background work one gets it; after release or expiry the next does', async () => {
  const { sqlite, path } = fresh();
  const other = openSqlite(path);
  const first = acquireLease(sqlite, 'watch', 30)!;
  expect(acquireLease(other, 'watch', 30)).toBeUndefined();
  expect(leaseHolder(other, 'watch')).toEqual({ pid: process.pid, epoch: first.epoch });
  expect(acquireLease(other, 'another', 30)).toBeDefined();
  first.release();
  expect(leaseHolder(other, 'watch')).toBeUndefined();
  const second = acquireLease(other, 'watch', 0.05)!;
  expect(second.epoch).toBeGreaterThan(first.epoch);
  expect(first.renew()).toBe(false);
  await expect.poll(() => acquireLease(sqlite, 'watch', 30)?.epoch).toBeGreaterThan(second.epoch);
  expect(second.renew()).toBe(false);
  second.release();
  expect(leaseHolder(sqlite, 'watch')).toBeDefined();
  other.close();
  sqlite.close();
});

test('a holder that comes too late keeps the lease if nobody took it, and gets none back after its release', async () => {
  const { sqlite } = fresh();
  const lease = acquireLease(sqlite, 'watch', 0.01);
  await expect.poll(() => leaseHolder(sqlite, 'watch')).toBeUndefined();
  expect(lease?.renew()).toBe(true);
  lease?.release();
  expect(lease?.renew()).toBe(false);
  sqlite.close();
});

test('a lease is judged by the clock of the database: a process with a wrong clock takes nothing', () => {
  const { sqlite, path } = fresh();
  const other = openSqlite(path);
  const lease = acquireLease(sqlite, 'watch', 30)!;
  const real = Date.now;
  try {
    Date.now = () => real() + 10 * 60_000;
    expect(acquireLease(other, 'watch', 30)).toBeUndefined();
    expect(lease.renew()).toBe(true);
  } finally {
    Date.now = real;
  }
  other.close();
  sqlite.close();
});

test('the lease of a process that has ended is taken over at once, also where its number was given again', () => {
  const { sqlite } = fresh();
  const ended = spawnSync(process.execPath, ['-e', '']).pid;
  for (const [owner, isTaken] of [
    [`${hostname()}/${ended}/1/x`, true],
    [`${hostname()}/${process.pid}/1/x`, true],
    [`another-machine/${ended}/1/x`, false],
  ] as const) {
    acquireLease(sqlite, owner, 30);
    sqlite.run('UPDATE leases SET owner = ? WHERE name = ?', owner, owner);
    expect(acquireLease(sqlite, owner, 30)?.epoch, owner).toBe(isTaken ? 2 : undefined);
  }
  sqlite.close();
});

test('work under a lease is told when the lease was lost, and gives it back when it ends', async () => {
  const { sqlite, path } = fresh();
  const other = openSqlite(path);
  const isLost = await withLease(
    () => sqlite,
    'work',
    { seconds: 0.3 },
    async (signal) => {
      expect(
        await withLease(
          () => other,
          'work',
          {},
          async () => 'both',
        ),
      ).toBeUndefined();
      sqlite.run("UPDATE leases SET owner = 'another-machine/1/1/x'");
      await expect.poll(() => signal.aborted).toBe(true);
      return true;
    },
  );
  expect(isLost).toBe(true);
  sqlite.run('UPDATE leases SET expires_at = 0');
  expect(
    await withLease(
      () => other,
      'work',
      {},
      async () => 'next',
    ),
  ).toBe('next');
  expect(leaseHolder(sqlite, 'work')).toBeUndefined();
  other.close();
  sqlite.close();
});

test('who wants to wait gets the lease when its holder lets go, or stops waiting when there is no need any more', async () => {
  const { sqlite, path } = fresh();
  const other = openSqlite(path);
  const lease = acquireLease(sqlite, 'work', 30);
  const next = withLease(
    () => other,
    'work',
    { waitMs: 60_000 },
    async () => 'next',
  );
  let isThere = false;
  const needless = withLease(
    () => other,
    'work',
    { waitMs: 60_000, until: () => isThere },
    async () => 'both',
  );
  isThere = true;
  expect(await needless).toBeUndefined();
  lease?.release();
  expect(await next).toBe('next');
  const stopped = withLease(
    () => other,
    'work',
    { signal: AbortSignal.abort() },
    async () => 'never',
  );
  await expect(stopped).rejects.toMatchObject({ name: 'AbortError' });
  other.close();
  sqlite.close();
});
