import type { Clock } from '../base/clock.ts';
import { once } from '../base/once.ts';
import type { Memory } from '../engines/memory/index.ts';
import type { NeighbourhoodEngine } from '../engines/neighbourhood/index.ts';
import type { Viewer } from '../stores/chronicle/index.ts';
import type { CodeStore } from '../stores/code/index.ts';
import type { History } from '../stores/history/index.ts';
import type { References } from '../stores/references/index.ts';
import type { KnowledgeAccessors } from './knowledge.ts';
import type { WorkAccessors } from './work.ts';

export interface MapAccessors {
  /** What anything has to do with anything else, over all stores. */
  neighbourhood(): Promise<NeighbourhoodEngine<Viewer>>;
}

export function mapAccessors(
  parts: WorkAccessors &
    Pick<KnowledgeAccessors, 'knowledge'> & {
      clock: Clock;
      code: () => Promise<CodeStore>;
      history: () => Promise<History>;
      memory: () => Promise<Memory>;
      references: () => Promise<References>;
    },
): MapAccessors {
  const { code, history, memory, references, work, areas, workAreas, knowledge } = parts;
  const neighbourhood = once(async () => {
    const [{ createNeighbourhood }, known, written] = await Promise.all([
      import('../engines/neighbourhood/index.ts'),
      import('./neighbour-sources.ts'),
      import('./neighbour-sources-knowledge.ts'),
    ]);
    const files = async () => (await code()).files().map((file) => file.path);
    return createNeighbourhood([
      known.fileSource({ code, history }),
      known.symbolSource(code),
      known.commitSource(history),
      written.areaSource({ areas, workAreas, files }),
      written.entrySource(memory, parts.clock),
      written.taskSource(work),
      written.topicSource(references),
      written.graphSource(knowledge),
    ]);
  });
  return { neighbourhood };
}
