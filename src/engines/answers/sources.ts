import type { CheckedClaim } from '../claims/index.ts';
import { kindOfFile, type SourceKind, type TrustLevel, trustOf } from '../recall/index.ts';
import type { FoundCard, SourceFacts } from './answer.ts';
import { type CitedSource, sourceLine, stateOf } from './mitigations/citations.ts';
import type { Statement } from './mitigations/conflicts.ts';
import { type Freshness, freshnessOf } from './mitigations/freshness.ts';
import type { Candidate } from './mitigations/quality.ts';

/** A result with everything the mitigations say about it. */
export interface Weighed extends Candidate {
  card: FoundCard;
  facts: SourceFacts;
  trust: TrustLevel;
  freshness: Freshness;
  /** The code speaks against it, or a person did. */
  disputed: boolean;
}

const kindOfDomain: Record<string, SourceKind> = {
  commits: 'commit',
  chronicle: 'entry',
  areas: 'area',
  work: 'task',
  skills: 'skill',
  references: 'documentation',
};

/** Where nobody knows more about a thing than recall does. */
export const plainFacts = (card: FoundCard): SourceFacts => ({
  kind:
    card.domain === 'code' ? kindOfFile(card.path ?? card.title) : (kindOfDomain[card.domain] ?? 'inference'),
  text: card.snippet ?? card.title,
  at: card.updated ? Date.parse(card.updated) : 0,
});

export const statementOf = (card: FoundCard, facts: SourceFacts): Omit<Statement, 'trust'> => ({
  ref: card.ref,
  domain: card.domain,
  text: facts.text,
  at: facts.at,
  supersededBy: facts.supersededBy || undefined,
});

const isAgainst = ({ verdict }: CheckedClaim): boolean =>
  verdict === 'contradicted' || verdict === 'unsupported';

function verificationOf({ verification = 'none' }: SourceFacts, borneOut: boolean, refuted: boolean) {
  if (verification === 'by_user') return verification;
  if (borneOut) return 'against_code';
  return refuted ? 'none' : verification;
}

/** What a thing is worth now: stored checks count, and what the code says today counts more. */
export function weigh(card: FoundCard, facts: SourceFacts, checked: CheckedClaim[], now: number): Weighed {
  const refuted = checked.some(isAgainst);
  const borneOut = !refuted && checked.some(({ verdict }) => verdict === 'supported');
  const verification = verificationOf(facts, borneOut, refuted);
  const freshness = freshnessOf({ ...facts, domain: card.domain }, now);
  const disputed = refuted || facts.rejected === true;
  const uncheckable = checked.every(({ verdict }) => verdict === 'unknown');
  const trust = trustOf({ ...facts, verification, disputed, age: freshness.age, uncheckable });
  const verified =
    facts.kind === 'entry'
      ? verification !== 'none' && !disputed
      : facts.kind !== 'repository_text' && !disputed && !facts.stale;
  return { card, facts, relevance: card.relevance, trust, freshness, disputed, verified, tokens: 0 };
}

export const placeOf = (card: FoundCard): string =>
  card.path ? `${card.path}${card.lines ? `:${card.lines}` : ''}` : card.title;

export const citedOf = ({ card, facts, freshness, trust, verified }: Weighed): CitedSource => ({
  ref: card.ref,
  domain: card.domain,
  kind: facts.kind,
  place: placeOf(card),
  title: card.title,
  date: facts.at > 0 ? new Date(facts.at).toISOString().slice(0, 10) : '',
  verified,
  freshness,
  trust,
  url: facts.url || undefined,
  via: facts.via,
});

export const lineOf = (n: number, weighed: Weighed): string => sourceLine(n, citedOf(weighed));

export function warningsOf({ trust, freshness, disputed }: Weighed): string[] {
  const said = [
    freshness.warning,
    disputed ? '⚠️ The code says otherwise' : '',
    trust.warning.startsWith('⚠️') ? trust.warning : '',
  ];
  return [...new Set(said.filter(Boolean))];
}

export const stateOfWeighed = (weighed: Weighed): string => stateOf(citedOf(weighed));
