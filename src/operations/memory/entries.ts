import { z } from 'zod';
import { isoTime } from '../../base/clock.ts';
import { looseList } from '../../base/loose-input.ts';
import { fileRef, refOf } from '../../base/ref.ts';
import { categories, entrySchema, summaryTypes } from '../../stores/chronicle/index.ts';
import { isRef } from '../../stores/graph/index.ts';
import { operation } from '../operation.ts';
import { authorOf, sessionInput, writing } from './shared.ts';

const submissionOutput = z.object({
  stored: z.boolean(),
  result: z.enum(['accepted', 'merged', 'conflicting']),
  node_id: z.string(),
  edges: z.number(),
  entry: entrySchema,
  conflicts_with: z.array(z.string()),
  warnings: z.array(z.string()).describe('evidence against it in the code, or what could not be checked'),
});

const results = { accepted: 'Remembered as', merged: 'Already remembered as', conflicting: 'Remembered as' };
/** Who will see an entry, for the person who wrote it. */
const audience = ({ id, promoted }: { id: string; promoted: boolean }): string =>
  promoted
    ? 'Every client and session in this repository sees it.'
    : `Only this session and you see it. Share it: sylk memory promote ${id}`;

const categoryInput = z
  .enum(categories)
  .optional()
  .describe('what it is: decision, failure, pattern, open_thread …; an insight when omitted');
const storeEntry = operation({
  name: 'store_entry',
  summary:
    'Remember a decision, a failure, an insight, a pattern or an open question for later conversations. Include the reason and the files it is about.',
  effect: 'write',
  input: z.object({
    content: z.string().min(1).describe('the text to remember, with its reason'),
    category: categoryInput,
    summary_type: z.enum(summaryTypes).optional().describe('kind of work summary; sets the category'),
    title: z.string().optional().describe('the subject in a few words'),
    code_references: looseList(z.string())
      .optional()
      .describe('paths or refs it is about; created:PATH, modified:PATH, deleted:PATH for files it changed'),
    tags: looseList(z.string()).optional(),
    derived_from: looseList(z.string()).optional().describe('refs it is based on'),
    supersedes: z.string().optional().describe('id of the entry that it replaces'),
    resolution: z.string().optional().describe('for a failure: the fix'),
    details: z.string().optional().describe('an example, or when it applies'),
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
    `${results[result]} ${entry.id}. ${audience(entry)}${entry.needs_review ? '\nSomething contradicts it. Review it: sylk graph review' : ''}${warnings.map((warning) => `\n⚠️ ${warning}`).join('')}${conflicts_with.length > 0 ? `\nIt contradicts ${conflicts_with.join(', ')}. Replace it: sylk memory add … --supersedes ${conflicts_with[0]}` : ''}`,
  run: async (input, context) => {
    const { session: named, code_references: refs, details, ...words } = input;
    // Whoever says nothing about its kind wants it found again: an insight is shared, a general note is not.
    const { memory, caller, session } = await writing(context, { session: named });
    // What takes the place of an entry is what that was, but for the words that are new.
    const old = input.supersedes
      ? await memory.chronicle.get(memory.sessions.viewerOf(caller, session), input.supersedes)
      : undefined;
    const category =
      input.category ?? (input.summary_type ? undefined : (old?.category ?? ('insight' as const)));
    const author = authorOf(context);
    const { agent: source = author.name, confidence } = input.metadata ?? {};
    const { result, entry, edges, conflicts_with, warnings } = await memory.remember({
      ...words,
      title: words.title ?? old?.title,
      tags: words.tags ?? old?.tags,
      category,
      content: details ? `${input.content}\n\n${details}` : input.content,
      refs: refs ?? old?.refs,
      confidence,
      session_id: session.id,
      source,
      source_kind: author.kind === 'person' ? 'person' : 'agent',
      metadata: source === author.name ? input.metadata : { ...input.metadata, client: author.name },
    });
    return { stored: true, result, node_id: entry.id, edges, entry, conflicts_with, warnings };
  },
});

const recordFile = operation({
  name: 'record_file',
  summary: 'Record that this session read, changed or created a file.',
  effect: 'write',
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
    const { memory, session } = await writing(context, input);
    await memory.recordFile(session, input, isoTime(context.app.clock.now()));
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
    return { recorded: true, session_id: session.id };
  },
});

export const entryOperations = [storeEntry, recordFile];
