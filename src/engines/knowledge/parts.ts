import type { Clock } from '../../base/clock.ts';
import type { Library } from '../../base/library/index.ts';
import type { Chronicle, Viewer } from '../../stores/chronicle/index.ts';
import type { CodeStore } from '../../stores/code/index.ts';
import type { Graph, GraphViewer } from '../../stores/graph/index.ts';
import type { History } from '../../stores/history/index.ts';
import type { References } from '../../stores/references/index.ts';
import type { Work } from '../../stores/work/index.ts';

/** Something that a search over code found. */
export interface FoundCode {
  ref: string;
  path: string;
  score: number;
  line?: number | undefined;
  title?: string | undefined;
}

/** What was forgotten, by everything it may be known by elsewhere. */
export interface Gone {
  refs: string[];
  titles: string[];
  /** Ids of messages that brought it. */
  messages: string[];
  /** A session that was forgotten whole. */
  session?: string | undefined;
}

/** Stores are opened when they are needed: most questions need two of them. */
export interface KnowledgeParts {
  library: Library;
  graph: Graph;
  chronicle: Chronicle;
  clock: Clock;
  code: () => Promise<CodeStore>;
  history: () => Promise<History>;
  references: () => Promise<References>;
  work: () => Promise<Work>;
  /** Files about something, the best first. */
  searchCode: (
    question: string,
    request: { limit: number; path?: string | undefined },
  ) => Promise<FoundCode[]>;
  /** Told when something was forgotten, so that nothing derived from it is answered from elsewhere. */
  forgotten: (gone: Gone) => Promise<void>;
}

export const graphViewer = (viewer: Viewer): GraphViewer => ({
  session: viewer.session_id,
  sees_all: viewer.sees_all,
});

export const entryId = (ref: string): string => ref.replace(/^entry:/, '');
