import type { Clock } from '../../base/clock.ts';
import type { Library } from '../../base/library/index.ts';
import { isRefOf, refOf } from '../../base/ref.ts';
import type { Answers } from '../../stores/answers/index.ts';
import type { Chronicle, Viewer } from '../../stores/chronicle/index.ts';
import type { CodeStore } from '../../stores/code/index.ts';
import type { Graph, GraphViewer } from '../../stores/graph/index.ts';
import type { History } from '../../stores/history/index.ts';
import type { References } from '../../stores/references/index.ts';
import type { Sessions } from '../../stores/sessions/index.ts';
import type { Work } from '../../stores/work/index.ts';
import { type OpenedRecall, searchAll } from '../recall/index.ts';

/** Stores are opened on demand: most questions need two of them. */
export interface KnowledgeContext {
  library: Library;
  graph: Graph;
  chronicle: Chronicle;
  clock: Clock;
  code: () => Promise<CodeStore>;
  history: () => Promise<History>;
  references: () => Promise<References>;
  sessions: () => Promise<Sessions>;
  work: () => Promise<Work>;
  recall: () => Promise<OpenedRecall>;
  /** Cached answers may repeat forgotten text. */
  cachedAnswers: () => Promise<Answers>;
}

export const graphViewer = (viewer: Viewer): GraphViewer => ({
  session: viewer.session_id,
  sees_all: viewer.sees_all,
});

export const entryId = (ref: string): string => ref.replace(/^entry:/, '');

/** Files about something, best match first. */
export async function searchCode(
  { recall }: KnowledgeContext,
  question: string,
  { limit, path }: { limit: number; path?: string | undefined },
): Promise<Array<{ ref: string; path: string; score: number }>> {
  const opened = await recall();
  await opened.ready({ waitMs: 5000, domains: ['code'] });
  const options = { domains: ['code' as const], limitPerDomain: limit, maxTokens: 20_000, path };
  const { results } = await searchAll(opened, question, options);
  return results
    .flatMap((domain) => domain.results)
    .map((card) => ({ ref: card.ref, path: card.path ?? card.ref.replace(/^file:/, ''), score: card.score }));
}

/** Kinds that belong to one session and are hidden from others. */
const ofOneSession = /^(?:mistake|checkpoint|answer):/;

/** Refs that a viewer must not see. A deleted entry is hidden like one of another session. */
export function createSeeing({ chronicle }: Pick<KnowledgeContext, 'chronicle'>) {
  const hidden = async (viewer: Viewer, refs: string[]): Promise<Set<string>> => {
    const entries = refs.filter((ref) => isRefOf(ref, 'entry'));
    const seen = await chronicle.standing.several(viewer, entries.map(entryId));
    const secret = new Set(entries.filter((ref) => !seen.has(entryId(ref))));
    if (viewer.sees_all) return secret;
    for (const ref of refs)
      if (ofOneSession.test(ref) || (isRefOf(ref, 'session') && ref !== refOf('session', viewer.session_id)))
        secret.add(ref);
    return secret;
  };
  return {
    hidden,
    visible: async (viewer: Viewer, refs: string[]): Promise<string[]> => {
      const secret = await hidden(viewer, refs);
      return refs.filter((ref) => !secret.has(ref));
    },
  };
}

export type Seeing = ReturnType<typeof createSeeing>;
