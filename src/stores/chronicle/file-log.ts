import { isoTime } from '../../base/clock.ts';
import { type ChronicleContext, clean } from './context.ts';
import { listOf } from './rows.ts';

export interface FileEvent {
  path: string;
  operation: 'read' | 'modified' | 'created' | 'deleted';
  summary: string;
  changes: string[];
  at: string;
}

/** Which files a session has read and changed. */
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
        changes: listOf(row.changes),
        at: isoTime(row.at),
      }));
    },
  };
}
