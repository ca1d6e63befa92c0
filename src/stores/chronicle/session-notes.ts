import { z } from 'zod';
import { isoTime } from '../../base/clock.ts';
import { newId } from '../../base/ids.ts';
import { parseJsonTexts } from '../../base/json.ts';
import { type ChronicleContext, clean, maxContent } from './context.ts';
import type { ChronicleTables } from './tables.ts';

export const checkpointStatuses = ['in_progress', 'blocked', 'paused', 'completed'] as const;

export const checkpointBodySchema = z.object({
  progress: z.array(z.string()).default([]),
  next_steps: z.array(z.string()).default([]),
  context: z.record(z.string(), z.unknown()).default({}),
  files_read: z.array(z.string()).default([]),
  files_modified: z.array(z.string()).default([]),
  decisions: z.array(z.object({ question: z.string(), choice: z.string(), reason: z.string() })).default([]),
  scratchpad: z.record(z.string(), z.string()).default({}),
});

export interface Checkpoint extends z.output<typeof checkpointBodySchema> {
  id: string;
  session_id: string;
  description: string;
  status: (typeof checkpointStatuses)[number];
  created_at: string;
  updated_at: string;
}

/** Where work stopped, so that it can be resumed. `owner` is who may resume it from another session. */
export function createCheckpoints({ db, clock }: ChronicleContext) {
  const checkpointOf = ({ owner: _owner, body, ...row }: ChronicleTables['checkpoints']): Checkpoint => ({
    ...row,
    ...checkpointBodySchema.parse(JSON.parse(body)),
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  });
  const newestOf = async (column: 'session_id' | 'owner', value: string): Promise<Checkpoint | undefined> => {
    const row = await db
      .selectFrom('checkpoints')
      .selectAll()
      .where(column, '=', value)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .executeTakeFirst();
    return row && checkpointOf(row);
  };
  return {
    save: async ({
      description,
      body,
      ...given
    }: Pick<Checkpoint, 'session_id' | 'description' | 'status'> & {
      owner: string;
      body: z.input<typeof checkpointBodySchema>;
    }): Promise<Checkpoint> => {
      const now = clock.now();
      const row = {
        ...given,
        id: newId('checkpoint', now),
        description: clean(description),
        body: JSON.stringify(checkpointBodySchema.parse(clean(body))),
        created_at: now,
        updated_at: now,
      };
      await db.insertInto('checkpoints').values(row).execute();
      return checkpointOf(row);
    },
    /** A checkpoint of the same session, or an older one of the same person; never one of someone else. */
    get: async (
      id: string,
      viewer: { session_id: string; owner: string; sees_all: boolean },
    ): Promise<Checkpoint | undefined> => {
      const row = await db.selectFrom('checkpoints').selectAll().where('id', '=', id).executeTakeFirst();
      return row && (viewer.sees_all || row.session_id === viewer.session_id || row.owner === viewer.owner)
        ? checkpointOf(row)
        : undefined;
    },
    /** The latest of this session, otherwise of the same person in this repository. */
    latest: async (viewer: { session_id: string; owner: string }): Promise<Checkpoint | undefined> =>
      (await newestOf('session_id', viewer.session_id)) ?? newestOf('owner', viewer.owner),
  };
}

export interface FileEvent {
  path: string;
  operation: 'read' | 'modified' | 'created' | 'deleted';
  summary: string;
  changes: string[];
  at: string;
}

/** Files that a session has read and changed. */
export function createFileLog({ db, clock }: ChronicleContext) {
  return {
    record: async (session: string, event: Omit<FileEvent, 'at'>): Promise<void> => {
      const { path, operation, summary, changes } = clean(event);
      await db
        .insertInto('file_log')
        .values({
          session_id: session,
          path,
          operation,
          summary,
          changes: JSON.stringify(changes),
          at: clock.now(),
        })
        .execute();
    },
    of: async (session: string, limit = 200): Promise<FileEvent[]> => {
      const rows = await db
        .selectFrom('file_log')
        .selectAll()
        .where('session_id', '=', session)
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
      return rows.map((row) => ({
        path: row.path,
        operation: row.operation,
        summary: row.summary,
        changes: parseJsonTexts(row.changes),
        at: isoTime(row.at),
      }));
    },
  };
}

export const noteSchema = z.object({
  key: z.string(),
  content: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  expires_at: z.string().nullable(),
});
type Note = z.output<typeof noteSchema>;

/** Private notes of one session; they may expire. */
export function createScratchpad({ db, clock }: ChronicleContext) {
  const live = (session: string) =>
    db
      .selectFrom('scratchpad')
      .selectAll()
      .where('session_id', '=', session)
      .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', clock.now())]));
  const noteOf = ({ session_id: _session, ...row }: ChronicleTables['scratchpad']): Note => ({
    ...row,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
    expires_at: row.expires_at === null ? null : isoTime(row.expires_at),
  });
  return {
    write: async (session: string, name: string, note: string, ttlSeconds?: number): Promise<void> => {
      const now = clock.now();
      const key = clean(name);
      const content = clean(note).slice(0, maxContent);
      const expires_at = ttlSeconds ? now + ttlSeconds * 1000 : null;
      await db.deleteFrom('scratchpad').where('expires_at', '<=', now).execute();
      await db
        .insertInto('scratchpad')
        .values({ session_id: session, key, content, created_at: now, updated_at: now, expires_at })
        .onConflict((conflict) =>
          conflict.columns(['session_id', 'key']).doUpdateSet({ content, updated_at: now, expires_at }),
        )
        .execute();
    },
    /** Deletes notes whose keys are not given. */
    keepOnly: async (session: string, keys: string[]): Promise<void> => {
      const gone = db.deleteFrom('scratchpad').where('session_id', '=', session);
      await (keys.length > 0 ? gone.where('key', 'not in', keys) : gone).execute();
    },
    read: async (session: string, key: string): Promise<Note | undefined> => {
      const row = await live(session).where('key', '=', clean(key)).executeTakeFirst();
      return row && noteOf(row);
    },
    all: async (session: string): Promise<Note[]> =>
      (await live(session).orderBy('key').execute()).map(noteOf),
  };
}
