import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type History, type HistoryView, relatedFiles } from '../src/stores/history/index.ts';
import {
  type CochangeFeatures,
  cochangeWeights,
  scoreOf,
} from '../src/stores/history/query/cochange-score.ts';
import { historyAt } from './history/at-commit.ts';
import { type Lesson, learnWeights } from './history/learn.ts';
import { createMetrics } from './history/metrics.ts';
import type { BenchOptions } from './run-named.ts';

interface Case {
  kind: 'message_to_files' | 'cochange';
  subject: string;
  body: string;
  given: string;
  gold: string[];
  hard?: boolean;
}

interface Asked {
  hard: boolean;
  gold: Set<string>;
  rows: Array<{ path: string; features: Record<string, number> }>;
}

/**
 * Recall and MRR of co-change; those of search are recall-quality's. `--from GITDIR=CASES`, where CASES holds meta.json (with
 * the split point T) and cases.jsonl; the index sees T and older only. With the word `learn`, weights are learned on all but
 * one repository and tried on that one; with `ablate`, each signal is left out in turn.
 */
export default async function run({ from, words }: BenchOptions): Promise<void> {
  const sets: Array<{ name: string; asked: Asked[] }> = [];
  for (const pair of from) {
    const [gitDirectory, cases] = pair.split('=') as [string, string];
    const { T, name } = JSON.parse(readFileSync(join(cases, 'meta.json'), 'utf8')) as {
      T: string;
      name: string;
    };
    const { history, remove } = historyAt(gitDirectory, T);
    const { view } = await history.ready();
    const questions = readFileSync(join(cases, 'cases.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Case)
      .filter(({ kind }) => kind === 'cochange');
    const started = performance.now();
    const asked = questions.map((question) => ask(history, view, question));
    const each = (performance.now() - started) / questions.length;
    console.log(`${name}: ${questions.length} questions, ${each.toFixed(1)} ms each`);
    sets.push({ name, asked });
    remove();
  }
  const keys = Object.keys(cochangeWeights);
  report(sets, () => cochangeWeights);
  if (words.includes('ablate'))
    for (const key of keys) report(sets, () => ({ ...cochangeWeights, [key]: 0 }), `without ${key}`);
  if (words.includes('learn')) {
    const learn = (skip?: string) => {
      const lessons = sets.filter((set) => set.name !== skip).flatMap((set) => lessonsOf(set.asked, keys));
      const found = learnWeights(lessons, keys.length);
      return Object.fromEntries(keys.map((key, at) => [key, Number(found[at]!.toFixed(3))]));
    };
    report(sets, (name) => learn(name) as unknown as CochangeFeatures, 'learned elsewhere');
    console.log(JSON.stringify(learn()));
  }
}

function ask(history: History, view: HistoryView, question: Case): Asked {
  const gold = new Set(question.gold);
  const path = view.find(question.given);
  const rows = path === undefined ? [] : relatedFiles(history, view, path, { guesses: 100 }).slice(0, 120);
  return {
    hard: question.hard ?? false,
    gold,
    rows: rows.map((row) => ({ path: row.name, features: { ...row.features } })),
  };
}

const lessonsOf = (asked: Asked[], keys: string[]): Lesson[] =>
  asked.map(({ rows, gold }) => ({
    rows: rows.map((row) => ({
      features: keys.map((key) => row.features[key]!),
      right: gold.has(row.path),
    })),
  }));

function report(
  sets: Array<{ name: string; asked: Asked[] }>,
  weights: (name: string) => CochangeFeatures,
  label = 'as shipped',
): void {
  const means = { r5: 0, r10: 0, mrr: 0, hard10: 0, hardMrr: 0 };
  const lines: string[] = [];
  for (const { name, asked } of sets) {
    const used = weights(name);
    const all = createMetrics();
    const hard = createMetrics();
    for (const question of asked) {
      const ranked = question.rows
        .map((row) => ({ path: row.path, score: scoreOf(row.features as unknown as CochangeFeatures, used) }))
        .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1))
        .map((row) => row.path);
      all.add(ranked, question.gold);
      if (question.hard) hard.add(ranked, question.gold);
    }
    const [a, h] = [all.read(), hard.read()];
    lines.push(
      `  ${name.padEnd(22)} n ${a.n}  r@5 ${show(a.r5)}  r@10 ${show(a.r10)}  mrr ${show(a.mrr)}  hard r@10 ${show(h.r10)} mrr ${show(h.mrr)}`,
    );
    means.r5 += a.r5 / sets.length;
    means.r10 += a.r10 / sets.length;
    means.mrr += a.mrr / sets.length;
    means.hard10 += h.r10 / sets.length;
    means.hardMrr += h.mrr / sets.length;
  }
  console.log(
    `${label.padEnd(24)} r@5 ${show(means.r5)}  r@10 ${show(means.r10)}  mrr ${show(means.mrr)}  hard r@10 ${show(means.hard10)} mrr ${show(means.hardMrr)}`,
  );
  if (label === 'as shipped' || label.startsWith('learned')) console.log(lines.join('\n'));
}

const show = (value: number): string => value.toFixed(3);
