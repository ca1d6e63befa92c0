import { type ChronicleContext, raiseVisibility } from './context.ts';
import type { Entry } from './entry.ts';
import { entryOf } from './rows.ts';

/** What a check against code and history found; what is left out stays as it is. */
export interface CheckResult {
  verification?: Entry['verification'] | undefined;
  needs_review?: boolean | undefined;
}

/** The text is never touched: a doubt is a flag beside it. */
export async function mark({ db }: ChronicleContext, id: string, result: CheckResult): Promise<Entry> {
  const { verification, needs_review } = result;
  const changes = verification !== undefined || needs_review !== undefined;
  const values = {
    verification,
    needs_review: needs_review === undefined ? undefined : Number(needs_review),
  };
  if (changes) await db.updateTable('entries').set(values).where('id', '=', id).execute();
  const row = await db.selectFrom('entries').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  if (changes) await raiseVisibility(db, row.promoted === 1 ? undefined : row.session_id);
  return entryOf(row);
}
