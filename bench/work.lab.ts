import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runBumpers, runClaimers, runKilledClaimant, runKilledWriters } from '../tests/support/work-lab.ts';
import { runModel } from '../tests/support/work-model.ts';
import type { Bench } from './run-named.ts';

/** Model, claims, versions and kills at full size. Words choose among: model, claims, versions, kills. */
const lab: Bench = async ({ words }) => {
  const wanted = (name: string) => words.length === 0 || words.includes(name);
  const directory = mkdtempSync(join(tmpdir(), 'sylk-work-'));
  try {
    if (wanted('model')) {
      const seed = 1;
      const report = await runModel({ sequences: 1000, length: 40, seed });
      console.log(
        `model: ${report.operations} operations, seed ${seed}, ${report.conflicts} lost races, refused ${JSON.stringify(report.refused)}; no disagreement`,
      );
    }
    if (wanted('claims')) {
      const taken = await runClaimers(join(directory, 'claims.db'), 50, 200);
      const counts = [...taken.values()];
      console.log(
        `claims: 50 processes, ${taken.size} tasks, taken once ${counts.filter((one) => one === 1).length}, otherwise ${counts.filter((one) => one !== 1).length}`,
      );
      console.log(
        `a killed claimant: ${JSON.stringify(await runKilledClaimant(join(directory, 'killed.db')))}`,
      );
    }
    if (wanted('versions')) {
      const { won, version } = await runBumpers(join(directory, 'versions.db'), 10, 200);
      console.log(
        `versions: 10 processes × 200 attempts, ${won} won, version ${version} (= 1 + won: ${version === won + 1})`,
      );
    }
    if (wanted('kills')) {
      const points = Array.from({ length: 300 }, (_, at) => 1 + at * 3);
      const report = await runKilledWriters(join(directory, 'kills.db'), points);
      console.log(
        `kills: ${report.kills} of ${points.length}, ${report.acknowledged} acknowledged facts all there, ${report.states} distinct states, integrity ok after each`,
      );
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
};

export default lab;
