import { fileRef } from '../../base/ref.ts';
import {
  type CheckedClaim,
  isAboutCode,
  isBorneOut,
  isContradicted,
  isVerifiable,
  type Place,
} from '../claims/index.ts';
import { kindOfFile, type SourceKind, type TrustLevel, trustOf } from '../recall/index.ts';
import type { AnsweredConflict, FoundCard, SourceFacts, Viewer } from './answer.ts';
import type { AnswersContext } from './context.ts';
import { factsOf } from './facts.ts';
import { type CitedSource, sourceLine, stateOf } from './mitigations/citations.ts';
import type { Statement } from './mitigations/conflicts.ts';
import { checkStatements, conflictsAmong, type DetectedConflict } from './mitigations/conflicts.ts';
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
  text: facts.category && !isAboutCode(facts.category) ? '' : facts.text,
  at: facts.at,
  supersededBy: facts.supersededBy || undefined,
});

function verificationOf({ verification = 'none' }: SourceFacts, borneOut: boolean, refuted: boolean) {
  if (verification === 'by_user') return verification;
  if (borneOut) return 'against_code';
  return refuted ? 'none' : verification;
}

/** What a thing is worth now: stored checks count, and what the code says today counts more. */
export function weigh(card: FoundCard, facts: SourceFacts, checked: CheckedClaim[], now: number): Weighed {
  const refuted = checked.some(isContradicted);
  const canBeVerified = facts.category === undefined || isVerifiable(facts.category);
  const borneOut = !refuted && canBeVerified && checked.some(isBorneOut);
  const verification = verificationOf(facts, borneOut, refuted);
  const freshness = freshnessOf({ ...facts, domain: card.domain }, now);
  const disputed = refuted || facts.rejected === true;
  const uncheckable = checked.every(({ verdict }) => verdict === 'unknown');
  const trust = trustOf({ ...facts, verification, disputed, age: freshness.age, uncheckable });
  const verified =
    facts.kind === 'entry'
      ? verification !== 'none' && (!disputed || (verification === 'by_user' && !facts.rejected))
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

/** This near to the best result, a disputed statement concerns the question. */
const nearRelevance = 0.7;

/** Freshness, trust and conflicts, and the code that settles a conflict even where recall did not find it. */
export async function weighCards(
  context: AnswersContext,
  cards: FoundCard[],
  viewer: Viewer,
): Promise<{ weighed: Weighed[]; conflicts: DetectedConflict[]; pressing: DetectedConflict[] }> {
  const code = async () => (await context.claims()).evidence();
  const now = context.clock.now();
  const factsByRef = await factsOf(context, cards, viewer);
  const facts = (card: FoundCard): SourceFacts => factsByRef.get(card.ref) ?? plainFacts(card);
  const checked = await checkStatements(
    cards.map((card) => statementOf(card, facts(card))),
    code,
  );
  const weighed = cards.map((card) => weigh(card, facts(card), checked.get(card.ref) ?? [], now));
  const conflicts = conflictsAmong(
    weighed.map(({ card, facts: own, trust }) => ({ ...statementOf(card, own), trust })),
    checked,
  );
  const pressing = conflictsThatMatter(conflicts, cards);
  const shownRefs = new Set(cards.flatMap(({ ref, path }) => (path ? [ref, fileRef(path)] : [ref])));
  for (const { places, left } of pressing) {
    const place = places.find(({ path }) => path !== '');
    if (!place || shownRefs.has(fileRef(place.path))) continue;
    shownRefs.add(fileRef(place.path));
    const card = settlingCard(
      place,
      cards.find(({ ref }) => ref === left)?.relevance ?? 0.5,
      await (await code()).lineOf(place),
    );
    weighed.push(weigh(card, { kind: kindOfFile(place.path), text: '', at: 0 }, [], now));
  }
  return { weighed, conflicts, pressing };
}

/** A dispute about something that hardly concerns the question does not change what is answered first. */
function conflictsThatMatter(conflicts: DetectedConflict[], cards: FoundCard[]): DetectedConflict[] {
  const best = Math.max(0, ...cards.map(({ relevance }) => relevance));
  const near = new Set(
    cards.filter(({ relevance }) => relevance >= best * nearRelevance).map(({ ref }) => ref),
  );
  return conflicts.filter(({ left, right }) => near.has(left) || near.has(right));
}

const settlingCard = (place: Place, relevance: number, line: string): FoundCard => ({
  ref: fileRef(place.path),
  domain: 'code',
  title: place.path,
  path: place.path,
  relevance,
  reason: `the ${kindOfFile(place.path) === 'code' ? 'code' : 'file'} that settles the conflict`,
  lines: place.line > 0 ? `${place.line}-${place.line}` : undefined,
  snippet: line.trim() ? line.trim().slice(0, 200) : undefined,
});

/** Conflicts with what the graph recorded about them: an id, and whether a person settled them. */
export async function withRecords(
  { graph }: AnswersContext,
  conflicts: DetectedConflict[],
): Promise<AnsweredConflict[]> {
  if (conflicts.length === 0) return [];
  const pairOf = ({ left, right, subject }: { left: string; right: string; subject: string }) =>
    JSON.stringify([subject, ...[left, right].sort()]);
  const refs = [...new Set(conflicts.flatMap(({ left, right }) => [left, right]))];
  const recorded = new Map(
    (await (await graph()).conflicts({ refs })).toReversed().map((each) => [pairOf(each), each]),
  );
  return conflicts.map(({ places: _, ...conflict }) => {
    const record = recorded.get(pairOf(conflict));
    return { ...conflict, resolved: record?.resolved ?? false, id: record?.id };
  });
}
