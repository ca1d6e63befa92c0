import type { LibraryMigrations } from '../../src/base/library/index.ts';

export interface NoteTables {
  notes: { id: string; text: string };
  labels: { note: string; label: string };
}

/** Two tables whose rows tell the same refs. */
export const noteMigrations = {
  store: 'notes',
  steps: [
    `CREATE TABLE notes (id TEXT PRIMARY KEY, text TEXT NOT NULL);
     CREATE TABLE labels (note TEXT NOT NULL REFERENCES notes (id) ON DELETE CASCADE, label TEXT NOT NULL, PRIMARY KEY (note, label));`,
  ],
  followed: [
    { table: 'notes', ref: (row) => `'note:' || ${row}.id` },
    { table: 'labels', ref: (row) => `'note:' || ${row}.note` },
  ],
} satisfies LibraryMigrations;
