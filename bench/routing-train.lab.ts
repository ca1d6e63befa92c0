import { readFileSync, writeFileSync } from 'node:fs';
import { createModelEmbedder, createStaticEmbedder } from '../src/base/embedding/index.ts';
import { laneNames } from '../src/engines/answers/reader/lanes.ts';
import { type Form, forms, openLearned } from '../src/engines/answers/reader/learned.ts';
import { byRules } from './routing/baselines.ts';
import type { RoutingCase } from './routing/cases.ts';
import { developmentMaterial, digestOf, laneName, prepareMessages } from './routing/material.ts';
import { type Judged, macroF1 } from './routing/measure.ts';
import { packWeights, type TrainingMessage, trainWeights } from './routing/training.ts';
import type { BenchOptions } from './run-named.ts';

const product = new URL('../src/engines/answers/reader/learned.bin', import.meta.url);

/** Only ratios matter while temperatures are not fitted yet. */
const even: Record<Form, number> = { words: 1, quick: 1, model: 1 };

/**
 * Learns who messages are for from all development material, and writes the weights of the package. First each writer or
 * voice is left out and judged by what the others teach: that is what to expect of a stranger, and the temperatures come
 * from it. `folds` stops there; `weights` leaves that out and keeps the temperatures of before.
 */
export default async function lab({ words }: BenchOptions): Promise<void> {
  const material = developmentMaterial();
  const embedders = { quick: createStaticEmbedder(), model: createModelEmbedder() };
  const prepared = new Map<string, TrainingMessage[]>();
  for (const [name, cases] of material) prepared.set(name, await prepareMessages(cases, embedders));
  await Promise.all([embedders.quick.release(), embedders.model.release()]);
  const temperatures = words.includes('weights')
    ? openLearned(readFileSync(product)).header.temperatures
    : judgeFolds(material, prepared);
  if (words.includes('folds')) return;
  const trained_on = digestOf([...material.values()].flat());
  const packed = packWeights(trainWeights([...prepared.values()].flat(), laneNames), laneNames, {
    temperatures,
    trained_on,
  });
  writeFileSync(product, packed);
  console.log(`\n${packed.length} bytes of weights written`);
}

/** What each form makes of the messages of whoever was left out, printed; and the temperatures that fit. */
function judgeFolds(
  material: Map<string, RoutingCase[]>,
  prepared: Map<string, TrainingMessage[]>,
): Record<Form, number> {
  const seen = Object.fromEntries(forms.map((form) => [form, [] as Seen[]])) as Record<Form, Seen[]>;
  console.log(
    `${'left out'.padEnd(34)} cases  ${'rules alone'.padEnd(16)}${forms.map((form) => form.padEnd(16)).join('')}`,
  );
  for (const [name, cases] of material) {
    const others = [...prepared].filter(([other]) => other !== name).flatMap(([, messages]) => messages);
    const learned = openLearned(
      packWeights(trainWeights(others, laneNames), laneNames, { temperatures: even, trained_on: '' }),
    );
    const row = forms.map((form) => {
      const judged = prepared.get(name)!.map(({ text, ruled, quick, model }, at) => ({
        right: laneName(cases[at]!),
        probabilities: learned.probabilities({
          text,
          ruled,
          ...(form === 'words' ? {} : { quick }),
          ...(form === 'model' ? { model } : {}),
        }),
      }));
      seen[form].push(...judged);
      return scoresOf(judged);
    });
    console.log(
      `${name.padEnd(34)} ${String(cases.length).padStart(5)}  ${rulesAlone(cases)}${row.join('')}`,
    );
  }
  const all = [...material.values()].flat();
  console.log(
    `${'all together'.padEnd(34)} ${String(all.length).padStart(5)}  ${rulesAlone(all)}${forms.map((form) => scoresOf(seen[form])).join('')}`,
  );
  const fitted = forms.map((form) => [form, fitTemperature(seen[form])] as const);
  for (const [form, temperature] of fitted) {
    console.log(`\n${form}, temperature ${temperature}: abstaining below, answered, right of those`);
    printAbstaining(seen[form], temperature);
  }
  return Object.fromEntries(fitted) as Record<Form, number>;
}

/** Sent to somebody, by how probable that was; what is for nobody counts as abstained. */
function printAbstaining(seen: Seen[], temperature: number) {
  const guesses = seen.map(({ right, probabilities }) => guessOf(right, raised(probabilities, temperature)));
  for (const step of [0.45, 0.6, 0.7, 0.8, 0.9]) {
    const sent = guesses.filter(({ target, confidence }) => target !== 'none' && confidence >= step);
    const right = sent.filter((each) => each.target === targetOf(each.right)).length;
    const share = (count: number, of: number) => `${((100 * count) / of).toFixed(1)} %`.padStart(9);
    console.log(`  ${step.toFixed(2)} ${share(sent.length, guesses.length)} ${share(right, sent.length)}`);
  }
}

const rulesAlone = (cases: RoutingCase[]): string =>
  scoresOf(
    cases.map((each) => ({ right: laneName(each), probabilities: new Map([[byRules(each.text), 1]]) })),
  );

interface Seen {
  right: string;
  probabilities: Map<string, number>;
}

const targetOf = (lane: string): string => lane.split(' ')[0]!;

function guessOf(right: string, probabilities: Map<string, number>) {
  const sums = new Map<string, number>();
  for (const [lane, value] of probabilities)
    sums.set(targetOf(lane), (sums.get(targetOf(lane)) ?? 0) + value);
  const most = (entries: Iterable<[string, number]>) =>
    [...entries].sort(([, left], [, right]) => right - left)[0]!;
  const [target, confidence] = most(sums);
  const [lane] = most([...probabilities].filter(([name]) => targetOf(name) === target));
  return { right, lane, target, confidence };
}

function scoresOf(seen: Seen[]): string {
  const guesses = seen.map(({ right, probabilities }) => guessOf(right, probabilities));
  const targets: Judged[] = guesses.map(({ right, target }) => ({
    right: targetOf(right),
    guessed: target,
    confidence: 1,
  }));
  const lanes: Judged[] = guesses.map(({ right, lane }) => ({ right, guessed: lane, confidence: 1 }));
  return `${macroF1(targets).toFixed(3)} ${macroF1(lanes).toFixed(3)}`.padEnd(16);
}

function raised(probabilities: Map<string, number>, temperature: number): Map<string, number> {
  const powers = [...probabilities].map(([lane, value]) => [lane, value ** (1 / temperature)] as const);
  const all = powers.reduce((sum, [, value]) => sum + value, 0);
  return new Map(powers.map(([lane, value]) => [lane, value / all]));
}

/** The temperature under which the right lanes were most probable. */
function fitTemperature(seen: Seen[]): number {
  const loss = (temperature: number) =>
    seen.reduce(
      (sum, { right, probabilities }) =>
        sum - Math.log(raised(probabilities, temperature).get(right)! + 1e-12),
      0,
    );
  const steps = Array.from({ length: 36 }, (_, at) => Math.round(100 * (0.3 + at * 0.05)) / 100);
  const [best] = steps
    .map((step) => ({ step, loss: loss(step) }))
    .sort((left, right) => left.loss - right.loss);
  return best!.step;
}
