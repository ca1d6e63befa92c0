import type { LibraryMigrations } from '../../base/library/index.ts';

export interface TranscriptTables {
  transcript_steps: {
    run_id: string;
    node: string;
    number: number;
    kind: string;
    at: number;
    body: string;
  };
}

export const transcriptMigrations: LibraryMigrations = {
  store: 'transcripts',
  steps: [
    `CREATE TABLE transcript_steps (
       run_id TEXT NOT NULL, node TEXT NOT NULL, number INTEGER NOT NULL, kind TEXT NOT NULL, at INTEGER NOT NULL,
       body TEXT NOT NULL, PRIMARY KEY (run_id, node, number));`,
  ],
};
