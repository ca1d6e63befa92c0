import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { historyOf } from '../../../tests/support/history.ts';
import { testRepository } from '../../../tests/support/repository.ts';

test('commits that arrive in pieces from two lanes at once keep their own files', async () => {
  const repository = testRepository();
  const stream: string[] = [];
  const count = 3000;
  for (let at = 0; at < count; at++) {
    stream.push(
      `commit refs/heads/main\ncommitter A <a@b> ${1_700_000_000 + at} +0000\ndata 4\nc${String(at).padStart(3, '0').slice(-3)}\n`,
    );
    for (let file = 0; file < 4; file++)
      stream.push(`M 100644 inline d${file}/f${at % 50}\ndata ${String(at).length}\n${at}\n`);
  }
  spawnSync('git', ['-C', repository.path, 'fast-import', '--quiet'], { input: stream.join('') });
  const { view } = await historyOf(repository.path).ready();
  const sizes = new Map<number, number>();
  for (let id = 0; id < view.facts.count; id++) {
    const size = view.facts.size(id);
    sizes.set(size, (sizes.get(size) ?? 0) + 1);
  }
  expect([...sizes]).toEqual([[4, count]]);
});
