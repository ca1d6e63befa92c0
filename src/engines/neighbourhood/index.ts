// Owns: the walk from one thing to everything related to it, over all stores.
// Knows: stores, recall's trust table, knowledge, memory, work-areas.
// Must not know: surfaces, operations.

import type { NeighbourhoodContext } from './around.ts';
import { type AroundRequest, around, type Neighbourhood } from './around.ts';
import { commitSource, fileSource, symbolSource } from './code-sources.ts';
import { areaSource, entrySource, graphSource, taskSource, topicSource } from './knowledge-sources.ts';

export { kindOf, linkRecord, nodeKinds, nodeRecord } from './node.ts';

export function createNeighbourhood(context: NeighbourhoodContext) {
  const sources = [
    fileSource(context),
    symbolSource(context),
    commitSource(context),
    areaSource(context),
    entrySource(context),
    taskSource(context),
    topicSource(context),
    graphSource(context),
  ];
  return { around: (request: AroundRequest): Promise<Neighbourhood> => around(sources, request) };
}

export type NeighbourhoodEngine = ReturnType<typeof createNeighbourhood>;
