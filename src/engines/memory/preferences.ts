import { SylkError } from '../../base/errors.ts';
import type { Author, Chronicle, PreferenceProposal, Preferences } from '../../stores/chronicle/index.ts';

export interface KnownPreferences extends Preferences {
  proposals: PreferenceProposal[];
}

/**
 * A person's words are stored in the person's own library, for one repository or for all. What agents propose and report
 * stays in the library of the repository, and is never attributed to the person.
 */
export function createPersonPreferences({
  chronicle,
  person,
  repository,
  formerPaths,
}: {
  chronicle: Chronicle;
  person: Chronicle;
  /** Path of the repository, the key of the person's words for it. */
  repository: string;
  /** Where it was before it was moved: the words of then hold until others are said. */
  formerPaths: string[];
}) {
  const { proposals: proposedHere } = chronicle.preferences;
  const { proposals: ofUnknownAuthor } = person.preferences;
  const repositories = [repository, ...formerPaths];
  const scopeOf = (everywhere: boolean): string => (everywhere ? '' : repository);
  return {
    known: async (session: string, category?: string): Promise<KnownPreferences> => {
      const asked = { session, repositories, category };
      const [own, here] = [await person.preferences.get(asked), await chronicle.preferences.get(asked)];
      const proposals = [...(await ofUnknownAuthor.list()), ...(await proposedHere.list())];
      return {
        explicit: own.explicit,
        implicit: { ...own.implicit, ...here.implicit, ...onlyOfPerson(own.implicit) },
        session_overrides: here.session_overrides,
        proposals: proposals.filter(
          (proposal) =>
            category === undefined ||
            category === 'all' ||
            proposal.category === category ||
            proposal.category.startsWith(`${category}.`),
        ),
      };
    },
    /** What is done about the person's words and those of this session, without who said them. */
    inForce: async (session: string): Promise<Record<string, string>> => {
      const asked = { session, repositories };
      const { explicit } = await person.preferences.get(asked);
      const { session_overrides } = await chronicle.preferences.get(asked);
      return Object.fromEntries(
        Object.entries({ ...explicit, ...session_overrides }).map(([key, { value }]) => [key, value]),
      );
    },
    say: (given: { category: string; preference: string; author: Author; everywhere: boolean }) =>
      person.preferences.say(scopeOf(given.everywhere), given.category, given.preference, given.author),
    propose: proposedHere.add,
    takeBack: (category: string, everywhere: boolean) =>
      person.preferences.takeBack(everywhere ? [''] : repositories, category),
    override: chronicle.preferences.override,
    /** A person's reports about themselves follow them; an agent's reports stay here. */
    learn: (category: string, suggestion: string, response: 'accepted' | 'rejected', author: Author) =>
      (author.kind === 'person' ? person : chronicle).preferences.learn(
        category,
        suggestion,
        response,
        author,
      ),
    proposal: async (id: string): Promise<PreferenceProposal> => {
      const proposal = (await proposedHere.find(id)) ?? (await ofUnknownAuthor.find(id));
      if (proposal) return proposal;
      throw new SylkError('NOT_FOUND', `Unknown proposal ${JSON.stringify(id.slice(0, 80))}.`, {
        hint: 'Run `sylk preferences` to list them.',
      });
    },
    /** The person's answer, once: confirmed words are theirs from then on. */
    decide: async (
      id: string,
      answer: 'confirmed' | 'rejected',
      { by, everywhere }: { by: string; everywhere: boolean },
    ): Promise<PreferenceProposal> => {
      const shelf = (await proposedHere.find(id)) ? proposedHere : ofUnknownAuthor;
      const proposal = await shelf.decide(id, answer, by);
      if (answer === 'confirmed')
        await person.preferences.say(scopeOf(everywhere), proposal.category, proposal.preference, {
          kind: 'person',
          name: by,
        });
      return proposal;
    },
  };
}

/** Older habits have no author: they are listed after those reported here. */
const onlyOfPerson = (implicit: Preferences['implicit']): Preferences['implicit'] =>
  Object.fromEntries(Object.entries(implicit).filter(([, { author }]) => author.kind === 'person'));

export type PersonPreferences = ReturnType<typeof createPersonPreferences>;
