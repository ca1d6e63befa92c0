import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { searchWords } from '../src/base/text/index.ts';
import { score } from '../src/engines/recall/scorer.ts';
import { learnedWeights, type Weights, wordWeights } from '../src/engines/recall/weights.ts';
import { createMetrics, type Metrics } from './history/metrics.ts';
import { recallAt } from './recall/at-commit.ts';
import type { BenchOptions } from './run-named.ts';

interface Paraphrase {
  id: string;
  repository: string;
  commit: string;
  question: string;
  gold: Array<{ path: string; from: number; to: number }>;
}

const wordless: Weights = {
  ...Object.fromEntries(Object.keys(learnedWeights).map((name) => [name, 0])),
  ...wordWeights,
};
const ways = ['words of the text alone', 'without vectors', 'static vectors', 'with the model'] as const;

/**
 * Questions that share no stem with the passage that answers them, nor with its path: what is found by meaning alone.
 * `--from OWNER/NAME=GITDIR` for each repository of fixtures/recall/paraphrases.json. Files under `dist/` repeat the sources
 * and are left out. `static` asks without the model, `misses` lists what was not among the first ten.
 */
export default async function run({ from, words }: BenchOptions): Promise<void> {
  const file = join(import.meta.dirname, '../fixtures/recall/paraphrases.json');
  const all = JSON.parse(readFileSync(file, 'utf8')) as Paraphrase[];
  const sums = new Map<string, Metrics>(ways.map((way) => [way, createMetrics()]));
  for (const pair of from) {
    const [name, gitDirectory] = pair.split('=') as [string, string];
    const questions = all.filter((each) => each.repository === name);
    const { recall, tree, remove } = await recallAt(gitDirectory, questions[0]!.commit);
    for (const each of questions) checkApart(each, tree);
    const ask = async (
      each: Paraphrase,
      way: (typeof ways)[number],
      thorough: boolean,
      weights?: Weights,
    ) => {
      const ranked = await recall.rankFiles(await recall.question(each.question, thorough));
      const ordered = weights
        ? ranked
            .map((row) => ({ ...row, score: score(row.signals, weights).score }))
            .sort((left, right) => right.score - left.score)
        : ranked;
      const paths = ordered.map(({ owner }) => owner).filter((path) => !path.startsWith('dist/'));
      const gold = new Set(each.gold.map(({ path }) => path));
      sums.get(way)!.add(paths, gold);
      if (words.includes('misses') && !paths.slice(0, 10).some((path) => gold.has(path)))
        console.log(`  ${way}: ${each.question}  → ${[...gold].join(', ')}`);
    };
    for (const each of questions) {
      await ask(each, 'words of the text alone', false, { content: 1, ...silenced });
      await ask(each, 'without vectors', false, wordless);
      await ask(each, 'static vectors', false);
    }
    if (!words.includes('static')) {
      console.log(name, JSON.stringify(await recall.queue.run()));
      for (const each of questions) await ask(each, 'with the model', true);
    }
    await remove();
  }
  for (const [way, sum] of sums) {
    const { n, r5, r10, mrr } = sum.read();
    if (n > 0)
      console.log(
        `${way.padEnd(26)} n ${n}  r@5 ${r5.toFixed(3)}  r@10 ${r10.toFixed(3)}  mrr ${mrr.toFixed(3)}`,
      );
  }
}

const silenced: Weights = Object.fromEntries(
  Object.keys(learnedWeights)
    .filter((name) => name !== 'content')
    .map((name) => [name, 0]),
);

/** A question that shares a word with its answer would not show what it is for. */
function checkApart({ id, question, gold }: Paraphrase, tree: string): void {
  const asked = new Set(searchWords(question));
  for (const { path, from, to } of gold) {
    const passage = readFileSync(join(tree, path), 'utf8')
      .split('\n')
      .slice(from - 1, to)
      .join('\n');
    const shared = searchWords(`${path}\n${passage}`).filter((word) => asked.has(word));
    if (shared.length > 0) throw new Error(`${id} shares ${[...new Set(shared)].join(', ')} with ${path}`);
  }
}
