import { guideClassify } from './intent-cache/classify.ts';
import { describeRates, type Measured, measure } from './intent-cache/measure.ts';
import { readGroups } from './intent-cache/questions.ts';
import type { BenchOptions } from './run-named.ts';

/** Paraphrases and near misses against the intent caches. `misses` lists the paraphrases that were not recognised. */
export default async function run({ words }: BenchOptions): Promise<void> {
  const groups = readGroups();
  const measured = await measure(groups, guideClassify);
  for (const line of describeRates(measured)) console.log(line);
  if (words.includes('misses')) for (const line of missedOf(measured)) console.log(line);
}

const missedOf = (measured: Measured[]): string[] =>
  measured
    .filter(({ group }) => group.tuned)
    .flatMap(({ group, missed }) => missed.map((text) => `missed: ${group.name} | ${text}`));
