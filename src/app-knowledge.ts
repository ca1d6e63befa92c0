import { type CacheParts, intentCachesOf } from './app-caches.ts';
import { type TrustAccessors, type TrustParts, trustAccessors } from './app-trust.ts';
import type { Clock } from './base/clock.ts';
import type { Library } from './base/library/index.ts';
import { once } from './base/once.ts';
import type { IntentCaches } from './engines/recall/index.ts';
import type { Graph } from './stores/graph/index.ts';

export interface KnowledgeAccessors extends TrustAccessors {
  /** Links between things of any store, their sources, verifications and conflicts. */
  graph(): Promise<Graph>;
  /** Answers that were given before, as long as what they rest on is the same. */
  intentCaches(): Promise<IntentCaches>;
}

export type KnowledgeParts = Omit<TrustParts, 'graph' | 'intentCaches'> &
  Omit<CacheParts, 'graph'> & { library: () => Promise<Library>; clock: Clock };

export function knowledgeAccessors(
  parts: KnowledgeParts,
): KnowledgeAccessors & { tellCaches(changed: string[]): void } {
  const { library, clock } = parts;
  const graph = once(async () => {
    const { openGraph } = await import('./stores/graph/index.ts');
    return openGraph({ library: await library(), clock });
  });
  const { intentCaches, tellCaches } = intentCachesOf({ ...parts, graph });
  return {
    graph,
    intentCaches,
    ...trustAccessors({ ...parts, graph, intentCaches }),
    tellCaches,
  };
}
