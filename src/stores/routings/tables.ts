import type { Columns, LibraryMigrations } from '../../base/library/index.ts';

export interface RoutingTables {
  routings: { id?: number } & Columns<'at confidence milliseconds', number> &
    Columns<'pattern target intent verb method outcome error session_id'>;
}

export const routingMigrations: LibraryMigrations = {
  store: 'routings',
  steps: [
    `CREATE TABLE routings (
      id INTEGER PRIMARY KEY, at INTEGER NOT NULL, pattern TEXT NOT NULL, target TEXT NOT NULL, intent TEXT NOT NULL,
      verb TEXT NOT NULL, method TEXT NOT NULL, confidence REAL NOT NULL, outcome TEXT NOT NULL,
      error TEXT NOT NULL DEFAULT '', session_id TEXT NOT NULL, milliseconds REAL NOT NULL);
    CREATE INDEX routings_pattern ON routings (pattern, target);`,
  ],
};
