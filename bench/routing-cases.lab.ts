import { laneOf, readCases, readSeedCases, repeats, splits } from './routing/cases.ts';

/** Counts of the routing cases by lane and split, where they come from, and pairs that say the same. */
export default async function lab(): Promise<void> {
  const bySplit = Object.fromEntries(splits.map((split) => [split, readCases(split)]));
  const all = splits.flatMap((split) => bySplit[split] ?? []);
  const seed = readSeedCases();
  console.log(
    `${'lane'.padEnd(24)} ${['total', 'public', ...splits].map((word) => word.padStart(8)).join(' ')}`,
  );
  for (const lane of new Set(all.map(laneOf))) {
    const own = all.filter((each) => laneOf(each) === lane);
    const counts = [
      own.length,
      own.filter(({ source }) => source === 'public').length,
      ...splits.map((split) => bySplit[split]!.filter((each) => laneOf(each) === lane).length),
    ];
    console.log(`${lane.padEnd(24)} ${counts.map((count) => String(count).padStart(8)).join(' ')}`);
  }
  const share = (count: number) => `${((100 * count) / all.length).toFixed(1)} %`;
  console.log(
    `${all.length} cases, ${share(all.filter(({ source }) => source === 'public').length)} rewritten from public questions, ${share(all.filter(({ target }) => target === 'none').length)} out of scope; ${seed.length} examples of the design beside them`,
  );
  const found = [...repeats(all), ...repeats(all, seed)];
  for (const { left, right, likeness } of found)
    console.log(`  ${likeness.toFixed(2)}  ${left}  =  ${right}`);
  console.log(`${found.length} pairs say the same`);
}
