import { type Kysely, sql } from 'kysely';
import { parseJsonObject } from '../../base/json.ts';
import { itemsOf, texts } from '../../base/library/index.ts';
import { refOf } from '../../base/ref.ts';
import { type ChronicleContext, raiseVisibility } from './context.ts';
import type { Entry } from './entry.ts';
import { type Viewer, visible } from './query.ts';
import { entryOf } from './rows.ts';
import type { ChronicleTables } from './tables.ts';

/** State of entries: visibility, sources, verification, archive. */
export function createStanding({ db }: ChronicleContext) {
  return {
    /** Those of the ids that the viewer may see. */
    several: async (viewer: Viewer, ids: string[]): Promise<Map<string, Entry>> => {
      if (ids.length === 0) return new Map();
      const rows = await visible(db, viewer, { include_superseded: true })
        .selectAll()
        .where(sql<boolean>`entries.id IN ${texts(ids)}`)
        .execute();
      return new Map(rows.map((row) => [row.id, entryOf(row)]));
    },
    /** Entries in order of writing, regardless of visibility: for indexes built on them. */
    after: async (
      seq: number,
      limit: number,
    ): Promise<Array<{ seq: number; entry: Entry; supersedes: string[] }>> => {
      const rows = await db
        .selectFrom('entries')
        .selectAll()
        .where('seq', '>', seq)
        .orderBy('seq')
        .limit(limit)
        .execute();
      const replaced = await db
        .selectFrom('entries')
        .select(['id', 'superseded_by'])
        .where(sql<boolean>`superseded_by IN ${texts(rows.map(({ id }) => id))}`)
        .execute();
      return rows.map((row) => ({
        seq: row.seq,
        entry: entryOf(row),
        supersedes: replaced.filter(({ superseded_by }) => superseded_by === row.id).map(({ id }) => id),
      }));
    },
    /** The number of the newest entry; 0 where there is none. */
    newest: async (): Promise<number> => {
      const { rows } = await sql<{ seq: number | null }>`SELECT max(seq) AS seq FROM entries`.execute(db);
      return rows[0]?.seq ?? 0;
    },
    ofSession: async (session: string): Promise<string[]> =>
      (await db.selectFrom('entries').select('id').where('session_id', '=', session).execute()).map(
        ({ id }) => id,
      ),
    /** Aliases of entries: their titles, and the messages that brought them. */
    traces: async (ids: string[]): Promise<{ titles: string[]; messages: string[] }> => {
      const rows = await db
        .selectFrom('entries')
        .select(['title', 'metadata'])
        .where(sql<boolean>`id IN ${texts(ids)}`)
        .execute();
      return {
        titles: rows.map(({ title }) => title),
        messages: rows.flatMap(({ metadata }) => {
          const { message_id } = parseJsonObject(metadata);
          return typeof message_id === 'string' ? [message_id] : [];
        }),
      };
    },
    /** The result of a check or a person's verdict. */
    judge: async (
      id: string,
      found: { verification: Entry['verification']; needs_review: boolean; confidence?: number | undefined },
    ): Promise<void> => {
      const { verification, confidence } = found;
      await db
        .updateTable('entries')
        .set({
          verification,
          needs_review: found.needs_review ? 1 : 0,
          confidence,
        })
        .where('id', '=', id)
        .execute();
      await raiseVisibility(db);
    },
    /** Disputed, and not reviewed yet. */
    waiting: async (viewer: Viewer): Promise<Entry[]> => {
      const rows = await visible(db, viewer)
        .selectAll()
        .where('needs_review', '=', 1)
        .orderBy('created_at')
        .limit(1000)
        .execute();
      return rows.map(entryOf);
    },
    /** Removes entries from every answer, and restores them. */
    putAway: async (ids: string[], away: boolean): Promise<number> => {
      const result = await db
        .updateTable('entries')
        .set({ archived: away ? 1 : 0, expires_at: away ? undefined : null })
        .where(sql<boolean>`id IN ${texts(ids)}`)
        .where('archived', '=', away ? 0 : 1)
        .executeTakeFirst();
      await raiseVisibility(db);
      return Number(result.numUpdatedRows);
    },
    replace: async (old: string, by: string): Promise<void> => {
      await db.updateTable('entries').set({ superseded_by: by }).where('id', '=', old).execute();
      await raiseVisibility(db);
    },
    /** Everything derived from these refs, recursively. */
    derivedFrom: async (sources: string[]): Promise<string[]> => [...(await derived(db, sources))],
  };
}

export async function derived(db: Kysely<ChronicleTables>, sources: string[]): Promise<Set<string>> {
  const found = new Set<string>();
  const queue = [...sources];
  for (let source = queue.pop(); source !== undefined; source = queue.pop()) {
    const { rows } = await sql<{
      id: string;
    }>`SELECT entries.id FROM entries, ${itemsOf('entries.derived_from')} AS origin WHERE origin.value = ${source}`.execute(
      db,
    );
    for (const { id } of rows) {
      if (found.has(id)) continue;
      found.add(id);
      queue.push(refOf('entry', id));
    }
  }
  return found;
}

/** The result of a check against code and history; omitted fields stay unchanged. */
export interface CheckResult {
  verification?: Entry['verification'] | undefined;
  needs_review?: boolean | undefined;
}

/** Never changes the text: a doubt is a separate flag. */
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
