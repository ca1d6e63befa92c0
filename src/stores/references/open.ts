import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import {
  createModelEmbedder,
  createStaticEmbedder,
  type Embedder,
  type ModelEmbedderOptions,
} from '../../base/embedding/index.ts';
import { state } from '../../base/files/index.ts';
import type { Log } from '../../base/log.ts';
import { once } from '../../base/once.ts';
import { ensureDerived, openOrQuarantine } from '../../base/sqlite/index.ts';
import { openVectorSpace } from '../../base/vectors/index.ts';
import { createBackground } from './background.ts';
import { libraryDocs, listSources } from './catalogue.ts';
import type { ReferencesContext, ShelfIndex } from './context.ts';
import { type CreateCall, createTopic } from './create.ts';
import { syncIndex } from './ingest.ts';
import {
  deleteTopic,
  type RefreshOptions,
  refreshTopic,
  type TopicPatch,
  takeTopic,
  updateTopic,
} from './maintain.ts';
import { findRows, listTopics, recentTopics } from './query.ts';
import { type FileQuestion, searchFiles } from './search.ts';
import type { FetchBudget } from './settings.ts';
import { openShelf } from './shelf.ts';
import type { Outside } from './sources/outside.ts';
import { schema } from './tables.ts';
import { searchTopics } from './topic-search.ts';

export interface ReferencesOptions {
  root: string;
  /** Directory of the topics' index; next to them when omitted. */
  indexDirectory?: string;
  clock: Clock;
  log: Log;
  outside: Outside;
  budget: FetchBudget;
  /** Called after topics were fetched: `embedWaiting` may have work. */
  changed?(): void;
  /** How the packaged model is run. */
  embedding?: ModelEmbedderOptions;
  /** True in a long-lived process: it also loads the model for questions. */
  longLived?: boolean;
  /** Replacements for tests; the packaged ones by default. */
  embedder?: Embedder;
  model?: Embedder;
}

export type References = ReturnType<typeof open>;

export function open(options: ReferencesOptions) {
  const shelf = openShelf(options.root);
  let opened: ShelfIndex | undefined;
  const model = once(() => options.model ?? createModelEmbedder(options.embedding));
  const embedder = options.embedder ?? createStaticEmbedder(options.embedding);
  const context: ReferencesContext = {
    shelf,
    embedder,
    model,
    question: questioner(embedder, model, options.longLived ?? false),
    clock: options.clock,
    log: options.log,
    outside: options.outside,
    budget: options.budget,
    index: () => {
      opened ??= openIndex(options, embedder.dimensions);
      return opened;
    },
  };
  const background = createBackground(context);
  const changed = () => options.changed?.();
  const fresh = async <T>(work: () => T | Promise<T>): Promise<T> => {
    await syncIndex(context);
    return work();
  };
  return {
    root: options.root,
    create: (call: CreateCall) => createTopic(context, call).finally(changed),
    update: async (patch: TopicPatch) => (await updateTopic(context, patch)).topic,
    refresh: (name: string, refreshOptions?: RefreshOptions) =>
      refreshTopic(context, name, refreshOptions).finally(changed),
    remove: (name: string) => deleteTopic(context, name),
    show: (name: string) =>
      fresh(() => {
        const { topic, folder } = takeTopic(context, name);
        return { topic, directory: shelf.path(folder) };
      }),
    /** Ids of the topics that a name means; similar ones do not count. */
    named: (name: string) => fresh(() => findRows(context, name).map(({ id }) => id)),
    list: (listOptions?: { obsolete?: boolean }) => fresh(() => listTopics(context, listOptions)),
    searchTopics: (query: string, limit?: number) => fresh(() => searchTopics(context, query, limit)),
    search: (question: FileQuestion) => fresh(() => searchFiles(context, question)),
    /** Origins of topics, and other known places. */
    sources: () => fresh(() => listSources(context)),
    libraryDocs: (library?: string) => fresh(() => libraryDocs(context, library)),
    /** The prompt block with the ten most recent topics; '' when there are none. */
    recent: () => fresh(() => recentTopics(context)),
    /** Background work: the model's vectors for every waiting chunk; returns how many were done. */
    embedWaiting: (request?: { most?: number }) => background.run(request),
    close: async (): Promise<void> => {
      await background.stop();
      // The caller releases what it passed in.
      if (!options.embedder) await embedder.release();
      if (!options.model) await model.peek()?.release();
      opened?.sqlite.close();
      opened = undefined;
    },
  };
}

/** The model answers once loaded; a long-lived process loads it with the first question, which does not wait for it. */
function questioner(
  quick: Embedder,
  model: { (): Embedder; peek(): Embedder | undefined },
  longLived: boolean,
) {
  let warming = false;
  return async (text: string): Promise<Float32Array> => {
    const loaded = model.peek()?.loaded() ? model() : undefined;
    if (!loaded && longLived && !warming) {
      warming = true;
      void model()
        .embed(['warm'])
        .catch(() => {})
        .finally(() => {
          warming = false;
        });
    }
    const [vector] = await (loaded ?? quick).embed([text]).catch(() => quick.embed([text]));
    return vector ?? new Float32Array(quick.dimensions);
  };
}

function openIndex({ root, indexDirectory, log }: ReferencesOptions, dimensions: number): ShelfIndex {
  const beside = join(root, '.index');
  const directory = indexDirectory ?? beside;
  if (indexDirectory) state.remove(beside);
  else state.write(join(beside, '.gitignore'), '*\n');
  const { sqlite, quarantined } = openOrQuarantine(join(directory, 'references.db'), {
    durability: 'normal',
    cacheMegabytes: 32,
  });
  if (quarantined)
    log.warn(`The index of references was damaged: moved to ${quarantined}, rebuilt from the topics.`);
  const created = ensureDerived(sqlite, schema) === 'created';
  const space = (name: string) => openVectorSpace({ sqlite, directory, name, dimensions });
  const index = {
    sqlite,
    chunks: space('reference_chunks'),
    files: space('reference_files'),
    topics: space('reference_topics'),
  };
  if (created) for (const each of [index.chunks, index.files, index.topics]) each.clear();
  return index;
}
