import type { Clock } from '../../base/clock.ts';
import type { Embedder, ModelEmbedderOptions } from '../../base/embedding/index.ts';
import type { Log } from '../../base/log.ts';
import type { AcademicSource, LibraryDocs } from './catalogue.ts';
import type { CreateCall, CreateReport } from './create.ts';
import type { RefreshOptions, RefreshReport, TopicPatch } from './maintain.ts';
import type { TopicSummary } from './query.ts';
import type { FileHit, FileQuestion } from './search.ts';
import type { FetchBudget } from './settings.ts';
import type { Outside } from './sources/outside.ts';
import type { Topic } from './topic.ts';
import type { TopicHit } from './topic-search.ts';

export interface References {
  readonly root: string;
  create(call: CreateCall): Promise<CreateReport>;
  update(patch: TopicPatch): Promise<Topic>;
  refresh(name: string, options?: RefreshOptions): Promise<RefreshReport>;
  remove(name: string): Promise<{ topic_id: string; files: number }>;
  show(name: string): Promise<{ topic: Topic; directory: string }>;
  list(options?: { obsolete?: boolean }): Promise<TopicSummary[]>;
  searchTopics(query: string, limit?: number): Promise<TopicHit[]>;
  search(question: FileQuestion): Promise<FileHit[]>;
  /** Places that topics came from, and those that are known. */
  sources(): Promise<AcademicSource[]>;
  libraryDocs(library?: string): Promise<LibraryDocs[]>;
  /** The block of the ten most recent topics for a prompt; '' when there is none. */
  recent(): Promise<string>;
  /** Background work: the model's vectors for every chunk that waits for them; answers how many were done. */
  embedWaiting(request?: { most?: number }): Promise<number>;
  close(): Promise<void>;
}

export interface ReferencesOptions {
  root: string;
  /** Where the index of the topics lies; beside them without one. */
  indexDirectory?: string;
  clock: Clock;
  log: Log;
  outside: Outside;
  budget: FetchBudget;
  /** Called after topics were fetched: there may be something for `embedWaiting`. */
  changed?(): void;
  /** How the packaged model is run. */
  embedding?: ModelEmbedderOptions;
  /** True in a process that stays: it loads the model for questions too. */
  longLived?: boolean;
  /** Stand-ins for tests; the packaged ones by default. */
  embedder?: Embedder;
  model?: Embedder;
}
