import { readFileSync } from 'node:fs';
import { claimKinds, holdsNow, type LabelledClaim } from './claims/claim.ts';
import { measureRepository, newMeasured } from './claims/measure.ts';
import { type MinedRepository, mineRepository } from './claims/mine.ts';
import { line } from './claims/score.ts';
import type { BenchOptions } from './run-named.ts';

/**
 * Claims of commit messages and READMEs against the trees they speak of. `--from GITDIR` once for each repository, or
 * `--from FILE` with what `mine` printed before: mining reads every commit and takes a minute each.
 */
export default async function run({ from, words }: BenchOptions): Promise<void> {
  if (from.length === 0) throw new Error('give repositories: npm run lab -- claims --from GITDIR');
  const mined = from.flatMap((place) =>
    place.endsWith('.json')
      ? (JSON.parse(readFileSync(place, 'utf8')) as MinedRepository[])
      : [mineRepository(place)],
  );
  if (words.includes('mine')) {
    console.log(JSON.stringify(mined));
    return;
  }
  for (const repository of mined) console.log(describe(repository));
  const all = mined.flatMap(({ claims }) => claims);
  console.log(`\n${all.length} claims: ${countKinds(all)}`);
  const measured = newMeasured();
  for (const repository of mined) await measureRepository(repository, measured);
  const { read, alarms } = measured;
  console.log(`read: ours ${read.ours}, seed's expressions ${read.seed}, of ${read.all}`);
  console.log('\nfirewall: claims that do not hold in the tree they are checked against');
  console.log(line("seed's expressions", measured.seedFirewall));
  console.log(line('ours', measured.firewall));
  for (const [kind, score] of measured.byKind) console.log(line(`ours, ${kind}`, score));
  console.log("\nthe same claims, put into the sentences that the seed's expressions were written for");
  console.log(line("seed's expressions", measured.seedPlain));
  console.log(line('ours', measured.plain));
  console.log('\nconflict with code: claims that do not hold today');
  console.log(line("seed's expressions", measured.seedMismatch));
  console.log(line('ours', measured.mismatch));
  console.log('\nconflict of two statements');
  console.log(line("seed's expressions", measured.seedPairs));
  console.log(line('ours', measured.pairs));
  console.log(
    `\nfalse alarms on ${alarms.all} sentences at their own commit: ours ${alarms.ours}, seed's ${alarms.seed}`,
  );
  if (words.includes('mistakes')) for (const mistake of measured.mistakes) console.log(mistake);
}

const describe = ({ name, claims, pairs }: MinedRepository): string =>
  `${name}: ${claims.length} claims (${claims.filter((claim) => !holdsNow(claim)).length} untrue today), ${pairs.length} pairs`;

const countKinds = (claims: LabelledClaim[]): string =>
  claimKinds.map((kind) => `${kind} ${claims.filter((claim) => claim.kind === kind).length}`).join(', ');
