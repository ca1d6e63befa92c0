// Owns: walking from one thing to what it has to do with, over every store that offers links; the map of all files.
// Knows: refs. What a store offers comes as an argument.
// Must not know: any store, other engines, who asks.
import { SylkError } from '../../base/errors.ts';
import { type AroundRequest, around, type Neighbourhood, type NeighbourSource } from './around.ts';
import { kindOf, nodeKinds } from './node.ts';

export type { Neighbourhood, NeighbourSource } from './around.ts';
export {
  kindOf,
  type LinkRecord,
  linkRecord,
  type NodeRecord,
  nodeKinds,
  nodeRecord,
} from './node.ts';

export interface NeighbourhoodEngine<Asker> {
  around(request: AroundRequest<Asker>): Promise<Neighbourhood>;
}

export function createNeighbourhood<Asker>(
  sources: ReadonlyArray<NeighbourSource<Asker>>,
): NeighbourhoodEngine<Asker> {
  const known = nodeKinds.filter((kind) => sources.some((source) => source.kinds.includes(kind)));
  return {
    around: async (request) => {
      if (!kindOf(request.ref))
        throw new SylkError('VALIDATION_ERROR', `Not a ref: ${JSON.stringify(request.ref.slice(0, 200))}.`, {
          hint: 'Give a path, or a ref such as file:src/a.ts, symbol:src/a.ts#login, entry:…, task:….',
        });
      return around(sources, request, known);
    },
  };
}
