import { createModelEmbedder, createStaticEmbedder } from '../src/base/embedding/index.ts';
import { type CaseFile, readCases, splits } from './routing/cases.ts';
import { baselines, type Run, runClassifier, scriptedModel } from './routing/contenders.ts';
import { abstentionCurve, confusionTable, macroF1, scoreClasses } from './routing/measure.ts';
import { readStrangers } from './routing/strangers.ts';
import type { BenchOptions } from './run-named.ts';

/**
 * How well messages are sent where they belong: each way of deciding beside the design's trigger phrases. The held-out
 * cases unless `fresh`, `practice`, `dev` or `train` is said; `model` adds the embedding model beside its static table.
 */
export default async function lab({ words }: BenchOptions): Promise<void> {
  const named: CaseFile[] = ['fresh', 'practice', ...splits];
  const file = named.find((name) => words.includes(name)) ?? 'held-out';
  const cases = readCases(file);
  const quick = createStaticEmbedder();
  const model = words.includes('model') ? createModelEmbedder() : undefined;
  const best = await runClassifier('rules and examples', cases, { embedder: quick });
  const runs: Run[] = [
    ...baselines(cases),
    await runClassifier('rules', cases, {}),
    best,
    ...(model ? [await runClassifier('rules and examples, model vectors', cases, { embedder: model })] : []),
    await runClassifier('with a scripted model (90 % right)', cases, {
      embedder: quick,
      model: scriptedModel(cases),
    }),
  ];
  console.log(
    `${cases.length} ${file} cases; macro-F1\n${'way of deciding'.padEnd(36)} target  intent   verb  decided by`,
  );
  for (const run of runs) console.log(rowOf(run));
  const strangers = readStrangers();
  console.log(
    `\n${strangers.length} questions to the three who know, by another author, whose texts were not read while rules were written; macro-F1`,
  );
  for (const run of [
    ...baselines(strangers),
    await runClassifier('rules', strangers, {}),
    await runClassifier('rules and examples', strangers, { embedder: quick }),
  ])
    console.log(rowOf(run));
  for (const [what, judged] of [
    ['target', best.targets],
    ['intent', best.lanes],
  ] as const) {
    console.log(`\nrules and examples, by ${what}`);
    for (const { name, precision, recall, f1, cases: count } of scoreClasses(judged))
      console.log(
        `  ${name.padEnd(24)} F1 ${f1.toFixed(3)}  precision ${precision.toFixed(3)}  recall ${recall.toFixed(3)}  of ${count}`,
      );
  }
  console.log(`\n${confusionTable(best.targets)}`);
  console.log('\nabstaining below   answered   right of those');
  for (const { step, coverage, accuracy } of abstentionCurve(
    best.targets,
    [0, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9],
  ))
    console.log(
      `  ${step.toFixed(2).padEnd(14)} ${(100 * coverage).toFixed(1).padStart(8)} %   ${(100 * accuracy).toFixed(1)} %`,
    );
  if (words.includes('misses'))
    for (const [at, each] of best.lanes.entries())
      if (each.right !== each.guessed)
        console.log(`  ${cases[at]!.text}  → ${each.guessed}, not ${each.right}`);
  await Promise.all([quick.release(), model?.release()]);
}

const rowOf = ({ what, targets, lanes, verbs, methods }: Run): string =>
  `${what.padEnd(36)}  ${macroF1(targets).toFixed(3)}   ${macroF1(lanes).toFixed(3)}  ${verbs.length > 0 ? macroF1(verbs).toFixed(3) : '    –'}  ${Object.entries(
    methods,
  )
    .map(([method, count]) => `${method} ${count}`)
    .join(', ')}`;
