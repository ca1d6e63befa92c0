import type { Clock } from '../../base/clock.ts';
import type { Embedder } from '../../base/embedding/index.ts';
import type { Git, Repository } from '../../base/git/index.ts';
import type { Library } from '../../base/library/index.ts';
import type { Log } from '../../base/log.ts';
import type { Model } from '../../base/model/index.ts';
import type { Answers as CachedAnswers } from '../../stores/answers/index.ts';
import type { Areas } from '../../stores/areas/index.ts';
import type { CodeStore } from '../../stores/code/index.ts';
import type { Conventions } from '../../stores/conventions/index.ts';
import type { Graph } from '../../stores/graph/index.ts';
import type { History } from '../../stores/history/index.ts';
import type { References } from '../../stores/references/index.ts';
import type { Claims } from '../claims/index.ts';
import type { Knowledge } from '../knowledge/index.ts';
import type { Memory } from '../memory/index.ts';
import type { EmbeddingSettings } from '../recall/config/index.ts';
import type { OpenedRecall } from '../recall/index.ts';
import type { WorkAreas } from '../work-areas/index.ts';

/** The stores and engines that an answer is made from. Each is opened when a question first needs it. */
export interface AnswersContext {
  /** Of the product: answers of another version are not reused. */
  version: string;
  repository: Repository;
  git: Git;
  clock: Clock;
  log: Log;
  embedding: EmbeddingSettings;
  /** The embedding model; undefined in a single command, which does not wait for it to load. */
  model: () => Promise<Embedder | undefined>;
  /** The language model that the person's settings name for a role, paid for by a session; undefined where they name none. */
  languageModel?: (role: string, payer: { session: string }) => (() => Promise<Model>) | undefined;
  library: () => Promise<Library>;
  cachedAnswers: () => Promise<CachedAnswers>;
  history: () => Promise<History>;
  code: () => Promise<CodeStore>;
  conventions: () => Promise<Conventions>;
  references: () => Promise<References>;
  areas: () => Promise<Areas>;
  graph: () => Promise<Graph>;
  recall: () => Promise<OpenedRecall>;
  workAreas: () => Promise<WorkAreas>;
  memory: () => Promise<Memory>;
  claims: () => Promise<Claims>;
  knowledge: () => Promise<Knowledge>;
}
