import type { LinkSource } from './edge.ts';
import measured from './link-confidence.json' with { type: 'json' };

/** `possible`: a call by the same name on something unknown. */
type Measured = LinkSource | 'possible';

const byLanguage: Record<string, Partial<Record<Measured, number>>> = measured;
const others: Record<Measured, number> = measured.others;

/** False where the number is an estimate from other languages: it is then no share that anybody should be told. */
export const isMeasured = (language: string, known: Measured): boolean =>
  byLanguage[language]?.[known] !== undefined;

/** The share of links of that kind that were right in that language, as `npm run lab -- truth` measured it. */
export const confidenceOf = (language: string, known: Measured): number =>
  byLanguage[language]?.[known] ?? others[known];
