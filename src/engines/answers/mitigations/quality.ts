import type { TrustLevel } from '../../recall/index.ts';
import type { Freshness } from './freshness.ts';

export interface QualitySettings {
  maxTokens: number;
  minQuality: number;
  similarity: number;
  trust: number;
  freshness: number;
  verified: number;
}

export const defaultQuality: QualitySettings = {
  maxTokens: 8000,
  minQuality: 0.3,
  similarity: 0.35,
  trust: 0.25,
  freshness: 0.25,
  verified: 0.15,
};

export interface Candidate {
  /** 0–1. */
  relevance: number;
  trust: TrustLevel;
  freshness: Freshness;
  verified: boolean;
  /** Tokens that it takes where it is shown. */
  tokens: number;
}

export interface Scored<T> {
  item: T;
  quality: number;
  included: boolean;
  /** Why it was left out. */
  left?: 'quality' | 'budget';
}

export function qualityOf(candidate: Candidate, settings: QualitySettings = defaultQuality): number {
  const score =
    candidate.relevance * settings.similarity +
    (candidate.trust.level / 100) * settings.trust +
    candidate.freshness.score * settings.freshness +
    (candidate.verified ? settings.verified : 0);
  return Math.round(Math.min(1, score) * 1000) / 1000;
}

/**
 * Takes candidates in the order given until the budget is used up. One that does not fit is passed over, and smaller
 * ones after it still have their chance: a long file must not starve the rest.
 */
export function selectWithin<T extends Candidate>(
  candidates: T[],
  settings: QualitySettings = defaultQuality,
): { scored: Array<Scored<T>>; tokens: number } {
  let tokens = 0;
  const scored = candidates.map((item): Scored<T> => {
    const quality = qualityOf(item, settings);
    if (quality < settings.minQuality) return { item, quality, included: false, left: 'quality' };
    if (tokens + item.tokens > settings.maxTokens) return { item, quality, included: false, left: 'budget' };
    tokens += item.tokens;
    return { item, quality, included: true };
  });
  return { scored, tokens };
}
