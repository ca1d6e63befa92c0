import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findSetup, runSetup } from '../../src/engines/inspection/setup.ts';
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
