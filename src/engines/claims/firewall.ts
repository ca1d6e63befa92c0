import { isStated } from './assertion.ts';
import type { CheckedClaim } from './claim.ts';
import { extractClaims } from './claims.ts';
import type { CodeEvidence } from './evidence.ts';
import { verdictOn } from './verdict.ts';

export interface Verification {
  /** The code supports a claim of the text and contradicts none. */
  verified: boolean;
  verification: 'none' | 'against_code' | 'against_history';
  confidence: number;
  needsReview: boolean;
  warnings: string[];
  contradictions: Array<{ claim: string; finding: string; ref: string }>;
  /** Refs that support the text. */
  sources: string[];
  claims: CheckedClaim[];
}

/** Factors of confidence: a claim that the code contradicts, an earlier entry that differs. */
const refuted = 0.5;
const disputed = 0.7;

/** The code supports what the sentence states, not merely a name that occurs in it. */
export const isBorneOut = ({ verdict, claim }: CheckedClaim): boolean =>
  verdict === 'supported' && isStated(claim);
export const isContradicted = ({ verdict }: CheckedClaim): boolean => verdict === 'contradicted';

export async function checkText(text: string, code: CodeEvidence): Promise<CheckedClaim[]> {
  const checked: CheckedClaim[] = [];
  for (const claim of extractClaims(text)) checked.push({ claim, ...(await verdictOn(claim, code)) });
  return checked;
}

/**
 * Reads the claims of a text and checks each against the code. `history` are the contradictions with earlier
 * entries. Nothing here refuses a text: the result says how far to trust it.
 */
export async function verifyText(
  text: string,
  code: CodeEvidence,
  referenced: string[] = [],
  history: Verification['contradictions'] = [],
): Promise<Verification> {
  const claims = await checkText(text, code);
  const against = claims.filter(isContradicted);
  const supported = claims.filter(isBorneOut);
  const contradictions = [
    ...against.map(({ claim, finding, places }) => ({
      claim: claim.sentence,
      finding,
      ref: places[0]?.ref ?? '',
    })),
    ...history,
  ];
  const confidence = refuted ** against.length * (history.length > 0 ? disputed : 1);
  const verified = supported.length > 0 && contradictions.length === 0;
  return {
    verified,
    verification: verified ? 'against_code' : 'none',
    confidence: Math.round(confidence * 100) / 100,
    needsReview: contradictions.length > 0,
    warnings: await missingFiles(claims, referenced, code),
    contradictions,
    sources: [...new Set(supported.flatMap(({ places }) => places.map(({ ref }) => ref)))].slice(0, 20),
    claims,
  };
}

/** A file that an entry points at may be yet to come; one that is nowhere is worth a word, not a review. */
async function missingFiles(
  claims: CheckedClaim[],
  referenced: string[],
  code: CodeEvidence,
): Promise<string[]> {
  const warnings: string[] = [];
  const named = new Set(claims.map(({ claim }) => claim.object));
  for (const path of referenced)
    if (!named.has(path) && (await code.files(path)).length === 0)
      warnings.push(`Referenced file not found: ${path}`);
  return warnings;
}
