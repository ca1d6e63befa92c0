import { z } from 'zod';
import { isoTime } from '../../base/clock.ts';
import { newId } from '../../base/ids.ts';
import { type ChronicleContext, clean } from './context.ts';
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

/** Where work stopped, so that it can go on. `owner` is who may find it again from another session. */
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
    /** One's own, or an older one of the same person: a checkpoint of somebody else is not found. */
    get: async (
      id: string,
      viewer: { session_id: string; owner: string; sees_all: boolean },
    ): Promise<Checkpoint | undefined> => {
      const row = await db.selectFrom('checkpoints').selectAll().where('id', '=', id).executeTakeFirst();
      return row && (viewer.sees_all || row.session_id === viewer.session_id || row.owner === viewer.owner)
        ? checkpointOf(row)
        : undefined;
    },
    /** The latest of this session, else of the same person in this repository. */
    latest: async (viewer: { session_id: string; owner: string }): Promise<Checkpoint | undefined> =>
      (await newestOf('session_id', viewer.session_id)) ?? newestOf('owner', viewer.owner),
  };
}
