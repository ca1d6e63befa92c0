import { readFileSync } from 'node:fs';
import { claimKinds, holdsNow, type LabelledClaim } from './claims/claim.ts';
import { type MinedRepository, mineRepository } from './claims/mine.ts';
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
}

const describe = ({ name, claims, pairs }: MinedRepository): string =>
  `${name}: ${claims.length} claims (${claims.filter((claim) => !holdsNow(claim)).length} untrue today), ${pairs.length} pairs`;

const countKinds = (claims: LabelledClaim[]): string =>
  claimKinds.map((kind) => `${kind} ${claims.filter((claim) => claim.kind === kind).length}`).join(', ');
