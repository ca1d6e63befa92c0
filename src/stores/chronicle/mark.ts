import { type ChronicleContext, raiseVisibility } from './context.ts';
import type { Entry } from './entry.ts';
import { type EntryRow, entryOf } from './rows.ts';

/** What a check against code and history found; what is left out stays as it is. */
export interface CheckResult {
  verification?: Entry['verification'] | undefined;
  needs_review?: boolean | undefined;
}

/** The text is never touched: a doubt is a flag beside it. */
export async function mark({ db }: ChronicleContext, id: string, result: CheckResult): Promise<Entry> {
  const values = {
    ...(result.verification ? { verification: result.verification } : {}),
    ...(result.needs_review === undefined ? {} : { needs_review: result.needs_review ? 1 : 0 }),
  };
  if (Object.keys(values).length > 0)
    await db.updateTable('entries').set(values).where('id', '=', id).execute();
  const row = (await db
    .selectFrom('entries')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()) as EntryRow;
  if (Object.keys(values).length > 0)
    await raiseVisibility(db, row.promoted === 1 ? undefined : row.session_id);
  return entryOf(row);
}
