import type { LibraryMigrations } from '../../base/library/index.ts';

export interface RoutingTables {
  routings: {
    id?: number;
    at: number;
    pattern: string;
    target: string;
    intent: string;
    verb: string;
    method: string;
    confidence: number;
    outcome: string;
    error: string;
    session_id: string;
    milliseconds: number;
  };
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
