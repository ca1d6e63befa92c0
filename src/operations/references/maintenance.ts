import { z } from 'zod';
import { refOf } from '../../base/ref.ts';
import { sourceSchema } from '../../stores/references/index.ts';
import { reporting } from '../calls.ts';
import { operation } from '../operation.ts';
import { problems } from './shapes.ts';

const topic = z.object({ topic: z.string().describe('id or title') });

const refresh = operation({
  name: 'reference_topic_refresh',
  summary:
    'Fetch the sources of a topic again and index the changes. The old version answers until the new one is complete.',
  effect: 'decide',
  input: topic,
  output: z.object({
    topic_id: z.string(),
    file_count: z.number(),
    chunk_count: z.number(),
    added: z.number(),
    changed: z.number(),
    removed: z.number(),
    problems,
  }),
  examples: [{ topic: 'dioxus' }],
  command: { positionals: ['topic'], rest: true },
  render: ({ topic_id, added, changed, removed, file_count }) =>
    `${topic_id}: ${added} added, ${changed} changed, ${removed} removed; ${file_count} files.`,
  run: async function* (input, { app, signal }) {
    const references = await app.references();
    return yield* reporting((progress) => references.refresh(input.topic, { signal, progress }));
  },
});

const remove = operation({
  name: 'reference_topic_delete',
  summary: 'Delete a topic, its files and all indexed data.',
  effect: 'decide',
  destructive: true,
  input: topic,
  output: z.object({ topic_id: z.string(), files: z.number() }),
  examples: [{ topic: 'dioxus' }],
  command: { positionals: ['topic'], rest: true },
  render: ({ topic_id, files }) => `Deleted ${topic_id} and its ${files} files.`,
  run: async (input, { app }) => {
    const removed = await (await app.references()).remove(input.topic);
    await (await app.graph()).removeRefs([refOf('topic', removed.topic_id)]);
    await (await app.library()).eraseTraces([]);
    return removed;
  },
});

const show = operation({
  name: 'reference_topic_show',
  summary: 'One topic in full: description, sources with commits, files, and its directory on disk.',
  effect: 'read',
  input: topic,
  output: z.object({
    topic_id: z.string(),
    title: z.string(),
    body: z.string(),
    directory: z.string(),
    sources: z.array(sourceSchema),
    files: z.array(z.string()),
    more_files: z.number(),
    created_at: z.string(),
    fetched_at: z.string(),
    created_by: z.object({ agent: z.string(), model: z.string() }),
  }),
  examples: [{ topic: 'dioxus' }],
  command: { positionals: ['topic'], rest: true },
  render: (shown) =>
    [
      `${shown.topic_id}  ${shown.title}`,
      `in ${shown.directory}, fetched ${shown.fetched_at}`,
      ...shown.sources.map((source) => `  ${JSON.stringify(source)}`),
      '',
      shown.body,
      '',
      ...shown.files.map((file) => `  ${file}`),
      ...(shown.more_files > 0 ? [`  and ${shown.more_files} more`] : []),
    ].join('\n'),
  run: async (input, { app }) => {
    const { topic: found, directory } = await (await app.references()).show(input.topic);
    const { id, title, body, sources, files, created_at, fetched_at, created_by } = found;
    const shown = files.slice(0, 200);
    const more_files = files.length - shown.length;
    return {
      topic_id: id,
      title,
      body,
      directory,
      sources,
      files: shown,
      more_files,
      created_at,
      fetched_at,
      created_by,
    };
  },
});

export const maintenance = [refresh, remove, show];
