import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { Git, Repository } from '../base/git/index.ts';
import type { Library } from '../base/library/index.ts';
import { once } from '../base/once.ts';
import type { Sqlite } from '../base/sqlite/index.ts';
import type { Config } from '../config.ts';
import type { OpenedRecall } from '../engines/recall/index.ts';
import type { LikeIt, WorkAreas } from '../engines/work-areas/index.ts';
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
  const { library, clock, config, git, repository } = parts;
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
    const { createWorkAreas, gitHistory, storedHistory } = await import('../engines/work-areas/index.ts');
    return createWorkAreas({
      library: await library(),
      work: await work(),
      areas: await areas(),
      history: storedHistory(parts.history, gitHistory(git, repository.gitDirectory)),
      likeIt: likeIt(parts.recall),
      defaultProject: config.default_project,
      root: repository.mainRoot,
      knowledgeDirectory: join(repository.sharedDirectory, 'knowledge'),
    });
  });
  return { work, areas, workAreas };
}

const patience = 2000;

/** Work and areas by meaning, from recall's passages. Where recall cannot answer, words alone do. */
const likeIt =
  (recall: () => Promise<OpenedRecall>): LikeIt =>
  async (text, limit) => {
    try {
      const opened = await recall();
      await opened.ready({ waitMs: patience, domains: ['work', 'areas'] });
      const asked = await opened.question(text);
      const found = [];
      for (const domain of ['work', 'areas'] as const)
        found.push(...(await opened.searchDomain({ domain, ...asked, limit })).cards);
      return found
        .map(({ ref, relevance }) => ({ ref, likeness: relevance }))
        .sort((left, right) => right.likeness - left.likeness);
    } catch {
      return [];
    }
  };
