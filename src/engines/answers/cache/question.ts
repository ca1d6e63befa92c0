import type { TimeScope } from '../../../base/text/index.ts';
import type { QuestionIntent, Specialist } from '../reader/index.ts';

/** A question as the classification left it, with everything that may make two equal texts different questions. */
export interface CacheQuestion {
  text: string;
  agent: Specialist;
  intent: QuestionIntent;
  /** In snake_case, as `subjectOf` gives it. */
  subject: string;
  /** Other names of the subject, such as `exception_handling` beside `error_handling`. */
  related?: string[];
  /** As `timeScopeOf` reads it. */
  timeScope?: Pick<TimeScope, 'from' | 'to'>;
  /** Of the classification; from 0.8 on the subject is trusted as a key. */
  confidence: number;
  /** Who looks: a session sees its own entries and promoted ones; only a person may see all. */
  viewer: { session: string; seesAll: boolean };
  /** Everything else that shapes an answer: domains, folder, token budget, whether a model writes. */
  shape?: Record<string, unknown>;
}

/**
 * What an answer was made from: all that a model was shown, or all that is cited where none wrote it. Whoever keeps an
 * answer says so, or it is not kept.
 */
export interface Evidence {
  /** Files it cites, relative to the root. */
  files: string[];
  /** Everything else it cites: `entry:…`, `commit:…`, `task:…`, `topic:…`. */
  refs: string[];
  /** For OUTCOME: the result is final. An unfinished one falls as soon as it moves. */
  complete?: boolean;
}

export type MissReason =
  /** Nothing was kept for such a question. */
  | 'absent'
  /** Classified below 0.8 and no near twin was asked before. */
  | 'unsure'
  /** Older than its intent allows. */
  | 'expired'
  /** What it was made from is not the same any more. */
  | 'changed';

export type Looked<Answer> =
  | {
      hit: true;
      answer: Answer;
      /** How it was found: by subject, by another name of it, by meaning (0.80), by the fallback (0.95). */
      by: 'subject' | 'related' | 'meaning' | 'fallback';
      /** The question that it was first given to. */
      asked: string;
      ageSeconds: number;
      /** How often it was served, this time included. */
      hits: number;
      /** What it cost to make: the tokens that were saved now. */
      savedTokens: number;
    }
  | { hit: false; reason: MissReason };

export type NotKept = 'empty' | 'no_evidence' | 'changed_meanwhile' | 'unavailable';

/**
 * Answers by what was asked, about what, over which time, by whom and in which working tree. Looking never fails: a
 * cache that cannot be read answers with a miss.
 */
export interface AnswerCache {
  /** Answers come back as whoever kept them gave them. */
  look<Answer>(question: CacheQuestion): Promise<Looked<Answer>>;
  /**
   * Taken before the answer is made and handed back to `keep`: what changed in between is then noticed, and an answer
   * from the old state is not kept.
   */
  mark(question: CacheQuestion): Promise<CacheMark>;
  /** `tokens`: what a model was paid for it; 0 where none wrote. Empty answers are not kept. */
  keep(
    mark: CacheMark,
    made: { answer: unknown; empty: boolean; evidence: Evidence; tokens: number },
  ): Promise<{ kept: true } | { kept: false; reason: NotKept }>;
  /** Paths whose content or presence changed, as the indexing engine tells them. */
  filesChanged(paths: string[]): void;
  /** Everything, or everything of one agent. No bytes are left behind: whoever forgets something calls this. */
  clear(agent?: Specialist): number;
  /** Counts of all; questions only where the viewer may see them. */
  statistics(viewer: CacheQuestion['viewer']): CacheStatistics;
  close(): void;
}

/** Opaque to callers. */
export interface CacheMark {
  question: CacheQuestion;
  versions: string;
  at: number;
}

export interface CacheStatistics {
  intents: Array<{
    agent: Specialist;
    intent: QuestionIntent;
    entries: number;
    /** Most entries that are kept; the least recently used goes first. */
    limit: number;
    ttl_minutes: number | null;
    found_by: string;
    hits: number;
    misses: number;
    hit_rate: number;
    /** Entries that fell because what they rest on changed. */
    invalidations: number;
    expired: number;
    evicted: number;
    tokens_saved: number;
  }>;
  top: Array<{ agent: Specialist; intent: QuestionIntent; subject: string; asked: string; hits: number }>;
  bytes: number;
}
