import { isRefOf, refOf } from '../../base/ref.ts';
import type { Viewer } from '../../stores/chronicle/index.ts';
import { entryId, type KnowledgeContext } from './context.ts';

/** Kinds that belong to one session; nobody else is told that they exist. */
const ofOneSession = /^(?:mistake|checkpoint|answer):/;

/** Which refs a looker must not see. An entry that is gone is hidden like one that belongs to somebody else. */
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
