import { z } from 'zod';
import { SylkError } from '../../base/errors.ts';
import {
  containerKinds,
  featureRecord,
  leaseLimits,
  projectRecord,
  taskRecord,
} from '../../stores/work/index.ts';
import { authorName } from '../author-name.ts';
import { envelopeOperation } from '../envelope.ts';
import {
  containerId,
  containerType,
  flag,
  looseId,
  optionalIds,
  priority,
  required,
  uuid,
  uuids,
  whole,
  words,
} from '../work-inputs.ts';
import { dependentData } from './data.ts';
import { templateRef } from './sections.ts';
import { containerLine } from './text.ts';

const saved = {
  project: projectRecord.optional(),
  feature: featureRecord.optional(),
  task: taskRecord.optional(),
};

const saveWork = envelopeOperation({
  name: 'save_work',
  summary:
    'Create a project, feature or task, or update one by its version. Change the status with move_work.',
  effect: 'write',
  input: z.object({
    type: containerType,
    id: looseId.optional().describe('id of what to update; on create, your own UUID for the new one'),
    version: whole.optional().describe('current version; updates instead of creating'),
    name: z.string().optional().describe('for a project or feature'),
    title: z.string().optional().describe('for a task'),
    summary: z.string().optional().describe('what it is about; on create the name when omitted'),
    description: z.string().optional(),
    priority: priority.optional().describe('HIGH, MEDIUM or LOW; MEDIUM when omitted'),
    complexity: whole.optional().describe('1 to 10; 5 when omitted'),
    project_id: looseId.optional(),
    feature_id: looseId.optional().describe('for a task; sets its project'),
    tags: words.optional(),
    related_to: uuids.optional().describe('update only: replaces the relations'),
    status: z.unknown().optional().describe('not accepted: use move_work'),
  }),
  data: z.object(saved),
  examples: [
    {
      actor: 'ada',
      type: 'feature',
      name: 'Checkout',
      summary: 'Everything between basket and receipt.',
      priority: 'MEDIUM',
      project_id: 'a1000000-0000-4000-8000-000000000001',
    },
  ],
  text: ({ task, feature, project }) => {
    const record = task ?? feature ?? project;
    return record ? containerLine(record) : '';
  },
  run: async ({ type: kind, version, ...input }, { app }, by) => {
    if (input.status !== undefined) throw statusRefused();
    const store = await app.work();
    const name = kind === 'task' ? (input.title ?? input.name) : (input.name ?? input.title);
    const fields = { ...input, ...(await optionalIds(store, input)), kind };
    if (version !== undefined) {
      const id = await containerId(store, required(input.id, 'id'), kind);
      const record = await store.updateContainer(by, { ...fields, id, name, version });
      return { message: `${kind} updated to version ${record.version}`, data: { [kind]: record } };
    }
    const called = required(name, kind === 'task' ? 'title' : 'name');
    const record = await store.createContainer(by, {
      ...fields,
      id: input.id === undefined ? undefined : uuid.parse(input.id),
      name: called,
      summary: input.summary ?? called,
      priority: input.priority ?? 'MEDIUM',
      complexity: input.complexity ?? 5,
    });
    return { message: `${kind} created`, data: { [kind]: record } };
  },
});

const statusRefused = (): SylkError =>
  new SylkError('VALIDATION_ERROR', 'status cannot be set here.', {
    hint: 'Use move_work, or `sylk work advance`, `revert` and `terminate`.',
  });

const deleteWork = envelopeOperation({
  name: 'delete_work',
  summary:
    'Delete a project, feature or task (with children only by cascade), sections, or an unprotected template.',
  effect: 'write',
  destructive: true,
  input: z.object({
    type: z.preprocess(
      (given) => (typeof given === 'string' ? given.trim().toLowerCase() : given),
      z.enum([...containerKinds, 'section', 'template']),
    ),
    id: looseId.optional().describe('id, first digits or name'),
    ids: uuids.optional().describe('several section ids; unknown ones are skipped'),
    cascade: flag(false).describe('also delete children; for a project also its areas'),
  }),
  data: z.object({
    id: z.string().optional(),
    deleted: z.union([z.record(z.string(), z.number()), z.number(), z.boolean()]),
    unblockedEntities: z.array(dependentData).optional(),
  }),
  examples: [{ actor: 'ada', type: 'feature', id: 'Checkout' }],
  command: { positionals: ['type', 'id'] },
  text: ({ id, deleted }) => `deleted ${id ?? (typeof deleted === 'number' ? deleted : '')}`.trim(),
  run: async ({ type, ids, cascade, ...input }, { app }, by) => {
    const store = await app.work();
    if (type === 'section') {
      const sections = ids ?? [uuid.parse(required(input.id, 'id'))];
      const deleted = await store.removeSections(by, sections, { strict: ids === undefined });
      return { message: `${deleted} section(s) deleted.`, data: { deleted } };
    }
    const name = required(input.id, 'id');
    if (type === 'template') {
      await store.deleteTemplate(by, templateRef.parse(name));
      return { message: 'Template deleted.', data: { deleted: true } };
    }
    const id = await containerId(store, name, type);
    const data = await (await app.workAreas()).removeContainer(by, { kind: type, id, cascade });
    return { message: `${type} deleted`, data };
  },
});

const renameWorkTag = envelopeOperation({
  name: 'rename_work_tag',
  summary: 'Rename a tag everywhere. dry_run shows what would change.',
  effect: 'write',
  input: z.object({ old_tag: z.string(), new_tag: z.string(), dry_run: flag(false) }),
  data: z.object({
    affected: z.number(),
    entities: z.array(z.object({ entityId: z.string(), entityType: z.string(), name: z.string() })),
    dryRun: z.boolean(),
  }),
  examples: [{ actor: 'ada', old_tag: 'api', new_tag: 'http', dry_run: true }],
  command: { positionals: ['old_tag', 'new_tag'] },
  run: async (input, { app }, by) => {
    const entities = await (await app.work()).renameTag(by, input);
    return {
      message: `${input.dryRun ? 'Would rename' : 'Renamed'} on ${entities.length} container(s).`,
      data: { affected: entities.length, entities, dryRun: input.dryRun },
    };
  },
});

const claimTask = envelopeOperation({
  name: 'claim_work',
  summary:
    'Claim the next task (or a named one) with a lease, so that no one else takes it. With its claim_token: renew the lease, or release the task. An expired lease releases the task.',
  effect: 'write',
  input: z.object({
    id: looseId.optional().describe('this task; with claim_token, the claimed one'),
    project_id: looseId.optional(),
    feature_id: looseId.optional(),
    priority: priority.optional(),
    claimant: z.string().trim().min(1).max(200).optional().describe('the claimant; default: the caller'),
    lease_seconds: whole
      .optional()
      .default(leaseLimits.usual)
      .describe(`${leaseLimits.least} to ${leaseLimits.most}; default ${leaseLimits.usual}`),
    claim_token: z.string().optional().describe('the token of an earlier claim: renews it'),
    release: flag(false).describe('with claim_token: release the task'),
  }),
  data: z.object({
    task: taskRecord.nullable(),
    claimToken: z.string().optional(),
    expiresAt: z.string().optional(),
  }),
  examples: [{ actor: 'ada', lease_seconds: 600 }],
  command: { positionals: ['id'] },
  text: ({ task, claimToken, expiresAt }) =>
    task
      ? `${containerLine(task)}${claimToken ? `\nclaim token ${claimToken}, until ${expiresAt}` : ''}`
      : 'No task is ready.',
  run: async ({ claimToken, leaseSeconds, ...input }, context, by) => {
    const { app } = context;
    const [store, board] = [await app.work(), await app.board()];
    const id = input.id === undefined ? undefined : await containerId(store, input.id, 'task');
    if (input.release || claimToken !== undefined) {
      const claim = { id: required(id, 'id'), claimToken: required(claimToken, 'claim_token') };
      if (input.release) return { message: 'Released.', data: { task: await board.releaseClaim(by, claim) } };
      const { task } = await board.renewClaim({ ...claim, leaseSeconds });
      const expiresAt = task.claim?.expiresAt;
      return { message: `Renewed until ${expiresAt}.`, data: { task, claimToken, expiresAt } };
    }
    const claimant = input.claimant === undefined ? by.actor : authorName(context, input.claimant);
    const scope = { ...(await optionalIds(store, input)), priority: input.priority };
    const claimed = await board.claimTask(by, { ...scope, id, claimant, leaseSeconds });
    if (!claimed) return { message: 'No task is ready.', data: { task: null } };
    const expiresAt = claimed.task.claim?.expiresAt;
    return {
      message: `Claimed until ${expiresAt}: ${claimed.task.title}`,
      data: { ...claimed, expiresAt },
    };
  },
});

export const operations = [saveWork, deleteWork, renameWorkTag, claimTask];
