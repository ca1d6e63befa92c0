import { type Kysely, sql } from 'kysely';
import type { Clock } from '../../base/clock.ts';
import type { Library } from '../../base/library/index.ts';
import { redactValue } from '../../base/redact.ts';
import { searchWords } from '../../base/text/index.ts';
import type { EntryMeaning } from './meaning.ts';
import type { ChronicleTables } from './tables.ts';

/** What the parts of the store share. */
export interface ChronicleContext {
  library: Library;
  db: Kysely<ChronicleTables>;
  clock: Clock;
  /** What entries mean, where search by meaning is wanted. */
  meaning?: EntryMeaning | undefined;
}

/** Secrets go before anything is remembered; text is bounded so that one entry cannot fill the library. */
export const clean = <T>(value: T): T => redactValue(value);
export const maxContent = 100_000;

/** Raised by everything that changes what somebody can see; part of every cache key. */
export async function raiseVisibility(db: Kysely<ChronicleTables>): Promise<void> {
  await db
    .insertInto('chronicle_meta')
    .values({ key: 'visibility', value: 1 })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({ value: sql<number>`chronicle_meta.value + 1` }),
    )
    .execute();
}

export async function visibilityVersion(db: Kysely<ChronicleTables>): Promise<number> {
  const row = await db
    .selectFrom('chronicle_meta')
    .select('value')
    .where('key', '=', 'visibility')
    .executeTakeFirst();
  return row?.value ?? 0;
}

/** The text index holds stems, so that what was written and what is asked meet. */
export async function indexWords(
  db: Kysely<ChronicleTables>,
  seq: number,
  text: { title: string; content: string; tags: string[] },
): Promise<void> {
  await sql`DELETE FROM entry_words WHERE rowid = ${seq}`.execute(db);
  const words = (given: string) => searchWords(given).join(' ');
  await sql`INSERT INTO entry_words (rowid, title, content, tags) VALUES (${seq}, ${words(text.title)}, ${words(text.content)}, ${words(text.tags.join(' '))})`.execute(
    db,
  );
}
