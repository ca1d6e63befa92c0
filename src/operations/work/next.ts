import { z } from 'zod';
import { SylkError } from '../../base/errors.ts';
import { offsetOf, page, pagingInput } from '../../base/paging.ts';
import { featureRecord, leaseLimits, taskRecord } from '../../stores/work/index.ts';
import { envelopeOperation } from '../envelope.ts';
import { containerId, looseId, optionalId, priority, required, whole } from '../work-inputs.ts';
import { boardText, containerLine } from './text.ts';

const work = envelopeOperation('work');

const scope = { projectId: looseId.optional(), featureId: looseId.optional() };

const getNextTask = work({
  name: 'get_next_task',
  summary:
    'The task to do next: new, blocked by nothing, claimed by nobody; HIGH priority first, then the simplest, then the oldest. claim_task takes it.',
  effect: 'read',
  input: z.object({ ...scope, priority: priority.optional() }),
  data: z.object({ task: taskRecord.nullable() }),
  examples: [{}],
  text: (data) => (data.task ? `${containerLine(data.task)}\n${data.task.summary}` : 'No task is ready.'),
  run: async (input, { app }) => {
    const store = await app.work();
    const task = await store.nextTask({
      projectId: await optionalId(store, input.projectId, 'project'),
      featureId: await optionalId(store, input.featureId, 'feature'),
      priority: input.priority,
    });
    return { message: task ? `Next: ${task.title}` : 'No task is ready.', data: { task: task ?? null } };
  },
});

const getNextFeature = work({
  name: 'get_next_feature',
  summary:
    'The feature to go on with: active before new, blocked by nothing, HIGH priority first, then the oldest.',
  effect: 'read',
  input: z.object({ projectId: looseId.optional(), priority: priority.optional() }),
  data: z.object({ feature: featureRecord.nullable() }),
  examples: [{}],
  text: (data) => (data.feature ? containerLine(data.feature) : 'No feature is ready.'),
  run: async (input, { app }) => {
    const store = await app.work();
    const feature = await store.nextFeature({
      projectId: await optionalId(store, input.projectId, 'project'),
      priority: input.priority,
    });
    return {
      message: feature ? `Next: ${feature.name}` : 'No feature is ready.',
      data: { feature: feature ?? null },
    };
  },
});

const blockedData = <Item extends z.ZodType>(item: Item) =>
  z.object({
    items: z.array(item),
    count: z.number(),
    total: z.number(),
    next_cursor: z.string().optional(),
    next_offset: z.number().optional(),
  });

async function paged<T>(
  found: T[],
  input: { cursor?: string | undefined; max_tokens?: number | undefined },
  name: string,
) {
  const { cursor, max_tokens: _tokens, ...question } = input;
  const offset = offsetOf({ cursor }, question);
  const { items, ...rest } = await page(found.slice(offset), {
    total: found.length,
    offset,
    request: input,
    question,
  });
  return { message: `${found.length} blocked ${name}(s)`, data: { items, count: items.length, ...rest } };
}

const getBlockedTasks = work({
  name: 'get_blocked_tasks',
  summary: 'Tasks that wait for something, with what they wait for; HIGH priority first, then the oldest.',
  effect: 'read',
  input: z.object({ ...scope, ...pagingInput }),
  data: blockedData(taskRecord),
  examples: [{}],
  text: (data) => boardText(data.items),
  run: async (input, { app }) => {
    const store = await app.work();
    const found = await store.blockedContainers('task', {
      projectId: await optionalId(store, input.projectId, 'project'),
      featureId: await optionalId(store, input.featureId, 'feature'),
    });
    return paged(found as z.output<typeof taskRecord>[], input, 'task');
  },
});

const getBlockedFeatures = work({
  name: 'get_blocked_features',
  summary: 'Features that wait for something, with what they wait for; HIGH priority first, then the oldest.',
  effect: 'read',
  input: z.object({ projectId: looseId.optional(), ...pagingInput }),
  data: blockedData(featureRecord),
  examples: [{}],
  text: (data) => boardText(data.items),
  run: async (input, { app }) => {
    const store = await app.work();
    const found = await store.blockedContainers('feature', {
      projectId: await optionalId(store, input.projectId, 'project'),
    });
    return paged(found as z.output<typeof featureRecord>[], input, 'feature');
  },
});

const claimTask = work({
  name: 'claim_task',
  summary:
    'Take the next task (or a named one) for yourself, so that nobody else gets it: finds and claims in one step, with a lease. Renew it while you work, release it if you stop. A lapsed lease gives the task back.',
  effect: 'write',
  input: z.object({
    operation: z.enum(['claim', 'renew', 'release']).optional().default('claim'),
    id: looseId.optional().describe('this task; for renew and release the claimed one'),
    ...scope,
    priority: priority.optional(),
    claimant: z.string().trim().min(1).max(200).optional().describe('who takes it; default: the caller'),
    leaseSeconds: whole
      .optional()
      .default(leaseLimits.usual)
      .describe(`${leaseLimits.least} to ${leaseLimits.most}; default ${leaseLimits.usual}`),
    claimToken: z.string().optional().describe('for renew and release: what claim answered'),
  }),
  data: z.object({
    task: taskRecord.nullable(),
    claimToken: z.string().optional(),
    expiresAt: z.string().optional(),
  }),
  examples: [{ actor: 'ada', leaseSeconds: 600 }],
  command: { positionals: ['id'] },
  text: (data) =>
    data.task
      ? `${containerLine(data.task)}${data.claimToken ? `\nclaim token ${data.claimToken}, until ${data.expiresAt}` : ''}`
      : 'No task is ready.',
  run: async (input, { app }, by) => {
    const store = await app.work();
    const id = input.id === undefined ? undefined : await containerId(store, input.id, 'task');
    if (input.operation === 'claim') {
      if (input.claimToken !== undefined)
        throw new SylkError('VALIDATION_ERROR', 'claimToken belongs to renew and release.', {
          hint: 'Leave it out.',
        });
      const claimed = await store.claimTask(by, {
        id,
        projectId: await optionalId(store, input.projectId, 'project'),
        featureId: await optionalId(store, input.featureId, 'feature'),
        priority: input.priority,
        claimant: input.claimant ?? by.actor,
        leaseSeconds: input.leaseSeconds,
      });
      if (!claimed) return { message: 'No task is ready.', data: { task: null } };
      const expiresAt = claimed.task.claim!.expiresAt;
      return {
        message: `Claimed until ${expiresAt}: ${claimed.task.title}`,
        data: { task: claimed.task, claimToken: claimed.claimToken, expiresAt },
      };
    }
    const held = {
      id: required(id, 'id', input.operation),
      claimToken: required(input.claimToken, 'claimToken', input.operation),
    };
    if (input.operation === 'release')
      return { message: 'Released.', data: { task: await store.releaseClaim(by, held) } };
    const { task } = await store.renewClaim({ ...held, leaseSeconds: input.leaseSeconds });
    const expiresAt = task.claim!.expiresAt;
    return { message: `Renewed until ${expiresAt}.`, data: { task, claimToken: held.claimToken, expiresAt } };
  },
});

export const operations = [getNextTask, getNextFeature, getBlockedTasks, getBlockedFeatures, claimTask];
