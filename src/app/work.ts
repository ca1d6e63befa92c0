import type { Clock } from '../base/clock.ts';
import type { Git, Repository } from '../base/git/index.ts';
import type { Library } from '../base/library/index.ts';
import { once } from '../base/once.ts';
import type { Sqlite } from '../base/sqlite/index.ts';
import type { Config } from '../config.ts';
import type { OpenedRecall } from '../engines/recall/index.ts';
import type { WorkAreas } from '../engines/work-areas/index.ts';
import type { Areas } from '../stores/areas/index.ts';
import type { History } from '../stores/history/index.ts';
import type { Work } from '../stores/work/index.ts';

export interface WorkAccessors {
  /** Projects, features, tasks. */
  work(): Promise<Work>;
  /** Molecules, atoms, changelog. */
  areas(): Promise<Areas>;
  /** What work and areas do together. */
  workAreas(): Promise<WorkAreas>;
}

export function workAccessors(parts: {
  library: () => Promise<Library>;
  index: () => Sqlite;
  clock: Clock;
  config: Config['work'];
  git: Git;
  repository: Repository;
  history: () => Promise<History>;
  recall: () => Promise<OpenedRecall>;
}): WorkAccessors {
  const { library, clock, config } = parts;
  const work = once(async () => {
    const { openWork } = await import('../stores/work/index.ts');
    return openWork({
      library: await library(),
      clock,
      pipelines: config.pipelines,
      index: parts.index,
    });
  });
  const areas = once(async () => {
    const { openAreas } = await import('../stores/areas/index.ts');
    const containers = await work();
    return openAreas({
      library: await library(),
      clock,
      index: parts.index,
      around: {
        projectExists: async (id) => (await containers.findContainer(id, 'project')) !== undefined,
        taskExists: async (id) => (await containers.findContainer(id, 'task')) !== undefined,
      },
    });
  });
  const workAreas = once(async () => {
    const { createWorkAreas } = await import('../engines/work-areas/index.ts');
    return createWorkAreas({
      ...parts,
      library: await library(),
      work: await work(),
      areas: await areas(),
      defaultProject: config.default_project,
    });
  });
  return { work, areas, workAreas };
}
