import { createModelEmbedder, createStaticEmbedder } from '../src/base/embedding/index.ts';
import { type CaseFile, readCases, repeats, splits } from './routing/cases.ts';
import { baselines, type Run, runClassifier, scriptedModel } from './routing/contenders.ts';
import { developmentMaterial } from './routing/material.ts';
import { abstentionCurve, confusionTable, macroF1, scoreClasses } from './routing/measure.ts';
import type { BenchOptions } from './run-named.ts';

/**
 * How well messages are sent where they belong: each way of deciding beside the design's trigger phrases. `fresh` are the
 * messages that judge; the others (`practice`, `train`, `dev`, and `held-out`, which is taken when nothing is said) were
 * learned from and show only that nothing broke. `misses` lists what went wrong.
 */
export default async function lab({ words }: BenchOptions): Promise<void> {
  const named: CaseFile[] = ['fresh', 'strangers', 'practice', ...splits];
  const file = named.find((name) => words.includes(name)) ?? 'held-out';
  const cases = readCases(file);
  const quick = createStaticEmbedder();
  const vectors = createModelEmbedder();
  const model = scriptedModel(cases);
  const command = await runClassifier('with static vectors: a command', cases, { quick });
  const server = await runClassifier('with model vectors: a server', cases, { quick, vectors });
  const runs: Run[] = [
    ...baselines(cases),
    await runClassifier('rules and words, no vectors', cases, {}),
    command,
    server,
    await runClassifier('and a scripted model (90 % right)', cases, { quick, vectors, model }),
  ];
  console.log(
    `${cases.length} ${file} cases${file === 'fresh' ? '' : ', which the weights were trained on'}; macro-F1\n${'way of deciding'.padEnd(36)} target  intent   verb  decided by`,
  );
  for (const run of runs) console.log(rowOf(run));
  if (file === 'fresh') {
    const known = repeats(cases, [...developmentMaterial().values()].flat());
    console.log(
      `${new Set(known.map(({ left }) => left)).size} of them say the same as a development message`,
    );
  }
  for (const run of [command, server]) {
    console.log(`\n== ${run.what}`);
    printRun(run);
    if (words.includes('misses'))
      for (const [at, each] of run.lanes.entries())
        if (each.right !== each.guessed)
          console.log(`  ${cases[at]!.text}  → ${each.guessed}, not ${each.right}`);
  }
  await Promise.all([quick.release(), vectors.release()]);
}

function printRun({ targets, lanes }: Run) {
  for (const [what, judged] of [
    ['target', targets],
    ['intent', lanes],
  ] as const) {
    console.log(`by ${what}`);
    for (const { name, precision, recall, f1, cases: count } of scoreClasses(judged))
      console.log(
        `  ${name.padEnd(24)} F1 ${f1.toFixed(3)}  precision ${precision.toFixed(3)}  recall ${recall.toFixed(3)}  of ${count}`,
      );
  }
  console.log(`\n${confusionTable(targets)}`);
  console.log('\nabstaining below   answered   right of those');
  for (const { step, coverage, accuracy } of abstentionCurve(targets, [0, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9]))
    console.log(
      `  ${step.toFixed(2).padEnd(14)} ${(100 * coverage).toFixed(1).padStart(8)} %   ${(100 * accuracy).toFixed(1)} %`,
    );
}

const rowOf = ({ what, targets, lanes, verbs, methods }: Run): string =>
  `${what.padEnd(36)}  ${macroF1(targets).toFixed(3)}   ${macroF1(lanes).toFixed(3)}  ${verbs.length > 0 ? macroF1(verbs).toFixed(3) : '    –'}  ${Object.entries(
    methods,
  )
    .map(([method, count]) => `${method} ${count}`)
    .join(', ')}`;
