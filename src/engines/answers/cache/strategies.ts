import type { QuestionIntent, Specialist } from '../reader/index.ts';

/** How answers of one intent are found again and when they fall. */
export interface Strategy {
  agent: Specialist;
  intent: QuestionIntent;
  /** By what it is about, or by how near the questions are in meaning. */
  found: 'subject' | 'meaning';
  /** Questions that are found by meaning are at least this near. */
  similarity: number;
  /** Minutes; null: until what it rests on changes. */
  ttl: number | null;
  /** For a result that is not final yet. */
  unfinishedTtl?: number;
  limit: number;
  /** Falls when a file comes into or goes from a directory that it cites. */
  directories?: true;
  /** Falls when something of its name is defined somewhere else as well. */
  places?: true;
  /** Falls when one of these moves. */
  versions: VersionName[];
  /** Belongs to one session whatever it cites. */
  ofSession?: true;
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

const bySubject = { found: 'subject', similarity: twinSimilarity } as const;
const byMeaning = { found: 'meaning', similarity: nearSimilarity } as const;
type Rules = Omit<Strategy, 'agent' | 'intent'>;

/** The code as it is. */
const librarian: Record<string, Rules> = {
  LOCATE: { ...bySubject, ttl: null, limit: 500, places: true, versions: ['visibility'] },
  PATTERN: { ...bySubject, ttl: 60, limit: 200, directories: true, versions: ['visibility'] },
  EXPLAIN: { ...bySubject, ttl: 30, limit: 300, versions: ['visibility'] },
  GENERAL: { ...byMeaning, ttl: 15, limit: 200, versions: ['visibility'] },
};

/** What happened. What a session did is its own. */
const ofSession = { ofSession: true } as const;
const archivalist: Record<string, Rules> = {
  HISTORICAL: { ...bySubject, ...ofSession, ttl: 60, limit: 300, versions: ['visibility'] },
  ACTIVITY: { ...bySubject, ...ofSession, ttl: 5, limit: 200, versions: ['visibility', 'activity'] },
  OUTCOME: {
    ...bySubject,
    ...ofSession,
    ttl: 30,
    unfinishedTtl: 5,
    limit: 200,
    versions: ['visibility', 'results'],
  },
  SIMILAR: { ...byMeaning, ...ofSession, ttl: 30, limit: 200, versions: ['visibility'] },
  RESUME: { ...bySubject, ...ofSession, ttl: 1, limit: 100, versions: ['visibility', 'session'] },
  GENERAL: {
    ...byMeaning,
    ...ofSession,
    similarity: twinSimilarity,
    ttl: 5,
    limit: 200,
    versions: ['visibility'],
  },
};

/** What was gathered from outside, for every session. */
const academic: Record<string, Rules> = {
  RESEARCH: {
    ...bySubject,
    similarity: nearSimilarity,
    ttl: 60,
    limit: 200,
    versions: ['shelf'],
  },
};

export const strategies: readonly Strategy[] = Object.entries({ librarian, archivalist, academic }).flatMap(
  ([agent, rules]) =>
    Object.entries(rules).map(([intent, rule]) => ({
      agent: agent as Specialist,
      intent: intent as QuestionIntent,
      ...rule,
    })),
);

export const strategyOf = (agent: Specialist, intent: string): Strategy | undefined =>
  strategies.find((each) => each.agent === agent && each.intent === intent);
