import type { Scored } from './mitigations/quality.ts';
import type { Weighed } from './sources.ts';

const goodQuality = 0.8;
const goodTrust = 80;
const goodResults = 2;

/** A place is an answer. Anything else needs two good sources that nobody disputes, or somebody who writes. */
export function isSufficient(intent: string, scored: Array<Scored<Weighed>>, openConflicts: number): boolean {
  const included = scored.filter((each) => each.included);
  if (included.length === 0) return false;
  if (intent === 'LOCATE') return true;
  const good = included.filter(({ quality, item }) => quality > goodQuality && item.trust.level >= goodTrust);
  return good.length >= goodResults && openConflicts === 0;
}

/** What a model would add, in words for people. */
export function wouldAdd(intent: string, openConflicts: number, sources: number): string | undefined {
  if (sources === 0) return undefined;
  const work =
    intent === 'EXPLAIN'
      ? 'an explanation written from these sources'
      : intent === 'PATTERN'
        ? 'a summary of the pattern that these sources share'
        : 'a written answer from these sources';
  return openConflicts > 0
    ? `${work}, with the ${openConflicts === 1 ? 'conflict' : `${openConflicts} conflicts`} weighed`
    : work;
}
