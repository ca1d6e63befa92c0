import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RecallQuery } from '../src/engines/recall/query.ts';
import { createEmbeddingQueue } from '../src/engines/recall/queue.ts';
import { score } from '../src/engines/recall/scorer.ts';
import {
  type Curve,
  curveAt,
  learnedWeights,
  type Weights,
  weightsFor,
} from '../src/engines/recall/weights.ts';
import { type Lesson, learnWeights } from './history/learn.ts';
import { createMetrics } from './history/metrics.ts';
import { recallAt } from './recall/at-commit.ts';
import type { BenchOptions } from './run-named.ts';

interface Case {
  kind: string;
  subject: string;
  body?: string;
  gold: string[];
  hard?: boolean;
}

interface Asked {
  hard: boolean;
  gold: Set<string>;
  query: RecallQuery;
  /** In the order of the product. */
  rows: Array<{ path: string; letter: number; signals: Record<string, number> }>;
}

interface AskedSet {
  name: string;
  asked: Asked[];
}

type Weigh = (query: RecallQuery) => Weights;

const bySignals: Array<[string, string[]]> = [
  ['without commit votes', ['recent_votes', 'meaning_votes']],
  ['without content', ['content', 'breadth', 'meaning', 'unsaid']],
  ['without path and messages', ['words', 'path', 'named']],
  [
    'without kinds of files',
    [
      'document',
      'bookkeeping',
      'wanted_document',
      'wanted_test',
      'setup_source',
      'setup_document',
      'setup_test',
    ],
  ],
  ['without last changes', ['popularity', 'lately', 'last_change']],
  ['without the second look', ['together']],
];

/**
 * File search on commits of real histories: index at T, then each later commit asks for its files, once by its title and once by its
 * whole message. `--from GITDIR=CASES` for each repository. Words: `static` asks without the model, `commits` embeds only
 * commits with it and leaves files to the static tier, `learn` learns weights from the titles on all
 * repositories but the one that is tried.
 */
export default async function run({ from, words }: BenchOptions): Promise<void> {
  const sets: AskedSet[] = [];
  for (const pair of from) {
    const [gitDirectory, cases] = pair.split('=') as [string, string];
    const { titles, messages } = await askAll(gitDirectory, cases, words);
    sets.push(titles);
    for (const set of [titles, messages]) {
      console.log(` ${set.name}`);
      report(set, 'as shipped', undefined);
      report(set, 'without vectors', (query) => weightsFor(query, false));
      for (const [label, names] of bySignals)
        report(set, label, (query) => without(weightsFor(query, true), names));
      for (const only of ['words', 'content', 'meaning', 'meaning_votes'])
        report(set, `only ${only}`, () => ({ [only]: 1 }));
    }
  }
  if (!words.includes('learn')) return;
  const keys = Object.keys(learnedWeights);
  for (const set of sets) {
    const others = sets.filter((other) => other !== set);
    if (others.length === 0) continue;
    const learned = learnOn(others, keys);
    report(set, 'learned on the others', () => learned);
  }
  console.log(JSON.stringify(learnOn(sets, keys)));
}

async function askAll(
  gitDirectory: string,
  cases: string,
  words: string[],
): Promise<{ titles: AskedSet; messages: AskedSet }> {
  const quick = words.includes('static');
  const { T, name } = JSON.parse(readFileSync(join(cases, 'meta.json'), 'utf8')) as {
    T: string;
    name: string;
  };
  const started = performance.now();
  const { recall, remove } = await recallAt(gitDirectory, T);
  const indexed = performance.now();
  const { passages, meaning, sources } = recall.parts;
  const embedding = createEmbeddingQueue({
    passages,
    meaning,
    sources: () => sources.filter((source) => source.domain === 'commits' || !words.includes('commits')),
  });
  if (!quick) console.log(JSON.stringify(await embedding.run()));
  const embedded = performance.now();
  const questions = readFileSync(join(cases, 'cases.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Case)
    .filter((each) => each.kind === 'message_to_files');
  const askWith = async (textOf: (each: Case) => string): Promise<Asked[]> => {
    const asked: Asked[] = [];
    for (const each of questions) {
      const question = await recall.question(textOf(each), !quick);
      const ranked = await recall.rankFiles(question);
      asked.push({
        hard: each.hard ?? false,
        gold: new Set(each.gold),
        query: question.query,
        rows: ranked.map(({ owner, letter, signals }) => ({ path: owner, letter, signals })),
      });
    }
    return asked;
  };
  const titles = await askWith(({ subject }) => subject);
  const seconds = (from: number, to: number) => `${((to - from) / 1000).toFixed(0)} s`;
  console.log(
    `\n${name}: indexed ${seconds(started, indexed)}, embedded ${seconds(indexed, embedded)}, ${titles.length} questions ${((performance.now() - embedded) / titles.length).toFixed(1)} ms each`,
  );
  const messages = await askWith(({ subject, body = '' }) => `${subject}\n\n${body}`.trim());
  await remove();
  return {
    titles: { name: 'asked by the title of each commit', asked: titles },
    messages: { name: 'asked by the whole message', asked: messages },
  };
}

/** A signal goes with its standing. */
const without = (weights: Weights, names: string[]): Weights =>
  Object.fromEntries(
    Object.entries(weights).map(([name, value]) => [
      name,
      names.includes(name.replace(/_standing$/, '')) ? 0 : value,
    ]),
  );

/** Prints recall and MRR of one way to weigh, or of the product's; a signal that is not named counts nothing. */
export function report(
  { asked }: AskedSet,
  label: string,
  weigh: Weigh | undefined,
): { r10: number; mrr: number } {
  const all = createMetrics();
  const hard = createMetrics();
  for (const { query, rows, gold, hard: isHard } of asked) {
    const ranked = weigh ? orderBy(rows, weigh(query)) : rows.map(({ path }) => path);
    all.add(ranked, gold);
    if (isHard) hard.add(ranked, gold);
  }
  const [a, h] = [all.read(), hard.read()];
  const show = (value: number) => value.toFixed(3);
  console.log(
    `  ${label.padEnd(28)} n ${a.n}  r@5 ${show(a.r5)}  r@10 ${show(a.r10)}  mrr ${show(a.mrr)}  hard ${h.n}: r@10 ${show(h.r10)} mrr ${show(h.mrr)}`,
  );
  return a;
}

function orderBy(rows: Asked['rows'], weights: Weights): string[] {
  return rows
    .map(({ path, letter, signals }) => {
      const counted = Object.entries(signals).filter(([name]) => name in weights);
      return { path, letter, score: score(Object.fromEntries(counted), weights).score };
    })
    .sort(
      (left, right) =>
        right.letter - left.letter || right.score - left.score || (left.path < right.path ? -1 : 1),
    )
    .map(({ path }) => path);
}

/** A curve is learned as what each of its bends adds. */
function learnOn(sets: AskedSet[], keys: string[]): Weights {
  const bends = keys.flatMap((key) =>
    typeof learnedWeights[key] === 'number'
      ? [{ key, from: 0 }]
      : [0, ...curveAt.slice(0, -1)].map((from) => ({ key, from })),
  );
  const lessons: Lesson[] = sets.flatMap(({ asked }) =>
    asked.map(({ rows, gold }) => ({
      rows: rows.map(({ path, signals }) => ({
        features: bends.map(({ key, from }) => Math.max(0, (signals[key] ?? 0) - from)),
        right: gold.has(path),
      })),
    })),
  );
  const found = learnWeights(lessons, bends.length);
  const worth = (key: string, value: number) =>
    bends.reduce(
      (sum, bend, at) => (bend.key === key ? sum + found[at]! * Math.max(0, value - bend.from) : sum),
      0,
    );
  const round = (value: number) => Number(value.toFixed(2));
  return Object.fromEntries(
    keys.map((key) => [
      key,
      typeof learnedWeights[key] === 'number'
        ? round(worth(key, 1))
        : (curveAt.map((value) => round(worth(key, value))) as unknown as Curve),
    ]),
  );
}
