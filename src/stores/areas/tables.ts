import type { Generated } from 'kysely';
import { type Columns, type LibraryMigrations, refusing } from '../../base/library/index.ts';

export type MoleculeRow =
  Columns<'id project_id name knowledge related_molecules created_by_task_id last_task_id'> &
    Columns<'created_at updated_at'> &
    Columns<'version', number>;

/** `generation`: counts pattern changes per project; the matcher rereads newer atoms. */
export type AtomRow = Omit<MoleculeRow, 'related_molecules'> &
  Columns<'molecule_id', string | null> &
  /** When its knowledge was last written; a new name or molecule doesn't count. */
  Columns<'knowledge_at', string | null> &
  Columns<'paths related_atoms'> &
  Columns<'generation', number>;

export type ChangelogRow = { seq: Generated<number> } & Columns<'id parent_id task_id summary created_at'> &
  Columns<'parent_type', 'atom' | 'molecule'>;

export interface AreaRows {
  atom: AtomRow;
  molecule: MoleculeRow;
}

export interface AreaTables {
  graph_molecules: MoleculeRow;
  graph_atoms: AtomRow;
  graph_changelog: ChangelogRow;
  /** One row per project: how often patterns changed, and how often atoms were deleted. */
  graph_generations: { project_id: string; generation: number; removals: number };
}

/** Project and task ids belong to another store; the opener of this store checks them on write. */
export const migrations: LibraryMigrations = {
  store: 'areas',
  followed: [
    { table: 'graph_molecules', ref: (row) => `'molecule:' || ${row}.id` },
    { table: 'graph_atoms', ref: (row) => `'atom:' || ${row}.id` },
  ],
  steps: [
    [
      `CREATE TABLE graph_molecules (
       id TEXT PRIMARY KEY,
       project_id TEXT NOT NULL,
       name TEXT NOT NULL,
       knowledge TEXT NOT NULL DEFAULT '',
       related_molecules TEXT NOT NULL DEFAULT '[]',
       created_by_task_id TEXT NOT NULL,
       last_task_id TEXT NOT NULL,
       version INTEGER NOT NULL DEFAULT 1,
       created_at TEXT NOT NULL,
       updated_at TEXT NOT NULL
     );
     CREATE TABLE graph_atoms (
       id TEXT PRIMARY KEY,
       project_id TEXT NOT NULL,
       molecule_id TEXT REFERENCES graph_molecules (id),
       name TEXT NOT NULL,
       paths TEXT NOT NULL DEFAULT '[]',
       knowledge TEXT NOT NULL DEFAULT '',
       related_atoms TEXT NOT NULL DEFAULT '[]',
       created_by_task_id TEXT NOT NULL,
       last_task_id TEXT NOT NULL,
       version INTEGER NOT NULL DEFAULT 1,
       created_at TEXT NOT NULL,
       updated_at TEXT NOT NULL,
       generation INTEGER NOT NULL DEFAULT 0
     );
     CREATE TABLE graph_changelog (
       seq INTEGER PRIMARY KEY,
       id TEXT NOT NULL UNIQUE,
       parent_type TEXT NOT NULL CHECK (parent_type IN ('atom', 'molecule')),
       parent_id TEXT NOT NULL,
       task_id TEXT NOT NULL,
       summary TEXT NOT NULL,
       created_at TEXT NOT NULL
     );
     CREATE TABLE graph_generations (
       project_id TEXT PRIMARY KEY, generation INTEGER NOT NULL, removals INTEGER NOT NULL);
     CREATE INDEX idx_graph_molecules_project ON graph_molecules (project_id);
     CREATE INDEX idx_graph_atoms_project ON graph_atoms (project_id, generation);
     CREATE INDEX idx_graph_atoms_molecule ON graph_atoms (molecule_id);
     CREATE INDEX idx_graph_changelog_parent ON graph_changelog (parent_type, parent_id, created_at DESC, seq DESC);
     CREATE INDEX idx_graph_changelog_task ON graph_changelog (task_id);`,
      refusing('UPDATE', {
        trigger: 'graph_changelog_is_immutable',
        table: 'graph_changelog',
        message: 'changelog entries are never edited',
      }),
      {
        sqlite: `CREATE TABLE graph_fts_refs (row INTEGER PRIMARY KEY, ref TEXT NOT NULL UNIQUE, project TEXT NOT NULL);
          CREATE VIRTUAL TABLE graph_fts USING fts5(title, body, tokenize = "unicode61 remove_diacritics 2");`,
      },
    ],
    // Words are searched in the index, which follows the library.
    { sqlite: 'DROP TABLE graph_fts; DROP TABLE graph_fts_refs;' },
    `ALTER TABLE graph_atoms ADD COLUMN knowledge_at TEXT;
     UPDATE graph_atoms SET knowledge_at = updated_at;`,
  ],
};
