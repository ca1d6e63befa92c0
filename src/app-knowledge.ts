import type { Clock } from './base/clock.ts';
import type { Library } from './base/library/index.ts';
import { once } from './base/once.ts';
import type { Graph } from './stores/graph/index.ts';

export interface KnowledgeAccessors {
  /** Links between things of any store, their sources, verifications and conflicts. */
  graph(): Promise<Graph>;
}

export function knowledgeAccessors(parts: {
  library: () => Promise<Library>;
  clock: Clock;
}): KnowledgeAccessors {
  const { library, clock } = parts;
  const graph = once(async () => {
    const { openGraph } = await import('./stores/graph/index.ts');
    return openGraph({ library: await library(), clock });
  });
  return { graph };
}
