import { z } from 'zod';
import { looseList } from '../../base/loose-input.ts';
import { pageOf, pagingInput, pagingOutput } from '../../base/paging.ts';
import { cardSchema, conflictAnswers } from '../../engines/knowledge/index.ts';
import {
  conflictSchema,
  contradictionSchema,
  verificationKinds,
  verificationSchema,
} from '../../stores/graph/index.ts';
import { sessionInput } from '../memory/shared.ts';
import { isPersonSpeaking, operation } from '../operation.ts';
import { asRef, cardLine, looking, refInput } from './shared.ts';

const shownConflict = conflictSchema.extend({
  left_card: cardSchema.optional(),
  right_card: cardSchema.optional(),
});

/** `true` and `false` choose whether resolved ones are included. */
const states = new Map<unknown, string>([
  [true, 'all'],
  ['true', 'all'],
  [false, 'unresolved'],
  ['false', 'unresolved'],
]);

const listConflicts = operation({
  name: 'list_conflicts',
  summary: 'Contradictions: code against memory, old against new, entry against entry. Unresolved first.',
  effect: 'read',
  input: z.object({
    resolved: z
      .preprocess((given) => states.get(given) ?? given, z.enum(['unresolved', 'resolved', 'all']))
      .default('unresolved'),
    refs: looseList(z.string()).optional().describe('only those about these'),
    ...pagingInput,
    ...sessionInput,
  }),
  output: z.object({ conflicts: z.array(shownConflict), ...pagingOutput }),
  examples: [{}],
  render: ({ conflicts }) =>
    conflicts.length === 0
      ? 'No contradictions.'
      : conflicts
          .map((one) =>
            [
              `${one.id}  ${one.kind.replace('_', ' ')}: ${one.detail}`,
              `  left   ${one.left_card ? cardLine(one.left_card) : one.left}`,
              `  right  ${one.right_card ? cardLine(one.right_card) : one.right}`,
              `  ${one.resolved ? `settled: ${one.resolution}` : one.proposal}`,
            ].join('\n'),
          )
          .join('\n'),
  run: async (input, context) => {
    const { viewer, knowledge } = await looking(context, input);
    const unresolved = { unresolved: true, resolved: false, all: undefined }[input.resolved];
    const refs = input.refs?.map(asRef);
    const found = await knowledge.review.list(viewer, { unresolved, refs });
    const paged = await pageOf(found, input);
    return { conflicts: paged.items, total: paged.total, next_cursor: paged.next_cursor };
  },
});

const resolveConflict = operation({
  name: 'resolve_conflict',
  summary:
    'Resolve a contradiction: keep one side (the other is superseded) or both, and give the reason. Only a person may decide against the code.',
  effect: 'write',
  input: z.object({
    id: z.string().describe('cnf_… or cfl_… from list_conflicts'),
    answer: z.enum(conflictAnswers),
    reason: z.string().min(1).max(1000),
    ...sessionInput,
  }),
  output: z.object({ id: z.string(), resolution: z.string() }),
  examples: [{ id: 'cnf_0', answer: 'keep_right', reason: 'the code says so' }],
  command: { positionals: ['id', 'answer', 'reason'], rest: true },
  render: ({ resolution }) => `settled: ${resolution}`,
  run: async (input, context) => {
    const { viewer, knowledge } = await looking(context, input, { code: false });
    const { id, answer, reason } = input;
    const person = isPersonSpeaking(context.caller);
    return knowledge.review.resolve(viewer, { id, answer, reason, by: context.caller.name, person });
  },
});

const waitingOutput = z.object({
  ref: z.string(),
  card: cardSchema.optional(),
  warnings: z.array(z.string()),
  contradictions: z.array(contradictionSchema),
  verification: z.enum(verificationKinds),
  confidence: z.number(),
  since: z.string(),
});

const reviewQueue = operation({
  name: 'review_queue',
  summary:
    'Entries that could not be verified and wait for a person, with the evidence against each. Oldest first.',
  effect: 'read',
  input: z.object({ ...pagingInput, ...sessionInput }),
  output: z.object({ waiting: z.array(waitingOutput), ...pagingOutput }),
  examples: [{}],
  render: ({ waiting, total }) =>
    waiting.length === 0
      ? 'No entries wait for review.'
      : [
          ...waiting.flatMap((one) => [
            one.card ? cardLine(one.card) : one.ref,
            ...one.warnings.map((warning) => `    ${warning}`),
            ...one.contradictions.map(
              ({ claim, detail, ref }) => `    "${claim}": ${detail}${ref ? ` (${ref})` : ''}`,
            ),
          ]),
          `${total} waiting; \`sylk graph confirm REF\` or \`sylk graph confirm REF rejected\``,
        ].join('\n'),
  run: async (input, context) => {
    const { viewer, knowledge } = await looking(context, input);
    const found = await knowledge.review.queue(viewer);
    const paged = await pageOf(found, input);
    return { waiting: paged.items, total: paged.total, next_cursor: paged.next_cursor };
  },
});

const confirmEntry = operation({
  name: 'confirm_entry',
  summary:
    'Confirm or reject an entry as a person. A confirmed entry counts as verified; a rejected one is archived.',
  effect: 'decide',
  input: z.object({ ref: refInput, verdict: z.enum(['confirmed', 'rejected']).default('confirmed') }),
  output: verificationSchema,
  examples: [{ ref: 'entry:ent_0' }],
  command: { positionals: ['ref', 'verdict'] },
  consent: async ({ ref }, app) => {
    const known = (
      await (await app.knowledge()).cards.of({ session_id: '', sees_all: true }, [asRef(ref)])
    ).get(asRef(ref));
    return { shown: known ? `${cardLine(known)}\n${known.text ?? ''}` : ref, allowed: false };
  },
  render: ({ ref, verdict }) => `${ref} is ${verdict}`,
  run: async ({ ref, verdict }, { app, caller }) =>
    (await app.knowledge()).review.confirm(asRef(ref), caller.name, verdict),
});

export const reviewOperations = [listConflicts, resolveConflict, reviewQueue, confirmEntry];
