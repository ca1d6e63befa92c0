import { type Target, targets } from './classification.ts';

/** What a person wants of routing, read off their preferences. */
export interface RoutingPreferences {
  /** Who is asked where two would do. */
  prefer?: Target;
  /** Who gets what fits nobody; the Librarian when nothing is said. */
  unsure?: Target;
  /** Words that decide: a message with one of them goes to that agent. */
  words: Array<{ word: string; target: Target }>;
  /** Research is offered beside a plan. */
  researchFirst: boolean;
}

const isTarget = (value: string): value is Target => targets.some((target) => target === value);

/**
 * `routing.prefer`, `routing.unsure`, `routing.word.<word>` with the name of an agent, and `workflow: research_first`. A
 * value that names no agent changes nothing.
 */
export function routingPreferences(preferences: Record<string, string>): RoutingPreferences {
  const found: RoutingPreferences = { words: [], researchFirst: false };
  for (const [key, given] of Object.entries(preferences)) {
    const value = given.trim().toLowerCase().replace(/^@/, '');
    if (key === 'workflow') found.researchFirst = value.replaceAll(/[\s-]/g, '_') === 'research_first';
    if (!isTarget(value)) continue;
    if (key === 'routing.prefer') found.prefer = value;
    else if (key === 'routing.unsure') found.unsure = value;
    else if (key.startsWith('routing.word.'))
      found.words.push({ word: key.slice('routing.word.'.length).toLowerCase(), target: value });
  }
  return found;
}

/** The agent that the person's own words choose. */
export function chosenByWord(
  text: string,
  { words }: RoutingPreferences,
): RoutingPreferences['words'][number] | undefined {
  const spoken = new Set(text.toLowerCase().match(/[\p{L}\p{N}_-]+/gu) ?? []);
  return words.find(({ word }) => spoken.has(word));
}
