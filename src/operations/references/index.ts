import { z } from 'zod';
import { versionWarnings } from '../../app/version-warnings.ts';
import { looseBoolean, looseList } from '../../base/loose-input.ts';
import { offsetOf, page, pagingInput, pagingOutput } from '../../base/paging.ts';
import { quoted } from '../../base/terminal-text.ts';
import { operation } from '../operation.ts';
import { createTopic } from './create.ts';
import { maintenance } from './maintenance.ts';
import { citation, common, fileHit, topicSummary, untrustedNote } from './shapes.ts';

const searchTopics = operation({
  name: 'reference_topic_search',
  summary:
    'Which reference topics there are about something, by words and meaning over their notes (not their files). Ask this before creating one.',
  effect: 'read',
  ...common,
  input: z.object({
    query: z.string().min(1).max(1000),
    limit: z.coerce.number().int().min(1).max(50).default(10),
  }),
  output: z.object({
    topics: z.array(z.object({ ...topicSummary, score: z.number(), snippet: z.string() })),
  }),
  examples: [{ query: 'Rust GUI framework with React-like syntax' }],
  command: { positionals: ['query'], rest: true },
  render: ({ topics }) =>
    topics.length === 0
      ? 'No topic about that. reference_topic_create gathers one.'
      : topics
          .map(
            (topic) =>
              `${topic.topic_id}  ${topic.title}  (${topic.status}, ${topic.score})\n${quoted(topic.snippet, '  ')}`,
          )
          .join('\n'),
  run: async ({ query, limit }, { app }) => ({
    topics: await (await app.references()).searchTopics(query, limit),
  }),
});

const listTopics = operation({
  name: 'reference_topic_list',
  summary: 'All reference topics with their age: which are stale, which are obsolete.',
  effect: 'read',
  ...common,
  input: z.object({ include_obsolete: looseBoolean.default(false), ...pagingInput }),
  output: z.object({ topics: z.array(z.object(topicSummary)), ...pagingOutput }),
  examples: [{}, { include_obsolete: true }],
  render: ({ topics }) =>
    topics.length === 0
      ? 'There are no reference topics.'
      : topics
          .map(
            (topic) =>
              `${topic.topic_id}  ${topic.title}  (${topic.status}, ${topic.file_count} files, fetched ${topic.fetched_at.slice(0, 10)})`,
          )
          .join('\n'),
  run: async (input, { app }) => {
    const found = await (await app.references()).list({ obsolete: input.include_obsolete });
    const offset = offsetOf(input, input.include_obsolete);
    const { items, total, next_cursor } = await page(found.slice(offset), {
      total: found.length,
      offset,
      request: input,
      question: input.include_obsolete,
    });
    return { topics: items, total, next_cursor };
  },
});

const updateTopic = operation({
  name: 'reference_topic_update',
  summary:
    'Change what a reference topic says of itself: status (obsolete takes it out of searches, active brings it back), age limit, description, tags. Nothing is fetched.',
  effect: 'write',
  idempotent: true,
  ...common,
  input: z.object({
    topic_id: z.string(),
    status: z
      .enum(['active', 'obsolete'], { error: 'active or obsolete; stale is computed from the age' })
      .optional(),
    max_age_days: z.coerce.number().int().min(0).max(3650).optional(),
    body: z.string().max(50_000).optional(),
    tags: looseList(z.string().min(1).max(60)).optional(),
  }),
  output: z.object({
    topic_id: z.string(),
    status: z.string(),
    max_age_days: z.number(),
    tags: z.array(z.string()),
  }),
  examples: [{ topic_id: 'topic-dioxus-rust-ui-framework', max_age_days: 60 }],
  command: { positionals: ['topic_id'] },
  run: async (input, { app }) => {
    const { id, status, max_age_days, tags } = await (await app.references()).update(input);
    return { topic_id: id, status, max_age_days, tags };
  },
});

const search = operation({
  name: 'reference_search',
  summary:
    'Search the source and documentation of gathered libraries: passages with file, lines, page address, commit and age. `topic` is a name such as "dioxus", or left out for all.',
  effect: 'read',
  ...common,
  input: z.object({
    question: z.string().min(1).max(2000),
    topic: z.string().max(200).optional().describe('a name; the best match is meant'),
    limit: z.coerce.number().int().min(1).max(50).default(8),
    ...pagingInput,
  }),
  output: z.object({
    note: z.string(),
    results: z.array(fileHit),
    warnings: z.array(z.string()),
    ...pagingOutput,
  }),
  examples: [{ question: 'component lifecycle hooks' }],
  command: { positionals: ['question'], rest: true },
  render: ({ note, results, warnings }) =>
    results.length === 0
      ? 'Nothing found. reference_topic_search shows which topics there are.'
      : [
          note,
          ...warnings.map((warning) => `warning: ${warning}`),
          ...results.map(
            (hit, at) =>
              `\n[${at + 1}] ${hit.topic} › ${hit.heading || hit.file}\n    ${citation(hit)}\n${quote(hit.text)}`,
          ),
        ].join('\n'),
  run: async (input, { app }) => {
    const references = await app.references();
    const question = { question: input.question, topic: input.topic, limit: input.limit };
    const offset = offsetOf(input, question);
    const found = await references.search(question);
    const { items, total, next_cursor } = await page(found.slice(offset), {
      total: found.length,
      offset,
      request: input,
      question,
    });
    return {
      note: untrustedNote,
      results: items,
      warnings: await versionWarnings(
        app.conventions,
        items.map((hit) => ({ ...hit, title: hit.topic })),
      ),
      total,
      next_cursor,
    };
  },
});

const quote = (text: string): string =>
  text
    .split('\n')
    .map((line) => `  │ ${line}`)
    .join('\n');

const recent = operation({
  name: 'get_recent_topics',
  summary: 'The ten most recently fetched reference topics, as the block that a prompt carries.',
  effect: 'read',
  ...common,
  input: z.object({}),
  output: z.object({ markdown: z.string() }),
  examples: [{}],
  render: ({ markdown }) => markdown || 'There are no reference topics yet.',
  run: async (_input, { app }) => ({ markdown: await (await app.references()).recent() }),
});

export const operations = [
  createTopic,
  searchTopics,
  listTopics,
  updateTopic,
  search,
  recent,
  ...maintenance,
];
