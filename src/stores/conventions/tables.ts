import type { Library } from '../../base/library/index.ts';
import type { DerivedSchema } from '../../base/sqlite/index.ts';

/** Derived from files: may be deleted at any time. */
export const conventionsSchema: DerivedSchema = {
  store: 'conventions',
  version: 3,
  // conventions_facts belongs to an older version.
  tables: ['conventions_cache', 'conventions_facts', 'conventions_reads'],
  create: `
    CREATE TABLE conventions_cache (
      kind TEXT NOT NULL, hash TEXT NOT NULL, value TEXT NOT NULL, made_at INTEGER NOT NULL,
      PRIMARY KEY (kind, hash)
    ) WITHOUT ROWID;
    CREATE TABLE conventions_reads (
      session TEXT NOT NULL, root TEXT NOT NULL, path TEXT NOT NULL, start_line INTEGER NOT NULL,
      end_line INTEGER NOT NULL, hash TEXT NOT NULL, read_at INTEGER NOT NULL, times INTEGER NOT NULL,
      PRIMARY KEY (session, root, path, start_line, end_line)
    ) WITHOUT ROWID;
  `,
};

/** A person's choices where the files did not decide. */
export interface ChoiceTable {
  project: string;
  language: string;
  category: string;
  tool: string;
  run_command: string;
  chosen_by: string;
  chosen_at: string;
}

export interface ConventionTables {
  tool_choices: ChoiceTable;
}

export function migrateConventions(library: Library): void {
  library.migrate({
    store: 'conventions',
    steps: [
      `CREATE TABLE tool_choices (
        project TEXT NOT NULL, language TEXT NOT NULL, category TEXT NOT NULL, tool TEXT NOT NULL,
        run_command TEXT NOT NULL, chosen_by TEXT NOT NULL, chosen_at TEXT NOT NULL,
        PRIMARY KEY (project, language, category)
      );`,
    ],
  });
}
