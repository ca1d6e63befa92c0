import { sql } from 'kysely';
import { isoTime } from '../../base/clock.ts';
import { SylkError } from '../../base/errors.ts';
import { texts } from '../../base/library/index.ts';
import { redactValue } from '../../base/redact.ts';
import { refText } from '../../base/ref.ts';
import { type GraphContext, idsOf } from './context.ts';
import { idIn, intern } from './nodes.ts';
import type { NewVerification, Verification } from './records.ts';
import type { GraphTables } from './tables.ts';

type Row = GraphTables['ref_verifications'] & { ref: string };

const verificationOf = ({ node: _, ...row }: Row): Verification => ({
  ...row,
  needs_review: row.needs_review === 1,
  warnings: JSON.parse(row.warnings),
  contradictions: JSON.parse(row.contradictions),
  recorded_at: isoTime(row.recorded_at),
  reviewed_at: row.reviewed_at === null ? null : isoTime(row.reviewed_at),
});

const select = sql`SELECT n.ref, v.* FROM ref_verifications v JOIN ref_nodes n ON n.id = v.node`;

/** The result of a check against code and history. A person's verdict stays, whatever a later check says. */
export async function recordVerification(
  context: GraphContext,
  ref: string,
  given: NewVerification,
): Promise<void> {
  const { library, clock } = context;
  const record = redactValue(given);
  await library.write(async () => {
    const node = idIn(await intern(context, [ref]), ref);
    await sql`INSERT INTO ref_verifications AS v (node, verification, confidence, needs_review, warnings, contradictions, recorded_at)
      VALUES (${node}, ${record.verification}, ${record.confidence}, ${record.needsReview ? 1 : 0},
        ${JSON.stringify(record.warnings)}, ${JSON.stringify(record.contradictions)}, ${clock.now()})
      ON CONFLICT (node) DO UPDATE SET
        verification = CASE WHEN v.verdict IS NULL THEN excluded.verification ELSE v.verification END,
        confidence = CASE WHEN v.verdict IS NULL THEN excluded.confidence ELSE v.confidence END,
        needs_review = CASE WHEN v.verdict IS NULL THEN excluded.needs_review ELSE 0 END,
        warnings = excluded.warnings, contradictions = excluded.contradictions, recorded_at = excluded.recorded_at`.execute(
      context.db(),
    );
  });
}

export async function verificationsOf(
  { db }: GraphContext,
  refs: string[],
): Promise<Map<string, Verification>> {
  if (refs.length === 0) return new Map();
  const { rows } = await sql<Row>`${select} WHERE n.ref IN ${texts(refs.map(refText))}`.execute(db());
  return new Map(rows.map((row) => [row.ref, verificationOf(row)]));
}

/** What waits for a person, oldest first. */
export async function reviewQueue({ db }: GraphContext): Promise<Verification[]> {
  const { rows } = await sql<Row>`${select}
    WHERE v.needs_review = 1 AND n.archived_at IS NULL ORDER BY v.recorded_at, v.node`.execute(db());
  return rows.map(verificationOf);
}

/** A person's verdict. Confirmed counts as verified; rejected stays on record and counts for nothing. */
export async function confirm(
  context: GraphContext,
  ref: string,
  by: string,
  verdict: 'confirmed' | 'rejected' = 'confirmed',
): Promise<void> {
  const { library, clock } = context;
  await library.write(async () => {
    if (!(await idsOf(context, [ref])).has(refText(ref))) {
      throw new SylkError('NOT_FOUND', `${ref} is not waiting for review.`, {
        hint: 'Run `sylk graph review` to list what waits.',
      });
    }
    const known = (await verificationsOf(context, [ref])).get(refText(ref));
    if (!known)
      await recordVerification(context, ref, {
        verification: 'none',
        confidence: 0.5,
        needsReview: false,
        warnings: [],
        contradictions: [],
      });
    const [verification, confidence] = verdict === 'confirmed' ? ['by_user', 1] : ['none', 0];
    await sql`UPDATE ref_verifications SET verification = ${verification}, confidence = ${confidence}, needs_review = 0,
      verdict = ${verdict}, reviewed_by = ${by}, reviewed_at = ${clock.now()}
      WHERE node = (SELECT id FROM ref_nodes WHERE ref = ${refText(ref)})`.execute(context.db());
  });
}
