/**
 * The expressions that the first design gave for claims and contradictions, kept as what ours is measured against: a
 * claim is refuted when its subject is nowhere in the code, statements conflict when both say "uses" and share words.
 */
const extraction = [/we use (\w+) for (\w+)/gi, /(\w+) implements (\w+)/gi, /the (\w+) is in (\S+)/gi];

export interface SeedClaim {
  text: string;
  subject: string;
}

export const seedClaims = (content: string): SeedClaim[] =>
  extraction.flatMap((pattern) =>
    [...content.matchAll(pattern)].map(([text, subject]) => ({ text, subject: subject! })),
  );

/** Its check asks for similar code and looks for the subject in it; any code that holds the word is the kindest reading. */
export const seedRefutes = async (
  claim: SeedClaim,
  holds: (text: string) => Promise<boolean>,
): Promise<boolean> => !(await holds(claim.subject));

const statements = (content: string): string[] =>
  content
    .split('.')
    .map((part) => part.trim())
    .filter((part) => part.length > 10 && part.length < 200);

const usedIn = (statement: string): string[] => {
  const words = statement.toLowerCase().split(/\s+/);
  return words.flatMap((word, at) => (word === 'uses' && words[at + 1] ? [words[at + 1]!] : []));
};

/** A statement that says "uses X" contradicts code without the text X. */
export async function seedMismatch(
  content: string,
  holds: (text: string) => Promise<boolean>,
): Promise<boolean> {
  for (const used of statements(content).flatMap(usedIn)) if (!(await holds(used))) return true;
  return false;
}

export function seedContradicts(left: string, right: string): boolean {
  for (const a of statements(left))
    for (const b of statements(right)) {
      const [used, other] = [usedIn(a), usedIn(b)];
      if (used.some((one) => other.some((two) => one !== two)) && sameContext(a, b)) return true;
    }
  return false;
}

function sameContext(left: string, right: string): boolean {
  const words = right.toLowerCase().split(/\s+/);
  const common = left
    .toLowerCase()
    .split(/\s+/)
    .reduce((sum, word) => sum + (word.length > 3 ? words.filter((other) => other === word).length : 0), 0);
  return common >= 2;
}
