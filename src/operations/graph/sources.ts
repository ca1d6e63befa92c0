import { z } from 'zod';
import { pageOf, pagingInput, pagingOutput } from '../../base/paging.ts';
import { cardSchema, relatedSchema, sourceSchema } from '../../engines/knowledge/index.ts';
import { groundEdges } from '../../stores/graph/index.ts';
import { sessionInput } from '../memory/shared.ts';
import { operation } from '../operation.ts';
import { asRef, cardLine, looking, refInput, requireVisible } from './shared.ts';

const getSources = operation({
  name: 'get_sources',
  summary:
    'What an entry, a decision or an answer is based on, and what that is based on: a numbered chain with the state of each source.',
  effect: 'read',
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
      ? 'No sources recorded.'
      : sources.map(({ line, depth }) => `${'  '.repeat(depth - 1)}${line}`).join('\n'),
  run: async (input, context) => {
    const looker = await looking(context, input);
    const { viewer, knowledge } = looker;
    const ref = asRef(input.ref);
    await requireVisible(looker, ref);
    const found = await knowledge.sources(viewer, ref, input.depth);
    const paged = await pageOf(found, input);
    const card = (await knowledge.cards.of(viewer, [ref])).get(ref);
    return { ref, card, sources: paged.items, total: paged.total, next_cursor: paged.next_cursor };
  },
});

/** Links from code to references. */
const codeTypes = [
  'documents',
  'implements_pattern',
  'uses_library',
  'references',
  'validated_by',
  'related_to',
] as const;

const getReferences = operation({
  name: 'get_references',
  summary:
    'For code: related references, patterns, areas and library documentation. For a decision or an entry: what it is based on.',
  effect: 'read',
  input: z.object({
    ref: refInput,
    of: z.enum(['code', 'decision']).optional().describe('taken from the ref when omitted'),
    ...sessionInput,
  }),
  output: z.object({ ref: z.string(), references: z.array(relatedSchema) }),
  examples: [{ ref: 'file:src/auth/session.ts' }],
  command: { positionals: ['ref'] },
  render: ({ references }) =>
    references.length === 0
      ? 'No linked references.'
      : references.map(({ type, card }) => `${type.replaceAll('_', ' ')}  ${cardLine(card)}`).join('\n'),
  run: async (input, context) => {
    const looker = await looking(context, input);
    const ref = asRef(input.ref);
    await requireVisible(looker, ref);
    const { viewer, knowledge } = looker;
    if ((input.of ?? (/^(?:file|symbol):/.test(ref) ? 'code' : 'decision')) === 'decision')
      return {
        ref,
        references: await knowledge.relatedOf(viewer, [ref], { types: groundEdges, direction: 'out' }),
      };
    const related = await knowledge.relatedOf(viewer, [ref], { types: codeTypes, within: true });
    return {
      ref,
      references: related.filter(
        ({ card, type }) => card.side === 'knowledge' || type === 'implements_pattern',
      ),
    };
  },
});

export const sourceOperations = [getSources, getReferences];
