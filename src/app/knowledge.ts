import type { Clock } from '../base/clock.ts';
import type { Library } from '../base/library/index.ts';
import { once } from '../base/once.ts';
import type { Knowledge } from '../engines/knowledge/index.ts';
import type { IntentCaches } from '../engines/recall/index.ts';
import type { Graph } from '../stores/graph/index.ts';
import type { Work } from '../stores/work/index.ts';
import { type CacheParts, intentCachesOf } from './caches.ts';
import { type TrustAccessors, type TrustParts, trustAccessors } from './trust.ts';

export interface KnowledgeAccessors extends TrustAccessors {
  /** Links between things of any store, their sources, verifications and conflicts. */
  graph(): Promise<Graph>;
  /** What joins links with the stores behind them. */
  knowledge(): Promise<Knowledge>;
  /** Answers that were given before, as long as what they rest on is the same. */
  intentCaches(): Promise<IntentCaches>;
}

export type KnowledgeParts = Omit<TrustParts, 'graph' | 'intentCaches'> &
  Omit<CacheParts, 'graph'> & {
    library: () => Promise<Library>;
    clock: Clock;
    work: () => Promise<Work>;
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
    const { openKnowledge } = await import('./open-knowledge.ts');
    return openKnowledge({ ...parts, graph, forgetAnswers });
  });
  return {
    graph,
    knowledge,
    intentCaches,
    ...trustAccessors({ ...parts, graph, intentCaches }),
    tellCaches,
  };
}
