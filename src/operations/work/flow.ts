import { z } from 'zod';
import { SylkError } from '../../base/errors.ts';
import {
  featureRecord,
  type MoveReply,
  noOperation,
  type StagedKind,
  taskRecord,
  type Work,
} from '../../stores/work/index.ts';
import { envelopeOperation } from '../envelope.ts';
import { containerId, flag, looseId, stagedType, whole, words } from '../work-inputs.ts';
import { dependentData } from './data.ts';
import { containerLine } from './text.ts';

const staged = {
  type: stagedType.optional().default('task'),
  id: looseId,
  version: whole.describe('current version'),
};
const record = { task: taskRecord.optional(), feature: featureRecord.optional() };

const moveData = z.object({
  ...record,
  transition: z.object({ from: z.string(), to: z.string() }),
  pipelinePosition: z.string().nullable(),
  reason: z.string().optional(),
  unblockedEntities: z.array(dependentData),
  affectedDependents: z.array(dependentData).optional(),
  featureTransition: z.string().optional(),
  featureUnblockedEntities: z.array(dependentData),
  featureAffectedDependents: z.array(dependentData).optional(),
  graphHints: z.object({ message: z.string(), suggestedActions: z.array(z.string()) }).optional(),
});

const verbs = { next: 'advanced', previous: 'reverted', abandoned: 'terminated' } as const;

const moveWork = envelopeOperation({
  name: 'move_work',
  summary:
    'Move a task or feature: to the next state (refused when blocked; closing it unblocks what waited for it and may move its feature), back to the previous state, or to abandoned (WILL_NOT_IMPLEMENT: unblocks nothing, and lists what waited for it).',
  effect: 'write',
  input: z.object({
    ...staged,
    to: z.enum(['next', 'previous', 'abandoned']).optional().default('next'),
    claim_token: z.string().optional().describe('from claim_work, if the task is claimed'),
    reason: z.string().optional().describe('for abandoned'),
    commit: z.string().max(200).optional().describe('the work itself; needed for a task of a run'),
  }),
  data: moveData,
  examples: [
    { actor: 'ada', type: 'task', id: 'Add rate limiting', version: 2 },
    { actor: 'ada', type: 'task', id: 'Add rate limiting', version: 3, to: 'previous' },
  ],
  command: { positionals: ['id', 'version', 'to', 'reason'], rest: true },
  text: (data) => {
    const moved = data.task ?? data.feature;
    return [
      `${data.transition.from} → ${data.transition.to}`,
      ...(moved ? [containerLine(moved)] : []),
      ...data.unblockedEntities.map(
        ({ type, name, stillBlocked }) =>
          `unblocked ${type} ${name}${stillBlocked ? ' (still blocked by others)' : ''}`,
      ),
      ...(data.affectedDependents ?? []).map(({ type, name }) => `still waits: ${type} ${name}`),
      ...(data.featureTransition ? [`feature ${data.featureTransition}`] : []),
      ...(data.graphHints
        ? ['', data.graphHints.message, ...data.graphHints.suggestedActions.map((hint) => `  - ${hint}`)]
        : []),
    ].join('\n');
  },
  run: async ({ type: kind, to, reason, ...input }, { app }, by) => {
    const store = await app.work();
    const board = await app.board();
    const move = { ...input, kind, id: await containerId(store, input.id, kind), reason };
    const step = { next: board.advance, previous: store.revert, abandoned: board.terminate }[to];
    const reply = await step(by, move);
    const { record: moved, terminal, ...rest } = reply;
    const graphHints =
      to === 'next' && kind === 'task' && terminal ? (await app.workAreas()).graphHints : undefined;
    return {
      message: moveMessage(kind, verbs[to], reply),
      data: { [kind]: moved, ...rest, reason, graphHints },
    };
  },
});

function moveMessage(kind: StagedKind, verb: string, reply: MoveReply): string {
  const { transition, pipelinePosition, unblockedEntities, affectedDependents, featureTransition } = reply;
  const place = pipelinePosition ? ` (${pipelinePosition})` : '';
  return [
    `${kind} ${verb}: ${transition.from} → ${transition.to}${place}.`,
    ...(unblockedEntities.length > 0 ? [`Unblocked ${unblockedEntities.length}.`] : []),
    ...(affectedDependents.length > 0
      ? [`${affectedDependents.length} still wait for it: unblock, re-plan or terminate them.`]
      : []),
    ...(featureTransition ? [`Feature: ${featureTransition}.`] : []),
  ].join(' ');
}

const blockWork = envelopeOperation({
  name: 'block_work',
  summary:
    'Set what a task or feature waits for: other tasks or features, or NO_OP with a reason. With remove: what it no longer waits for. No error if already set.',
  effect: 'write',
  idempotent: true,
  input: z.object({
    ...staged,
    blocked_by: words.describe('ids of tasks and features, or NO_OP with a blocked_reason'),
    blocked_reason: z.string().optional(),
    remove: flag(false),
  }),
  data: z.object({
    ...record,
    addedBlockers: z.array(z.string()).optional(),
    totalBlockers: z.array(z.string()).optional(),
    removedBlockers: z.array(z.string()).optional(),
    remainingBlockers: z.array(z.string()).optional(),
    isFullyUnblocked: z.boolean(),
  }),
  examples: [
    {
      actor: 'ada',
      type: 'task',
      id: 'Document the limits',
      version: 2,
      blocked_by: 'NO_OP',
      blocked_reason: 'Waits for the wording.',
    },
    { actor: 'ada', type: 'task', id: 'Document the limits', version: 3, blocked_by: 'NO_OP', remove: true },
  ],
  command: { positionals: ['id', 'version', 'blocked_by'] },
  run: async ({ type: kind, version, remove, blockedReason: reason, ...input }, { app }, by) => {
    const store = await app.work();
    const id = await containerId(store, input.id, kind);
    const blockedBy = await blockerIds(store, input.blockedBy, remove);
    const { record, added, removed } = remove
      ? { added: undefined, ...(await store.unblock(by, { kind, id, version, blockedBy })) }
      : { removed: undefined, ...(await store.block(by, { kind, id, version, blockedBy, reason })) };
    const left = record.blockedBy;
    const changes = remove
      ? { removedBlockers: removed, remainingBlockers: left }
      : { addedBlockers: added, totalBlockers: left };
    return {
      message:
        left.length === 0
          ? `${kind} is unblocked.`
          : `${kind} waits for ${left.length} ${left.length === 1 ? 'item' : 'items'}.`,
      data: { [kind]: record, ...changes, isFullyUnblocked: left.length === 0 },
    };
  },
});

/** Full ids of blockers. `lenient` skips ids that do not exist, as they block nothing. */
async function blockerIds(work: Work, given: string[], lenient: boolean): Promise<string[]> {
  const ids: string[] = [];
  for (const one of given.map((text) => text.trim()).filter((text) => text !== '')) {
    if (one.toUpperCase() === noOperation) ids.push(noOperation);
    else {
      try {
        ids.push(await containerId(work, one));
      } catch (error) {
        if (lenient) continue;
        if (error instanceof SylkError && error.code === 'NOT_FOUND')
          throw new SylkError('VALIDATION_ERROR', error.message, { hint: error.hint ?? '' });
        throw error;
      }
    }
  }
  return ids;
}

const linkWork = envelopeOperation({
  name: 'link_work',
  summary:
    'Link two tasks or features: from_id BLOCKS to_id (to_id waits), or RELATES_TO (both ways); with remove, unlink them. A cycle of BLOCKS is refused with its path.',
  effect: 'write',
  input: z.object({
    from_id: looseId,
    to_id: looseId,
    type: z.enum(['BLOCKS', 'RELATES_TO']),
    remove: flag(false),
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
    { actor: 'ada', type: 'RELATES_TO', from_id: 'Add rate limiting', to_id: 'Document the limits' },
  ],
  command: { positionals: ['from_id', 'type', 'to_id'] },
  run: async ({ type, remove, ...input }, { app }, by) => {
    const store = await app.work();
    const fromId = await containerId(store, input.fromId);
    const toId = await containerId(store, input.toId);
    const operation = remove ? 'delete' : 'create';
    const data = await store.manageDependency(by, { operation, type, fromId, toId });
    return { message: data.changed ? `Dependency ${operation}d.` : 'Nothing to change.', data };
  },
});

export const operations = [moveWork, blockWork, linkWork];
