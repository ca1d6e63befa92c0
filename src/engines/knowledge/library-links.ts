import { fileRef, refOf } from '../../base/ref.ts';
import type { KnowledgeContext } from './context.ts';

/** Imports of a package that a reference topic documents, as links from the file to the topic. */
export function createLibraryLinks({ graph, code, references }: KnowledgeContext) {
  const type = 'uses_library' as const;
  /** Files that import each documented package now. */
  const current = async (): Promise<Map<string, Set<string>>> => {
    const topics = (await (await references()).list()).filter(({ library }) => library);
    const wanted = new Map<string, Set<string>>();
    if (topics.length === 0) return wanted;
    const { outside } = (await code()).imports();
    for (const { topic_id, library } of topics)
      wanted.set(
        refOf('topic', topic_id),
        new Set((outside.get(library!) ?? []).map((path) => fileRef(path))),
      );
    return wanted;
  };
  return {
    /** Adds the current links and removes outdated ones. Manual links stay. */
    follow: async (): Promise<{ linked: number; unlinked: number }> => {
      let unlinked = 0;
      const edges = [];
      for (const [topic, files] of await current()) {
        const known = await graph.edgesOf(topic, { direction: 'in', types: [type] });
        for (const { source, by } of known)
          if (by === 'sylk' && !files.has(source) && (await graph.unlink({ source, target: topic, type })))
            unlinked++;
        const there = new Set(known.map(({ source }) => source));
        for (const source of files)
          if (!there.has(source)) edges.push({ source, target: topic, type, weight: 1, by: 'sylk' });
      }
      const { items } = await graph.linkAll(edges);
      return { linked: items.length, unlinked };
    },
  };
}
