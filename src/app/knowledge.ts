import type { Clock } from '../base/clock.ts';
import type { Git } from '../base/git/index.ts';
import type { Library } from '../base/library/index.ts';
import type { Log } from '../base/log.ts';
import { once } from '../base/once.ts';
import type { Claims } from '../engines/claims/index.ts';
import type { Knowledge } from '../engines/knowledge/index.ts';
import type { OpenedRecall } from '../engines/recall/index.ts';
import type { Answers } from '../stores/answers/index.ts';
import type { Chronicle } from '../stores/chronicle/index.ts';
import type { CodeStore } from '../stores/code/index.ts';
import type { Conventions } from '../stores/conventions/index.ts';
import type { Graph } from '../stores/graph/index.ts';
import type { History } from '../stores/history/index.ts';
import type { References } from '../stores/references/index.ts';
import type { Sessions } from '../stores/sessions/index.ts';
import type { Work } from '../stores/work/index.ts';

export interface KnowledgeAccessors {
  /** Links between things of any store, their sources, verifications and conflicts. */
  graph(): Promise<Graph>;
  /** Whether the code confirms what a text says. */
  claims(): Promise<Claims>;
  /** What joins links with the stores behind them. */
  knowledge(): Promise<Knowledge>;
}

export function knowledgeAccessors(context: {
  clock: Clock;
  log: Log;
  git: Git;
  library: () => Promise<Library>;
  work: () => Promise<Work>;
  chronicle: () => Promise<Chronicle>;
  sessions: () => Promise<Sessions>;
  code: () => Promise<CodeStore>;
  conventions: () => Promise<Conventions>;
  recall: () => Promise<OpenedRecall>;
  history: () => Promise<History>;
  references: () => Promise<References>;
  cachedAnswers: () => Promise<Answers>;
}): KnowledgeAccessors {
  const { library, clock } = context;
  const graph = once(async () => {
    const { openGraph } = await import('../stores/graph/index.ts');
    return openGraph({ library: await library(), clock });
  });
  return {
    graph,
    claims: once(async () => {
      const { createClaims } = await import('../engines/claims/index.ts');
      return createClaims({ ...context, graph, chronicle: await context.chronicle() });
    }),
    knowledge: once(async () => {
      const { createKnowledge } = await import('../engines/knowledge/index.ts');
      return createKnowledge({
        ...context,
        library: await library(),
        graph: await graph(),
        chronicle: await context.chronicle(),
      });
    }),
  };
}
