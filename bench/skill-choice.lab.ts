import { createModelEmbedder, createStaticEmbedder, type Embedder } from '../src/base/embedding/index.ts';
import { createTextVectors } from '../src/base/search/index.ts';
import { openSqlite } from '../src/base/sqlite/index.ts';
import { createSkillEngine, memorySource, type SkillDescriptor } from '../src/sdk.ts';
import { createBm25 } from './bm25.ts';
import type { BenchOptions } from './run-named.ts';
import {
  type CaseSet,
  cutTo,
  interval,
  readCollections,
  requestsFromBodies,
  requestsFromTriggers,
  type Score,
  score,
  split,
} from './skill-cases.ts';

type Rank = (request: string) => Promise<string[]>;

/** Baseline: how many of the request's words stand in name or description as they are. */
function bySubstring(skills: SkillDescriptor[]): Rank {
  const texts = skills.map((skill) => `${skill.name} ${skill.description}`.toLowerCase());
  return async (request) => {
    const words = request.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
    const found = texts.map((text) => words.filter((word) => text.includes(word)).length);
    return best(skills, found);
  };
}

/** Baseline, over name and description alike. */
function byBm25(skills: SkillDescriptor[]): Rank {
  const bm25 = createBm25(skills.map((skill) => `${skill.name} ${skill.description}`));
  return async (request) => best(skills, bm25(request));
}

const best = (skills: SkillDescriptor[], scores: number[]): string[] =>
  scores
    .map((value, at) => ({ value, at }))
    .filter(({ value }) => value > 0)
    .sort((one, other) => other.value - one.value)
    .slice(0, 10)
    .map(({ at }) => skills[at]!.id);

/** The product's own ranking: by words, with the vectors of a command, or with those of a server. */
async function byEngine(
  skills: SkillDescriptor[],
  tier?: 'quick' | 'model',
  model?: Embedder,
): Promise<Rank> {
  const sqlite = openSqlite(':memory:');
  const vectors = createTextVectors({
    table: 'skill_vectors',
    subject: 'Skills',
    quick: createStaticEmbedder(),
    index: () => sqlite,
    ...(tier === 'model' && model ? { model, longLived: true } : {}),
  });
  const engine = createSkillEngine({ source: memorySource([]), ...(tier ? { vectors } : {}) });
  // Every text gets its vector before the first request: a question waits for a bounded number only.
  for (let done = 0; tier && done < skills.length; done += 400) await engine.rank(skills, 'warm up');
  await vectors.settled();
  return async (request) => (await engine.rank(skills, request, 10)).map((skill) => skill.id);
}

export interface ChoiceReport {
  what: string;
  skills: number;
  cases: number;
  scores: Record<string, Score>;
}

export async function measureChoice(
  what: string,
  set: CaseSet,
  side: 'tuning' | 'held',
  model?: Embedder,
): Promise<ChoiceReport> {
  const { skills } = set;
  const ranks: Record<string, Rank> = {
    substring: bySubstring(skills),
    bm25: byBm25(skills),
    'ours, words': await byEngine(skills),
    'ours, quick': await byEngine(skills, 'quick'),
    ...(model ? { 'ours, model': await byEngine(skills, 'model', model) } : {}),
  };
  const scores: Record<string, Score> = {};
  for (const [name, rank] of Object.entries(ranks)) scores[name] = await score(set[side], rank);
  return { what, skills: skills.length, cases: set[side].length, scores };
}

/**
 * The right skill among thousands, for requests in the words of the skills' own authors. `--from` names directories of
 * public collections; the word `tuning` shows the half that weights were chosen on, otherwise the other half is shown.
 * A number among the words cuts to that many skills and 300 requests; `model` adds the vectors of a server, which takes minutes.
 * `fresh` reports on all requests of collections that no weight was ever chosen on: what stands in the collections given as
 * `--from known=DIR` is left out.
 */
export default async function lab({ from, words }: BenchOptions): Promise<void> {
  const known = from.filter((root) => root.startsWith('known=')).map((root) => root.slice('known='.length));
  const documents = await readCollections(
    from.filter((root) => !root.startsWith('known=')),
    known,
  );
  if (documents.length === 0) throw new Error('Give --from with a directory of public skills.');
  const side = words.includes('tuning') ? 'tuning' : 'held';
  const cut = requestsFromTriggers(documents);
  const sets: Array<[string, CaseSet]> = [
    [
      'example requests in bodies',
      split(
        documents.map(({ skill }) => skill),
        requestsFromBodies(documents),
      ),
    ],
    ['held-out "use when" clauses', split(cut.skills, cut.cases)],
  ];
  const count = Number(words.find((word) => /^\d+$/.test(word)) ?? 0);
  const model = words.includes('model') ? createModelEmbedder() : undefined;
  for (const [what, whole] of sets) {
    if (words.includes('fresh')) whole.held = [...whole.tuning, ...whole.held];
    const set = count > 0 ? cutTo(whole, count, 300) : whole;
    const report = await measureChoice(what, set, side, model);
    console.log(`${report.what}: ${report.cases} requests (${side}) over ${report.skills} skills`);
    for (const [name, { first, five, reciprocal, each }] of Object.entries(report.scores)) {
      const [low, high] = interval(each, report.scores.bm25!.each);
      console.log(
        `  ${name.padEnd(12)} recall@1 ${first.toFixed(3)}  recall@5 ${five.toFixed(3)}  MRR@10 ${reciprocal.toFixed(3)}  above BM25 by [${low.toFixed(3)}, ${high.toFixed(3)}]`,
      );
    }
  }
  await model?.release();
}
