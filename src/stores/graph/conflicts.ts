import { sql } from 'kysely';
import { isoTime } from '../../base/clock.ts';
import { SylkError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { numbers, texts } from '../../base/library/index.ts';
import { redact } from '../../base/redact.ts';
import { refText } from '../../base/ref.ts';
import type { GraphContext } from './context.ts';
import { idIn, intern, only } from './nodes.ts';
import type { Conflict, NewConflict } from './records.ts';
import { type GraphTables, greaterEnd, lesserEnd } from './tables.ts';

type Row = GraphTables['ref_conflicts'] & { left_ref: string; right_ref: string };

const conflictOf = ({ left_ref, right_ref, ...row }: Row): Conflict => ({
  ...row,
  left: left_ref,
  right: right_ref,
  detected_at: isoTime(row.detected_at),
  resolved: row.resolved_at !== null,
  resolved_at: row.resolved_at === null ? null : isoTime(row.resolved_at),
});

const select = sql`SELECT c.*, l.ref AS left_ref, r.ref AS right_ref FROM ref_conflicts c
  JOIN ref_nodes l ON l.id = c."left" JOIN ref_nodes r ON r.id = c."right"`;

/** The default resolution of each kind. */
const proposals: Record<Conflict['kind'], string> = {
  temporal: 'Prefer the newer, unless the older is code.',
  source_mismatch: 'Code is the source of truth; the statement may be outdated.',
  semantic: 'A person must decide which one is right.',
};

/** Stored once: detected again, in either order, it is the existing one, resolved or not. */
export async function recordConflict(context: GraphContext, given: NewConflict): Promise<Conflict> {
  const { library, clock } = context;
  const [left, right] = [refText(given.left), refText(given.right)];
  if (left === right)
    throw new SylkError('VALIDATION_ERROR', `${left} cannot contradict itself.`, { hint: 'Give two refs.' });
  const subject = redact(given.subject).trim().toLowerCase().slice(0, 200);
  return library.write(async () => {
    const ids = await intern(context, [left, right]);
    const ends = numbers(ids.values());
    await sql`INSERT INTO ref_conflicts (id, kind, "left", "right", subject, detail, proposal, detected_at)
      VALUES (${newId('cnf', clock.now())}, ${given.kind}, ${idIn(ids, left)}, ${idIn(ids, right)}, ${subject},
        ${redact(given.detail).slice(0, 2000)}, ${given.proposal ?? proposals[given.kind]}, ${clock.now()})
      ON CONFLICT (kind, ${sql.raw(lesserEnd)}, ${sql.raw(greaterEnd)}, subject) DO NOTHING`.execute(
      context.db(),
    );
    const { rows } = await sql<Row>`${select} WHERE c.kind = ${given.kind} AND c.subject = ${subject}
      AND c."left" IN ${ends} AND c."right" IN ${ends}`.execute(context.db());
    return conflictOf(only(rows));
  });
}

export interface ConflictFilter {
  /** True: only unresolved. False: only resolved. */
  unresolved?: boolean | undefined;
  /** At least one side is one of these. */
  refs?: string[] | undefined;
  kind?: Conflict['kind'] | undefined;
}

export async function conflicts({ db }: GraphContext, filter: ConflictFilter = {}): Promise<Conflict[]> {
  const isOpen = sql`c.resolved_at IS NULL`;
  const state = filter.unresolved
    ? isOpen
    : sql`${filter.unresolved === undefined ? sql`true` : sql`NOT ${isOpen}`}`;
  const about = filter.refs ? texts(filter.refs.map(refText)) : undefined;
  const { rows } = await sql<Row>`${select}
    WHERE ${state} AND l.archived_at IS NULL AND r.archived_at IS NULL
      AND ${filter.kind ? sql`c.kind = ${filter.kind}` : sql`true`}
      AND ${about ? sql`(l.ref IN ${about} OR r.ref IN ${about})` : sql`true`}
    ORDER BY c.detected_at DESC, c.id DESC`.execute(db());
  return rows.map(conflictOf);
}

export async function findConflict({ db }: GraphContext, id: string): Promise<Conflict> {
  const { rows } = await sql<Row>`${select} WHERE c.id = ${id}`.execute(db());
  if (rows[0]) return conflictOf(rows[0]);
  throw new SylkError('NOT_FOUND', `Unknown conflict ${JSON.stringify(id.slice(0, 80))}.`, {
    hint: 'Run `sylk graph conflicts` to list them with their ids.',
  });
}

export async function resolveConflict(
  context: GraphContext,
  id: string,
  resolution: string,
  by: string,
): Promise<Conflict> {
  return context.library.write(async () => {
    const known = await findConflict(context, id);
    if (known.resolved) {
      throw new SylkError('CONFLICT', `Conflict ${id} is already resolved: ${known.resolution}`, {
        hint: 'A new entry can supersede the decision.',
      });
    }
    await sql`UPDATE ref_conflicts SET resolution = ${redact(resolution).slice(0, 2000)}, resolved_by = ${by},
      resolved_at = ${context.clock.now()} WHERE id = ${id}`.execute(context.db());
    return findConflict(context, id);
  });
}
