import type { Clock } from '../base/clock.ts';
import type { Library } from '../base/library/index.ts';
import { once } from '../base/once.ts';
import type { Claims } from '../engines/claims/index.ts';
import type { Knowledge } from '../engines/knowledge/index.ts';
import type { IntentCaches } from '../engines/recall/index.ts';
import type { Chronicle } from '../stores/chronicle/index.ts';
import type { CodeStore } from '../stores/code/index.ts';
import type { Conventions } from '../stores/conventions/index.ts';
import type { Graph } from '../stores/graph/index.ts';
import type { Sessions } from '../stores/sessions/index.ts';
import type { Work } from '../stores/work/index.ts';
import { type CacheParts, intentCachesOf } from './caches.ts';
import { type TrustAccessors, type TrustParts, trustAccessors } from './trust.ts';

export interface KnowledgeAccessors extends TrustAccessors {
  /** Links between things of any store, their sources, verifications and conflicts. */
  graph(): Promise<Graph>;
  /** Whether the code confirms what a text says. */
  claims(): Promise<Claims>;
  /** What joins links with the stores behind them. */
  knowledge(): Promise<Knowledge>;
  /** Answers that were given before, as long as what they rest on is the same. */
  intentCaches(): Promise<IntentCaches>;
}

export type KnowledgeParts = Omit<TrustParts, 'graph' | 'intentCaches' | 'claims'> &
  Omit<CacheParts, 'graph'> & {
    library: () => Promise<Library>;
    clock: Clock;
    work: () => Promise<Work>;
    chronicle: () => Promise<Chronicle>;
    sessions: () => Promise<Sessions>;
    code: () => Promise<CodeStore>;
    conventions: () => Promise<Conventions>;
  };

export function knowledgeAccessors(
  parts: KnowledgeParts,
): KnowledgeAccessors & { tellCaches(changed: string[]): void } {
  const { library, clock } = parts;
  const graph = once(async () => {
    const { openGraph } = await import('../stores/graph/index.ts');
    return openGraph({ library: await library(), clock });
  });
  const { intentCaches, tellCaches } = intentCachesOf({ ...parts, graph });
  const forgetAnswers = async () => {
    (await intentCaches()).clear();
  };
  const knowledge = once(async () => {
    const { createKnowledge } = await import('../engines/knowledge/index.ts');
    return createKnowledge({
      ...parts,
      library: await library(),
      graph: await graph(),
      chronicle: await parts.chronicle(),
      forgetAnswers,
    });
  });
  const claims = once(async () => {
    const { createClaims } = await import('../engines/claims/index.ts');
    return createClaims({ ...parts, graph, chronicle: await parts.chronicle() });
  });
  return {
    graph,
    claims,
    knowledge,
    intentCaches,
    ...trustAccessors({ ...parts, claims, graph, intentCaches }),
    tellCaches,
  };
}
