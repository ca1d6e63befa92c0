import { searchWords } from '../../base/text/index.ts';
import type { AreaHit, Areas } from '../../stores/areas/index.ts';
import type { Work, WorkHit } from '../../stores/work/index.ts';
import type { OpenedRecall } from '../recall/index.ts';

export interface KnowledgeQuestion {
  query: string;
  kinds?: string[] | undefined;
  projectId?: string | undefined;
  limit: number;
}

const snippetLength = 240;
const patienceMs = 2000;
/** Similarity below this is noise. */
const leastLikeness = 0.35;
/** Damping of ranks in the fusion: a small number favors the first ranks. */
const placeWorth = 10;

type Hit = WorkHit | AreaHit;

/**
 * Work and areas in one list, by words and by meaning. Fuses ranks instead of scores, because the two are measured
 * differently: high ranks in both lists win.
 */
export async function searchKnowledge(
  stores: { work: Work; areas: Areas; recall: () => Promise<OpenedRecall> },
  request: KnowledgeQuestion,
) {
  const wide = Math.min(500, request.limit * 5);
  const asked = { query: request.query, projectId: request.projectId, limit: wide };
  const byWords = [...(await stores.work.searchText(asked)), ...(await stores.areas.searchAreaText(asked))];
  byWords.sort((a, b) => b.score - a.score || (a.ref < b.ref ? -1 : 1));
  const byMeaning = await refsByMeaning(stores.recall, request.query, wide);
  const found = new Map<string, Hit>(byWords.map((hit) => [hit.ref, hit]));
  const missing = byMeaning.filter((ref) => !found.has(ref));
  for (const hit of [...(await stores.work.textsOf(missing)), ...(await stores.areas.textsOf(missing))])
    if (request.projectId === undefined || hit.projectId === request.projectId) found.set(hit.ref, hit);
  const worth = new Map<string, number>();
  for (const list of [byWords.map(({ ref }) => ref), byMeaning])
    for (const [place, ref] of list.entries())
      worth.set(ref, (worth.get(ref) ?? 0) + placeWorth / (placeWorth + place));
  const worthOf = ({ ref }: Hit): number => worth.get(ref) ?? 0;
  const kinds = request.kinds?.map((kind) => kind.toLowerCase());
  return [...found.values()]
    .filter((hit) => !kinds?.length || kinds.includes(hit.kind))
    .sort((a, b) => worthOf(b) - worthOf(a) || (a.ref < b.ref ? -1 : 1))
    .slice(0, request.limit)
    .map((hit) => ({
      ref: hit.ref,
      kind: hit.kind,
      id: hit.id,
      title: hit.title,
      snippet: snippetOf(hit.text, request.query),
      parent: 'parent' in hit && hit.parent ? hit.parent : undefined,
      score: Math.round(worthOf(hit) * 1000) / 1000,
    }));
}

/** Refs of work and areas with similar passages, best first. Word search alone does without recall. */
async function refsByMeaning(
  recall: () => Promise<OpenedRecall>,
  text: string,
  limit: number,
): Promise<string[]> {
  try {
    const opened = await recall();
    await opened.ready({ waitMs: patienceMs, domains: ['work', 'areas'] });
    const question = await opened.question(text);
    const cards = [];
    for (const domain of ['work', 'areas'] as const)
      cards.push(...(await opened.searchDomain({ domain, ...question, limit })).cards);
    return cards
      .filter(({ relevance }) => relevance >= leastLikeness)
      .sort((left, right) => right.relevance - left.relevance)
      .map(({ ref }) => ref);
  } catch {
    return [];
  }
}

/** The line with the most query words. */
function snippetOf(text: string, query: string): string {
  const wanted = new Set(searchWords(query));
  let best = '';
  let most = -1;
  for (const line of text.split('\n').slice(0, 400)) {
    const found = new Set(searchWords(line).filter((word) => wanted.has(word))).size;
    if (found > most && line.trim() !== '') [best, most] = [line.trim(), found];
  }
  return best.length > snippetLength ? `${best.slice(0, snippetLength)}…` : best;
}
