import { nouns } from '../../operations/list.ts';
import { spellingNames, spellingOf } from '../../operations/spellings.ts';

interface MatchedVerb {
  name: string;
  verb: string;
  rest: string[];
}

/** The longest verb that the words start with: `work advance 12` is `work advance`, not `work`. */
export function matchVerb(words: string[]): MatchedVerb | undefined {
  let best: MatchedVerb | undefined;
  for (const [name, verb] of [...ownVerbs(), ...spelledVerbs()]) {
    const parts = verb.split(' ');
    const matches = parts.every((part, at) => words[at] === part);
    if (matches && (!best || parts.length > best.verb.split(' ').length))
      best = { name, verb, rest: words.slice(parts.length) };
  }
  return best;
}

/** Operation and verb of every command. */
export const ownVerbs = (): Array<[string, string]> =>
  nouns.flatMap((noun) =>
    Object.entries(noun.verbs).filter((entry): entry is [string, string] => entry[1] !== null),
  );

const spelledVerbs = (): Array<[string, string]> =>
  spellingNames.flatMap((name) => {
    const command = spellingOf(name)?.command;
    return command ? [[name, command]] : [];
  });

/** The verbs that help lists. Other spellings work but are not listed. */
export const allVerbs = (): string[] => ownVerbs().map(([, verb]) => verb);
