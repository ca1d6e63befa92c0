import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CrashMode, runCrashLab } from '../tests/support/crash-lab.ts';
import type { Bench } from './run-named.ts';

const upTo = (count: number, step = 1): number[] => Array.from({ length: count }, (_, at) => 1 + at * step);

/** Kills at statements, and where strace is there also inside of SQLite's own writes to the file. */
const crash: Bench = async () => {
  const directory = mkdtempSync(join(tmpdir(), 'sylk-crash-'));
  const traced = spawnSync('strace', ['-V']).status === 0;
  let kills = 0;
  try {
    const plan: Array<{ mode: CrashMode; points: number[]; strace: boolean }> = [
      { mode: 'library', points: upTo(110, 5), strace: false },
      { mode: 'derive', points: upTo(70, 9), strace: false },
      { mode: 'migrate', points: upTo(60), strace: false },
      ...(traced
        ? ([
            { mode: 'library', points: upTo(60, 3), strace: true },
            { mode: 'migrate', points: upTo(60), strace: true },
            { mode: 'derive', points: upTo(40, 2), strace: true },
          ] as const)
        : []),
    ];
    for (const { mode, points, strace } of plan) {
      const where = mkdtempSync(join(directory, `${mode}-`));
      const round = await runCrashLab({ directory: where, mode, points, strace });
      kills += round.kills;
      console.log(
        `${mode} (${strace ? 'writes to the file' : 'statements'}): ${round.kills} kills, ${round.states} distinct states, ${round.acknowledged} acknowledged writes, none lost; ${round.survived} runs ended first`,
      );
    }
    console.log(`${kills} kills in all; integrity_check and foreign_key_check clean after each`);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
};

export default crash;
