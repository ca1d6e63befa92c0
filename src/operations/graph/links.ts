import { z } from 'zod';
import { SylkError } from '../../base/errors.ts';
import { looseBoolean, looseList } from '../../base/loose-input.ts';
import { pageFrom, pagingInput, pagingOutput } from '../../base/paging.ts';
import { cardSchema } from '../../engines/knowledge/index.ts';
import { edgeNames, edgeSchema, edgeTable, edgeType, edgeTypes, maxDepth } from '../../stores/graph/index.ts';
import { sessionInput, writing } from '../memory/shared.ts';
import { type OperationContext, operation } from '../operation.ts';
import { asRef, cardLine, looking, refInput, requireVisible } from './shared.ts';

const typeInput = z
  .string()
  .min(1)
  .max(60)
  .describe(`one of ${edgeNames.join(', ')}`);
const ends = { source: refInput, type: typeInput, target: refInput };

/**
 * A person's link is shared. An agent's link belongs to its session until a person adds the same link or the session
 * completes.
 */
async function ownSession(
  context: OperationContext,
  input: { session?: string | undefined },
): Promise<string> {
  return context.caller.kind === 'person' ? '' : (await writing(context, input)).session.id;
}

const linkInput = z.object({
  ...ends,
  weight: z.coerce.number().min(0).max(1).default(1).describe('confidence, 0–1'),
  metadata: z.record(z.string(), z.unknown()).optional(),
  remove: looseBoolean.default(false).describe('remove the link'),
  ...sessionInput,
});

const linkRefs = operation({
  name: 'link_refs',
  summary:
    'Link two things of any kind: what an entry changed, what a decision is based on, which pattern code implements, what documents it.',
  effect: 'write',
  idempotent: true,
  input: linkInput,
  output: edgeSchema
    .extend({ shared: z.boolean(), warnings: z.array(z.string()), removed: z.boolean() })
    .partial(),
  examples: [
    { source: 'file:src/auth/session.ts', type: 'related_to', target: 'file:src/auth/rate-limit.ts' },
  ],
  command: { positionals: ['source', 'type', 'target'] },
  render: ({ source, type, target, warnings = [], removed }) => {
    if (type === undefined) return removed ? 'Link removed.' : 'No such link.';
    return [`${source} ${edgeTable[type].reads} ${target}`, ...warnings].join('\n');
  },
  run: async (input, context) => {
    if (input.remove) return unlink(input, context);
    const session = await ownSession(context, input);
    const looker = await looking(context, input);
    const { viewer, knowledge } = looker;
    const [source, target] = [asRef(input.source), asRef(input.target)];
    await requireVisible(looker, source, target);
    const { type, weight, metadata } = input;
    const edge = await knowledge.graph.link({
      source,
      target,
      type,
      weight,
      metadata,
      by: context.caller.name,
      session,
    });
    await knowledge.entries.notePlaces([edge.source, edge.target]);
    const cards = await knowledge.cards.of(viewer, [edge.source, edge.target]);
    const gone = [...cards]
      .filter(([, card]) => card.state === 'lost')
      .map(([ref]) => `${ref} does not exist here now.`);
    return { ...edge, shared: session === '', warnings: gone };
  },
});

async function unlink(input: z.output<typeof linkInput>, context: OperationContext) {
  const { graph } = await context.app.knowledge();
  const key = { source: asRef(input.source), target: asRef(input.target), type: input.type };
  if (context.caller.kind === 'person')
    return { removed: await graph.unlink(key, { session: '', sees_all: true }) };
  const session = await ownSession(context, input);
  if (await graph.unlink(key, { session, sees_all: false }, 'own')) return { removed: true };
  const { type, backwards } = edgeType(key.type);
  const [source, target] = backwards ? [key.target, key.source] : [key.source, key.target];
  const shared = await graph.edgesOf(source, { direction: 'out', types: [type] });
  if (shared.some((edge) => edge.target === target))
    throw new SylkError('DENIED', 'This link is shared: only a person can remove it.', {
      hint: 'Ask the person to run `sylk graph unlink`.',
    });
  return { removed: false };
}

const step = z.object({
  depth: z.number(),
  from: z.string(),
  type: z.enum(edgeTypes),
  direction: z.enum(['out', 'in']),
  weight: z.number(),
  card: cardSchema,
});

const ways = {
  out: ['out', 'in'],
  outgoing: ['out', 'in'],
  in: ['in', 'out'],
  incoming: ['in', 'out'],
  both: ['both', 'both'],
} as const;

const traverse = operation({
  name: 'traverse',
  summary:
    'Follow links from one thing: what it is based on, what is based on it, what changed it, and so on. Narrow by type, direction and depth.',
  effect: 'read',
  input: z.object({
    ref: refInput,
    types: looseList(z.string()).optional().describe('only links of these types'),
    direction: z.enum(['out', 'in', 'both', 'outgoing', 'incoming']).default('both'),
    depth: z.coerce.number().int().min(1).max(maxDepth).default(2),
    ...pagingInput,
    ...sessionInput,
  }),
  output: z.object({
    start: cardSchema.optional(),
    reached: z.array(step),
    truncated: z.boolean().describe('true when the walk stopped early: narrow it by type or depth'),
    ...pagingOutput,
  }),
  examples: [{ ref: 'file:src/auth/session.ts', depth: 3 }],
  command: { positionals: ['ref'] },
  render: ({ start, reached, total, next_cursor, truncated }) =>
    [
      ...(start ? [cardLine(start)] : []),
      ...reached.map(
        ({ depth, direction, type, card }) =>
          `${'  '.repeat(depth)}${direction === 'out' ? edgeTable[type].reads : edgeTable[type].reversed} → ${cardLine(card)}`,
      ),
      total === 0 ? 'No links.' : `${total} reached${truncated ? ' before the walk stopped' : ''}`,
      ...(next_cursor ? [`continue with --cursor ${next_cursor}`] : []),
    ].join('\n'),
  run: async (input, context) => {
    const { viewer, knowledge } = await looking(context, input);
    const named = input.types?.map(edgeType);
    const types = named?.map(({ type }) => type);
    // Outgoing `called_by` is incoming `calls`.
    const turned = named?.length && named.every(({ backwards }) => backwards);
    const direction = ways[input.direction][turned ? 1 : 0];
    const walk = (offset: number) =>
      knowledge.walk(viewer, asRef(input.ref), { types, direction, depth: input.depth, offset, limit: 200 });
    let walked: Awaited<ReturnType<typeof walk>> | undefined;
    const { items, total, next_cursor } = await pageFrom(input, async (offset) => {
      walked = await walk(offset);
      return { items: walked.reached, total: walked.total };
    });
    return {
      start: walked?.start,
      reached: items,
      truncated: walked?.truncated ?? false,
      total,
      next_cursor,
    };
  },
});

export const linkOperations = [linkRefs, traverse];
