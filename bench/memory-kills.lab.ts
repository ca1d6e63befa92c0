import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProcess } from '../src/base/process/index.ts';
import { killWhileRemembering } from '../tests/support/memory-kills.ts';
import type { Bench } from './run-named.ts';

/** 300 kills of a process that remembers, at counted statements; a number among the words asks for another count. */
const memoryKills: Bench = async ({ words }) => {
  const kills = Number(words[0] ?? 300);
  const directory = mkdtempSync(join(tmpdir(), 'sylk-memory-kills-'));
  try {
    await runProcess('git', ['init', '-q', directory]);
    const oracle = join(directory, 'acknowledged');
    const report = await killWhileRemembering({ directory, oracle, kills, step: 1 });
    console.log(
      `${report.kills} kills, ${report.states} distinct states: ${report.lost.length} of ${report.acknowledged} acknowledged writes lost, ${report.broken.length} broken`,
    );
    for (const line of [...report.lost, ...report.broken].slice(0, 20)) console.log(`  ${line}`);
    if (report.lost.length + report.broken.length > 0) process.exitCode = 1;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
};

export default memoryKills;
