import { z } from 'zod';
import { looseList } from '../../base/loose-input.ts';
import { fileRef, refOf } from '../../base/ref.ts';
import type { NewMemory } from '../../engines/memory/index.ts';
import { categories, entrySchema, summaryTypes } from '../../stores/chronicle/index.ts';
import { isRef } from '../../stores/graph/index.ts';
import { type OperationContext, operation } from '../operation.ts';
import { authorOf, base, memoryCaller, sessionIdOf, sessionInput } from './shared.ts';

const submissionOutput = z.object({
  stored: z.boolean(),
  result: z.enum(['accepted', 'merged', 'conflicting']),
  node_id: z.string(),
  edges: z.number(),
  entry: entrySchema,
  conflicts_with: z.array(z.string()),
  warnings: z.array(z.string()).describe('what the code says against it, or what could not be checked'),
});

const categoryInput = z.enum(categories).optional().describe('what it is');
type Words = Omit<NewMemory, 'session_id' | 'source' | 'source_kind'>;

/** Remembers what the caller says, in the session that is named or the caller's own. */
async function remember(
  context: OperationContext,
  input: { session?: string | undefined; session_id?: string | undefined },
  words: Words,
  source?: string,
) {
  const memory = await context.app.memory();
  const author = authorOf(context);
  const session = await memory.sessions.forWriting(memoryCaller(context), sessionIdOf(input));
  const isOther = source !== undefined && source !== author.name;
  const { result, entry, edges, conflicts_with, warnings } = await memory.remember({
    ...words,
    session_id: session.id,
    source: source ?? author.name,
    source_kind: author.kind === 'person' ? 'person' : 'agent',
    metadata: isOther ? { ...words.metadata, client: author.name } : words.metadata,
  });
  return { stored: true, result, node_id: entry.id, edges, entry, conflicts_with, warnings };
}

const storeEntry = operation({
  name: 'store_entry',
  summary:
    'Remember a decision, a failure, an insight, a pattern or an open question, so that later conversations know it. Give why, and the files it is about.',
  effect: 'write',
  ...base,
  input: z.object({
    content: z.string().min(1).describe('what to remember, with its reason'),
    category: categoryInput,
    summary_type: z.enum(summaryTypes).optional().describe('kind of work summary; gives the category'),
    title: z.string().optional().describe('the subject in a few words'),
    code_references: looseList(z.string())
      .optional()
      .describe('paths or refs it is about; created:PATH, modified:PATH, deleted:PATH where it did that'),
    tags: looseList(z.string()).optional(),
    derived_from: looseList(z.string()).optional().describe('refs it was made from'),
    supersedes: z.string().optional().describe('id of the entry that this replaces'),
    resolution: z.string().optional().describe('for a failure: what solved it'),
    metadata: z
      .object({
        agent: z.string().optional(),
        task_id: z.string().optional(),
        confidence: z.coerce.number().min(0).max(1).optional(),
      })
      .loose()
      .optional(),
    ...sessionInput,
  }),
  output: submissionOutput,
  examples: [
    {
      content: 'Sessions are kept in memory because the shop has one process.',
      category: 'decision',
      title: 'where sessions live',
    },
  ],
  command: { positionals: ['content'], rest: true },
  render: ({ entry, result, conflicts_with, warnings }) =>
    `${result}: ${entry.id}${entry.needs_review ? ' (kept as unverified, waits for review)' : ''}${warnings.map((warning) => `\n⚠️ ${warning}`).join('')}${conflicts_with.length > 0 ? `\nIt says something else than ${conflicts_with.join(', ')}: settle it with resolve_entry_conflict, or store again with supersedes.` : ''}`,
  run: async (input, context) => {
    const { session: _, session_id: __, code_references: refs, ...words } = input;
    const { agent, confidence } = input.metadata ?? {};
    return remember(context, input, { ...words, refs, confidence }, agent);
  },
});

const recordPattern = operation({
  name: 'record_pattern',
  summary: 'Remember a way in which this code base does something, with an example.',
  effect: 'write',
  ...base,
  input: z.object({
    category: z.string().describe('area, such as error_handling'),
    name: z.string(),
    pattern: z.string(),
    example: z.string().optional(),
    ...sessionInput,
  }),
  output: submissionOutput,
  examples: [
    { category: 'error_handling', name: 'throw early', pattern: 'Refuse bad input before any work is done.' },
  ],
  run: async (input, context) => {
    const content = input.example ? `${input.pattern}\n\nExample:\n${input.example}` : input.pattern;
    return remember(context, input, {
      category: 'pattern',
      title: input.name,
      content,
      tags: [input.category],
      metadata: { name: input.name, pattern_category: input.category },
    });
  },
});

const recordFailure = operation({
  name: 'record_failure',
  summary: 'Remember what was tried, why it failed, and what solved it, so that nobody tries it again.',
  effect: 'write',
  ...base,
  input: z.object({
    approach: z.string(),
    reason: z.string(),
    context: z.string().optional(),
    resolution: z.string().optional(),
    ...sessionInput,
  }),
  output: submissionOutput,
  examples: [
    {
      approach: 'a global counter for attempts',
      reason: 'it was shared between users',
      resolution: 'one counter for each user',
    },
  ],
  run: async (input, context) =>
    remember(context, input, {
      category: 'failure',
      title: input.approach.slice(0, 120),
      content: [
        `Tried: ${input.approach}`,
        `Failed: ${input.reason}`,
        ...(input.context ? [`When: ${input.context}`] : []),
      ].join('\n'),
      resolution: input.resolution,
    }),
});

const recordFile = operation({
  name: 'record_file',
  summary: 'Note that this session read, changed or created a file.',
  effect: 'write',
  ...base,
  input: z.object({
    path: z.string().min(1).max(1000),
    operation: z.enum(['read', 'modified', 'created', 'deleted']),
    summary: z.string().optional(),
    changes: looseList(z.string()).optional(),
    ...sessionInput,
  }),
  output: z.object({ recorded: z.boolean(), session_id: z.string() }),
  examples: [{ path: 'src/auth/session.ts', operation: 'modified', summary: 'limit attempts' }],
  run: async (input, context) => {
    const memory = await context.app.memory();
    const session = await memory.sessions.forWriting(memoryCaller(context), sessionIdOf(input));
    await memory.chronicle.files.record(session.id, {
      path: input.path,
      operation: input.operation,
      summary: input.summary ?? '',
      changes: input.changes ?? [],
    });
    if (input.operation !== 'read' && isRef(fileRef(input.path))) {
      const { graph } = await context.app.knowledge();
      await graph.link({
        source: refOf('session', session.id),
        target: fileRef(input.path),
        type: input.operation,
        weight: 0.9,
        by: context.caller.name,
        session: session.id,
      });
    }
    const field =
      input.operation === 'read'
        ? 'read_files'
        : input.operation === 'created'
          ? 'created_files'
          : 'modified_files';
    const at = new Date(context.app.clock.now()).toISOString();
    await memory.sessions.change(session.id, ({ context: known }) => ({
      context: {
        ...known,
        [field]: { ...known[field], [input.path]: { summary: input.summary, changes: input.changes, at } },
      },
    }));
    return { recorded: true, session_id: session.id };
  },
});

export const entryOperations = [storeEntry, recordPattern, recordFailure, recordFile];
