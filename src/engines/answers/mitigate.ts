import { fileRef } from '../../base/ref.ts';
import type { CodeEvidence, Place } from '../claims/index.ts';
import type { AnsweredConflict, FoundCard, SourceFacts } from './answer.ts';
import { checkStatements, conflictsAmong, type DetectedConflict } from './mitigations/conflicts.ts';
import { kindOfFile } from './mitigations/trust.ts';
import { plainFacts, statementOf, type Weighed, weigh } from './sources.ts';

export interface MitigationParts {
  /** What is known about results, as `viewer` (a session) may see it; those it does not know stand as they were found. */
  facts(cards: FoundCard[], viewer?: string): Promise<Map<string, SourceFacts>>;
  code(): Promise<CodeEvidence>;
  /** Conflicts that were recorded before, settled or not. */
  recorded(
    refs: string[],
  ): Promise<Array<{ id: string; left: string; right: string; subject: string; resolved: boolean }>>;
  now(): number;
}

/** This near to the best result, a disputed statement concerns the question. */
const nearRelevance = 0.7;

/** Freshness, trust and conflicts, and the code that settles a conflict even where recall did not find it. */
export async function mitigate(
  parts: MitigationParts,
  cards: FoundCard[],
  code: CodeEvidence,
  viewer?: string,
): Promise<{ weighed: Weighed[]; conflicts: DetectedConflict[]; pressing: DetectedConflict[] }> {
  const known = await parts.facts(cards, viewer);
  const facts = (card: FoundCard): SourceFacts => known.get(card.ref) ?? plainFacts(card);
  const checked = await checkStatements(
    cards.map((card) => statementOf(card, facts(card))),
    code,
  );
  const weighed = cards.map((card) => weigh(card, facts(card), checked.get(card.ref) ?? [], parts.now()));
  const conflicts = conflictsAmong(
    weighed.map(({ card, facts: own, trust }) => ({ ...statementOf(card, own), trust })),
    checked,
  );
  const pressing = conflictsThatMatter(conflicts, cards);
  const here = new Set(cards.flatMap(({ ref, path }) => [ref, ...(path ? [fileRef(path)] : [])]));
  for (const { places, left } of pressing) {
    const place = places.find(({ path }) => path !== '');
    if (!place || here.has(fileRef(place.path))) continue;
    here.add(fileRef(place.path));
    const card = settlingCard(
      place,
      cards.find(({ ref }) => ref === left)?.relevance ?? 0.5,
      await code.lineOf(place),
    );
    weighed.push(weigh(card, { kind: kindOfFile(place.path), text: '', at: 0 }, [], parts.now()));
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

export async function withRecords(
  parts: Pick<MitigationParts, 'recorded'>,
  conflicts: DetectedConflict[],
): Promise<AnsweredConflict[]> {
  if (conflicts.length === 0) return [];
  const recorded = await parts.recorded([...new Set(conflicts.flatMap(({ left, right }) => [left, right]))]);
  return conflicts.map(({ places: _, ...conflict }) => {
    const same = recorded.find(
      (each) =>
        each.subject === conflict.subject &&
        [each.left, each.right].sort().join(' ') === [conflict.left, conflict.right].sort().join(' '),
    );
    return { ...conflict, resolved: same?.resolved ?? false, ...(same ? { id: same.id } : {}) };
  });
}
