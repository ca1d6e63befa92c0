import { z } from 'zod';
import { SylkError } from '../../base/errors.ts';
import { offsetOf, page, pagingInput, pagingOutput } from '../../base/paging.ts';
import { cardSchema, sourceSchema } from '../../engines/knowledge/index.ts';
import { groundEdges } from '../../stores/graph/index.ts';
import { sessionInput } from '../memory/shared.ts';
import { operation } from '../operation.ts';
import { asRef, cardLine, looking, refInput, relatedAnswer, relatedOutput, shape } from './shared.ts';

const getSources = operation({
  name: 'get_sources',
  summary:
    'What an entry, a decision or an answer was made from, and what that was made from: a numbered chain with how far each source holds.',
  effect: 'read',
  ...shape,
  input: z.object({
    ref: refInput,
    depth: z.coerce.number().int().min(1).max(10).default(3).describe('steps back'),
    ...pagingInput,
    ...sessionInput,
  }),
  output: z.object({
    ref: z.string(),
    card: cardSchema.optional(),
    sources: z.array(sourceSchema),
    ...pagingOutput,
  }),
  examples: [{ ref: 'file:src/auth/session.ts' }],
  command: { positionals: ['ref'] },
  render: ({ sources }) =>
    sources.length === 0
      ? 'Nothing is known of where it comes from.'
      : sources.map(({ line, depth }) => `${'  '.repeat(depth - 1)}${line}`).join('\n'),
  run: async (input, context) => {
    const { viewer, knowledge } = await looking(context, input);
    const ref = asRef(input.ref);
    if ((await knowledge.seeing.hidden(viewer, [ref])).size > 0)
      throw new SylkError('NOT_FOUND', `There is no ${ref} for you.`, {
        hint: 'search_history finds entries.',
      });
    const found = await knowledge.sources(viewer, ref, input.depth);
    const question = [ref, input.depth];
    const offset = offsetOf(input, question);
    const paged = await page(found.slice(offset), { total: found.length, offset, request: input, question });
    const card = (await knowledge.cards.of(viewer, [ref])).get(ref);
    return { ref, card, sources: paged.items, total: paged.total, next_cursor: paged.next_cursor };
  },
});

const linkedOutput = z.object({ ref: z.string(), references: z.array(relatedOutput) });
const linkedLines = ({ references }: z.output<typeof linkedOutput>, none: string): string =>
  references.length === 0
    ? none
    : references.map(({ type, card }) => `${type.replaceAll('_', ' ')}  ${cardLine(card)}`).join('\n');

const referencesForCode = operation({
  name: 'get_references_for_code',
  summary: 'References, patterns, areas and library documentation that belong to a file or symbol.',
  effect: 'read',
  ...shape,
  input: z.object({ ref: refInput, ...sessionInput }),
  output: linkedOutput,
  examples: [{ ref: 'file:src/auth/session.ts' }],
  command: { positionals: ['ref'] },
  render: (output) => linkedLines(output, 'No reference is linked to it.'),
  run: async (input, context) => {
    const { viewer, knowledge } = await looking(context, input);
    const ref = asRef(input.ref);
    const types = [
      'documents',
      'implements_pattern',
      'uses_library',
      'references',
      'validated_by',
      'related_to',
    ] as const;
    const related = await knowledge.relatedOf(viewer, [ref], { types, within: true });
    const fitting = related.filter(
      ({ card, type }) => card.side === 'knowledge' || type === 'implements_pattern',
    );
    return { ref, references: fitting.map(relatedAnswer) };
  },
});

const referencesForDecision = operation({
  name: 'get_references_for_decision',
  summary: 'What a decision or an entry rests on: references, other entries, code.',
  effect: 'read',
  ...shape,
  input: z.object({ ref: refInput, ...sessionInput }),
  output: linkedOutput,
  examples: [{ ref: 'entry:ent_0' }],
  command: { positionals: ['ref'] },
  render: (output) => linkedLines(output, 'Nothing is noted that it rests on.'),
  run: async (input, context) => {
    const { viewer, knowledge } = await looking(context, input);
    const ref = asRef(input.ref);
    if ((await knowledge.seeing.hidden(viewer, [ref])).size > 0)
      throw new SylkError('NOT_FOUND', `There is no ${ref} for you.`, {
        hint: 'search_history finds entries.',
      });
    const related = await knowledge.relatedOf(viewer, [ref], { types: groundEdges, direction: 'out' });
    return { ref, references: related.map(relatedAnswer) };
  },
});

export const sourceOperations = [getSources, referencesForCode, referencesForDecision];
