import { join } from 'node:path';
import { createModelEmbedder, createStaticEmbedder, type Embedder } from '../../base/embedding/index.ts';
import { state } from '../../base/files/index.ts';
import { once } from '../../base/once.ts';
import { ensureDerived, openOrQuarantine } from '../../base/sqlite/index.ts';
import { openVectorSpace } from '../../base/vectors/index.ts';
import { createBackground } from './background.ts';
import { libraryDocs, listSources } from './catalogue.ts';
import { createTopic } from './create.ts';
import { deleteTopic, refreshTopic, takeTopic, updateTopic } from './maintain.ts';
import { listTopics, recentTopics } from './query.ts';
import type { References, ReferencesOptions } from './references.ts';
import { searchFiles } from './search.ts';
import { openShelf } from './shelf.ts';
import type { ShelfIndex, Stand } from './stand.ts';
import { syncIndex } from './sync.ts';
import { schema } from './tables.ts';
import { searchTopics } from './topic-search.ts';

export function open(options: ReferencesOptions): References {
  const shelf = openShelf(options.root);
  let opened: ShelfIndex | undefined;
  const model = once(() => options.model ?? createModelEmbedder(options.embedding));
  const embedder = options.embedder ?? createStaticEmbedder(options.embedding);
  const stand: Stand = {
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
  const background = createBackground(stand);
  const changed = () => options.changed?.();
  const fresh = async <T>(work: () => T | Promise<T>): Promise<T> => {
    await syncIndex(stand);
    return work();
  };
  return {
    root: options.root,
    create: (call) => createTopic(stand, call).finally(changed),
    update: async (patch) => (await updateTopic(stand, patch)).topic,
    refresh: (name, refreshOptions) => refreshTopic(stand, name, refreshOptions).finally(changed),
    remove: (name) => deleteTopic(stand, name),
    show: (name) =>
      fresh(() => {
        const { topic, folder } = takeTopic(stand, name);
        return { topic, directory: shelf.path(folder) };
      }),
    list: (listOptions) => fresh(() => listTopics(stand, listOptions)),
    searchTopics: (query, limit) => fresh(() => searchTopics(stand, query, limit)),
    search: (question) => fresh(() => searchFiles(stand, question)),
    sources: () => fresh(() => (shelf.exists() ? listSources(stand.index().sqlite) : [])),
    libraryDocs: (library) => fresh(() => (shelf.exists() ? libraryDocs(stand.index().sqlite, library) : [])),
    recent: () => fresh(() => recentTopics(stand)),
    embedWaiting: (request) => background.run(request),
    close: async () => {
      await background.stop();
      // What was given is somebody else's to let go.
      if (!options.embedder) await embedder.release();
      if (!options.model) await model.peek()?.release();
      opened?.sqlite.close();
      opened = undefined;
    },
  };
}

/** The model answers when it is loaded; a process that stays loads it with the first question, which does not wait for it. */
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
    return vector!;
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
    log.warn(`The index of references was damaged: set aside as ${quarantined}, rebuilt from the topics.`);
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
