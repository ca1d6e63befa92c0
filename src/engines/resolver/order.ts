import type { DetectedConflict } from './mitigations/conflicts.ts';
import type { Weighed } from './sources.ts';

/** What nobody vouches for. */
const doubtful = 40;
/** Code this relevant goes before what is doubtful. */
const relevantCode = 0.25;

/**
 * The order of recall stands, with four exceptions: who asks for a place gets files first; what the code refutes and
 * what was replaced comes last; what nobody could check waits for the code; and code that settles a dispute leads.
 */
export function ordered(found: Weighed[], intent: string, conflicts: DetectedConflict[]): Weighed[] {
  const settling = new Set(
    conflicts.flatMap(({ winner, places }) => [winner, ...places.map(({ path }) => `file:${path}`)]),
  );
  const settles = (each: Weighed) => each.card.domain === 'code' && settling.has(each.card.ref);
  const last = (each: Weighed) => each.disputed || each.freshness.supersededBy !== undefined;
  const first = found.filter((each) => settles(each) && !last(each));
  const middle = found.filter((each) => !first.includes(each) && !last(each));
  const placed =
    intent === 'LOCATE'
      ? [
          ...middle.filter(({ card }) => card.domain === 'code'),
          ...middle.filter(({ card }) => card.domain !== 'code'),
        ]
      : middle;
  return [...first, ...codeBeforeDoubt(placed, first.length > 0), ...found.filter(last)];
}

/** The first piece of relevant code moves in front of the first doubtful statement. */
function codeBeforeDoubt(list: Weighed[], codeLeads: boolean): Weighed[] {
  const doubt = list.findIndex(({ trust }) => trust.level < doubtful);
  if (doubt === -1 || codeLeads) return list;
  const code = list.findIndex(({ card, relevance }) => card.domain === 'code' && relevance >= relevantCode);
  if (code === -1 || code < doubt) return list;
  const moved = [...list];
  moved.splice(doubt, 0, ...moved.splice(code, 1));
  return moved;
}
