import { z } from 'zod';
import { looseBoolean, looseList } from '../../base/loose-input.ts';
import { limitInput, pageOf, pagingInput, pagingOutput } from '../../base/paging.ts';
import { quoted } from '../../base/terminal-text.ts';
import { versionWarnings } from '../../stores/references/index.ts';
import { operation } from '../operation.ts';
import { createTopic } from './create.ts';
import { maintenance } from './maintenance.ts';
import { citation, fileHit, topicSummary, untrustedNote } from './shapes.ts';

const listTopics = operation({
  name: 'reference_topic_list',
  summary:
    'Reference topics with their age: all, or those that match a query (searches their notes, not their files). Check it before creating one. Optionally the newest, those that document a library, or their origins.',
  effect: 'read',
  input: z.object({
    list: z
      .enum(['topics', 'recent', 'libraries', 'sources'])
      .default('topics')
      .describe('recent: the block to put in a prompt'),
    library: z.string().min(1).max(300).optional().describe('only topics that document this library'),
    query: z.string().min(1).max(1000).optional(),
    limit: z.coerce.number().int().min(1).max(50).default(10).describe('with query'),
    include_obsolete: looseBoolean.default(false),
    ...pagingInput,
  }),
  output: z.object({
    topics: z.array(
      z.object({ ...topicSummary, score: z.number().optional(), snippet: z.string().optional() }),
    ),
    markdown: z.string().optional().describe('with recent'),
    libraries: z
      .array(
        z.object({
          library: z.string(),
          topic_id: z.string(),
          title: z.string(),
          library_version: z.string(),
          fetched_at: z.string(),
        }),
      )
      .optional(),
    sources: z
      .array(
        z.object({
          id: z.string(),
          name: z.string(),
          base_url: z.string(),
          api_endpoint: z.string().nullable(),
          rate_limit_per_min: z.number().nullable(),
          requires_auth: z.boolean(),
          last_crawled_at: z.string().nullable(),
        }),
      )
      .optional(),
    ...pagingOutput,
  }),
  examples: [
    {},
    { include_obsolete: true },
    { query: 'Rust GUI framework with React-like syntax' },
    { list: 'libraries' },
  ],
  command: { positionals: ['query'], rest: true },
  render: ({ topics, markdown, libraries = [], sources = [] }) =>
    markdown ||
    [
      ...topics.map(
        ({ topic_id, title, status, file_count, fetched_at, snippet }) =>
          `${topic_id}  ${title}  (${status}, ${file_count} files, fetched ${fetched_at.slice(0, 10)})${snippet ? `\n${quoted(snippet, '  ')}` : ''}`,
      ),
      ...libraries.map(
        ({ library, library_version, title, topic_id, fetched_at }) =>
          `${library} ${library_version}  ${title} (${topic_id}), fetched ${fetched_at.slice(0, 10)}`,
      ),
      ...sources.map(
        ({ name, base_url, rate_limit_per_min, requires_auth, last_crawled_at }) =>
          `${name}  ${base_url}${rate_limit_per_min ? `  ${rate_limit_per_min}/min` : ''}${requires_auth ? '  needs a login' : ''}${last_crawled_at ? `  last ${last_crawled_at.slice(0, 10)}` : ''}`,
      ),
    ].join('\n') ||
    'No topic found. `sylk ref create URL` collects one.',
  run: async (input, { app }) => {
    const { query, limit, include_obsolete } = input;
    const references = await app.references();
    const others = { topics: [], total: 0 };
    if (input.list === 'recent') return { ...others, markdown: await references.recent() };
    if (input.list === 'libraries')
      return { ...others, libraries: await references.libraryDocs(input.library) };
    if (input.list === 'sources') return { ...others, sources: await references.sources() };
    const topics = query
      ? await references.searchTopics(query, limit)
      : await references.list({ obsolete: include_obsolete });
    const { items, total, next_cursor } = await pageOf(topics, input);
    return { topics: items, total, next_cursor };
  },
});

const updateTopic = operation({
  name: 'reference_topic_update',
  summary:
    'Update a reference topic: status (obsolete hides it from searches, active restores it), age limit, description, tags. Fetches nothing.',
  effect: 'write',
  idempotent: true,
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
  render: ({ topic_id, status, max_age_days, tags }) =>
    [
      `${topic_id}: ${status}`,
      max_age_days > 0 ? `stale after ${max_age_days} days` : 'never stale',
      ...(tags.length > 0 ? [`tags ${tags.join(', ')}`] : []),
    ].join(', '),
  run: async (input, { app }) => {
    const { id, status, max_age_days, tags } = await (await app.references()).update(input);
    return { topic_id: id, status, max_age_days, tags };
  },
});

const search = operation({
  name: 'reference_search',
  summary:
    'Search the source and documentation of collected libraries: passages with file, lines, URL, commit and age. `topic` is a name such as "dioxus"; omit it to search all.',
  effect: 'read',
  input: z.object({
    question: z.string().min(1).max(2000),
    topic: z.string().max(200).optional().describe('a topic name; the best match is used'),
    limit: limitInput(8, 50),
    ...pagingInput,
  }),
  output: z.object({
    note: z.string(),
    results: z.array(fileHit).describe('empty when no passage fits the question'),
    nearest: z.array(fileHit).describe('the closest passages, when none fits'),
    warnings: z.array(z.string()),
    ...pagingOutput,
  }),
  examples: [{ question: 'component lifecycle hooks' }],
  command: { positionals: ['question'], rest: true },
  render: ({ note, results, nearest, warnings }) =>
    results.length + nearest.length === 0
      ? 'No results. Run `sylk ref list` to see the topics.'
      : [
          note,
          ...warnings.map((warning) => `warning: ${warning}`),
          ...(nearest.length > 0 ? ['No passage answers this question. Closest matches:'] : []),
          ...[...results, ...nearest].map(
            (hit, at) =>
              `\n[${at + 1}] ${hit.topic} › ${hit.heading || hit.file}\n    ${citation(hit)}\n${quote(hit.text)}`,
          ),
        ].join('\n'),
  run: async (input, { app }) => {
    const { question, topic, limit } = input;
    const references = await app.references();
    const found = await references.search({ question, topic, limit, nearest: true });
    const { items, total, next_cursor } = await pageOf(
      found.filter(({ fits }) => fits),
      input,
    );
    const warnings = await versionWarnings(
      items.map((hit) => ({ ...hit, title: hit.topic })),
      async (library) =>
        (await (await app.conventions()).dependencies.check({ need: library, path: '', limit: 20 })).packages,
    );
    const [first] = found;
    if (topic && first && (await references.named(topic)).length === 0)
      warnings.unshift(`No topic is called "${topic}". Searched the most similar one, ${first.topic_id}.`);
    const nearest = found.filter(({ fits }) => !fits);
    return { note: untrustedNote, results: items, nearest, warnings, total, next_cursor };
  },
});

const quote = (text: string): string =>
  text
    .split('\n')
    .map((line) => `  │ ${line}`)
    .join('\n');

export const operations = [createTopic, listTopics, updateTopic, search, ...maintenance];
