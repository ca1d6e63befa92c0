import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadTokenCounter } from '../src/base/tokens.ts';
import { smartSearch } from '../src/engines/recall/index.ts';
import { showCard } from '../src/operations/recall/shared.ts';
import { recallAt } from './recall/at-commit.ts';
import { grepAndRead } from './recall/grep-and-read.ts';
import type { BenchOptions } from './run-named.ts';

interface Question {
  repository: string;
  commit: string;
  question: string;
  gold: string[];
  source: string;
}

/** As an agent asks: for little, and for more where the right place was not among it. */
const asking = [
  { thoroughness: 'moderate', tokenBudget: 1000 },
  { thoroughness: 'thorough', tokenBudget: 4000 },
] as const;

/**
 * Tokens until the right file is before the reader: smart_search (its text, asked again for more where nothing was in it) and the lines it names, against searching for words
 * and reading what holds most of them (whole files, and 40 lines around each match), at the same number of gold
 * files. `--from OWNER/NAME=GITDIR` for each repository of fixtures/recall/questions.json; `static` asks without the
 * model.
 */
export default async function run({ from, words }: BenchOptions): Promise<void> {
  const file = join(import.meta.dirname, '../fixtures/recall/questions.json');
  const all = JSON.parse(readFileSync(file, 'utf8')) as Question[];
  const count = await loadTokenCounter();
  const totals = { n: 0, hit: 0, ours: 0, whole: 0, window: 0, wholeFound: 0, windowFound: 0, better: 0 };
  for (const pair of from) {
    const [name, gitDirectory] = pair.split('=') as [string, string];
    const questions = all.filter((each) => each.repository === name);
    const { recall, tree, remove } = await recallAt(gitDirectory, questions[0]!.commit);
    if (!words.includes('static')) console.log(name, JSON.stringify(await recall.queue.run()));
    for (const { question, gold } of questions) {
      const right = new Set(gold);
      let ours = 0;
      let cards: Awaited<ReturnType<typeof smartSearch>>['results'] = [];
      let asked = 0;
      for (const { thoroughness, tokenBudget } of asking) {
        const reply = await smartSearch(recall, question, { thoroughness, tokenBudget, domains: ['code'] });
        ours += count(reply.results.map((card) => showCard(card, false)).join('\n'));
        cards = reply.results.filter((card) => card.path && right.has(card.path));
        asked++;
        if (cards.length > 0) break;
      }
      ours += count(cards.map((card) => linesOf(join(tree, card.path!), card.lines ?? '1-40')).join('\n'));
      const wanted = Math.max(1, cards.length);
      const whole = await grepAndRead(tree, question, right, wanted, 'whole', count);
      const window = await grepAndRead(tree, question, right, wanted, 'window', count);
      // What was not found has to be looked for in the old way, on top.
      if (cards.length === 0) ours += window.tokens;
      totals.n++;
      totals.hit += cards.length > 0 ? 1 : 0;
      totals.ours += ours;
      totals.whole += whole.tokens;
      totals.window += window.tokens;
      totals.wholeFound += whole.found >= wanted ? 1 : 0;
      totals.windowFound += window.found >= wanted ? 1 : 0;
      totals.better += ours < window.tokens ? 1 : 0;
      console.log(
        `${cards.length > 0 ? asked : '-'} ${String(ours).padStart(6)} ours  ${String(window.tokens).padStart(7)} ± 40  ${String(whole.tokens).padStart(7)} whole  ${question}`,
      );
    }
    await remove();
  }
  const saved = (other: number) => `${(100 * (1 - totals.ours / other)).toFixed(1)} % fewer`;
  console.log(
    `\n${totals.n} questions; gold in the reply: ${totals.hit}, met by grep and read: ${totals.wholeFound} (whole), ${totals.windowFound} (± 40)`,
  );
  console.log(
    `tokens: ours ${totals.ours}; ± 40 lines ${totals.window} (${saved(totals.window)}); whole files ${totals.whole} (${saved(totals.whole)}); cheaper than ± 40 in ${totals.better}`,
  );
}

function linesOf(path: string, lines: string): string {
  const [start = 1, end = 40] = lines.split('-').map(Number);
  return readFileSync(path, 'utf8')
    .split('\n')
    .slice(start - 1, end)
    .join('\n');
}
