import type { App } from '../../src/app.ts';
import { embeddedOf } from '../../src/base/library/index.ts';

/** Columns that say when and how often a session was looked after, and not what it holds. */
const ofLife: Record<string, string[]> = {
  sessions: ['state', 'version', 'activated_at', 'suspended_at', 'last_active_at'],
};
const tables = [
  'sessions',
  'session_locks',
  'session_snapshots',
  'entries',
  'entry_conflicts',
  'mistakes',
  'preferences',
  'preference_proposals',
  'scratchpad',
  'checkpoints',
  'file_log',
];

/** Everything that sessions hold, in one order, so that two libraries can be compared. */
export async function memoryDump(app: App): Promise<string[]> {
  await app.memory();
  const sqlite = embeddedOf(await app.library());
  return tables.flatMap((table) =>
    sqlite
      .all<Record<string, unknown>>(`SELECT * FROM ${table}`)
      .map((row) => {
        for (const column of ofLife[table] ?? []) delete row[column];
        return `${table} ${JSON.stringify(row, Object.keys(row).sort())}`;
      })
      .sort(),
  );
}
