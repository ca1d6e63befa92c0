import { z } from 'zod';
import { SylkError } from '../../base/errors.ts';
import { offsetOf, page, pagingInput } from '../../base/paging.ts';
import {
  type ContainerRecord,
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
  optionalId,
  priority,
  required,
  uuid,
  uuids,
  whole,
  words,
} from '../work-inputs.ts';
import { anyContainer, containerList, dependentData } from './data.ts';
import { boardText, containerLine, recordText } from './text.ts';

const work = envelopeOperation('work');

const taskCounts = z.object({
  total: z.number(),
  byStatus: z.record(z.string(), z.number()),
  blocked: z.number(),
  claimed: z.number(),
});

const queryContainer = work({
  name: 'query_container',
  summary:
    'Read projects, features and tasks: get one by id, search with filters, or overview (a container with its children).',
  effect: 'read',
  input: z.object({
    operation: z.enum(['get', 'search', 'overview']),
    containerType,
    id: looseId.optional(),
    query: z.string().max(1000).optional().describe('words in name, summary or description'),
    status: words.optional().describe('comma list; !STATUS excludes'),
    priority: words.optional().describe('comma list; !PRIORITY excludes'),
    tags: words.optional().describe('comma list, all must be there; !tag excludes'),
    projectId: looseId.optional(),
    featureId: looseId.optional(),
    ...listWindow,
    ...pagingInput,
    includeSections: flag(false),
    includeGraphContext: flag(false).describe('tasks, get only: area knowledge for its Context Files'),
  }),
  data: z.object({
    project: projectRecord.optional(),
    feature: featureRecord.optional(),
    task: taskRecord.optional(),
    sections: z.array(sectionRecord).optional(),
    taskCounts: taskCounts.optional(),
    graphContext: pathContextData.optional(),
    features: z.array(featureRecord).optional(),
    tasks: z.array(taskRecord).optional(),
    ...containerList,
  }),
  examples: [{ operation: 'search', containerType: 'task', status: '!CLOSED' }],
  text: (data) => (data.items ? boardText(data.items as ContainerRecord[]) : recordText(data)),
  run: async (input, { app }) => {
    const store = await app.work();
    if (input.operation === 'get' || (input.operation === 'overview' && input.id !== undefined)) {
      const kind = input.containerType;
      const id = await containerId(store, required(input.id, 'id', input.operation), kind);
      const record = await store.getContainer(kind, id);
      const children =
        input.operation === 'overview' && kind !== 'task'
          ? await (await app.workAreas()).childrenOf(kind, id, { limit: input.limit, offset: input.offset })
          : {};
      const sections = input.includeSections
        ? await store.querySections({
            entityType: kind.toUpperCase() as 'TASK',
            entityId: id,
            includeContent: true,
          })
        : undefined;
      const graphContext =
        input.includeGraphContext && kind === 'task' && input.operation === 'get'
          ? await (await app.workAreas()).taskContext(record as TaskRecord)
          : undefined;
      return {
        message: `${kind} ${id}`,
        data: {
          [kind]: record,
          ...children,
          ...(sections ? { sections } : {}),
          ...(kind === 'task' ? {} : { taskCounts: await store.taskCounts(kind, id) }),
          ...(graphContext ? { graphContext } : {}),
        },
      };
    }
    const { cursor, max_tokens, offset, limit, ...question } = input;
    const search = {
      kind: input.containerType,
      query: input.query,
      status: input.status,
      priority: input.priority,
      tags: input.tags,
      projectId: await optionalId(store, input.projectId, 'project'),
      featureId: await optionalId(store, input.featureId, 'feature'),
    };
    const start = offsetOf({ cursor, offset }, question);
    const found = await store.searchContainers({ ...search, limit, offset: start });
    const { items, ...paging } = await page(found.items, {
      total: found.total,
      offset: start,
      request: { cursor, max_tokens },
      question,
    });
    return {
      message: `${found.total} ${input.containerType}(s)`,
      data: { items, count: items.length, limit, offset: start, ...paging },
    };
  },
});

const manageContainer = work({
  name: 'manage_container',
  summary:
    'Create, update or delete a project, feature or task. Status never changes here: use advance, revert or terminate.',
  effect: 'write',
  destructive: true,
  input: z.object({
    operation: z.enum(['create', 'update', 'delete']),
    containerType,
    id: looseId.optional().describe('for update and delete; on create your own UUID for the new one'),
    name: z.string().optional().describe('of a project or feature'),
    title: z.string().optional().describe('of a task'),
    summary: z.string().optional().describe('required on create'),
    description: z.string().optional(),
    priority: priority.optional().describe('HIGH, MEDIUM or LOW; required for a new feature or task'),
    complexity: whole.optional().describe('1 to 10; required for a new task'),
    projectId: looseId.optional(),
    featureId: looseId.optional().describe('of a task; its project follows'),
    tags: words.optional(),
    relatedTo: uuids.optional().describe('update only: replaces the relations'),
    version: whole.optional().describe('required for update'),
    cascade: flag(false).describe('delete: children too; for a project also its areas'),
    status: z.unknown().optional().describe('refused: use advance, revert or terminate'),
  }),
  data: z.object({
    project: projectRecord.optional(),
    feature: featureRecord.optional(),
    task: taskRecord.optional(),
    id: z.string().optional(),
    deleted: z.record(z.string(), z.number()).optional(),
    unblockedEntities: z.array(dependentData).optional(),
  }),
  examples: [
    {
      actor: 'ada',
      operation: 'create',
      containerType: 'feature',
      name: 'Checkout',
      summary: 'Everything between basket and receipt.',
      priority: 'MEDIUM',
      projectId: 'a1000000-0000-4000-8000-000000000001',
    },
  ],
  text: (data) => {
    const record = data.task ?? data.feature ?? data.project;
    return record ? containerLine(record) : `deleted ${data.id}`;
  },
  run: async (input, { app }, by) => {
    const store = await app.work();
    const kind = input.containerType;
    if (input.status !== undefined)
      throw new SylkError('VALIDATION_ERROR', 'status cannot be set here.', {
        hint: 'Use advance, revert or terminate.',
      });
    const name = kind === 'task' ? (input.title ?? input.name) : (input.name ?? input.title);
    const home = {
      projectId: await optionalId(store, input.projectId, 'project'),
      featureId: await optionalId(store, input.featureId, 'feature'),
    };
    if (input.operation === 'create') {
      const record = await store.createContainer(by, {
        ...input,
        ...home,
        kind,
        id: input.id === undefined ? undefined : uuid.parse(input.id),
        name: required(name, kind === 'task' ? 'title' : 'name', 'create'),
        summary: required(input.summary, 'summary', 'create'),
      });
      return { message: `${kind} created`, data: { [kind]: record } };
    }
    const id = await containerId(store, required(input.id, 'id', input.operation), kind);
    if (input.operation === 'update') {
      const version = required(input.version, 'version', 'update');
      const record = await store.updateContainer(by, { ...input, ...home, kind, id, name, version });
      return { message: `${kind} updated to version ${record.version}`, data: { [kind]: record } };
    }
    const gone = await (await app.workAreas()).removeContainer(by, { ...input, kind, id });
    return { message: `${kind} deleted`, data: gone };
  },
});

const showWork = work({
  name: 'show_work',
  summary:
    'One task, feature or project by id, first digits of it, or name: fields, sections, dependencies, area knowledge.',
  effect: 'read',
  input: z.object({ id: looseId, includeContent: flag(true) }),
  data: z.object({
    kind: z.enum(['project', 'feature', 'task']),
    record: anyContainer,
    sections: z.array(sectionRecord),
    graphContext: pathContextData.optional(),
  }),
  examples: [{ id: 'Add rate limiting' }],
  command: { positionals: ['id'], rest: true },
  text: (data) =>
    recordText({ [data.kind]: data.record, sections: data.sections, graphContext: data.graphContext }),
  run: async (input, { app }) => {
    const store = await app.work();
    const id = await containerId(store, input.id);
    const kind = (await store.findContainer(id))?.kind;
    if (!kind)
      throw new SylkError('NOT_FOUND', `There is no container ${id}.`, {
        hint: '`sylk work board` lists tasks.',
      });
    const record = await store.getContainer(kind, id);
    const graphContext =
      kind === 'task' ? await (await app.workAreas()).taskContext(record as TaskRecord) : undefined;
    return {
      message: `${kind} ${id}`,
      data: {
        kind,
        record,
        sections: await store.querySections({
          entityType: kind.toUpperCase() as 'TASK',
          entityId: id,
          includeContent: input.includeContent,
        }),
        graphContext,
      },
    };
  },
});

export const operations = [queryContainer, manageContainer, showWork];
