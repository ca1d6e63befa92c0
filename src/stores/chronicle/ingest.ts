import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import { SylkError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { parseJsonTexts } from '../../base/json.ts';
import { searchWords } from '../../base/text/index.ts';
import { type ChronicleContext, clean, maxContent, raiseVisibility } from './context.ts';
import type { Entry, NewEntry, Submission } from './entry.ts';
import { entryOf } from './rows.ts';
import type { ChronicleTables } from './tables.ts';

/** Stores an entry: a duplicate is merged; a different statement on the same subject is stored and marked as conflicting. */
export async function storeEntry({ db, clock }: ChronicleContext, given: NewEntry): Promise<Submission> {
  const entry = bounded(clean(given));
  const digest = digestOf(entry);
  const subject = subjectOf(entry);
  return db.transaction().execute(async (trx) => {
    const same = await trx
      .selectFrom('entries')
      .selectAll()
      .where('digest', '=', digest)
      .where((where) =>
        where.or([
          where('session_id', '=', entry.session_id),
          ...(entry.shared
            ? [where.and([where('promoted', '=', 1), where('superseded_by', 'is', null)])]
            : []),
        ]),
      )
      .where('archived', '=', 0)
      .orderBy('seq')
      .executeTakeFirst();
    if (same)
      return {
        result: 'merged',
        entry: await merge(trx, same.id, entry, clock.now()),
        conflicts_with: [],
        warnings: [],
      };
    const id = newId('ent', clock.now());
    const now = clock.now();
    const byPerson = entry.source_kind === 'person';
    await trx
      .insertInto('entries')
      .values({
        id,
        session_id: entry.session_id,
        category: entry.category,
        summary_type: entry.summary_type ?? null,
        title: entry.title,
        content: entry.content,
        resolution: entry.resolution ?? '',
        source: entry.source,
        source_kind: entry.source_kind,
        tags: JSON.stringify(unique(entry.tags)),
        refs: JSON.stringify(unique(entry.refs)),
        derived_from: JSON.stringify(unique(entry.derived_from)),
        metadata: JSON.stringify(entry.metadata ?? {}),
        confidence: entry.confidence ?? (byPerson ? 0.9 : 0.5),
        digest,
        subject,
        promoted: entry.shared ? 1 : 0,
        promoted_by: entry.shared ? 'main_session' : '',
        promoted_at: entry.shared ? now : null,
        superseded_by: null,
        needs_review: 0,
        verification: byPerson ? 'by_user' : 'none',
        uses: 0,
        use_sessions: '[]',
        archived: 0,
        created_at: now,
        updated_at: now,
        expires_at: null,
      })
      .execute();
    if (entry.supersedes) await supersede(trx, entry.supersedes, id, entry.session_id);
    const conflicts = await markConflicts(trx, { id, subject, entry }, now);
    // Replacing or contradicting a shared entry concerns everyone.
    const concernsAll = entry.shared || entry.supersedes !== undefined || conflicts.length > 0;
    await raiseVisibility(trx, concernsAll ? undefined : entry.session_id);
    const row = await trx.selectFrom('entries').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    return {
      result: conflicts.length > 0 ? 'conflicting' : 'accepted',
      entry: entryOf(row),
      conflicts_with: conflicts,
      warnings: [],
    };
  });
}

/** Supersedes an old entry, which stays; answers name its replacement. A session can replace only what it may see. */
async function supersede(
  db: Kysely<ChronicleTables>,
  old: string,
  by: string,
  session: string,
): Promise<void> {
  const row = await db
    .selectFrom('entries')
    .select(['id', 'session_id', 'promoted'])
    .where('id', '=', old)
    .executeTakeFirst();
  if (!row || (row.session_id !== session && row.promoted !== 1)) {
    throw new SylkError('NOT_FOUND', `Unknown entry ${JSON.stringify(old)}: nothing to supersede.`, {
      hint: 'Run `sylk memory search` to find entries with their ids.',
    });
  }
  await db.updateTable('entries').set({ superseded_by: by }).where('id', '=', old).execute();
}

async function merge(db: Kysely<ChronicleTables>, id: string, entry: NewEntry, now: number): Promise<Entry> {
  const row = await db.selectFrom('entries').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  await db
    .updateTable('entries')
    .set({
      tags: JSON.stringify(unique([...parseJsonTexts(row.tags), ...(entry.tags ?? [])])),
      refs: JSON.stringify(unique([...parseJsonTexts(row.refs), ...(entry.refs ?? [])])),
      derived_from: JSON.stringify(
        unique([...parseJsonTexts(row.derived_from), ...(entry.derived_from ?? [])]),
      ),
      confidence: Math.max(row.confidence, entry.confidence ?? 0),
      resolution: entry.resolution || row.resolution,
      // A person who says the same confirms it; the first author stays named.
      verification: entry.source_kind === 'person' ? 'by_user' : undefined,
      updated_at: now,
    })
    .where('id', '=', id)
    .execute();
  await raiseVisibility(db, row.promoted === 1 ? undefined : row.session_id);
  return entryOf(await db.selectFrom('entries').selectAll().where('id', '=', id).executeTakeFirstOrThrow());
}

/** Two current decisions on one subject conflict: both stay, and a person is asked. */
async function markConflicts(
  db: Kysely<ChronicleTables>,
  { id, subject, entry }: { id: string; subject: string; entry: NewEntry },
  now: number,
): Promise<string[]> {
  if (subject === '' || entry.category !== 'decision') return [];
  const rivals = await db
    .selectFrom('entries')
    .select('id')
    .where('category', '=', 'decision')
    .where('subject', '=', subject)
    .where('id', '!=', id)
    .where('archived', '=', 0)
    .where('superseded_by', 'is', null)
    .where((where) => where.or([where('session_id', '=', entry.session_id), where('promoted', '=', 1)]))
    .execute();
  for (const rival of rivals) {
    const [left_id, right_id] = rival.id < id ? [rival.id, id] : [id, rival.id];
    await db
      .insertInto('entry_conflicts')
      .values({
        id: newId('cfl', now),
        left_id,
        right_id,
        created_at: now,
        resolved_at: null,
        resolution: '',
      })
      .onConflict((conflict) => conflict.columns(['left_id', 'right_id']).doNothing())
      .execute();
  }
  if (rivals.length > 0) {
    await db
      .updateTable('entries')
      .set({ needs_review: 1 })
      .where('id', 'in', [id, ...rivals.map((rival) => rival.id)])
      .execute();
  }
  return rivals.map((rival) => rival.id);
}

function bounded(given: NewEntry): NewEntry & { title: string } {
  const content = given.content.trim();
  if (content === '')
    throw new SylkError('VALIDATION_ERROR', 'Nothing to remember: content is empty.', {
      hint: 'Give the decision, attempt or finding. Example: sylk memory add "We keep sessions in memory"',
    });
  if (content.length > maxContent) {
    throw new SylkError(
      'VALIDATION_ERROR',
      `content has ${content.length} characters; the limit is ${maxContent}.`,
      { hint: 'Keep the essence; put the rest in a file and reference it.' },
    );
  }
  const title =
    (given.title ?? '').trim() ||
    content
      .split(/\n|(?<=[.!?])\s/, 1)
      .join('')
      .slice(0, 120);
  return { ...given, content, title: title.slice(0, 200) };
}

const digestOf = (entry: NewEntry): string =>
  createHash('sha256')
    .update(`${entry.category}\n${entry.content.toLowerCase().replace(/\s+/g, ' ')}`)
    .digest('hex')
    .slice(0, 32);

/** Only an explicit title names a subject; the first words of a text do not. */
const subjectOf = (entry: NewEntry & { title: string }): string =>
  entry.title && !entry.content.startsWith(entry.title)
    ? [...new Set(searchWords(entry.title))].sort().join(' ').slice(0, 200)
    : '';

const unique = (list: string[] = []): string[] =>
  [...new Set(list.map((item) => item.trim()).filter(Boolean))].slice(0, 200);
