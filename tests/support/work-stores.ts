import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { fixedClock } from '../../src/base/clock.ts';
import { openLibrary } from '../../src/base/library/index.ts';
import { openAreas } from '../../src/stores/areas/index.ts';
import { openWork, type Workflows } from '../../src/stores/work/index.ts';
import { temporaryDirectory } from './temporary.ts';

export const usualWorkflows: Workflows = {
  feature: ['NEW', 'ACTIVE', 'CLOSED'],
  task: ['NEW', 'ACTIVE', 'CLOSED'],
};

export const person = { actor: 'ada', person: true };
export const agent = { actor: 'agent-1' };

/** Both stores on one fresh library, introduced to each other as the app does it. */
export function openStores(options: { path?: string; pipelines?: Workflows } = {}) {
  const path = options.path ?? join(temporaryDirectory('work'), 'sylk.db');
  const library = openLibrary({ url: path });
  onTestFinished(() => library.close());
  const clock = fixedClock();
  const work = openWork({ library, clock, pipelines: options.pipelines ?? usualWorkflows });
  const areas = openAreas({
    library,
    clock,
    around: {
      projectExists: async (id) => (await work.findContainer(id, 'project')) !== undefined,
      taskExists: async (id) => (await work.findContainer(id, 'task')) !== undefined,
    },
  });
  const project = (name = 'Shop') =>
    work.createContainer(person, { kind: 'project', name, summary: `About ${name}.` });
  const task = (title: string, more: Record<string, unknown> = {}) =>
    work.createContainer(person, {
      kind: 'task',
      name: title,
      summary: `About ${title}.`,
      priority: 'MEDIUM',
      complexity: 5,
      ...more,
    });
  const feature = (name: string, more: Record<string, unknown> = {}) =>
    work.createContainer(person, {
      kind: 'feature',
      name,
      summary: `About ${name}.`,
      priority: 'MEDIUM',
      ...more,
    });
  return { path, library, clock, work, areas, project, task, feature };
}
