import type { LinkSource } from './edge.ts';
import measured from './link-confidence.json' with { type: 'json' };

/** `possible`: a call by the same name on something unknown. */
type Measured = LinkSource | 'possible';

const byLanguage: Record<string, Partial<Record<Measured, number>>> = measured;
const others: Record<Measured, number> = measured.others;

/** The share of links of that kind that were right in that language, as `npm run lab -- truth` measured it. */
export const confidenceOf = (language: string, known: Measured): number =>
  byLanguage[language]?.[known] ?? others[known];
