import { z } from 'zod';
import { SylkError } from '../../base/errors.ts';
import { cardSchema, questionKinds } from '../../engines/knowledge/index.ts';
import { sessionInput } from '../memory/shared.ts';
import { operation } from '../operation.ts';
import { cardLine, looking, shape } from './shared.ts';

const withContext = operation({
  name: 'search_with_context',
  summary:
    'Search code, memory and references at once; beside each hit stands what the other two know of it.',
  effect: 'read',
  ...shape,
  input: z.object({
    query: z.string().min(1).max(2000),
    path: z.string().max(1000).optional().describe('only what has to do with paths that contain this'),
    limit: z.coerce.number().int().min(1).max(100).default(10),
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
      ? 'Nothing was found.'
      : results
          .map(({ hit, code, history, references }) =>
            [
              cardLine(hit),
              ...[...code, ...history, ...references].map((card) => `    ${cardLine(card)}`),
            ].join('\n'),
          )
          .join('\n'),
  run: async (input, context) => {
    const { viewer, knowledge } = await looking(context, input);
    return { query: input.query, results: await knowledge.searchWithContext(viewer, input) };
  },
});

const answer = operation({
  name: 'answer_across',
  summary:
    'Answers one of four questions from links alone, with no model: which patterns code implements, why something was decided, what changed lately, which issues code had.',
  effect: 'read',
  ...shape,
  input: z.object({
    question: z.string().min(1).max(2000),
    about: z.string().max(1000).optional().describe('what "this" means: a ref, path or name'),
    ...sessionInput,
  }),
  output: z.object({
    question: z.enum(questionKinds),
    subject: z.string(),
    level: z.literal(2),
    tokens: z.literal(0).describe('spent on a model'),
    lines: z.array(z.string()),
    cards: z.array(cardSchema),
    hint: z.string().optional(),
  }),
  examples: [{ question: 'Why did we choose sessions in memory?' }],
  command: { positionals: ['question'], rest: true },
  render: ({ lines, hint }) => [...lines, ...(hint ? [hint] : [])].join('\n'),
  run: async (input, context) => {
    const { viewer, knowledge } = await looking(context, input);
    const answered = await knowledge.answer(viewer, input.question, input.about);
    if (!answered)
      throw new SylkError('VALIDATION_ERROR', 'This is none of the questions that links answer.', {
        hint: 'Ask for patterns of code, why something was decided, what changed, or issues with code; `ask` takes any question.',
      });
    const none =
      answered.lines.length === 0
        ? { hint: 'Nothing is linked to that yet: link_refs and store_entry make links.' }
        : {};
    return {
      ...answered,
      cards: answered.cards.slice(0, 40),
      level: 2 as const,
      tokens: 0 as const,
      ...none,
    };
  },
});

export const askOperations = [withContext, answer];
