import { createModelEmbedder, createStaticEmbedder } from '../src/base/embedding/index.ts';
import { givenIntent, guideClassify } from './intent-cache/classify.ts';
import { describeRates, type Measured, measure } from './intent-cache/measure.ts';
import { readGroups } from './intent-cache/questions.ts';
import { type Alone, similarityAlone, subjectAlone } from './intent-cache/similarity-alone.ts';
import { describeTokens } from './intent-cache/tokens.ts';
import type { BenchOptions } from './run-named.ts';

/** Paraphrases and near misses against the intent caches. `misses` lists the paraphrases that were not recognised. */
export default async function run({ words }: BenchOptions): Promise<void> {
  const groups = readGroups();
  const given = await measure(groups, givenIntent);
  console.log('the intent is given:');
  for (const line of describeRates(given)) console.log(`  ${line}`);
  for (const line of describeTokens(given)) console.log(`  ${line}`);
  const guide = guideClassify();
  const routed = await measure(groups, guide.classify);
  await guide.close();
  console.log('the Guide classifies, without a model:');
  for (const line of describeRates(routed)) console.log(`  ${line}`);
  console.log('beside, on the same questions (near misses of subject only):');
  show('intent and subject as the key', await subjectAlone(groups));
  const quick = createStaticEmbedder();
  const model = createModelEmbedder();
  for (const threshold of [0.8, 0.95]) {
    show(`intent and similarity ${threshold}, static`, await similarityAlone(groups, quick, threshold));
    show(`intent and similarity ${threshold}, model`, await similarityAlone(groups, model, threshold));
  }
  await Promise.all([quick.release(), model.release()]);
  if (words.includes('misses')) for (const line of missedOf(given)) console.log(line);
}

const show = (name: string, { hits, tries, wrong, nearMisses }: Alone): void =>
  console.log(
    `  ${name.padEnd(38)} ${((100 * hits) / tries).toFixed(1).padStart(5)} % hits, ${wrong} wrong (${nearMisses} near misses)`,
  );

const missedOf = (measured: Measured[]): string[] =>
  measured
    .filter(({ group }) => group.tuned)
    .flatMap(({ group, missed }) => missed.map((text) => `missed: ${group.name} | ${text}`));
