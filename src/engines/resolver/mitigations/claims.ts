import { isOpen } from './claim-rules.ts';
import { readSentence } from './read-sentence.ts';

export type ClaimKind = 'uses' | 'implements' | 'has' | 'is' | 'location';

/** Something a text says about the code that the code can confirm or refute. */
export interface Claim {
  kind: ClaimKind;
  /** Who; empty where the project as a whole is meant. */
  subject: string;
  object: string;
  /** It says that this is so no more. */
  negated: boolean;
  /** The names can only be names; otherwise the claim counts only where the code or its past knows the word. */
  sure: boolean;
  /** What it is used for, when the sentence says so. */
  purpose: string;
  /** What it took the place of, or what took its place: where that is a package, so is this. */
  partner: string;
  /** The sentence that says it. */
  sentence: string;
}

const mostClaims = 40;
const longestSentence = 600;

export function extractClaims(text: string): Claim[] {
  const found: Claim[] = [];
  for (const sentence of sentencesOf(text)) {
    if (isOpen(sentence)) continue;
    found.push(...readSentence(sentence));
    if (found.length >= mostClaims) break;
  }
  return distinct(found).slice(0, mostClaims);
}

const sentencesOf = (text: string): string[] =>
  text
    .replace(/```[\s\S]*?```/g, '\n')
    .split(/(?<=[.!?])\s+(?=["'`(]?[A-Z`])|\n\s*\n|\n\s*[-*+•]\s+|\n/)
    .map((sentence) =>
      sentence
        .replace(/\s+/g, ' ')
        .replace(/^[-*+•\d.)\s]+(?=\S)/, '')
        .trim(),
    )
    .filter((sentence) => sentence.length > 4 && sentence.length <= longestSentence);

const distinct = (claims: Claim[]): Claim[] => [
  ...new Map(
    claims.map((claim) => [`${claim.kind} ${claim.subject} ${claim.object} ${claim.negated}`, claim]),
  ).values(),
];
