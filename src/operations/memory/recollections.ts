import { z } from 'zod';
import { looseBoolean } from '../../base/loose-input.ts';
import { offsetOf, page, pagingInput, pagingOutput } from '../../base/paging.ts';
import { fileRef, refOf } from '../../base/ref.ts';
import { type Category, entrySchema, extractFacts } from '../../stores/chronicle/index.ts';
import { codeEdges } from '../../stores/graph/index.ts';
import { type OperationContext, operation } from '../operation.ts';
import { base, doubtOf, memoryCaller, sessionIdOf, sessionInput } from './shared.ts';

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

async function viewed(
  context: OperationContext,
  input: { session?: string | undefined; session_id?: string | undefined },
) {
  const memory = await context.app.memory();
  const caller = memoryCaller(context);
  const session = await memory.sessions.forReading(caller, sessionIdOf(input));
  return { memory, session, viewer: memory.sessions.viewerOf(caller, session, true) };
}

async function paged(
  context: OperationContext,
  input: {
    query: string;
    limit: number;
    cursor?: string | undefined;
    max_tokens?: number | undefined;
    session?: string | undefined;
    session_id?: string | undefined;
  },
  filter: { categories: Category[]; resolved_only?: boolean | undefined },
) {
  const { memory, viewer } = await viewed(context, input);
  const found = await memory.chronicle.find(viewer, { text: input.query, ...filter, limit: 500 });
  const question = [input.query, filter, input.limit];
  const offset = offsetOf(input, question);
  const { items, total, next_cursor } = await page(found.slice(offset, offset + input.limit), {
    total: found.length,
    offset,
    request: input,
    question,
  });
  return { entries: items, total, next_cursor };
}

const topic = {
  query: z.string().describe('subject'),
  limit: z.coerce.number().int().min(1).max(100).default(10),
  ...pagingInput,
  ...sessionInput,
};
const entriesOutput = z.object({ entries: z.array(foundEntry), ...pagingOutput });

const getDecisions = operation({
  name: 'get_decisions',
  summary: 'What was decided about a subject, and why.',
  effect: 'read',
  ...base,
  input: z.object(topic),
  output: entriesOutput,
  examples: [{ query: 'sessions' }],
  command: { positionals: ['query'], rest: true },
  render: ({ entries }) => list(entries, 'No decision about that is remembered.'),
  run: (input, context) => paged(context, input, { categories: ['decision'] }),
});

const findFailures = operation({
  name: 'find_failures',
  summary: 'What failed before, like this, and what solved it. Look here before debugging.',
  effect: 'read',
  ...base,
  input: z.object({
    ...topic,
    resolved_only: looseBoolean.optional().describe('only those with a solution'),
  }),
  output: entriesOutput,
  examples: [{ query: 'attempts counter' }],
  command: { positionals: ['query'], rest: true },
  render: ({ entries }) => list(entries, 'No such failure is remembered.'),
  run: (input, context) =>
    paged(context, input, { categories: ['failure'], resolved_only: input.resolved_only }),
});

const findPatterns = operation({
  name: 'find_patterns',
  summary: 'Ways of doing something that recur in what was recorded, with how often.',
  effect: 'read',
  ...base,
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
    const { memory, viewer } = await viewed(context, input);
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
  ...base,
  input: z.object({
    chronological: looseBoolean.default(true),
    include: z.enum(['all', 'decisions', 'tasks', 'failures']).default('all'),
    ...pagingInput,
    ...sessionInput,
  }),
  output: z.object({ session_id: z.string(), entries: z.array(entrySchema), ...pagingOutput }),
  examples: [{}],
  render: ({ entries }) => list(entries, 'This session has remembered nothing yet.'),
  run: async (input, context) => {
    const { memory, session, viewer } = await viewed(context, input);
    const own = session
      ? await memory.chronicle.find(
          { ...viewer, session_id: session.id },
          { current_only: true, categories: included[input.include], include_superseded: true, limit: 2000 },
        )
      : [];
    const ordered = input.chronological ? own.reverse() : own;
    const question = [session?.id, input.include, input.chronological];
    const offset = offsetOf(input, question);
    const { items, total, next_cursor } = await page(ordered.slice(offset), {
      total: ordered.length,
      offset,
      request: input,
      question,
    });
    return { session_id: session?.id ?? '', entries: items, total, next_cursor };
  },
});

const getCodeForHistory = operation({
  name: 'get_code_for_history',
  summary:
    'Files and symbols that a remembered entry is about, and files that its session modified, created or deleted.',
  effect: 'read',
  ...base,
  input: z.object({ history_id: z.string(), ...sessionInput }),
  output: z.object({
    history_id: z.string(),
    code: z.array(
      z.object({
        ref: z.string(),
        relation: z.string(),
        path: z.string().optional(),
        line: z.number().optional(),
        state: z.enum(['current', 'moved', 'lost']).optional(),
        was: z.string().optional(),
      }),
    ),
  }),
  examples: [{ history_id: 'ent_0' }],
  command: { positionals: ['history_id'] },
  run: async (input, context) => {
    const { memory, viewer } = await viewed(context, input);
    const entry = await memory.chronicle.get(viewer, input.history_id.replace(/^entry:/, ''));
    const knowledge = await context.app.knowledge();
    const linked = await knowledge.relatedOf(viewer, [refOf('entry', entry.id)], {
      types: codeEdges,
      direction: 'out',
    });
    // Entries from before links were kept, and commits, stand in the entry itself.
    const named = entry.refs.filter((ref) => /^(?:file|symbol|commit):/.test(ref));
    // What a session changed stays its own, also where an entry of it is shared.
    const own = viewer.sees_all || entry.session_id === viewer.session_id;
    const files = own ? await memory.chronicle.files.of(entry.session_id, 1000) : [];
    const besides = [
      ...named.map((ref) => ({ ref, relation: 'referenced_in' })),
      ...files
        .filter(({ operation: kind }) => kind !== 'read')
        .map(({ path, operation: relation }) => ({ ref: fileRef(path), relation: relation as string })),
    ];
    const known = new Set(linked.flatMap(({ card }) => [card.ref, card.was ?? card.ref]));
    const more = new Map(
      besides.filter(({ ref }) => !known.has(ref)).map((each) => [`${each.relation} ${each.ref}`, each]),
    );
    return {
      history_id: entry.id,
      code: [
        ...linked.map(({ card, type }) => ({
          ref: card.ref,
          relation: type as string,
          state: card.state,
          path: card.path,
          line: card.line,
          was: card.was || undefined,
        })),
        ...more.values(),
      ],
    };
  },
});

const extractFactsOperation = operation({
  name: 'extract_facts',
  summary: 'Structured statements read off remembered entries by rule, each with its sentence.',
  effect: 'read',
  ...base,
  input: z.object({
    ids: z.array(z.string()).optional().describe('entries; all of the session when left out'),
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
    const { memory, viewer } = await viewed(context, input);
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

export const recollectionOperations = [
  getDecisions,
  findFailures,
  findPatterns,
  getSessionHistory,
  getCodeForHistory,
  extractFactsOperation,
];
