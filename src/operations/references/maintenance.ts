import { z } from 'zod';
import type { App } from '../../app.ts';
import { messageOf, SylkError } from '../../base/errors.ts';
import { looseBoolean } from '../../base/loose-input.ts';
import { refOf } from '../../base/ref.ts';
import type { ApprovalTarget } from '../../stores/approvals/index.ts';
import { sourceName, sourceSchema } from '../../stores/references/index.ts';
import { reporting } from '../calls.ts';
import { operation } from '../operation.ts';
import { problems } from './shapes.ts';

const topic = z.object({ topic: z.string().describe('id, title or a part of it') });

const refreshInput = z.object({
  topic: z.string().optional().describe('id, title or a part of it'),
  stale: looseBoolean.default(false).describe('every topic that is stale'),
  all: looseBoolean.default(false).describe('every topic that is not obsolete'),
});

/** The topics that a refresh is about. */
async function chosenTopics(app: App, { topic: name, stale, all }: z.output<typeof refreshInput>) {
  const references = await app.references();
  if (name !== undefined) return [(await references.show(name)).topic];
  if (!stale && !all)
    throw new SylkError('VALIDATION_ERROR', 'Missing TOPIC.', {
      hint: 'Give a topic, --stale or --all. `sylk ref list` shows the topics.',
    });
  const chosen = (await references.list()).filter(({ is_stale }) => all || is_stale);
  return Promise.all(chosen.map(async ({ topic_id }) => (await references.show(topic_id)).topic));
}

const refresh = operation({
  name: 'reference_topic_refresh',
  summary:
    'Fetch the sources of a topic, of all stale ones or of all again, and index the changes. The old version answers until the new one is complete.',
  effect: 'decide',
  input: refreshInput,
  output: z.object({
    topics: z.array(
      z.object({
        topic_id: z.string(),
        file_count: z.number(),
        chunk_count: z.number(),
        added: z.number(),
        changed: z.number(),
        removed: z.number(),
        problems,
      }),
    ),
    failed: z.array(z.object({ topic_id: z.string(), message: z.string() })).describe('unchanged topics'),
  }),
  examples: [{ topic: 'dioxus' }, { stale: true }],
  command: { positionals: ['topic'], rest: true },
  consent: async (input, app) => {
    const approvals = await app.approvals();
    const about = (await chosenTopics(app, input)).map(({ id, sources }) => ({
      id,
      targets: sources.map((source) => ({ kind: source.type, target: sourceName(source) })),
    }));
    const isAllowed = (targets: ApprovalTarget[]) =>
      approvals.allows({ kind: 'REFERENCE_TOPIC_REFRESH', targets });
    return {
      shown: about
        .map(({ id, targets }) =>
          [id, ...targets.map(({ kind, target }) => `    ${kind} ${target}`)].join('\n'),
        )
        .join('\n'),
      allowed: about.every(({ targets }) => isAllowed(targets)),
    };
  },
  render: ({ topics, failed }) =>
    [
      ...topics.map(
        ({ topic_id, added, changed, removed, file_count }) =>
          `${topic_id}: ${added} added, ${changed} changed, ${removed} removed; ${file_count} files.`,
      ),
      ...failed.map(({ topic_id, message }) => `${topic_id}: not refreshed. ${message}`),
    ].join('\n') || 'No topic is stale.',
  isFailure: ({ failed }) => failed.length > 0,
  run: async function* (input, { app, signal }) {
    const references = await app.references();
    const topics: Array<Awaited<ReturnType<typeof references.refresh>>> = [];
    const failed: Array<{ topic_id: string; message: string }> = [];
    for (const { id } of await chosenTopics(app, input)) {
      try {
        topics.push(yield* reporting((progress) => references.refresh(id, { signal, progress })));
      } catch (error) {
        // The failure of the only topic is the failure of the call.
        if (signal.aborted || input.topic !== undefined) throw error;
        failed.push({ topic_id: id, message: messageOf(error) });
      }
    }
    return { topics, failed };
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
  consent: async (input, app) => {
    const { topic: found, directory } = await (await app.references()).show(input.topic);
    return {
      shown: `${found.id}  ${found.title}: ${found.files.length} files in ${directory}`,
      allowed: false,
    };
  },
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
