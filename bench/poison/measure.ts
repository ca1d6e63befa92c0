import type { App } from '../../src/app.ts';
import type { Answer } from '../../src/engines/answers/index.ts';
import { smartSearch } from '../../src/engines/recall/index.ts';
import { findOperation } from '../../src/operations/list.ts';
import { call, type Planted } from './plant.ts';

export interface Poisoned {
  lies: number;
  /** The first citation is code. */
  codeFirst: number;
  /** A conflict names the false entry. */
  named: number;
  /** The false entry was not found for the question: it can mislead nobody. */
  absent: number;
  /** The entry is shown, marked as unverified, in the data and in the text for people. */
  labelled: number;
  truths: number;
  /** True entries among the first three citations. */
  kept: number;
  /** The same orders by the first design's two formulas. */
  rivals: Record<'likeness × freshness' | 'weighted quality', { codeFirst: number; kept: number }>;
  misses: string[];
}

export async function measurePoison(app: App, planted: Planted[]): Promise<Poisoned> {
  const figures: Poisoned = {
    lies: 0,
    codeFirst: 0,
    named: 0,
    absent: 0,
    labelled: 0,
    truths: 0,
    kept: 0,
    misses: [],
    rivals: {
      'likeness × freshness': { codeFirst: 0, kept: 0 },
      'weighted quality': { codeFirst: 0, kept: 0 },
    },
  };
  const operation = await findOperation('ask');
  for (const each of planted) {
    const answer = await call<Answer>(app, 'ask', { question: each.question, token_budget: 3000 });
    const orders = await rivalOrders(app, each.question, answer);
    if (each.lie) {
      const shown = answer.citations.find(({ ref }) => ref === each.ref);
      const text = operation.render!(answer as never, { verbose: true });
      figures.lies++;
      const first = answer.citations[0]?.domain === 'code';
      const named = answer.conflicts.some(({ left, right }) => left === each.ref || right === each.ref);
      const labelled =
        shown !== undefined &&
        shown.trust <= 80 &&
        /UNVERIFIED|disputed/.test(shown.state) &&
        text.includes('⚠️');
      if (!shown && !named) figures.absent++;
      if (first) figures.codeFirst++;
      if (named) figures.named++;
      if (labelled) figures.labelled++;
      if (!first || (named ? !labelled : shown))
        figures.misses.push(
          `${each.lie}${first ? '' : ' not code first'}${named ? '' : ' not named'}${labelled ? '' : ' no label'}: ${each.text} | ${each.question}`,
        );
      for (const [name, order] of orders) if (order[0]?.domain === 'code') figures.rivals[name].codeFirst++;
    } else {
      figures.truths++;
      const place = answer.citations.findIndex(({ ref }) => ref === each.ref);
      if (place >= 0 && place < 3) figures.kept++;
      else figures.misses.push(`true at ${place + 1}: ${each.text} | ${each.question}`);
      for (const [name, order] of orders)
        if (order.slice(0, 3).some(({ ref }) => ref === each.ref)) figures.rivals[name].kept++;
    }
  }
  return figures;
}

/** What was found, in the order that each formula gives it. */
async function rivalOrders(app: App, question: string, answer: Answer) {
  const found = await smartSearch(await app.recall(), question, { tokenBudget: 3000 });
  const likeness = new Map(found.results.map(({ ref, relevance }) => [ref, relevance]));
  const present = answer.citations.filter(({ ref }) => likeness.has(ref));
  const by = (value: (citation: Answer['citations'][number]) => number) =>
    [...present].sort((left, right) => value(right) - value(left));
  return [
    ['likeness × freshness', by(({ ref, freshness }) => likeness.get(ref)! * freshness)],
    ['weighted quality', by(({ quality }) => quality)],
  ] as const;
}
