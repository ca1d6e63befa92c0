import { type Kysely, sql } from 'kysely';
import { SylkError } from '../../base/errors.ts';
import { itemsOf, texts } from '../../base/library/index.ts';
import { idOf, refOf } from '../../base/ref.ts';
import { searchWords } from '../../base/text/index.ts';
import type { ChronicleContext } from './context.ts';
import type { Category, Entry, SummaryType } from './entry.ts';
import { type RankedEntry, rankEntries } from './rank.ts';
import { type EntryRow, entryOf } from './rows.ts';
import type { ChronicleTables } from './tables.ts';

/** The viewer. A session sees its own and promoted entries; only a person may see more. */
export interface Viewer {
  session_id: string;
  /** A person at this machine who asked for all sessions. */
  sees_all: boolean;
}

export interface EntryFilter {
  text?: string | undefined;
  categories?: Category[] | undefined;
  summary_type?: SummaryType | undefined;
  sources?: string[] | undefined;
  since?: number | undefined;
  until?: number | undefined;
  session_ids?: string[] | undefined;
  exclude_sessions?: string[] | undefined;
  /** Only the viewer's own session. */
  current_only?: boolean | undefined;
  promoted_only?: boolean | undefined;
  resolved_only?: boolean | undefined;
  include_superseded?: boolean | undefined;
  tags?: string[] | undefined;
  /** About any of these. */
  refs?: string[] | undefined;
  limit?: number | undefined;
}

export interface FoundEntry extends Entry {
  /** 0–1 within one answer; 1 without a query. */
  score: number;
}

/** Entries compared by meaning with one question: the newest, and the word matches. */
const comparedByMeaning = 5000;

/** Ranked by words, meaning and neighbors when a text is given, newest first otherwise. */
export async function findEntries(
  context: ChronicleContext,
  viewer: Viewer,
  filter: EntryFilter,
): Promise<FoundEntry[]> {
  const { db } = context;
  const limit = filter.limit ?? 50;
  if (!filter.text) {
    const rows = await visible(db, viewer, filter)
      .selectAll()
      .orderBy('created_at', 'desc')
      .orderBy('seq', 'desc')
      .limit(limit)
      .execute();
    return rows.map((row) => ({ ...entryOf(row), score: 1 }));
  }
  const ranked = (await rankByText(context, viewer, filter, filter.text)).slice(0, limit);
  const rows = await bySequence(
    db,
    ranked.map(({ seq }) => seq),
  );
  return ranked.flatMap(({ seq, score }) => {
    const row = rows.get(seq);
    return row ? [{ ...entryOf(row), score }] : [];
  });
}

async function rankByText(
  { db, clock, meaning, words }: ChronicleContext,
  viewer: Viewer,
  filter: EntryFilter,
  text: string,
): Promise<RankedEntry[]> {
  const terms = searchWords(text);
  if (terms.length === 0) return [];
  const rows = await visible(db, viewer, filter)
    .select(['seq', 'id', 'session_id', 'created_at', 'superseded_by'])
    .orderBy('seq')
    .execute();
  const entries = rows.map(({ superseded_by, seq, ...row }) => ({
    ...row,
    seq: Number(seq),
    superseded: superseded_by !== null,
  }));
  const shares = await words.sharesWithin(
    terms,
    entries.map(({ id }) => refOf('entry', id)),
  );
  const matched = new Map([...shares].map(([ref, share]) => [idOf(ref), share]));
  const newest = entries.length - comparedByMeaning;
  const compared = entries.filter(({ id }, at) => at >= newest || matched.has(id));
  const nearness = await meaning?.nearness(
    text,
    compared.map(({ id }) => id),
    (ids) => textsOf(db, ids),
  );
  return rankEntries({ entries, words: matched, nearness, now: clock.now() });
}

async function textsOf(db: Kysely<ChronicleTables>, ids: string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('entries')
    .select(['id', 'title', 'content'])
    .where('id', 'in', ids)
    .execute();
  return new Map(
    rows.map(({ id, title, content }) => [id, content.startsWith(title) ? content : `${title}\n${content}`]),
  );
}

/** SQLite limits the number of values in one statement. */
async function bySequence(db: Kysely<ChronicleTables>, sequences: number[]): Promise<Map<number, EntryRow>> {
  const found = new Map<number, EntryRow>();
  for (let from = 0; from < sequences.length; from += 500) {
    const rows = await db
      .selectFrom('entries')
      .selectAll()
      .where('seq', 'in', sequences.slice(from, from + 500))
      .execute();
    for (const row of rows) found.set(row.seq, row);
  }
  return found;
}

/** The viewer's own entries, and those that are shared unless the filter leaves them out. */
function inSight(db: Kysely<ChronicleTables>, viewer: Viewer, { current_only }: EntryFilter) {
  const entries = db.selectFrom('entries').where('archived', '=', 0);
  if (current_only) return entries.where('session_id', '=', viewer.session_id);
  if (viewer.sees_all) return entries;
  return entries.where((where) =>
    where.or([where('session_id', '=', viewer.session_id), where('promoted', '=', 1)]),
  );
}

/** The only place that decides visibility. Every query of entries starts here. */
export function visible(db: Kysely<ChronicleTables>, viewer: Viewer, filter: EntryFilter = {}) {
  let query = inSight(db, viewer, filter);
  if (filter.promoted_only) query = query.where('promoted', '=', 1);
  if (filter.session_ids?.length) query = query.where('session_id', 'in', filter.session_ids);
  if (filter.exclude_sessions?.length) query = query.where('session_id', 'not in', filter.exclude_sessions);
  if (filter.categories?.length) query = query.where('category', 'in', filter.categories);
  if (filter.summary_type) query = query.where('summary_type', '=', filter.summary_type);
  if (filter.sources?.length) query = query.where('source', 'in', filter.sources);
  if (filter.since !== undefined) query = query.where('created_at', '>=', filter.since);
  if (filter.until !== undefined) query = query.where('created_at', '<=', filter.until);
  if (filter.resolved_only) query = query.where('resolution', '!=', '');
  if (!filter.include_superseded) query = query.where('superseded_by', 'is', null);
  for (const tag of filter.tags ?? [])
    query = query.where(
      sql<boolean>`EXISTS (SELECT 1 FROM ${itemsOf('entries.tags')} AS tag WHERE tag.value = ${tag})`,
    );
  if (filter.refs?.length)
    query = query.where(
      sql<boolean>`EXISTS (SELECT 1 FROM ${itemsOf('entries.refs')} AS ref WHERE ref.value IN ${texts(filter.refs)})`,
    );
  return query;
}

export async function getEntry({ db }: ChronicleContext, viewer: Viewer, id: string): Promise<Entry> {
  const row = await visible(db, viewer, { include_superseded: true })
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  if (row) return entryOf(row);
  throw new SylkError('NOT_FOUND', `Unknown entry ${JSON.stringify(id.slice(0, 80))}.`, {
    hint: 'Run `sylk memory search` to find entries with their ids.',
  });
}

/** Counts entries with the same words, to find recurring patterns. */
export async function findPatterns(
  context: ChronicleContext,
  viewer: Viewer,
  request: { query: string; min_occurrences: number; category?: string | undefined },
) {
  const found = await findEntries(context, viewer, {
    text: request.query,
    categories: ['pattern'],
    limit: 50,
  });
  const groups = new Map<string, FoundEntry[]>();
  for (const entry of found) {
    if (
      request.category &&
      entry.metadata['pattern_category'] !== request.category &&
      !entry.tags.includes(request.category)
    )
      continue;
    const name = String(entry.metadata['name'] ?? entry.title);
    const key = [...new Set(searchWords(name))].sort().join(' ');
    groups.set(key, [...(groups.get(key) ?? []), entry]);
  }
  return [...groups.values()]
    .map((entries) => ({
      name: String(entries[0]?.metadata['name'] ?? entries[0]?.title),
      occurrences: entries.length + entries.reduce((sum, entry) => sum + entry.uses, 0),
      entries,
    }))
    .filter((group) => group.occurrences >= request.min_occurrences)
    .sort((a, b) => b.occurrences - a.occurrences || (b.entries[0]?.score ?? 0) - (a.entries[0]?.score ?? 0));
}
