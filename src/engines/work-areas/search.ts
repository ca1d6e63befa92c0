import { searchWords } from '../../base/text/index.ts';
import type { Areas } from '../../stores/areas/index.ts';
import type { Work } from '../../stores/work/index.ts';

export interface KnowledgeHit {
  ref: string;
  kind: string;
  id: string;
  title: string;
  snippet: string;
  parent?: string;
  score: number;
}

const snippetLength = 240;

/** Work and areas in one list. Scores of one question are comparable: both sides weigh the same words alike. */
export async function searchKnowledge(
  stores: { work: Work; areas: Areas },
  request: { query: string; kinds?: string[] | undefined; projectId?: string | undefined; limit: number },
): Promise<KnowledgeHit[]> {
  const wide = {
    query: request.query,
    projectId: request.projectId,
    limit: Math.min(500, request.limit * 5),
  };
  const hits = [...(await stores.work.searchText(wide)), ...(await stores.areas.searchAreaText(wide))];
  const kinds = request.kinds?.map((kind) => kind.toLowerCase());
  return hits
    .filter((hit) => !kinds?.length || kinds.includes(hit.kind))
    .sort((a, b) => b.score - a.score || (a.ref < b.ref ? -1 : 1))
    .slice(0, request.limit)
    .map((hit) => ({
      ref: hit.ref,
      kind: hit.kind,
      id: hit.id,
      title: hit.title,
      snippet: snippetOf(hit.text, request.query),
      ...('parent' in hit && hit.parent ? { parent: hit.parent } : {}),
      score: Math.round(hit.score * 1000) / 1000,
    }));
}

/** The line with most of the words asked for. */
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
