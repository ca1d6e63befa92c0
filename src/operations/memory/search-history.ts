import { z } from 'zod';
import { SylkError } from '../../base/errors.ts';
import { looseBoolean, looseList } from '../../base/loose-input.ts';
import { pageOf, pagingInput, pagingOutput } from '../../base/paging.ts';
import { redactionNotes } from '../../base/redact.ts';
import { entryCodeSchema } from '../../engines/knowledge/index.ts';
import { categories, entrySchema, summaryTypes } from '../../stores/chronicle/index.ts';
import { operation } from '../operation.ts';
import { doubtOf, parseTime, reading, sessionInput } from './shared.ts';

const foundEntry = entrySchema.extend({ score: z.number() });
const line = (entry: z.output<typeof entrySchema>): string =>
  `${entry.id}  ${entry.category}${entry.promoted ? ' (shared)' : ''}${doubtOf(entry)}${entry.superseded_by ? ` (superseded by ${entry.superseded_by})` : ''}  ${entry.title}\n    ${entry.content.replace(/\s+/g, ' ').slice(0, 300)}${entry.resolution ? `\n    → ${entry.resolution}` : ''}`;

const searchHistory = operation({
  name: 'search_history',
  summary:
    'Search remembered decisions, failures, insights and open questions. Covers your session and all shared entries; newest first without a query.',
  effect: 'read',
  input: z.object({
    query: z.string().optional().describe('words to look for'),
    search: z.string().optional().describe('same as query'),
    search_text: z.string().optional().describe('same as query'),
    category: z.enum([...categories, 'all']).optional(),
    categories: looseList(z.enum(categories)).optional(),
    summary_type: z.enum([...summaryTypes, 'any']).optional(),
    sources: looseList(z.string()).optional().describe('the author'),
    since: z.string().optional().describe('RFC 3339, or 7d, 12h, 3w'),
    until: z.string().optional(),
    session_ids: looseList(z.string()).optional(),
    exclude_sessions: looseList(z.string()).optional(),
    exclude_current: looseBoolean.optional(),
    current_only: looseBoolean.optional(),
    cross_session: looseBoolean.optional().describe('changes nothing: shared entries are always searched'),
    promoted_only: looseBoolean.optional(),
    include_superseded: looseBoolean.optional(),
    resolved_only: looseBoolean.optional().describe('only failures with a solution'),
    tags: looseList(z.string()).optional(),
    ref: z.string().optional().describe('only entries about this ref, such as file:src/a.ts'),
    limit: z.coerce.number().int().min(1).max(200).default(10),
    ...pagingInput,
    ...sessionInput,
  }),
  output: z.object({ entries: z.array(foundEntry), notes: z.array(z.string()), ...pagingOutput }),
  examples: [{ query: 'sessions' }, { category: 'decision' }],
  command: { positionals: ['query'], rest: true },
  render: ({ entries, notes, total, next_cursor }) =>
    [
      entries.length === 0
        ? 'No matching entries.'
        : `${entries.map(line).join('\n')}\n${total} in total${next_cursor ? `; continue with --cursor ${next_cursor}` : ''}`,
      ...notes.map((note) => `note: ${note}`),
    ].join('\n'),
  run: async (input, context) => {
    const { memory, session, viewer } = await reading(context, {});
    const now = context.app.clock.now();
    const text = input.query ?? input.search ?? input.search_text;
    const found = await memory.chronicle.find(viewer, {
      text,
      categories:
        input.categories ?? (input.category && input.category !== 'all' ? [input.category] : undefined),
      summary_type: input.summary_type === 'any' ? undefined : input.summary_type,
      sources: input.sources,
      since: requireTime('since', input.since, now),
      until: requireTime('until', input.until, now),
      session_ids: input.session ? [input.session] : input.session_ids,
      exclude_sessions: [
        ...(input.exclude_sessions ?? []),
        ...(input.exclude_current && session ? [session.id] : []),
      ],
      current_only: input.current_only,
      promoted_only: input.promoted_only,
      include_superseded: input.include_superseded,
      resolved_only: input.resolved_only,
      tags: input.tags,
      refs: input.ref ? [input.ref] : undefined,
      limit: 20_000,
    });
    const { items, total, next_cursor } = await pageOf(found, input);
    const notes = redactionNotes(text === undefined ? [] : [text, ...items.map(({ content }) => content)]);
    return { entries: items, notes, total, next_cursor };
  },
});

const getEntry = operation({
  name: 'get_entry',
  summary: 'One remembered entry with its refs and sources; optionally with the code it is about.',
  effect: 'read',
  input: z.object({
    id: z.string(),
    code: looseBoolean.default(false).describe('add the files and symbols, and what its session changed'),
    ...sessionInput,
  }),
  output: entrySchema.extend({ code: z.array(entryCodeSchema).optional() }),
  examples: [{ id: 'ent_0' }],
  command: { positionals: ['id'] },
  render: ({ code = [], ...entry }) =>
    [line(entry), ...code.map(({ relation, ref }) => `    ${relation.replaceAll('_', ' ')} ${ref}`)].join(
      '\n',
    ),
  run: async (input, context) => {
    const { memory, viewer } = await reading(context, input);
    const entry = await memory.chronicle.get(viewer, input.id.replace(/^entry:/, ''));
    if (!input.code) return entry;
    const { entries } = await context.app.knowledge();
    return { ...entry, code: await entries.codeOf(viewer, entry) };
  },
});

function requireTime(name: string, text: string | undefined, now: number): number | undefined {
  const time = parseTime(text, now);
  if (!text || time !== undefined) return time;
  throw new SylkError('VALIDATION_ERROR', `Invalid time for ${name}: ${JSON.stringify(text)}`, {
    hint: 'Use RFC 3339 (2026-01-31T00:00:00Z) or 7d, 12h, 3w.',
  });
}

export const searchOperations = [searchHistory, getEntry];
