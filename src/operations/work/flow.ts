import { z } from 'zod';
import { featureRecord, type MoveReply, type StagedKind, taskRecord } from '../../stores/work/index.ts';
import { envelopeOperation } from '../envelope.ts';
import { containerId, looseId, stagedType, whole, words } from '../work-inputs.ts';
import { blockerIds } from './blockers.ts';
import { dependentData } from './data.ts';
import { containerLine } from './text.ts';

const work = envelopeOperation('work');

const moveInput = {
  containerType: stagedType.optional().default('task'),
  id: looseId,
  version: whole.describe('current version'),
  claimToken: z.string().optional().describe('from claim_task, when the task is claimed'),
};

const moveData = z.object({
  task: taskRecord.optional(),
  feature: featureRecord.optional(),
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
type Moved = z.output<typeof moveData>;

function moved(kind: StagedKind, verb: string, reply: MoveReply) {
  const { record, transition, terminal: _terminal, ...rest } = reply;
  const notes = [
    `${kind} ${verb}: ${transition.from} → ${transition.to}${reply.pipelinePosition ? ` (${reply.pipelinePosition})` : ''}.`,
    ...(reply.unblockedEntities.length > 0 ? [`Unblocked ${reply.unblockedEntities.length}.`] : []),
    ...(reply.affectedDependents.length > 0
      ? [`${reply.affectedDependents.length} still wait for it: unblock, re-plan or terminate them.`]
      : []),
    ...(reply.featureTransition ? [`Feature: ${reply.featureTransition}.`] : []),
  ];
  return { message: notes.join(' '), data: { [kind]: record, transition, ...rest } };
}

const movedText = (data: Moved): string => {
  const record = data.task ?? data.feature;
  const lines = [
    `${data.transition.from} → ${data.transition.to}`,
    ...(record ? [containerLine(record)] : []),
  ];
  for (const entity of data.unblockedEntities)
    lines.push(
      `unblocked ${entity.type} ${entity.name}${entity.stillBlocked ? ' (still blocked by others)' : ''}`,
    );
  for (const entity of data.affectedDependents ?? [])
    lines.push(`still waits: ${entity.type} ${entity.name}`);
  if (data.featureTransition) lines.push(`feature ${data.featureTransition}`);
  if (data.graphHints)
    lines.push('', data.graphHints.message, ...data.graphHints.suggestedActions.map((hint) => `  - ${hint}`));
  return lines.join('\n');
};

const advance = work({
  name: 'advance',
  summary:
    'Move a task or feature one step forward. Refused when blocked or final. Closing it releases what waited for it and may move its feature.',
  effect: 'write',
  input: z.object(moveInput),
  data: moveData,
  examples: [{ actor: 'ada', containerType: 'task', id: 'Add rate limiting', version: 3 }],
  command: { positionals: ['id', 'version'] },
  text: movedText,
  run: async (input, { app }, by) => {
    const store = await app.work();
    const kind = input.containerType;
    const id = await containerId(store, input.id, kind);
    const reply = await store.advance(by, { ...input, kind, id });
    const { message, data } = moved(kind, 'advanced', reply);
    const hints = kind === 'task' && reply.terminal ? { graphHints: (await app.workAreas()).graphHints } : {};
    return { message, data: { ...data, ...hints } };
  },
});

const revert = work({
  name: 'revert',
  summary: 'Move a task or feature one step back. Refused from a final state and from the first one.',
  effect: 'write',
  input: z.object(moveInput),
  data: moveData,
  examples: [{ actor: 'ada', containerType: 'task', id: 'Add rate limiting', version: 4 }],
  command: { positionals: ['id', 'version'] },
  text: movedText,
  run: async (input, { app }, by) => {
    const store = await app.work();
    const id = await containerId(store, input.id, input.containerType);
    return moved(
      input.containerType,
      'reverted',
      await store.revert(by, { ...input, kind: input.containerType, id }),
    );
  },
});

const terminate = work({
  name: 'terminate',
  summary:
    'Give a task or feature up (WILL_NOT_IMPLEMENT). Ignores blockers and releases nobody: what waited for it is listed, to be decided.',
  effect: 'write',
  input: z.object({ ...moveInput, reason: z.string().optional() }),
  data: moveData,
  examples: [
    {
      actor: 'ada',
      containerType: 'task',
      id: 'Document the limits',
      version: 5,
      reason: 'Not needed any more.',
    },
  ],
  command: { positionals: ['id', 'version', 'reason'], rest: true },
  text: movedText,
  run: async (input, { app }, by) => {
    const store = await app.work();
    const kind = input.containerType;
    const id = await containerId(store, input.id, kind);
    const { message, data } = moved(kind, 'terminated', await store.terminate(by, { ...input, kind, id }));
    return { message, data: { ...data, ...(input.reason === undefined ? {} : { reason: input.reason }) } };
  },
});

const blockInput = {
  containerType: stagedType.optional().default('task'),
  id: looseId,
  version: whole.describe('current version'),
  blockedBy: words.describe('ids of tasks and features, or NO_OP with a blockedReason'),
};

const block = work({
  name: 'block',
  summary:
    'Say what a task or feature waits for: other tasks or features, or NO_OP with a reason. What is there stays.',
  effect: 'write',
  idempotent: true,
  input: z.object({ ...blockInput, blockedReason: z.string().optional() }),
  data: z.object({
    task: taskRecord.optional(),
    feature: featureRecord.optional(),
    addedBlockers: z.array(z.string()),
    totalBlockers: z.array(z.string()),
  }),
  examples: [
    {
      actor: 'ada',
      containerType: 'task',
      id: 'Document the limits',
      version: 3,
      blockedBy: 'NO_OP',
      blockedReason: 'Waits for the wording.',
    },
  ],
  command: { positionals: ['id', 'version', 'blockedBy'] },
  run: async (input, { app }, by) => {
    const store = await app.work();
    const kind = input.containerType;
    const id = await containerId(store, input.id, kind);
    const blockedBy = await blockerIds(store, input.blockedBy);
    const { record, added } = await store.block(by, {
      kind,
      id,
      version: input.version,
      blockedBy,
      reason: input.blockedReason,
    });
    return {
      message: `${kind} waits for ${record.blockedBy.length} thing(s).`,
      data: { [kind]: record, addedBlockers: added, totalBlockers: record.blockedBy },
    };
  },
});

const unblock = work({
  name: 'unblock',
  summary: 'Remove blockers from a task or feature, or NO_OP. What is not there is no error.',
  effect: 'write',
  idempotent: true,
  input: z.object(blockInput),
  data: z.object({
    task: taskRecord.optional(),
    feature: featureRecord.optional(),
    removedBlockers: z.array(z.string()),
    remainingBlockers: z.array(z.string()),
    isFullyUnblocked: z.boolean(),
  }),
  examples: [
    { actor: 'ada', containerType: 'task', id: 'Document the limits', version: 4, blockedBy: 'NO_OP' },
  ],
  command: { positionals: ['id', 'version', 'blockedBy'] },
  run: async (input, { app }, by) => {
    const store = await app.work();
    const kind = input.containerType;
    const id = await containerId(store, input.id, kind);
    const blockedBy = await blockerIds(store, input.blockedBy, { lenient: true });
    const { record, removed } = await store.unblock(by, { kind, id, version: input.version, blockedBy });
    const left = record.blockedBy.length;
    return {
      message: left === 0 ? `${kind} is unblocked.` : `${kind} still waits for ${left} thing(s).`,
      data: {
        [kind]: record,
        removedBlockers: removed,
        remainingBlockers: record.blockedBy,
        isFullyUnblocked: left === 0,
      },
    };
  },
});

export const operations = [advance, revert, block, unblock, terminate];
