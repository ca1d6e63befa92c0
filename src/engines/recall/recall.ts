import { reportOf } from '../../base/errors.ts';
import { redactionNotes } from '../../base/redact.ts';
import { termsOf } from '../../base/text/index.ts';
import { type Domain, domains, type Passages } from '../../stores/passages/index.ts';
import { type DomainRequest, rankDomain, searchDomain } from './domain-search.ts';
import { createMeaning, type EmbeddedQuestion, type MeaningOptions } from './meaning.ts';
import { type RecallQuery, readQuery } from './query.ts';
import { type RefreshReport, refreshSource } from './refresh.ts';
import type { FilesOfCommit, Freshness, RecallParts, RecallSource } from './source.ts';

export type Recall = ReturnType<typeof createRecall>;

export interface SearchOptions {
  limit?: number;
  offset?: number;
  path?: string;
  explain?: boolean;
  lines?: number;
  depth?: number;
  /** Takes the time to load the model instead of answering with the static tier. */
  thorough?: boolean;
}

/** One question over every registered source. */
export function createRecall({
  passages,
  meaning: meaningOptions,
}: {
  passages: Passages;
  meaning: MeaningOptions;
}) {
  const meaning = createMeaning(meaningOptions);
  const sources: RecallSource[] = [];

  const rarity: RecallParts['rarity'] = (domain, words) => {
    const counts = passages.frequencies(domain, words);
    const total = Math.max(1, passages.size(domain));
    return (word) => Math.log(1 + total / (1 + (counts.get(word) ?? 0)));
  };
  const parts: RecallParts = { passages, meaning, sources, rarity };

  /** Brings one source up to date when it says that something changed. */
  const refresh = async (source: RecallSource, signal?: AbortSignal): Promise<RefreshReport | undefined> => {
    const last = passages.generation(source.name);
    const generation = await source.generation?.(last);
    if (source.answer) {
      // Nothing is copied; that something moved is noted, so that no answer of before is given again.
      if (generation !== undefined && last !== generation) passages.setGeneration(source.name, generation);
      return undefined;
    }
    if (generation !== undefined && last === generation) return undefined;
    const report = await refreshSource({ passages, meaning, source, signal });
    // A source that could not answer is asked again, even when nothing moves.
    const isRead = source.isNeverUnread || passages.counts(source.domain).owners > 0;
    const whole = report.problems.length === 0 && isRead;
    if (generation !== undefined && whole) passages.setGeneration(source.name, generation);
    return report;
  };

  const question = async (asked: string | RecallQuery, thorough = false) => {
    const query = typeof asked === 'string' ? readQuery(asked) : asked;
    const byMeaning = query.kind === 'question' || query.kind === 'words';
    const unasked: EmbeddedQuestion = { tier: 'none' };
    const embedded = byMeaning ? await meaning.question(query.text, thorough) : unasked;
    const notes = redactionNotes([query.text]);
    if (byMeaning && embedded.tier === 'none')
      notes.push(`answered by words only: ${embedded.problem ?? 'no vectors'}`);
    else if (embedded.problem) notes.push(`answered by the static vectors: ${embedded.problem}`);
    return { query, question: embedded, notes };
  };

  return {
    parts,
    meaning,
    /** Lets commits vote for the files they changed, and files bring along what changes with them. */
    follow: (past: {
      filesOfCommit: () => Promise<FilesOfCommit>;
      changedWith: (owner: string) => Map<string, number>;
    }) => {
      parts.filesOfCommit = past.filesOfCommit;
      parts.changedWith = past.changedWith;
    },
    register: (source: RecallSource) => {
      sources.push(source);
    },
    domains: (): Domain[] => domains.filter((domain) => sources.some((source) => source.domain === domain)),
    refresh,
    /** All sources, or those of some domains. */
    refreshAll: async (signal?: AbortSignal, only?: Domain[]): Promise<RefreshReport[]> => {
      const reports: RefreshReport[] = [];
      for (const source of sources) {
        if (only && !only.includes(source.domain)) continue;
        try {
          const report = await refresh(source, signal);
          if (report) reports.push(report);
        } catch (error) {
          signal?.throwIfAborted();
          const message = reportOf(error).message;
          reports.push({
            domain: source.domain,
            added: 0,
            removed: 0,
            passages: 0,
            problems: [{ owner: source.name, message }],
          });
        }
      }
      return reports;
    },
    question,
    /** False only when nothing in the domain can share a word with the question. */
    mayKnow: (domain: Domain, text: string): boolean => {
      if (sources.some((source) => source.domain === domain && source.answer)) return true;
      return passages.frequencies(domain, termsOf(text)).size > 0;
    },
    /** Of these domains, or of all. */
    freshness: async (domains?: Domain[]): Promise<Array<Freshness & { domain: Domain; source: string }>> =>
      await Promise.all(
        sources
          .filter((source) => !domains || domains.includes(source.domain))
          .map(async (source) => ({
            domain: source.domain,
            source: source.name,
            ...(await Promise.resolve(source.freshness()).catch(
              (error: unknown): Freshness => ({ state: 'unavailable', detail: reportOf(error).message }),
            )),
          })),
      ),
    searchDomain: (request: DomainRequest) => searchDomain(parts, request),
    rankDomain: (request: DomainRequest) => rankDomain(parts, request),
    close: () => meaning.release(),
  };
}
