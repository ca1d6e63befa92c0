import type { Claim } from './claim.ts';
import { isOpen } from './claim-rules.ts';
import { readSentence } from './read-sentence.ts';

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
