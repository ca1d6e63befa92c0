import { objectOf, parseJsonObject } from '../../base/json.ts';
import type { Library } from '../../base/library/index.ts';
import { type Session, sessionContextSchema } from './session.ts';
import type { SessionSnapshot } from './snapshots.ts';
import type { SessionTables } from './tables.ts';

/** Forgotten text that a session may repeat. */
export interface ForgottenTexts {
  /** Texts such as titles: everything that contains one of them is deleted. */
  texts: string[];
  /** Ids of deleted entries and messages. */
  ids: string[];
}

/**
 * Summaries, timelines, notes of events and snapshots repeat what was remembered. The session itself stays, with its
 * name and states; a session that is forgotten as a whole keeps nothing else.
 */
export function createForgetting({ library }: { library: Library }) {
  const db = library.tables<SessionTables>();

  const scrub = <T extends Pick<Session, 'summary' | 'metadata'>>(
    session: T,
    holds: (text: string) => boolean,
  ): T => {
    const { timeline_text, timeline_entry, ...metadata } = session.metadata;
    const dropped = holds(`${timeline_text ?? ''} ${timeline_entry ?? ''}`);
    return {
      ...session,
      summary: holds(session.summary) ? '' : session.summary,
      metadata: dropped ? metadata : session.metadata,
    };
  };

  /** In every session: an entry may appear in the summary of another one. */
  const forgetTexts = async ({ texts, ids }: ForgottenTexts): Promise<void> => {
    const gone = [...texts, ...ids].filter((text) => text.trim() !== '');
    if (gone.length === 0) return;
    const holds = (text: string): boolean => gone.some((each) => text.includes(each));
    /** In JSON a title is escaped. */
    const written = gone.map((each) => JSON.stringify(each).slice(1, -1));
    const holdsJson = (json: string): boolean => written.some((each) => json.includes(each));
    for (const row of await db.selectFrom('sessions').select(['id', 'summary', 'metadata']).execute()) {
      if (!holds(row.summary) && !holdsJson(row.metadata)) continue;
      const { summary, metadata } = scrub(
        { summary: row.summary, metadata: parseJsonObject(row.metadata) },
        holds,
      );
      await db
        .updateTable('sessions')
        .set({ summary, metadata: JSON.stringify(metadata) })
        .where('id', '=', row.id)
        .execute();
    }
    for (const { id, data } of await db.selectFrom('session_events').select(['id', 'data']).execute())
      if (holdsJson(data))
        await db.updateTable('session_events').set({ data: '{}' }).where('id', '=', id).execute();
    for (const { id, content } of await db
      .selectFrom('session_snapshots')
      .select(['id', 'content'])
      .execute()) {
      if (!holdsJson(content)) continue;
      const snapshot = JSON.parse(content) as SessionSnapshot;
      await db
        .updateTable('session_snapshots')
        .set({ content: JSON.stringify(withoutGone(snapshot, scrub(snapshot.session, holds), ids)) })
        .where('id', '=', id)
        .execute();
    }
  };

  const forgetSession = async (id: string): Promise<void> => {
    const row = await db.selectFrom('sessions').select('metadata').where('id', '=', id).executeTakeFirst();
    const { timeline_text, timeline_entry, ...metadata } = JSON.parse(row?.metadata ?? '{}');
    await db
      .updateTable('sessions')
      .set({
        summary: '',
        context: JSON.stringify(sessionContextSchema.parse({})),
        metadata: JSON.stringify(metadata),
      })
      .where('id', '=', id)
      .execute();
    await db.updateTable('session_events').set({ data: '{}' }).where('session_id', '=', id).execute();
    await db.deleteFrom('session_snapshots').where('session_id', '=', id).execute();
  };

  return { forgetTexts, forgetSession };
}

function withoutGone(snapshot: SessionSnapshot, session: Session, ids: string[]): SessionSnapshot {
  const gone = new Set(ids);
  const { local_entry_ids, ...state } = snapshot.archivalist_state as { local_entry_ids?: string[] };
  return {
    ...snapshot,
    session,
    archivalist_state: {
      ...state,
      local_entry_ids: local_entry_ids?.filter((id) => !gone.has(id)),
    },
    pending_messages: snapshot.pending_messages.filter(
      (message) => !gone.has(String(objectOf(message)['id'])),
    ),
  };
}
