import { nouns } from '../../operations/list.ts';

/** The longest verb that the words begin with: `work advance 12` is `work advance`, not `work`. */
export function matchVerb(words: string[]): { name: string; verb: string; rest: string[] } | undefined {
  let best: { name: string; verb: string; rest: string[] } | undefined;
  for (const noun of nouns) {
    for (const [name, verb] of Object.entries(noun.verbs)) {
      if (!verb) continue;
      const parts = verb.split(' ');
      if (
        parts.every((part, at) => words[at] === part) &&
        (!best || parts.length > best.verb.split(' ').length)
      ) {
        best = { name, verb, rest: words.slice(parts.length) };
      }
    }
  }
  return best;
}

export const allVerbs = (): string[] =>
  nouns.flatMap((noun) => Object.values(noun.verbs).filter((verb): verb is string => verb !== null));
