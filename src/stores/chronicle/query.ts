import { type Kysely, sql } from 'kysely';
import { SylkError } from '../../base/errors.ts';
import { matchAny, searchWords } from '../../base/text/index.ts';
import type { ChronicleContext } from './context.ts';
import type { Category, Entry, SummaryType } from './entry.ts';
import { type EntryRow, entryOf } from './rows.ts';
import type { ChronicleTables } from './tables.ts';

/** Who looks. A session sees what is its own and what was promoted; only a person may look further. */
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
  /** Nothing but the viewer's own session. */
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
  /** 0–1 within one answer; 1 when nothing was searched for. */
  score: number;
}

const candidates = 400;
const halfLifeDays = 120;

/** Ranked by words and age when a text is given, newest first otherwise. */
export async function findEntries(
  { db, clock }: ChronicleContext,
  viewer: Viewer,
  filter: EntryFilter,
): Promise<FoundEntry[]> {
  const limit = filter.limit ?? 50;
  const words = filter.text ? searchWords(filter.text) : [];
  if (filter.text && words.length === 0) return [];
  const rows =
    words.length > 0 ? await matching(db, viewer, filter, words) : await newest(db, viewer, filter, limit);
  const top = Math.max(...rows.map((row) => row.match), 1e-9);
  return rows
    .map((row) => {
      const age = Math.max(0, clock.now() - row.created_at) / 86_400_000;
      const fresh = 0.85 + 0.15 * 0.5 ** (age / halfLifeDays);
      const standing = row.superseded_by ? 0.6 : 1;
      return { ...entryOf(row), score: words.length > 0 ? (row.match / top) * fresh * standing : 1 };
    })
    .sort((a, b) => b.score - a.score || (a.created_at < b.created_at ? 1 : -1) || (a.id < b.id ? 1 : -1))
    .slice(0, limit);
}

type Ranked = EntryRow & { match: number };

async function matching(
  db: Kysely<ChronicleTables>,
  viewer: Viewer,
  filter: EntryFilter,
  words: string[],
): Promise<Ranked[]> {
  const question = matchAny(words)!;
  const hits = await sql<{
    rowid: number;
    match: number;
  }>`SELECT rowid, -bm25(entry_words, 3.0, 1.0, 2.0) AS match FROM entry_words WHERE entry_words MATCH ${question} ORDER BY match DESC LIMIT ${candidates * 5}`.execute(
    db,
  );
  if (hits.rows.length === 0) return [];
  const match = new Map(hits.rows.map((row) => [row.rowid, row.match]));
  const rows = await visible(db, viewer, filter)
    .where('seq', 'in', [...match.keys()])
    .execute();
  return (rows as EntryRow[])
    .map((row) => ({ ...row, match: match.get(row.seq!) ?? 0 }))
    .sort((a, b) => b.match - a.match)
    .slice(0, candidates);
}

async function newest(
  db: Kysely<ChronicleTables>,
  viewer: Viewer,
  filter: EntryFilter,
  limit: number,
): Promise<Ranked[]> {
  const rows = await visible(db, viewer, filter)
    .orderBy('created_at', 'desc')
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute();
  return (rows as EntryRow[]).map((row) => ({ ...row, match: 1 }));
}

/** The one place that decides what may be seen. Every reading of entries starts here. */
export function visible(db: Kysely<ChronicleTables>, viewer: Viewer, filter: EntryFilter = {}) {
  let query = db.selectFrom('entries').selectAll().where('archived', '=', 0);
  if (filter.current_only) query = query.where('session_id', '=', viewer.session_id);
  else if (!viewer.sees_all)
    query = query.where((where) =>
      where.or([where('session_id', '=', viewer.session_id), where('promoted', '=', 1)]),
    );
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
      sql<boolean>`EXISTS (SELECT 1 FROM json_each(entries.tags) WHERE json_each.value = ${tag})`,
    );
  if (filter.refs?.length)
    query = query.where(
      sql<boolean>`EXISTS (SELECT 1 FROM json_each(entries.refs) WHERE json_each.value IN (${sql.join(filter.refs)}))`,
    );
  return query;
}

export async function getEntry({ db }: ChronicleContext, viewer: Viewer, id: string): Promise<Entry> {
  const row = await visible(db, viewer, { include_superseded: true }).where('id', '=', id).executeTakeFirst();
  if (row) return entryOf(row as EntryRow);
  throw new SylkError('NOT_FOUND', `There is no entry ${JSON.stringify(id.slice(0, 80))}.`, {
    hint: 'search_history finds entries with their ids.',
  });
}

/** How often what was done follows one pattern: entries of the same words, counted. */
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
      name: String(entries[0]!.metadata['name'] ?? entries[0]!.title),
      occurrences: entries.length + entries.reduce((sum, entry) => sum + entry.uses, 0),
      entries,
    }))
    .filter((group) => group.occurrences >= request.min_occurrences)
    .sort((a, b) => b.occurrences - a.occurrences || b.entries[0]!.score - a.entries[0]!.score);
}
