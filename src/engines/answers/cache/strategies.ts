import type { TimeScope } from '../../../base/text/index.ts';
import type { QuestionIntent, Specialist } from '../reader/index.ts';

/** Who looks: a session sees its own entries and promoted ones; only a person may see all. */
export interface CacheViewer {
  session: string;
  seesAll: boolean;
}

/** A question as the classification left it, with everything that may make two equal texts different questions. */
export interface CacheQuestion {
  text: string;
  agent: Specialist;
  intent: QuestionIntent;
  /** In snake_case, as `subjectOf` gives it, and other names of it, such as `exception_handling` beside `error_handling`. */
  subject: string;
  related?: string[];
  timeScope?: Pick<TimeScope, 'from' | 'to'>;
  /** Of the classification; from 0.8 on the subject is trusted as a key. */
  confidence: number;
  viewer: CacheViewer;
  /** Everything else that shapes an answer: domains, folder, token budget, whether a model writes. */
  shape?: Record<string, unknown>;
}

/**
 * `visibility`: what the asker may see of the chronicle. `activity`: what was done, in the sessions and by commits.
 * `session`: the state of the asker's session. `results`: how work stands. `shelf`: the references.
 */
export const versionNames = ['visibility', 'activity', 'session', 'results', 'shelf'] as const;
export type VersionName = (typeof versionNames)[number];

/** Questions classified with less are only answered by a near twin. */
export const trustedConfidence = 0.8;
/** Batches of more changed files than this clear the Librarian's answers. */
export const batchLimit = 100;
/** The fallback for every question: nearly the same words. */
export const twinSimilarity = 0.95;
const nearSimilarity = 0.8;

/** How answers of one intent are found again and when they fall. */
export interface Strategy {
  agent: Specialist;
  intent: QuestionIntent;
  /** By what it is about, or by how near the questions are in meaning; those are at least this near. */
  found: 'subject' | 'meaning';
  similarity: number;
  /** Minutes; null: until what it rests on changes. */
  ttl: number | null;
  /** For a result that is not final yet. */
  unfinishedTtl?: number;
  limit: number;
  /** Falls when a file comes into or goes from a directory that it cites. */
  directories?: boolean;
  /** Falls when something of its name is defined somewhere else as well. */
  places?: boolean;
  /** Falls when one of these moves. */
  versions: VersionName[];
  /** Belongs to one session whatever it cites: what a session did is its own. */
  ofSession: boolean;
}

const strategy = (
  agent: Specialist,
  intent: QuestionIntent,
  ttl: number | null,
  limit: number,
  rules: Partial<Strategy> = {},
): Strategy => ({
  agent,
  intent,
  ttl,
  limit,
  found: 'subject',
  similarity: rules.found === 'meaning' ? nearSimilarity : twinSimilarity,
  versions: ['visibility'],
  ofSession: agent === 'archivalist',
  ...rules,
});

export const strategies: readonly Strategy[] = [
  strategy('librarian', 'LOCATE', null, 500, { places: true }),
  strategy('librarian', 'PATTERN', 60, 200, { directories: true }),
  strategy('librarian', 'EXPLAIN', 30, 300),
  strategy('librarian', 'GENERAL', 15, 200, { found: 'meaning' }),
  strategy('archivalist', 'HISTORICAL', 60, 300),
  strategy('archivalist', 'ACTIVITY', 5, 200, { versions: ['visibility', 'activity'] }),
  strategy('archivalist', 'OUTCOME', 30, 200, { unfinishedTtl: 5, versions: ['visibility', 'results'] }),
  strategy('archivalist', 'SIMILAR', 30, 200, { found: 'meaning' }),
  strategy('archivalist', 'RESUME', 1, 100, { versions: ['visibility', 'session'] }),
  strategy('archivalist', 'GENERAL', 5, 200, { found: 'meaning', similarity: twinSimilarity }),
  // What was gathered from outside, for every session.
  strategy('academic', 'RESEARCH', 60, 200, { similarity: nearSimilarity, versions: ['shelf'] }),
];

export const strategyOf = (agent: Specialist, intent: string): Strategy | undefined =>
  strategies.find((each) => each.agent === agent && each.intent === intent);
