import { accessSync, chmodSync, constants, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning } from '../../src/base/process/start-time.ts';

const memory = '/dev/shm';
const prefix = 'sylk-tests-';
const enoughBytes = 4 * 2 ** 30;

/**
 * Vitest calls this once for a run: repositories and databases of tests are made in memory where the machine has such
 * a place, because every commit and every transaction waits for a disk otherwise.
 */
export default function setup() {
  if (!isRoomy()) return;
  // A server of PostgreSQL that a killed run left behind ends by itself when its files are gone.
  for (const name of readdirSync(memory).filter((each) => each.startsWith(prefix)))
    if (!isRunning(Number(name.slice(prefix.length))))
      rmSync(join(memory, name), { recursive: true, force: true });
  const directory = join(memory, `${prefix}${process.pid}`);
  mkdirSync(directory);
  // Some tests act as another user.
  chmodSync(directory, 0o1777);
  process.env.TMPDIR = directory;
  return () => rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
}

function isRoomy(): boolean {
  try {
    accessSync(memory, constants.W_OK);
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= enoughBytes;
  } catch {
    // There is no such place on this machine: the usual one serves.
    return false;
  }
}
