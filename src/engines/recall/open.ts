import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import {
  createEndpointEmbedder,
  createModelEmbedder,
  createStaticEmbedder,
} from '../../base/embedding/index.ts';
import { reportOf } from '../../base/errors.ts';
import type { Git, Repository } from '../../base/git/index.ts';
import type { Sqlite } from '../../base/sqlite/index.ts';
import type { CodeStore } from '../../stores/code/index.ts';
import type { History } from '../../stores/history/index.ts';
import type { Domain } from '../../stores/passages/index.ts';
import { openPassages } from '../../stores/passages/index.ts';
import type { IndexSource } from '../indexing/index.ts';
import { createCodeSource, grepWorktree, readWorktreeFile } from './code-source.ts';
import type { EmbeddingSettings } from './config/index.ts';
import { createFileQuestions } from './files.ts';
import { priorityOf, readHistory } from './history-signals.ts';
import type { MeaningOptions } from './meaning.ts';
import { createEmbeddingQueue } from './queue.ts';
import type { Recall } from './recall.ts';
import { createRecall } from './recall.ts';
import { createRefresher } from './refresher.ts';
import { createSimilarSymbols } from './similar-symbols.ts';
import type { Freshness } from './source.ts';
import { type SourceStores, storeSources } from './store-sources.ts';

export interface OpenRecallOptions {
  repository: Repository;
  git: Git;
  index: () => Sqlite;
  history: History;
  code: CodeStore;
  settings: EmbeddingSettings;
  /** Private hosts that the person's own settings name. */
  allowHosts?: string[];
  clock: Clock;
  /** True in a server: the model is then loaded while the first question is answered without it. */
  longLived: boolean;
  /** Stores whose things are found besides files and commits. */
  stores?: SourceStores;
}

export type OpenedRecall = ReturnType<typeof openRecall>;

/** Recall over a repository: its files, its commits, and whatever else is registered. */
export function openRecall(options: OpenRecallOptions) {
  const { repository, git, history, code, settings, clock } = options;
  const passages = openPassages(options.index);
  const recall = createRecall({
    passages,
    meaning: {
      sqlite: options.index,
      directory: join(repository.state.directory, 'cache'),
      ...embeddersFor(settings, options.allowHosts ?? []),
      longLived: options.longLived,
      off: settings.enabled ? undefined : 'embedding.enabled is false',
    },
  });
  const past = readHistory(history);
  const root = repository.root;
  recall.register(
    createCodeSource({
      files: async () => {
        const importance = await past.importance();
        return code.files().map(({ path, hash }) => {
          const facts = importance.get(path);
          return { owner: path, hash, priority: priorityOf(facts, clock.now()), updated: facts?.latest ?? 0 };
        });
      },
      generation: contentsOf(code),
      // A file that was left out is known by its path, and none of its text is shown.
      read: (path) => (code.contents([path]).has(path) ? readWorktreeFile(root, path) : undefined),
      spans: (path) =>
        code.spans(path).map(({ name, line, end_line }) => ({ name, startLine: line, endLine: end_line })),
      symbols: (path) =>
        code.fileSymbols(path).map(({ name, qualified, kind, line, end_line }) => ({
          name,
          kind,
          around: qualified.replace(/~\d+$/, '').split('.').slice(0, -1),
          startLine: line,
          endLine: end_line,
        })),
      historySignals: past.signals,
      containing: async (text, limit) => {
        const indexed = new Set(code.files().map((file) => file.path));
        return (await grepWorktree(git, text, limit * 4))
          .filter((found) => indexed.has(found.path))
          .slice(0, limit);
      },
      defining: (name, limit) =>
        code
          .find(name)
          .filter((symbol) => symbol.kind !== 'file')
          .slice(0, limit)
          .map(({ path, line, end_line }) => ({ path, line, endLine: end_line })),
      freshness: async () =>
        codeFreshness(await code.freshness({ trust: true }), refresher.freshness('code')),
    }),
  );
  recall.register(past.source);
  for (const source of options.stores ? storeSources(options.stores) : []) recall.register(source);
  recall.follow(past);
  const refresher = createRefresher(recall, clock);
  const queue = createEmbeddingQueue({
    passages,
    meaning: recall.meaning,
    sources: () => recall.parts.sources,
  });
  return {
    ...recall,
    indexSource: recallSource(recall),
    ...createFileQuestions(recall),
    similarSymbols: createSimilarSymbols(recall, {
      code,
      read: async (path) => readWorktreeFile(root, path),
    }),
    ready: refresher.ready,
    generation: refresher.generation,
    queue,
    erase: createErasing(recall),
  };
}

/** A digest of what the files hold, made again only when the store moved: it means the same in every process. */
function contentsOf(code: CodeStore): () => string {
  let moved = -1;
  let digest = '';
  return () => {
    if (code.generation() !== moved) {
      moved = code.generation();
      const hash = createHash('sha256');
      for (const file of code.files()) hash.update(`${file.path}\0${file.hash}\n`);
      digest = hash.digest('hex');
    }
    return digest;
  };
}

/** An endpoint only where a person configured one; otherwise the model of the package with its static tier. */
function embeddersFor(
  settings: EmbeddingSettings,
  allowHosts: string[],
): Pick<MeaningOptions, 'model' | 'quick'> {
  if (settings.endpoint_url && settings.endpoint_model && settings.endpoint_dimensions > 0) {
    return {
      model: createEndpointEmbedder({
        url: settings.endpoint_url,
        model: settings.endpoint_model,
        dimensions: settings.endpoint_dimensions,
        allowHosts,
        key: settings.endpoint_key || undefined,
      }),
    };
  }
  const weights = settings.weights || undefined;
  return {
    model: createModelEmbedder({
      weights,
      runtime: settings.runtime,
      idleMilliseconds: settings.idle_seconds * 1000,
      threads: settings.threads || undefined,
    }),
    quick: createStaticEmbedder({ weights }),
  };
}

/** The worse of the two: what the store has read of the disk, and what recall has read of the store. */
function codeFreshness(store: { state: string; detail: string }, own: Freshness): Freshness {
  if (store.state === 'fresh') return own;
  if (store.state === 'empty') return { state: 'empty', detail: store.detail };
  const working = store.state === 'building' || store.state === 'updating';
  return { state: working ? 'indexing' : 'stale', detail: store.detail };
}

/** What was forgotten elsewhere leaves no words and no vectors here; freed pages are overwritten. */
export const createErasing =
  ({ parts: { passages }, meaning }: Recall) =>
  (domain: Domain, owners: string[]): void => {
    const sqlite = passages.sqlite();
    sqlite.exec('PRAGMA secure_delete = ON');
    const keys = owners.flatMap((owner) => passages.ofOwner(domain, owner).map(({ key }) => key));
    passages.remove(domain, owners);
    const used = new Set(passages.byKey(domain, keys).map(({ key }) => key));
    if (!meaning.off && keys.length > 0) meaning.space(domain).erase(keys.filter((key) => !used.has(key)));
    passages.settle(domain);
    sqlite.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  };

/** How the indexing engine sees recall: passages follow the files and commits that were just read. */
export const recallSource = (recall: Recall): IndexSource => ({
  name: 'recall',
  follows: 'files',
  freshness: async () => ({ state: (await recall.freshness())[0]?.state ?? 'empty' }),
  update: async ({ signal }) => {
    const reports = await recall.refreshAll(signal);
    // Without graphs every vector is compared: slower, and the answers are the same.
    const slower = await recall.meaning.compact(recall.domains()).then(
      () => '',
      (error: unknown) => `; ${reportOf(error).message}`,
    );
    const passages = reports.reduce((sum, report) => sum + report.passages, 0);
    const changed = reports.some((report) => report.added + report.removed > 0);
    return { summary: `${passages} new passages${slower}`, changed: changed ? ['passages'] : [] };
  },
});
