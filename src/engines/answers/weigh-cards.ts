import { fileRef } from '../../base/ref.ts';
import type { Place } from '../claims/index.ts';
import { kindOfFile } from '../recall/index.ts';
import type { AnsweredConflict, FoundCard, SourceFacts } from './answer.ts';
import type { AnswersContext } from './context.ts';
import { factsOf } from './facts.ts';
import { checkStatements, conflictsAmong, type DetectedConflict } from './mitigations/conflicts.ts';
import { plainFacts, statementOf, type Weighed, weigh } from './sources.ts';

/** This near to the best result, a disputed statement concerns the question. */
const nearRelevance = 0.7;

/** Freshness, trust and conflicts, and the code that settles a conflict even where recall did not find it. */
export async function weighCards(
  context: AnswersContext,
  cards: FoundCard[],
  session: string,
): Promise<{ weighed: Weighed[]; conflicts: DetectedConflict[]; pressing: DetectedConflict[] }> {
  const code = await (await context.claims()).evidence();
  const now = context.clock.now();
  const factsByRef = await factsOf(context, cards, session);
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
      await code.lineOf(place),
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
