import { z } from 'zod';
import { SylkError } from '../../base/errors.ts';
import { pageFrom, pagingInput } from '../../base/paging.ts';
import {
  type ContainerRecord,
  entityTypeOf,
  featureRecord,
  projectRecord,
  sectionRecord,
  type TaskRecord,
  taskRecord,
} from '../../stores/work/index.ts';
import { pathContextData } from '../areas/data.ts';
import { envelopeOperation } from '../envelope.ts';
import {
  containerId,
  containerType,
  flag,
  listWindow,
  looseId,
  optionalIds,
  priority,
  projectOf,
  stagedType,
  uuids,
  whole,
  words,
} from '../work-inputs.ts';
import { containerList, dependencyLink, taskCounts, workflowState } from './data.ts';
import { boardText, containerLine, recordText, treeText } from './text.ts';

const getWork = envelopeOperation({
  name: 'get_work',
  summary:
    'One project, feature or task by id, first digits, or name. Optionally with sections, children, dependencies, its state, area knowledge.',
  effect: 'read',
  input: z.object({
    id: looseId,
    type: containerType.optional(),
    sections: flag(false),
    include_content: flag(true).describe('with sections: include their text'),
    tags: words.optional().describe('with sections: only those with one of these tags'),
    section_ids: uuids.optional(),
    children: flag(false).describe('features and tasks in it'),
    limit: listWindow.limit,
    offset: listWindow.offset,
    dependencies: flag(false).describe('what it waits for, and what waits for it'),
    direction: z.enum(['dependencies', 'dependents', 'both']).optional().default('both'),
    state: flag(false).describe('current, next and previous state, blockers, position in its workflow'),
    context: flag(false).describe('for a task: area knowledge about its Context Files'),
  }),
  data: z.object({
    kind: z.enum(['project', 'feature', 'task']),
    project: projectRecord.optional(),
    feature: featureRecord.optional(),
    task: taskRecord.optional(),
    taskCounts: taskCounts.optional(),
    sections: z.array(sectionRecord).optional(),
    features: z.array(featureRecord).optional(),
    tasks: z.array(taskRecord).optional(),
    ...containerList,
    dependencies: z.array(dependencyLink).optional(),
    dependents: z.array(dependencyLink).optional(),
    state: workflowState.optional(),
    graphContext: pathContextData.optional(),
  }),
  examples: [
    { id: 'Add rate limiting', sections: true, context: true },
    { id: 'Add rate limiting', state: true, dependencies: true },
  ],
  command: { positionals: ['id'], rest: true },
  text: recordText,
  run: async (input, { app }) => {
    const store = await app.work();
    const id = await containerId(store, input.id, input.type);
    const kind = input.type ?? (await store.findContainer(id))?.kind;
    if (!kind) throw noContainer(id);
    const record = await store.getContainer(kind, id);
    const engine = await app.workAreas();
    const isStaged = kind !== 'project';
    const links = input.dependencies && isStaged ? await store.queryDependencies(kind, id) : undefined;
    const entityType = entityTypeOf[kind];
    const data = {
      kind,
      [kind]: record,
      taskCounts: kind === 'task' ? undefined : await store.taskCounts(kind, id),
      sections: input.sections
        ? await store.querySections({ ...input, entityType, entityId: id })
        : undefined,
      dependencies: input.direction === 'dependents' ? [] : links?.dependencies,
      dependents: input.direction === 'dependencies' ? [] : links?.dependents,
      state: input.state && isStaged ? await store.workflowState(kind, id) : undefined,
      graphContext:
        input.context && kind === 'task' ? await engine.taskContext(record as TaskRecord) : undefined,
    };
    const children = input.children && kind !== 'task' ? await engine.childrenOf(kind, id, input) : {};
    return { message: `${kind} ${id}`, data: { ...data, ...children } };
  },
});

const noContainer = (id: string): SylkError =>
  new SylkError('NOT_FOUND', `Unknown project, feature or task: ${id}`, {
    hint: 'Run `sylk work board` to list tasks.',
  });

const listWork = envelopeOperation({
  name: 'list_work',
  summary:
    'Projects, features or tasks that match filters. With blocked: those that wait for something, HIGH priority first, then the oldest.',
  effect: 'read',
  input: z.object({
    type: containerType.optional().default('task'),
    query: z.string().max(1000).optional().describe('words in name, summary or description'),
    status: words.optional().describe('comma-separated; !STATUS excludes'),
    priority: words.optional().describe('comma-separated; !PRIORITY excludes'),
    tags: words.optional().describe('comma-separated, all must match; !tag excludes'),
    project_id: looseId.optional(),
    feature_id: looseId.optional(),
    blocked: flag(false).describe('only features or tasks that wait for something'),
    ...listWindow,
    ...pagingInput,
  }),
  data: z.object(containerList),
  examples: [{ type: 'task', status: '!CLOSED' }, { blocked: true }],
  text: (data) => boardText((data.items ?? []) as ContainerRecord[]),
  run: async (input, { app }) => {
    const store = await app.work();
    const ids = await optionalIds(store, input);
    const { type: kind, limit } = input;
    const isBlocked = input.blocked && kind !== 'project';
    const { items, ...paging } = await pageFrom(input, async (offset) => {
      if (!isBlocked) return store.searchContainers({ ...input, ...ids, kind, limit, offset });
      const blocked = await store.blockedContainers(kind, ids);
      return { items: blocked.slice(offset), total: blocked.length };
    });
    return {
      message: `${paging.total} ${isBlocked ? 'blocked ' : ''}${kind}(s)`,
      data: { items, count: items.length, limit, ...paging },
    };
  },
});

const getNextTask = envelopeOperation({
  name: 'get_next_task',
  summary:
    'The next task to work on: new, not blocked, not claimed; HIGH priority first, then the simplest, then the oldest. Take it with claim_work.',
  effect: 'read',
  input: z.object({
    type: stagedType.optional().default('task').describe('task, or feature: active before new'),
    project_id: looseId.optional(),
    feature_id: looseId.optional(),
    priority: priority.optional(),
  }),
  data: z.object({ task: taskRecord.nullish(), feature: featureRecord.nullish() }),
  examples: [{}, { type: 'feature' }],
  text: ({ task, feature }) => {
    const record = task ?? feature;
    if (!record) return `No ${feature === null ? 'feature' : 'task'} is ready.`;
    return `${containerLine(record)}${task ? `\n${task.summary}` : ''}`;
  },
  run: async (input, { app }) => {
    const store = await app.work();
    const scope = { ...(await optionalIds(store, input)), priority: input.priority };
    const found = input.type === 'feature' ? await store.nextFeature(scope) : await store.nextTask(scope);
    const name = found && ('title' in found ? found.title : found.name);
    return {
      message: name ? `Next: ${name}` : `No ${input.type} is ready.`,
      data: { [input.type]: found ?? null },
    };
  },
});

const getWorkBoard = envelopeOperation({
  name: 'get_work_board',
  summary: 'Board: the number of tasks per state, and the first of each in work order.',
  effect: 'read',
  input: z.object({
    project_id: looseId.optional(),
    limit: whole.min(1).max(100).optional().default(10),
  }),
  data: z.object({
    columns: z.array(z.object({ status: z.string(), total: z.number(), tasks: z.array(taskRecord) })),
  }),
  examples: [{}],
  text: (data) =>
    data.columns
      .map(({ status, total, tasks }) =>
        [`${status} (${total})`, ...tasks.map((one) => `  ${containerLine(one)}`)].join('\n'),
      )
      .join('\n\n'),
  run: async (input, { app }) => {
    const { projectId } = await optionalIds(await app.work(), input);
    const columns = await (await app.workAreas()).board({ projectId, limit: input.limit });
    return {
      message: columns.map(({ status, total }) => `${status} ${total}`).join(', '),
      data: { columns },
    };
  },
});

const node = z.object({
  id: z.string(),
  kind: z.enum(['feature', 'task']),
  name: z.string(),
  status: z.string(),
  priority: z.string(),
  featureId: z.string().nullable(),
  blocked: z.boolean(),
  claimedBy: z.string().nullable(),
});

const getWorkGraph = envelopeOperation({
  name: 'get_work_graph',
  summary: 'A project as a graph of its features and tasks: hierarchy, dependencies and who works on what.',
  effect: 'read',
  input: z.object({ project_id: looseId.optional() }),
  data: z.object({
    project: z.string(),
    nodes: z.array(node),
    edges: z.array(z.object({ from: z.string(), to: z.string(), type: z.enum(['BLOCKS', 'RELATES_TO']) })),
    total: z.number(),
  }),
  examples: [{}],
  command: { positionals: ['project_id'] },
  text: treeText,
  run: async (input, { app }) => {
    const graph = await (await app.workAreas()).graph(await projectOf(app, input.projectId));
    const { nodes, edges } = graph;
    return {
      message: `${nodes.length} item(s), ${edges.length} link(s)`,
      data: { ...graph, total: nodes.length },
    };
  },
});

const tagUse = z.object({ entityId: z.string(), entityType: z.string(), name: z.string() });

const listWorkTags = envelopeOperation({
  name: 'list_work_tags',
  summary: 'Tags of projects, features and tasks, most used first; with tag, where it is used.',
  effect: 'read',
  input: z.object({ type: containerType.optional(), tag: z.string().optional() }),
  data: z.object({
    tags: z.array(z.object({ tag: z.string(), count: z.number() })).optional(),
    entities: z.array(tagUse).optional(),
    count: z.number(),
  }),
  examples: [{}, { tag: 'api' }],
  command: { positionals: ['tag'] },
  text: ({ tags = [], entities = [] }) =>
    [
      ...tags.map(({ tag, count }) => `${String(count).padStart(5)}  ${tag}`),
      ...entities.map((use) => `${use.entityType}  ${use.entityId.slice(0, 8)}  ${use.name}`),
    ].join('\n') || 'not used',
  run: async ({ tag, type }, { app }) => {
    const store = await app.work();
    const entities = tag === undefined ? undefined : await store.tagUsage(tag);
    const tags = tag === undefined ? await store.listTags(type) : undefined;
    const count = (entities ?? tags ?? []).length;
    return { message: `${count} ${entities ? 'use' : 'tag'}(s)`, data: { tags, entities, count } };
  },
});

export const operations = [getWork, listWork, getNextTask, getWorkBoard, getWorkGraph, listWorkTags];
