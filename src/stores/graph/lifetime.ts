import { sql } from 'kysely';
import { SylkError } from '../../base/errors.ts';
import { texts } from '../../base/library/index.ts';
import { refKinds, refText } from '../../base/ref.ts';
import type { GraphContext } from './context.ts';
import { link } from './edges.ts';
import { idIn, intern } from './nodes.ts';

/** The old one stays and names its replacement. A cycle is refused: then nothing would be current. */
export async function supersede(
  context: GraphContext,
  oldRef: string,
  newRef: string,
  by = 'sylk',
): Promise<void> {
  await context.library.write(async () => {
    if ((await successorsOf(context, newRef)).includes(refText(oldRef))) {
      throw new SylkError('CONFLICT', `${oldRef} already supersedes ${newRef}.`, {
        hint: 'Only one of the two can be current: unlink the other first.',
      });
    }
    await link(context, { source: newRef, target: oldRef, type: 'supersedes', by });
    const ids = await intern(context, [oldRef, newRef]);
    await context
      .db()
      .updateTable('ref_nodes')
      .set({ superseded_by: idIn(ids, newRef), updated_at: context.clock.now() })
      .where('id', '=', idIn(ids, oldRef))
      .execute();
  });
}

/** The chain of replacements of a ref. */
async function successorsOf({ db }: GraphContext, ref: string): Promise<string[]> {
  const { rows } = await sql<{ ref: string }>`
    WITH RECURSIVE chain (id) AS (
      SELECT superseded_by FROM ref_nodes WHERE ref = ${refText(ref)}
      UNION SELECT n.superseded_by FROM chain JOIN ref_nodes n ON n.id = chain.id)
    SELECT n.ref FROM chain JOIN ref_nodes n ON n.id = chain.id`.execute(db());
  return rows.map(({ ref: newer }) => newer);
}

/** For superseded refs: the current ref at the end of the chain. */
export async function currentOf({ db }: GraphContext, refs: string[]): Promise<Map<string, string>> {
  if (refs.length === 0) return new Map();
  const { rows } = await sql<{ ref: string; current: string }>`
    WITH RECURSIVE chain (start, id, step) AS (
      SELECT id, superseded_by, 1 FROM ref_nodes WHERE ref IN ${texts(refs.map(refText))} AND superseded_by IS NOT NULL
      UNION ALL
      SELECT chain.start, n.superseded_by, step + 1 FROM chain JOIN ref_nodes n ON n.id = chain.id
      WHERE n.superseded_by IS NOT NULL AND step < 100)
    SELECT o.ref AS ref, n.ref AS current FROM chain JOIN ref_nodes o ON o.id = chain.start JOIN ref_nodes n ON n.id = chain.id
    ORDER BY chain.step`.execute(db());
  return new Map(rows.map(({ ref, current }) => [ref, current]));
}

/** Hides items from answers. Nothing is deleted: `restore` brings them back. */
export async function archive({ db, clock }: GraphContext, refs: string[]): Promise<number> {
  const { rows } = await sql`UPDATE ref_nodes SET archived_at = ${clock.now()}
    WHERE ref IN ${texts(refs.map(refText))} AND archived_at IS NULL RETURNING id`.execute(db());
  return rows.length;
}

/** Restores items, without an expiry date. */
export async function restore({ db }: GraphContext, refs: string[]): Promise<number> {
  const { rows } = await sql`UPDATE ref_nodes SET archived_at = NULL, expires_at = NULL
    WHERE ref IN ${texts(refs.map(refText))} AND archived_at IS NOT NULL RETURNING id`.execute(db());
  return rows.length;
}

/** How long an expired item is still shown, marked as expired. */
export const graceDays = 30;

/** Archives items that expired longer ago than the grace period. Only records expire; code and references do not. */
export async function archiveExpired({ db, clock }: GraphContext): Promise<string[]> {
  const now = clock.now();
  const kinds = Object.entries(refKinds)
    .filter(([, side]) => side === 'history')
    .map(([kind]) => kind);
  const { rows } = await sql<{ ref: string }>`UPDATE ref_nodes SET archived_at = ${now}
    WHERE expires_at IS NOT NULL AND expires_at < ${now - graceDays * 86_400_000} AND archived_at IS NULL
      AND substr(ref, 1, instr(ref, ':') - 1) IN ${texts(kinds)} RETURNING ref`.execute(db());
  return rows.map(({ ref }) => ref);
}
