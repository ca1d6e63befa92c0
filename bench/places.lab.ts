import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { runProcess } from '../src/base/process/index.ts';
import { termsOf } from '../src/base/text/index.ts';
import { weighPlaces } from '../src/engines/recall/pinpoint.ts';
import { featureNames } from '../src/engines/recall/place-features.ts';
import shipped from '../src/engines/recall/place-weights.json' with { type: 'json' };
import { type Lesson, learnWeights } from './history/learn.ts';
import {
  holds,
  type Practice,
  practiceOfComments,
  practiceOfCommits,
  practiceOfDocuments,
  practiceOfMessages,
  practiceOfPersons,
} from './places/practice.ts';
import { randomNumbers, shuffled } from './random.ts';
import { recallAt } from './recall/at-commit.ts';
import type { BenchOptions } from './run-named.ts';

interface Asked {
  repository: string;
  kind: Practice['kind'];
  text: string;
  /** The place is among those that were weighed. */
  found: boolean;
  rows: Lesson['rows'];
}

const mostWrong = 60;
/** So many commits before the newest are left out of the index and ask. */
const later = 250;

/**
 * Which place answers a question, on questions made by program from what others wrote: comments that are taken out of the
 * code, titles of later commits, sentences of pages, messages of failures. `--from GITDIR` for each repository; the word after it is
 * the journal. Weights are learned on all repositories but one and tried on that one.
 */
export default async function run({ from, words }: BenchOptions): Promise<void> {
  const journal = words.find((word) => word.endsWith('.jsonl')) ?? 'places.jsonl';
  const done = existsSync(journal) ? readFileSync(journal, 'utf8').trim().split('\n') : [];
  const asked = done.filter(Boolean).map((line): Asked => JSON.parse(line));
  for (const source of from) {
    const repository = basename(dirname(source)).split('+').at(-1) ?? source;
    if (asked.some((each) => each.repository === repository)) continue;
    const own = await askAll(source, repository);
    for (const each of own) appendFileSync(journal, `${JSON.stringify(each)}\n`);
    asked.push(...own);
    console.log(
      `${repository}: ${own.length} questions, ${own.filter(({ found }) => found).length} among those weighed`,
    );
  }
  const weights = evaluate(asked);
  if (words.includes('write'))
    writeFileSync(
      new URL('../src/engines/recall/place-weights.json', import.meta.url),
      `${JSON.stringify(weights, undefined, 2)}\n`,
    );
  else console.log(JSON.stringify(weights));
}

async function askAll(source: string, repository: string): Promise<Asked[]> {
  const git = async (...args: string[]) =>
    (await runProcess('git', ['-C', source, ...args], { timeoutMs: 60_000 })).stdout.toString('utf8').trim();
  const commits = Number(await git('rev-list', '--count', '--first-parent', 'HEAD'));
  const asks = practiceOfPersons(repository);
  const back = asks.length > 0 ? 0 : Math.min(later, Math.floor(commits / 5));
  const at = await git('rev-parse', `HEAD~${back}`);
  const { recall, code, tree, remove } = await recallAt(source, at);
  try {
    const made = async () => [
      ...(await practiceOfCommits(code, source, tree, at)),
      ...practiceOfDocuments(code, tree),
      ...practiceOfMessages(code, tree),
      ...practiceOfComments(code, tree, 3),
    ];
    const practice = asks.length > 0 ? asks : await made();
    await code.update();
    await recall.refreshAll();
    const asked: Asked[] = [];
    const codeSource = recall.parts.sources.find(({ domain }) => domain === 'code');
    if (!codeSource) return [];
    const random = randomNumbers(13);
    for (const each of practice) {
      const question = await recall.question(each.text);
      const files = await recall.rankDomain({ domain: 'code', ...question, limit: 16 });
      const places = await weighPlaces(files, {
        query: question.query,
        rarity: recall.parts.rarity('code', termsOf(each.text)),
        text: codeSource.text,
        passagesOf: (owner) => recall.parts.passages.ofOwner('code', owner),
        symbolsOf: (owner) => codeSource.symbols?.(owner) ?? [],
        wordVectors: recall.parts.meaning.wordVectors,
        vector: question.question.vector,
        textVectors: recall.parts.meaning.quickVectors,
      });
      const rows = places
        // Where the question was taken from is no answer.
        .filter(({ file }) => each.kind !== 'document' || !/\.(?:md|rst|adoc)$/i.test(file.owner))
        .map(({ file, place, features }) => ({
          features: featureNames.map((name) => Math.round(features[name] * 1000) / 1000),
          right: each.lines
            ? holds(each.lines, file.owner, place.startLine, place.endLine)
            : isRight(each, file.owner, [...place.around, ...place.names].join('.')),
        }));
      asked.push({
        repository,
        kind: each.kind,
        text: each.text,
        found: rows.some(({ right }) => right),
        rows: hardest(rows, random),
      });
    }
    return asked;
  } finally {
    await remove();
  }
}

/** In C a thing is declared in one file and defined in another. */
const isRight = ({ path, name }: Practice, owner: string, found: string): boolean =>
  found === name.replace(/~\d+$/, '') &&
  (owner === path || (/\.[ch]\w*$/.test(owner) && /\.[ch]\w*$/.test(path)));

/** Those that are right, the wrong ones that come near, and some others. */
function hardest(rows: Lesson['rows'], random: () => number): Lesson['rows'] {
  const start = featureNames.map((name) => shipped[name] ?? 0);
  const wrong = rows
    .filter(({ right }) => !right)
    .sort((a, b) => dot(b.features, start) - dot(a.features, start));
  return [
    ...rows.filter(({ right }) => right),
    ...wrong.slice(0, mostWrong),
    ...shuffled(wrong.slice(mostWrong), random).slice(0, mostWrong / 2),
  ];
}

const dot = (left: number[], right: number[]): number =>
  left.reduce((sum, value, at) => sum + value * (right[at] ?? 0), 0);

function evaluate(asked: Asked[]): Record<string, number> {
  const hand = featureNames.map((name) => shipped[name] ?? 0);
  const repositories = [...new Set(asked.map(({ repository }) => repository))];
  const tally = new Map<
    string,
    { n: number; found: number; shipped: number; learned: number; shipped3: number; learned3: number }
  >();
  for (const repository of repositories) {
    const own = asked.filter((each) => each.repository === repository);
    const others = asked.filter((each) => each.repository !== repository && each.found);
    const learned = others.length > 0 ? blended(hand, learnWeights(others, featureNames.length)) : hand;
    for (const each of own)
      for (const key of [repository, each.kind, 'all']) {
        const sum = tally.get(key) ?? { n: 0, found: 0, shipped: 0, learned: 0, shipped3: 0, learned3: 0 };
        sum.n++;
        sum.found += Number(each.found);
        sum.shipped += Number(standing(each, hand) === 0);
        sum.learned += Number(standing(each, learned) === 0);
        sum.shipped3 += Number(standing(each, hand) < 3);
        sum.learned3 += Number(standing(each, learned) < 3);
        tally.set(key, sum);
      }
  }
  for (const [key, { n, found, shipped: was, learned: is, shipped3, learned3 }] of tally)
    console.log(
      `${key.padEnd(14)} ${n} questions, place weighed ${found}; first: shipped ${was}, learned elsewhere ${is}; in three: ${shipped3}, ${learned3}`,
    );
  const all = blended(
    hand,
    learnWeights(
      asked.filter(({ found }) => found),
      featureNames.length,
    ),
  );
  return Object.fromEntries(featureNames.map((name, at) => [name, Math.round((all[at] ?? 0) * 1000) / 1000]));
}

/** What is learned on a few hundred questions moves the weights that were there, it does not replace them. */
const part = 0.4;
/** Learned weights are about half as large: they sharpen their own sum. */
const scale = 2;
const blended = (prior: number[], learned: number[]): number[] =>
  prior.map((value, at) => (1 - part) * value + part * scale * (learned[at] ?? 0));

/** How many wrong places stand before the first right one. */
function standing({ rows, found }: Asked, weights: number[]): number {
  if (!found) return Number.POSITIVE_INFINITY;
  const best = Math.max(...rows.filter(({ right }) => right).map(({ features }) => dot(features, weights)));
  return rows.filter(({ right, features }) => !right && dot(features, weights) >= best).length;
}
