import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runContention } from '../tests/support/contention-lab.ts';
import type { Bench } from './run-named.ts';

const contention: Bench = async ({ words }) => {
  const writes = Number(words[0] ?? 1000);
  for (const [processes, each, title] of [
    [8, 5, 'eight cold starts at once'],
    [10, writes, 'ten processes on one repository'],
  ] as const) {
    const repository = mkdtempSync(join(tmpdir(), 'sylk-contention-'));
    try {
      spawnSync('git', ['init', '-q', repository]);
      const from = performance.now();
      const result = await runContention(repository, processes, each);
      const seconds = (performance.now() - from) / 1000;
      console.log(
        `${title}: ${processes} × ${each} writes to each database in ${seconds.toFixed(1)} s: ${result.failures.length} failures, ${processes * each - result.counted} lost in the library, ${processes * each - result.seen} lost in the index, integrity ${result.integrity}`,
      );
      for (const failure of result.failures) console.log(failure);
    } finally {
      rmSync(repository, { recursive: true, force: true });
    }
  }
};

export default contention;
