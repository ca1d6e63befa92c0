import { refOf } from '../../base/ref.ts';
import { extractClaims } from './claims.ts';
import { disagree } from './contradiction.ts';
import type { CodeEvidence } from './evidence.ts';
import { type Verification, verifyText } from './firewall.ts';

/** Something that is about to be remembered, or was. */
export interface RememberedText {
  ref: string;
  /** Whose it is, until it is shared. */
  session: string;
  text: string;
  /** Paths that it says it is about. */
  paths: string[];
}

export interface GateParts {
  code(): Promise<CodeEvidence>;
  /** What was remembered about the same, the nearest first. */
  alike(entry: RememberedText): Promise<Array<{ ref: string; text: string }>>;
  /** Keeps the result with the entry; where it is doubtful, a person is asked to look. */
  record(entry: RememberedText, verification: Verification): Promise<void>;
  conflict(found: {
    kind: 'source_mismatch' | 'semantic';
    left: string;
    right: string;
    subject: string;
    detail: string;
  }): Promise<void>;
}

/**
 * The firewall in front of the memory. It never refuses and never changes what was said: what it cannot confirm is kept
 * as unverified, what the code refutes waits for a person.
 */
export function createGate(parts: GateParts) {
  return {
    check: async (entry: RememberedText): Promise<Verification> => {
      const code = await parts.code();
      const rivals = await rivalsOf(entry, await parts.alike(entry));
      const result = await verifyText(entry.text, code, entry.paths, rivals);
      await parts.record(entry, result);
      for (const { claim, verdict, finding, places } of result.claims) {
        if (verdict !== 'contradicted' && verdict !== 'unsupported') continue;
        const subject = claim.kind === 'uses' || claim.kind === 'has' ? claim.object : claim.subject;
        const right =
          places[0]?.ref ?? (claim.kind === 'uses' ? refOf('package', subject) : refOf('symbol', subject));
        const detail = `It says “${claim.sentence.slice(0, 200)}”, but ${finding}.`;
        await parts.conflict({
          kind: 'source_mismatch',
          left: entry.ref,
          right,
          subject: subject.toLowerCase(),
          detail,
        });
      }
      for (const { ref, claim, finding, subject } of rivals)
        await parts.conflict({
          kind: 'semantic',
          left: entry.ref,
          right: ref,
          subject,
          detail: `“${claim}” contradicts “${finding}”.`,
        });
      return result;
    },
  };
}

/** Claims of earlier entries that cannot stand beside the new ones. */
async function rivalsOf(entry: RememberedText, others: Array<{ ref: string; text: string }>) {
  const own = extractClaims(entry.text);
  const found: Array<{ claim: string; finding: string; ref: string; subject: string }> = [];
  if (own.length === 0) return found;
  for (const other of others) {
    if (other.ref === entry.ref) continue;
    for (const theirs of extractClaims(other.text))
      for (const mine of own) {
        const about = disagree(mine, theirs);
        if (
          about &&
          !found.some(({ ref, subject }) => ref === other.ref && subject === about.subject.toLowerCase())
        )
          found.push({
            claim: mine.sentence,
            finding: theirs.sentence,
            ref: other.ref,
            subject: about.subject.toLowerCase(),
          });
      }
  }
  return found;
}
