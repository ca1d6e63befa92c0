import type { Clock } from './base/clock.ts';
import type { Library } from './base/library/index.ts';
import { once } from './base/once.ts';
import type { Knowledge } from './engines/knowledge/index.ts';
import type { Memory } from './engines/memory/index.ts';
import type { OpenedRecall } from './engines/recall/index.ts';
import type { CodeStore } from './stores/code/index.ts';
import type { Graph } from './stores/graph/index.ts';
import type { History } from './stores/history/index.ts';
import type { References } from './stores/references/index.ts';
import type { Work } from './stores/work/index.ts';

export interface KnowledgeAccessors {
  /** Links between things of any store, their sources, verifications and conflicts. */
  graph(): Promise<Graph>;
  /** What joins links with the stores behind them. */
  knowledge(): Promise<Knowledge>;
}

export function knowledgeAccessors(parts: {
  library: () => Promise<Library>;
  clock: Clock;
  memory: () => Promise<Memory>;
  code: () => Promise<CodeStore>;
  history: () => Promise<History>;
  references: () => Promise<References>;
  work: () => Promise<Work>;
  recall: () => Promise<OpenedRecall>;
}): KnowledgeAccessors {
  const { library, clock, memory, code, history, references, work, recall } = parts;
  const graph = once(async () => {
    const { openGraph } = await import('./stores/graph/index.ts');
    return openGraph({ library: await library(), clock });
  });
  const knowledge = once(async () => {
    const { createKnowledge } = await import('./engines/knowledge/index.ts');
    const { chronicle } = await memory();
    return createKnowledge({
      ...{
        library: await library(),
        graph: await graph(),
        chronicle,
        clock,
        code,
        history,
        references,
        work,
      },
      searchCode: async (question, { limit, path }) => {
        const { searchAll } = await import('./engines/recall/index.ts');
        const opened = await recall();
        await opened.ready({ waitMs: 5000, domains: ['code'] });
        const options = {
          domains: ['code' as const],
          limitPerDomain: limit,
          maxTokens: 20_000,
          ...(path ? { path } : {}),
        };
        const { results } = await searchAll(opened, question, options);
        return results
          .flatMap(({ results: found }) => found)
          .map(({ ref, path: at, score }) => ({ ref, path: at ?? ref.replace(/^file:/, ''), score }));
      },
      forgotten: async (refs) => {
        // Words and vectors of what was shared stand in the index, too.
        const entries = refs
          .filter((ref) => ref.startsWith('entry:'))
          .map((ref) => ref.slice('entry:'.length));
        if (entries.length > 0) (await recall()).erase('chronicle', entries);
      },
    });
  });
  return { graph, knowledge };
}
