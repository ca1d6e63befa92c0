import { z } from 'zod';
import { SylkError } from '../../base/errors.ts';
import { timeScopeOf } from '../../base/text/index.ts';
import { cardSchema, questionKinds, relatedSchema } from '../../engines/knowledge/index.ts';
import { parseTime, sessionInput } from '../memory/shared.ts';
import { operation } from '../operation.ts';
import { cardLine, looking } from './shared.ts';

const limit = z.coerce.number().int().min(1).max(100);

const withContext = operation({
  name: 'search_with_context',
  summary: 'Search code, memory and references at once; each match lists what the other two say about it.',
  effect: 'read',
  input: z.object({
    query: z.string().min(1).max(2000),
    path: z.string().max(1000).optional().describe('only results related to paths that contain this'),
    limit: limit.default(10),
    ...sessionInput,
  }),
  output: z.object({
    query: z.string(),
    results: z.array(
      z.object({
        hit: cardSchema,
        score: z.number(),
        code: z.array(cardSchema),
        history: z.array(cardSchema),
        references: z.array(cardSchema),
      }),
    ),
  }),
  examples: [{ query: 'sessions', limit: 3 }],
  command: { positionals: ['query'], rest: true },
  render: ({ results }) =>
    results.length === 0
      ? 'No matches.'
      : results
          .flatMap(({ hit, code, history, references }) => [
            cardLine(hit),
            ...[...code, ...history, ...references].map((card) => `    ${cardLine(card)}`),
          ])
          .join('\n'),
  run: async (input, context) => {
    const { viewer, knowledge } = await looking(context, input);
    return { query: input.query, results: await knowledge.searchWithContext(viewer, input) };
  },
});

const answer = operation({
  name: 'answer_across',
  summary:
    'Answer four questions from links alone: which patterns code implements, why something was decided, what changed recently, which issues code had.',
  effect: 'read',
  input: z.object({
    question: z
      .string()
      .min(1)
      .max(2000)
      .optional()
      .describe('the question in words; or use kind and subject'),
    kind: z.enum(questionKinds).optional(),
    subject: z.string().min(1).max(1000).optional().describe('words, a path, a name or a ref'),
    path: z.string().optional().describe('for patterns: only under this folder'),
    since: z.string().optional().describe('for changes: RFC 3339, 7d, 12h, 3w, or words such as last week'),
    limit: limit.optional(),
    ...sessionInput,
  }),
  output: z.object({
    question: z.enum(questionKinds),
    subject: z.string(),
    level: z.literal(2),
    tokens: z.literal(0).describe('tokens used by a model'),
    lines: z.array(z.string()),
    cards: z.array(cardSchema),
    patterns: z
      .array(z.object({ pattern: cardSchema, code: z.array(cardSchema), weight: z.number() }))
      .optional(),
    decisions: z
      .array(z.object({ decision: cardSchema, sources: z.array(relatedSchema), code: z.array(cardSchema) }))
      .optional(),
    since: z.string().optional(),
    changes: z
      .array(
        z.object({
          code: cardSchema,
          change: z.enum(['modified', 'created', 'deleted', 'mentioned']),
          at: z.string(),
          by: z.array(cardSchema),
        }),
      )
      .optional(),
    code: cardSchema.optional(),
    issues: z.array(z.object({ issue: cardSchema, fixed: z.boolean(), about: z.string() })).optional(),
    hint: z.string().optional(),
  }),
  examples: [
    { question: 'Why did we choose sessions in memory?' },
    { kind: 'issues', subject: 'src/auth/session.ts' },
    { kind: 'changes', subject: 'auth', since: '2025-01-01T00:00:00Z' },
  ],
  command: { positionals: ['question'], rest: true },
  render: ({ lines, hint }) => [...lines, ...(hint ? [hint] : [])].join('\n'),
  run: async (input, context) => {
    const { viewer, knowledge } = await looking(context, input);
    const time = timeOf(input.since, context.app.clock.now());
    const answered = await knowledge.answer(viewer, { ...input, ...time });
    if (!answered)
      throw new SylkError('VALIDATION_ERROR', 'Links cannot answer this question.', {
        hint: 'Ask about patterns in code, why something was decided, what changed, or issues with code. `sylk ask` takes any question.',
      });
    const isEmpty = answered.lines.length === 0;
    return {
      ...answered,
      cards: answered.cards.slice(0, 40),
      level: 2 as const,
      tokens: 0 as const,
      hint: isEmpty
        ? 'Nothing is linked to it yet. Create links with `sylk graph link` or `sylk memory add`.'
        : undefined,
    };
  },
});

/** A point in time, or words such as "last week". */
function timeOf(text: string | undefined, now: number): { from?: number; to?: number } {
  if (text === undefined) return {};
  const from = parseTime(text, now);
  const scope = from === undefined ? timeScopeOf(text, now) : { from, to: now };
  if (scope) return scope;
  throw new SylkError('VALIDATION_ERROR', `Invalid time for since: ${JSON.stringify(text)}`, {
    hint: 'Use RFC 3339 (2026-01-31T00:00:00Z), 7d, 12h, 3w, or words such as "last week".',
  });
}

export const askOperations = [withContext, answer];
