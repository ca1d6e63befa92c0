import { z } from 'zod';
import { envelopeOperation } from '../envelope.ts';
import { containerId, looseId, stagedType } from '../work-inputs.ts';
import { shortId } from './text.ts';

const work = envelopeOperation('work');

const link = z.object({
  type: z.enum(['BLOCKS', 'RELATES_TO']),
  fromId: z.string(),
  toId: z.string(),
  fromEntityType: z.string().optional(),
  toEntityType: z.string().optional(),
  name: z.string().optional(),
});

const queryWorkflowState = work({
  name: 'query_workflow_state',
  summary:
    'Where a task or feature stands: current, next and previous state, what blocks it, its place in the pipeline.',
  effect: 'read',
  input: z.object({ containerType: stagedType, id: looseId }),
  data: z.object({
    containerType: z.string(),
    id: z.string(),
    currentStatus: z.string(),
    nextStatus: z.string().nullable(),
    previousStatus: z.string().nullable(),
    isTerminal: z.boolean(),
    isBlocked: z.boolean(),
    blockedBy: z.array(z.string()),
    blockedReason: z.string().nullable(),
    pipelinePosition: z.string().nullable(),
    relatedEntities: z.array(z.string()),
    version: z.number(),
  }),
  examples: [{ containerType: 'task', id: 'Add rate limiting' }],
  command: { positionals: ['containerType', 'id'] },
  run: async (input, { app }) => {
    const store = await app.work();
    const id = await containerId(store, input.id, input.containerType);
    const state = await store.workflowState(input.containerType, id);
    return { message: `${state.currentStatus}${state.isBlocked ? ', blocked' : ''}`, data: state };
  },
});

const queryDependencies = work({
  name: 'query_dependencies',
  summary:
    'What a task or feature waits for and relates to (dependencies), and what waits for it (dependents).',
  effect: 'read',
  input: z.object({
    id: looseId,
    containerType: stagedType,
    direction: z.enum(['dependencies', 'dependents', 'both']).optional().default('both'),
  }),
  data: z.object({
    id: z.string(),
    containerType: z.string(),
    direction: z.string(),
    dependencies: z.array(link),
    dependents: z.array(link),
  }),
  examples: [{ id: 'Add rate limiting', containerType: 'task' }],
  command: { positionals: ['containerType', 'id'] },
  text: (data) =>
    [
      ...data.dependencies.map(
        (one) => `${one.type === 'BLOCKS' ? 'waits for' : 'relates to'}  ${one.name ?? shortId(one.fromId)}`,
      ),
      ...data.dependents.map(
        (one) => `${one.type === 'BLOCKS' ? 'blocks' : 'relates to'}  ${one.name ?? shortId(one.toId)}`,
      ),
    ].join('\n') || 'no dependencies',
  run: async (input, { app }) => {
    const store = await app.work();
    const id = await containerId(store, input.id, input.containerType);
    const found = await store.queryDependencies(input.containerType, id);
    return {
      message: `${found.dependencies.length} dependencies, ${found.dependents.length} dependents`,
      data: {
        id,
        containerType: input.containerType,
        direction: input.direction,
        dependencies: input.direction === 'dependents' ? [] : found.dependencies,
        dependents: input.direction === 'dependencies' ? [] : found.dependents,
      },
    };
  },
});

const manageDependency = work({
  name: 'manage_dependency',
  summary:
    'Create or delete a dependency: fromId BLOCKS toId (toId waits), or RELATES_TO (both ways). A circle of BLOCKS is refused and named.',
  effect: 'write',
  input: z.object({
    operation: z.enum(['create', 'delete']),
    fromId: looseId,
    toId: looseId,
    type: z.enum(['BLOCKS', 'RELATES_TO']),
    id: z.string().optional().describe('not used'),
    containerType: z.string().optional().describe('not used'),
  }),
  data: z.object({
    operation: z.string(),
    type: z.string(),
    fromId: z.string(),
    toId: z.string(),
    fromEntityType: z.string(),
    toEntityType: z.string(),
    changed: z.boolean(),
    blockedBy: z.array(z.string()),
  }),
  examples: [
    {
      actor: 'ada',
      operation: 'create',
      type: 'RELATES_TO',
      fromId: 'Add rate limiting',
      toId: 'Document the limits',
    },
  ],
  command: { positionals: ['operation', 'fromId', 'type', 'toId'] },
  run: async (input, { app }, by) => {
    const store = await app.work();
    const data = await store.manageDependency(by, {
      operation: input.operation,
      type: input.type,
      fromId: await containerId(store, input.fromId),
      toId: await containerId(store, input.toId),
    });
    return { message: data.changed ? `Dependency ${input.operation}d.` : 'Nothing to change.', data };
  },
});

export const operations = [queryWorkflowState, queryDependencies, manageDependency];
