import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { newId } from '../../base/ids.ts';
import { type ChronicleContext, clean, maxContent, raiseVisibility } from './context.ts';
import { categories, entrySchema, summaryTypes } from './entry.ts';
import { type EntryRow, entryOf } from './rows.ts';
import type { ChronicleTables } from './tables.ts';

const text = z.string().max(2000);
const list = z.array(text).max(200);

/** A shared entry as it travels between the library of a laptop and that of its team. */
export const sharedEntrySchema = z.object({
  id: z.string().min(1).max(100),
  session_id: text,
  category: z.enum(categories),
  summary_type: z.enum(summaryTypes).nullable(),
  title: text,
  content: z.string().min(1).max(maxContent),
  resolution: z.string().max(maxContent),
  source: text,
  source_kind: entrySchema.shape.source_kind,
  tags: list,
  refs: list,
  derived_from: list,
  subject: text,
  digest: text,
  confidence: z.number(),
  verification: entrySchema.shape.verification,
  superseded_by: text.nullable(),
  created_at: z.number(),
});
export type SharedEntry = z.output<typeof sharedEntrySchema>;

/** What people wrote of it: two libraries have the same entry where this is the same. Uses and checks are each library's own. */
export function contentHash(entry: SharedEntry): string {
  const { title, content, resolution, category, superseded_by } = entry;
  const lists = [entry.tags, entry.refs, entry.derived_from].map((items) => items.toSorted());
  return createHash('sha256')
    .update(JSON.stringify([title, content, resolution, category, superseded_by, ...lists]))
    .digest('hex')
    .slice(0, 32);
}

const sharedOf = (row: EntryRow): SharedEntry => ({
  ...sharedEntrySchema.omit({ subject: true, digest: true, created_at: true }).parse(entryOf(row)),
  subject: row.subject,
  digest: row.digest,
  created_at: row.created_at,
});

/**
 * Shared entries of these ids, and those that replaced them, because a row can't name one that is not there. One that only a private
 * entry replaced is not replaced for others.
 */
export async function readShared({ db }: ChronicleContext, ids: string[]): Promise<SharedEntry[]> {
  const found = new Map<string, SharedEntry>();
  for (let wanted = ids; wanted.length > 0; ) {
    const rows = await db
      .selectFrom('entries')
      .selectAll()
      .where('id', 'in', wanted)
      .where('promoted', '=', 1)
      .where('archived', '=', 0)
      .execute();
    for (const row of rows) found.set(row.id, sharedOf(row));
    wanted = rows.flatMap(({ superseded_by: next }) => (next === null || found.has(next) ? [] : [next]));
  }
  return [...found.values()].map((entry) =>
    entry.superseded_by === null || found.has(entry.superseded_by)
      ? entry
      : { ...entry, superseded_by: null },
  );
}

const columnsOf = (entry: SharedEntry) => ({
  category: entry.category,
  summary_type: entry.summary_type,
  title: entry.title,
  content: entry.content,
  resolution: entry.resolution,
  tags: JSON.stringify(entry.tags),
  refs: JSON.stringify(entry.refs),
  derived_from: JSON.stringify(entry.derived_from),
  subject: entry.subject,
  digest: entry.digest,
});

async function insert(
  db: Kysely<ChronicleTables>,
  given: SharedEntry,
  { by, now }: { by: string; now: number },
) {
  const { id, session_id, source, source_kind, confidence, verification } = given;
  // A date in the future would keep it on top of every list.
  const created_at = Math.min(given.created_at, now);
  const times = { created_at, updated_at: now, promoted_at: now, expires_at: null };
  const own = {
    needs_review: 0,
    uses: 0,
    use_sessions: '[]',
    archived: 0,
    promoted: 1,
    promoted_by: `team: ${by}`,
  };
  await db
    .insertInto('entries')
    .values({
      id,
      session_id,
      source,
      source_kind,
      confidence,
      verification,
      metadata: '{}',
      superseded_by: null,
      ...own,
      ...columnsOf(given),
      ...times,
    })
    .execute();
}

/** Once all of a page are here, because they name each other. What was replaced stays replaced, by the same one or by the team's. */
async function linkReplaced(
  db: Kysely<ChronicleTables>,
  entries: SharedEntry[],
  isTeams: boolean,
): Promise<void> {
  for (const { id, superseded_by } of entries) {
    if (superseded_by === null) continue;
    const change = db
      .updateTable('entries')
      .set({ superseded_by })
      .where('id', '=', id)
      .where(sql<boolean>`EXISTS (SELECT 1 FROM entries WHERE id = ${superseded_by})`);
    await (isTeams ? change : change.where('superseded_by', 'is', null)).execute();
  }
}

/** As the library of the team has them: here they are replaced, and what is not here yet is added. Answers the ids that changed. */
export async function putShared({ db, clock }: ChronicleContext, entries: SharedEntry[]): Promise<string[]> {
  const now = clock.now();
  for (const entry of entries) {
    const { numUpdatedRows } = await db
      .updateTable('entries')
      .set({ ...columnsOf(entry), promoted: 1, archived: 0, updated_at: now })
      .where('id', '=', entry.id)
      .executeTakeFirst();
    if (Number(numUpdatedRows) === 0) await insert(db, entry, { by: entry.source, now });
  }
  await linkReplaced(db, entries, true);
  if (entries.length > 0) await raiseVisibility(db);
  return entries.map(({ id }) => id);
}

export interface OfferedEntry {
  entry: SharedEntry;
  /** The hash of what the laptop and the team had last agreed on; null where it is new. */
  base: string | null;
}

/** What became of an offered entry. `entry` is the team's, where it is not what was offered. */
export interface TakenEntry {
  id: string;
  result: 'taken' | 'merged' | 'conflicting';
  entry?: SharedEntry | undefined;
}

/**
 * Takes entries of a laptop into the library of its team, within a write. The same offer again changes nothing. Where both sides
 * changed an entry, the team's stays, the laptop's words are kept as an entry of their own, and the two are marked as conflicting.
 */
export async function takeShared(
  context: ChronicleContext,
  offers: OfferedEntry[],
  by: string,
): Promise<TakenEntry[]> {
  const { db, clock } = context;
  const now = clock.now();
  const offered = clean(offers);
  const current = new Map(
    (
      await readShared(
        context,
        offered.map(({ entry }) => entry.id),
      )
    ).map((entry) => [entry.id, entry]),
  );
  const taken: TakenEntry[] = [];
  for (const { entry, base } of offered) {
    const own = current.get(entry.id);
    if (!own) await insertNew(db, entry, { by, now });
    else if (contentHash(own) === base)
      await db
        .updateTable('entries')
        .set({ ...columnsOf(entry), updated_at: now })
        .where('id', '=', entry.id)
        .execute();
    else if (contentHash(own) !== contentHash(entry)) {
      taken.push({ id: entry.id, ...(await join(db, own, entry, { by, now })) });
      continue;
    }
    taken.push({ id: entry.id, result: 'taken' });
  }
  await linkReplaced(
    db,
    offered.map(({ entry }) => entry),
    false,
  );
  for (const { entry } of offered) {
    const rival = current.get(entry.id)?.superseded_by;
    if (rival && entry.superseded_by && rival !== entry.superseded_by)
      await markConflict(db, rival, entry.superseded_by, now);
  }
  if (offered.length > 0) await raiseVisibility(db);
  const after = new Map(
    (
      await readShared(
        context,
        offered.map(({ entry }) => entry.id),
      )
    ).map((entry) => [entry.id, entry]),
  );
  return taken.map(({ id, result }) => ({
    id,
    result,
    ...(result === 'taken' ? {} : { entry: after.get(id) }),
  }));
}

/** An id that is here, and not shared, is somebody's private entry: it is neither shown nor touched. */
async function insertNew(db: Kysely<ChronicleTables>, entry: SharedEntry, by: { by: string; now: number }) {
  const isThere = await db.selectFrom('entries').select('id').where('id', '=', entry.id).executeTakeFirst();
  if (!isThere) await insert(db, entry, by);
}

/** Both sides changed it. Lists are joined; of two texts the second is kept beside the first. */
async function join(
  db: Kysely<ChronicleTables>,
  own: SharedEntry,
  given: SharedEntry,
  by: { by: string; now: number },
): Promise<Pick<TakenEntry, 'result'>> {
  const isSameText =
    own.content === given.content && own.title === given.title && own.resolution === given.resolution;
  if (isSameText) {
    const both = (name: 'tags' | 'refs' | 'derived_from') =>
      JSON.stringify([...new Set([...own[name], ...given[name]])].slice(0, 200));
    await db
      .updateTable('entries')
      .set({ tags: both('tags'), refs: both('refs'), derived_from: both('derived_from'), updated_at: by.now })
      .where('id', '=', own.id)
      .execute();
    return {
      result:
        own.superseded_by && given.superseded_by && own.superseded_by !== given.superseded_by
          ? 'conflicting'
          : 'merged',
    };
  }
  // The same words of the same laptop get the same id, however often they are sent.
  const id = `${own.id}-${contentHash(given).slice(0, 8)}`;
  await insertNew(db, { ...given, id, superseded_by: null }, by);
  await markConflict(db, own.id, id, by.now);
  return { result: 'conflicting' };
}

async function markConflict(
  db: Kysely<ChronicleTables>,
  one: string,
  other: string,
  now: number,
): Promise<void> {
  const [left_id = one, right_id = other] = [one, other].sort();
  const there = await db.selectFrom('entries').select('id').where('id', 'in', [one, other]).execute();
  if (there.length < 2) return;
  await db
    .insertInto('entry_conflicts')
    .values({ id: newId('cfl', now), left_id, right_id, created_at: now, resolved_at: null, resolution: '' })
    .onConflict((conflict) => conflict.columns(['left_id', 'right_id']).doNothing())
    .execute();
  await db.updateTable('entries').set({ needs_review: 1 }).where('id', 'in', [one, other]).execute();
}
