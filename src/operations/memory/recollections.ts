import { z } from 'zod';
import { looseBoolean } from '../../base/loose-input.ts';
import { pageOf, pagingInput, pagingOutput } from '../../base/paging.ts';
import { type Category, entrySchema, extractFacts } from '../../stores/chronicle/index.ts';
import { operation } from '../operation.ts';
import { doubtOf, reading, sessionInput } from './shared.ts';

const foundEntry = entrySchema.extend({ score: z.number() });
const list = (entries: Array<z.output<typeof entrySchema>>, none: string): string =>
  entries.length === 0
    ? none
    : entries
        .map(
          (entry) =>
            `${entry.id}${doubtOf(entry)}  ${entry.title}\n    ${entry.content.replace(/\s+/g, ' ').slice(0, 300)}${entry.resolution ? `\n    → ${entry.resolution}` : ''}`,
        )
        .join('\n');

const findPatterns = operation({
  name: 'find_patterns',
  summary: 'Recurring patterns in the remembered entries, with their counts.',
  effect: 'read',
  input: z.object({
    query: z.string(),
    min_occurrences: z.coerce.number().int().min(1).default(2),
    category: z.string().optional(),
    ...sessionInput,
  }),
  output: z.object({
    patterns: z.array(z.object({ name: z.string(), occurrences: z.number(), entries: z.array(foundEntry) })),
  }),
  examples: [{ query: 'error handling', min_occurrences: 1 }],
  run: async (input, context) => {
    const { memory, viewer } = await reading(context, input);
    return { patterns: (await memory.chronicle.findPatterns(viewer, input)).slice(0, 20) };
  },
});

const included: Record<'all' | 'decisions' | 'tasks' | 'failures', Category[] | undefined> = {
  all: undefined,
  decisions: ['decision'],
  tasks: ['task_state', 'timeline'],
  failures: ['failure'],
};

const getSessionHistory = operation({
  name: 'get_session_history',
  summary: 'Everything one session remembered, in order: tasks, decisions, failures.',
  effect: 'read',
  input: z.object({
    chronological: looseBoolean.default(true),
    include: z.enum(['all', 'decisions', 'tasks', 'failures']).default('all'),
    ...pagingInput,
    ...sessionInput,
  }),
  output: z.object({ session_id: z.string(), entries: z.array(entrySchema), ...pagingOutput }),
  examples: [{}],
  render: ({ entries }) => list(entries, 'This session has no entries yet.'),
  run: async (input, context) => {
    const { memory, session, viewer } = await reading(context, input);
    const own = session
      ? await memory.chronicle.find(
          { ...viewer, session_id: session.id },
          { current_only: true, categories: included[input.include], include_superseded: true, limit: 2000 },
        )
      : [];
    const ordered = input.chronological ? own.reverse() : own;
    const { items, total, next_cursor } = await pageOf(ordered, input);
    return { session_id: session?.id ?? '', entries: items, total, next_cursor };
  },
});

const extractFactsOperation = operation({
  name: 'extract_facts',
  summary: 'Structured statements extracted by rules from remembered entries, each with its sentence.',
  effect: 'read',
  input: z.object({
    ids: z.array(z.string()).optional().describe('entry ids; the whole session when omitted'),
    ...sessionInput,
  }),
  output: z.object({
    facts: z.array(
      z.object({
        entry_id: z.string(),
        kind: z.string(),
        subject: z.string(),
        object: z.string(),
        sentence: z.string(),
      }),
    ),
  }),
  examples: [{}],
  run: async (input, context) => {
    const { memory, viewer } = await reading(context, input);
    const entries = input.ids
      ? await Promise.all(input.ids.map((id) => memory.chronicle.get(viewer, id)))
      : await memory.chronicle.find(viewer, { current_only: true, limit: 200 });
    return {
      facts: entries
        .flatMap((entry) => extractFacts(entry.content).map((fact) => ({ entry_id: entry.id, ...fact })))
        .slice(0, 500),
    };
  },
});

export const recollectionOperations = [findPatterns, getSessionHistory, extractFactsOperation];
