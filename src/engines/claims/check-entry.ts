import { messageOf } from '../../base/errors.ts';
import { objectOf } from '../../base/json.ts';
import type { Log } from '../../base/log.ts';
import { idOf, isRefOf, refOf } from '../../base/ref.ts';
import { type Chronicle, type Entry, textOfEntry } from '../../stores/chronicle/index.ts';
import type { CodeStore } from '../../stores/code/index.ts';
import type { Graph } from '../../stores/graph/index.ts';
import { type Claim, isAboutCode, isVerifiable } from './claim.ts';
import { extractClaims } from './claims.ts';
import { disagree } from './contradiction.ts';
import type { CodeEvidence } from './evidence.ts';
import { isContradicted, type Verification, verifyText } from './firewall.ts';

export interface CheckStores {
  chronicle: Chronicle;
  code: () => Promise<CodeStore>;
  graph: () => Promise<Graph>;
  log: Log;
}

export interface CheckedEntry {
  entry: Entry;
  /** Evidence against it in the code or in another entry. */
  warnings: string[];
}

interface Rival {
  ref: string;
  subject: string;
  claim: string;
  finding: string;
}

/** Entries on the same subject that a new entry is compared with. */
const maxSimilar = 20;

/**
 * The claim check in front of the memory. It never refuses and never changes the text: what it cannot confirm stays
 * unverified, what the code refutes waits for a person.
 */
export function createEntryCheck(
  { chronicle, code, graph, log }: CheckStores,
  evidence: () => Promise<CodeEvidence>,
) {
  const record = async (entry: Entry, result: Verification): Promise<void> => {
    const ref = refOf('entry', entry.id);
    const { confidence, needsReview, warnings } = result;
    const verification = isVerifiable(entry.category) ? result.verification : 'none';
    const sources = isVerifiable(entry.category) ? result.sources : [];
    const contradictions = result.contradictions.map(({ claim, finding, ref: against }) => ({
      claim,
      detail: finding,
      ref: against || undefined,
    }));
    const links = await graph();
    await links.recordVerification(ref, { verification, confidence, needsReview, warnings, contradictions });
    // The sources confirm the entry, it was not derived from them: forgetting one keeps the other.
    for (const target of sources)
      await links.link({
        source: ref,
        target,
        type: 'references',
        weight: 1,
        by: 'firewall',
        session: entry.promoted ? '' : entry.session_id,
      });
  };

  const recordConflicts = async (ref: string, { claims }: Verification, rivals: Rival[]): Promise<void> => {
    const links = await graph();
    for (const { claim, finding, places } of claims.filter(isContradicted)) {
      const subject = claim.kind === 'uses' || claim.kind === 'has' ? claim.object : claim.subject;
      await links.recordConflict({
        kind: 'source_mismatch',
        left: ref,
        right: places[0]?.ref ?? refOf(claim.kind === 'uses' ? 'package' : 'symbol', subject),
        subject: subject.toLowerCase(),
        detail: `It says “${claim.sentence.slice(0, 200)}”, but ${finding}.`,
      });
    }
    for (const { ref: right, claim, finding, subject } of rivals)
      await links.recordConflict({
        kind: 'semantic',
        left: ref,
        right,
        subject,
        detail: `“${claim}” contradicts “${finding}”.`,
      });
  };

  const check = async (entry: Entry): Promise<CheckedEntry> => {
    const ref = refOf('entry', entry.id);
    const before = (await (await graph()).verificationsOf([ref])).get(ref);
    const text = textOfEntry(entry);
    const deleted = Object.entries(objectOf(entry.metadata['changed']))
      .filter(([, change]) => change === 'deleted')
      .map(([path]) => path);
    const paths = entry.refs
      .filter((each) => isRefOf(each, 'file'))
      .map(idOf)
      .filter((path) => !deleted.includes(path));
    const similar = await chronicle.find(
      { session_id: entry.session_id, sees_all: false },
      { text: text.slice(0, 500), limit: maxSimilar },
    );
    const rivals = rivalsOf(entry, similar);
    const result = await verifyText(isAboutCode(entry.category) ? text : '', await evidence(), paths, rivals);
    await record(entry, result);
    await recordConflicts(ref, result, rivals);
    const { verified, verification, needsReview, warnings, contradictions } = result;
    const isNew = entry.verification === 'none' && verified && isVerifiable(entry.category);
    const isRefuted = entry.verification === 'against_code' && contradictions.length > 0;
    const unconfirmed = isRefuted ? 'none' : undefined;
    const marked = await chronicle.mark(entry.id, {
      // A person's verdict stays; a confirmation by code alone is withdrawn when the code changes.
      verification: isNew ? verification : unconfirmed,
      needs_review: needsReview || (before?.needs_review ? false : undefined),
    });
    return {
      entry: marked,
      warnings: [...contradictions.map(({ claim, finding }) => `“${claim}”: ${finding}`), ...warnings],
    };
  };

  return async (entry: Entry): Promise<CheckedEntry> => {
    try {
      if ((await code()).files().length === 0)
        return { entry, warnings: ['not checked: the code is not indexed yet'] };
      return await check(entry);
    } catch (error) {
      // The entry is already stored: a failed check must not remove it.
      log.warn(`an entry could not be checked: ${messageOf(error)}`);
      return { entry, warnings: [`not checked: ${messageOf(error)}`] };
    }
  };
}

const claimsOf = (entry: Entry): Claim[] =>
  isAboutCode(entry.category) ? extractClaims(textOfEntry(entry)) : [];

/** Claims of earlier entries that contradict the new ones. */
function rivalsOf(entry: Entry, others: Entry[]): Rival[] {
  const own = claimsOf(entry);
  const rivals = new Map<string, Rival>();
  if (own.length === 0) return [];
  for (const other of others.filter(({ id }) => id !== entry.id))
    for (const theirs of claimsOf(other))
      for (const mine of own) {
        const subject = disagree(mine, theirs)?.subject.toLowerCase();
        const ref = refOf('entry', other.id);
        if (subject !== undefined && !rivals.has(`${ref} ${subject}`))
          rivals.set(`${ref} ${subject}`, { ref, subject, claim: mine.sentence, finding: theirs.sentence });
      }
  return [...rivals.values()];
}
