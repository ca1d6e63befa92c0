import { fileRef } from '../../base/ref.ts';
import type { DetectedConflict } from './mitigations/conflicts.ts';
import { qualityOf } from './mitigations/quality.ts';
import type { Weighed } from './sources.ts';

/** What nobody vouches for. */
const doubtful = 40;
/** Code this relevant goes before what is doubtful. */
const relevantCode = 0.25;

/** A refuted statement is shown with its label, behind this many sources, so that nobody meets it elsewhere unwarned. */
const beforeAccused = 3;
const shownAccused = 2;
const codeFirst = 3;

/**
 * The order of recall stands, with seven exceptions: who asks why gets what gives a reason first; who asks for a place gets files first, and who asks how something
 * is gets three places of the code before commits and instructions; what the code refutes
 * comes after three others and what was replaced comes last; what nobody could check waits for the code; code that
 * settles a dispute leads; and references go by quality among themselves.
 */
export function ordered(
  results: Weighed[],
  intent: string,
  conflicts: DetectedConflict[],
  question = '',
): Weighed[] {
  const found = referencesByQuality(withoutRepeats(withoutSkills(results, question)));
  const settling = new Set(
    conflicts.flatMap(({ winner, places }) => [winner, ...places.map(({ path }) => fileRef(path))]),
  );
  const settles = (each: Weighed) => each.card.domain === 'code' && settling.has(each.card.ref);
  const last = (each: Weighed) => each.disputed || each.freshness.supersededBy !== undefined;
  const first = found.filter((each) => settles(each) && !last(each));
  const middle = found.filter((each) => !first.includes(each) && !last(each));
  const placed =
    intent === 'LOCATE' ? leading(middle, ({ card }) => card.domain === 'code') : codeBeforeCommits(middle);
  const told = asksWhy.test(question) ? reasonFirst(placed) : placed;
  const good = codeBeforeDoubt(told, first.length > 0, conflicts.length > 0);
  const accused = found
    .filter((each) => each.disputed && conflicts.some(({ left }) => left === each.card.ref))
    .slice(0, shownAccused);
  const lead = [...first, ...good].slice(0, beforeAccused);
  const rest = [...first, ...good].slice(beforeAccused);
  return [...lead, ...accused, ...rest, ...found.filter((each) => last(each) && !accused.includes(each))];
}

const asksWhy = /^\W*(?:why|how come)\b/i;

/** Letters; less than a short sentence gives no reason. */
const aReason = 30;

/** Code seldom says why; what was remembered does, and the text of a commit below its subject. */
function reasonFirst(list: Weighed[]): Weighed[] {
  const isReason = ({ card, relevance }: Weighed) =>
    relevance >= relevantCode &&
    (card.domain === 'chronicle' ||
      (card.domain === 'commits' && (card.snippet ?? '').replace(card.title, '').trim().length >= aReason));
  const best = list.find(isReason);
  return leading(list, (each) => each === best);
}

/** What is said of a skill says nothing of this repository: it is left out where anything else was found, unless it is asked for. */
function withoutSkills(list: Weighed[], question: string): Weighed[] {
  const others = list.filter(({ card }) => card.domain !== 'skills');
  return others.length === 0 || /\bskills?\b/i.test(question) ? list : others;
}

/** A change that was made again on another branch says the same twice. */
function withoutRepeats(list: Weighed[]): Weighed[] {
  const told = new Set<string>();
  return list.filter(({ card }) => {
    if (card.domain !== 'commits') return true;
    const said = `${card.title}\n${card.snippet ?? ''}`;
    const isNew = !told.has(said);
    told.add(said);
    return isNew;
  });
}

const leading = (list: Weighed[], isFirst: (each: Weighed) => boolean): Weighed[] => [
  ...list.filter(isFirst),
  ...list.filter((each) => !isFirst(each)),
];

/** A commit of years ago often says it in the very words of the question; what it says may have changed since. */
function codeBeforeCommits(list: Weighed[]): Weighed[] {
  const code = list.filter(({ card }) => card.domain === 'code').slice(0, codeFirst);
  const end = 1 + list.findLastIndex((each) => code.includes(each));
  return [...leading(list.slice(0, end), ({ card }) => card.domain !== 'commits'), ...list.slice(end)];
}

/** References keep their places among other things; among themselves what is trusted more and fresher comes first. */
export function referencesByQuality(list: Weighed[]): Weighed[] {
  const best = list
    .filter(({ card }) => card.domain === 'references')
    .sort((left, right) => qualityOf(right) - qualityOf(left));
  return list.map((each) => (each.card.domain === 'references' ? (best.shift() ?? each) : each));
}

/** The first piece of relevant code moves in front of the first doubtful statement, and of all where there is a dispute. */
function codeBeforeDoubt(list: Weighed[], codeLeads: boolean, disputed: boolean): Weighed[] {
  const doubt = disputed ? 0 : list.findIndex(({ trust }) => trust.level < doubtful);
  if (doubt === -1 || codeLeads) return list;
  const code = list.findIndex(({ card, relevance }) => card.domain === 'code' && relevance >= relevantCode);
  if (code === -1 || code < doubt) return list;
  const moved = [...list];
  moved.splice(doubt, 0, ...moved.splice(code, 1));
  return moved;
}
