import type { Generated } from 'kysely';
import type { Columns, LibraryMigrations } from '../../base/library/index.ts';
import type { EntityType, SectionFormat } from './container.ts';

/**
 * `priority`: 1 HIGH, 2 MEDIUM, 3 LOW, so that ascending is the order of work. `blockers`: the number of its rows in
 * work_blocks; 0 is part of the index that finds the next task. `held_by`: who alone changes it, see `held.ts`.
 */
export type ContainerRow = {
  seq: Generated<number>;
} & Columns<'id name summary description created_at modified_at modified_by'> &
  Columns<'kind', 'project' | 'feature' | 'task'> &
  Columns<'project_id feature_id status blocked_reason claimed_by claim_token held_by', string | null> &
  Columns<'priority complexity claim_expires_at', number | null> &
  Columns<'blockers version', number>;

export type SectionRow = Columns<'id entity_id title usage_description content tags'> &
  Columns<'entity_type', EntityType> &
  Columns<'content_format', SectionFormat> &
  Columns<'created_at modified_at'> &
  Columns<'ordinal version', number>;

export interface WorkTables {
  work_containers: ContainerRow;
  work_tags: { entity_id: string; kind: string; tag: string };
  work_blocks: { blocked_id: string; blocker_id: string };
  work_relations: { from_id: string; to_id: string };
  work_sections: SectionRow;
  work_templates: Columns<'id name description tags created_at modified_at'> &
    Columns<'target_entity_type', EntityType> &
    Columns<'is_built_in is_protected is_enabled', number> &
    Columns<'created_by', string | null>;
  work_template_sections: Columns<'id template_id title usage_description content_sample tags'> &
    Columns<'content_format', SectionFormat> &
    Columns<'ordinal is_required', number>;
  work_pipelines: { kind: string; states: string };
}

const ready = "WHERE kind = 'task' AND status = 'NEW' AND blockers = 0 AND claim_expires_at IS NULL";
export const migrations: LibraryMigrations = {
  store: 'work',
  followed: [
    { table: 'work_containers', ref: (row) => `${row}.kind || ':' || ${row}.id` },
    { table: 'work_sections', ref: (row) => `'section:' || ${row}.id` },
  ],
  steps: [
    [
      `CREATE TABLE work_containers (
       seq INTEGER PRIMARY KEY,
       id TEXT NOT NULL UNIQUE,
       kind TEXT NOT NULL CHECK (kind IN ('project', 'feature', 'task')),
       project_id TEXT REFERENCES work_containers (id),
       feature_id TEXT REFERENCES work_containers (id),
       name TEXT NOT NULL,
       summary TEXT NOT NULL,
       description TEXT NOT NULL DEFAULT '',
       status TEXT,
       priority INTEGER CHECK (priority IN (1, 2, 3)),
       complexity INTEGER CHECK (complexity BETWEEN 1 AND 10),
       blockers INTEGER NOT NULL DEFAULT 0,
       blocked_reason TEXT,
       claimed_by TEXT,
       claim_token TEXT,
       claim_expires_at INTEGER,
       version INTEGER NOT NULL DEFAULT 1,
       created_at TEXT NOT NULL,
       modified_at TEXT NOT NULL,
       modified_by TEXT NOT NULL
     );
     CREATE INDEX work_ready ON work_containers (priority, complexity, created_at, seq) ${ready};
     CREATE INDEX work_ready_in_project ON work_containers (project_id, priority, complexity, created_at, seq) ${ready};
     CREATE INDEX work_ready_in_feature ON work_containers (feature_id, priority, complexity, created_at, seq) ${ready};
     CREATE INDEX work_claims ON work_containers (claim_expires_at) WHERE claim_expires_at IS NOT NULL;
     CREATE INDEX work_blocked ON work_containers (kind, project_id) WHERE blockers > 0;
     CREATE INDEX work_by_project ON work_containers (project_id, kind, status);
     CREATE INDEX work_by_feature ON work_containers (feature_id, status) WHERE feature_id IS NOT NULL;
     CREATE INDEX work_by_kind ON work_containers (kind, status);
     CREATE TABLE work_tags (
       entity_id TEXT NOT NULL, kind TEXT NOT NULL, tag TEXT NOT NULL, PRIMARY KEY (entity_id, tag));
     CREATE INDEX work_tags_tag ON work_tags (tag, kind);
     CREATE TABLE work_blocks (
       blocked_id TEXT NOT NULL REFERENCES work_containers (id) ON DELETE CASCADE,
       blocker_id TEXT NOT NULL, PRIMARY KEY (blocked_id, blocker_id));
     CREATE INDEX work_blocks_blocker ON work_blocks (blocker_id);
     CREATE TABLE work_relations (
       from_id TEXT NOT NULL, to_id TEXT NOT NULL, PRIMARY KEY (from_id, to_id));
     CREATE TABLE work_sections (
       id TEXT PRIMARY KEY,
       entity_type TEXT NOT NULL,
       entity_id TEXT NOT NULL REFERENCES work_containers (id) ON DELETE CASCADE,
       title TEXT NOT NULL,
       usage_description TEXT NOT NULL,
       content TEXT NOT NULL,
       content_format TEXT NOT NULL,
       ordinal INTEGER NOT NULL,
       tags TEXT NOT NULL DEFAULT '[]',
       version INTEGER NOT NULL DEFAULT 1,
       created_at TEXT NOT NULL,
       modified_at TEXT NOT NULL,
       UNIQUE (entity_id, ordinal)
     );
     CREATE TABLE work_templates (
       id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, description TEXT NOT NULL, target_entity_type TEXT NOT NULL,
       is_built_in INTEGER NOT NULL, is_protected INTEGER NOT NULL, is_enabled INTEGER NOT NULL,
       created_by TEXT, tags TEXT NOT NULL, created_at TEXT NOT NULL, modified_at TEXT NOT NULL);
     CREATE TABLE work_template_sections (
       id TEXT PRIMARY KEY, template_id TEXT NOT NULL REFERENCES work_templates (id) ON DELETE CASCADE,
       title TEXT NOT NULL, usage_description TEXT NOT NULL, content_sample TEXT NOT NULL, content_format TEXT NOT NULL,
       ordinal INTEGER NOT NULL, is_required INTEGER NOT NULL, tags TEXT NOT NULL, UNIQUE (template_id, ordinal));
     CREATE TABLE work_pipelines (kind TEXT PRIMARY KEY, states TEXT NOT NULL);`,
      {
        sqlite: `CREATE TABLE work_fts_refs (row INTEGER PRIMARY KEY, ref TEXT NOT NULL UNIQUE, project TEXT NOT NULL);
          CREATE VIRTUAL TABLE work_fts USING fts5(title, body, tokenize = "unicode61 remove_diacritics 2");`,
      },
    ],
    // A task without a feature is not in the index by feature: one page less to write for each.
    `DROP INDEX work_ready_in_feature;
     CREATE INDEX work_ready_in_feature ON work_containers (feature_id, priority, complexity, created_at, seq)
       ${ready} AND feature_id IS NOT NULL;`,
    // Words are searched in the index, which follows the library.
    { sqlite: 'DROP TABLE work_fts; DROP TABLE work_fts_refs;' },
    'ALTER TABLE work_containers ADD COLUMN held_by TEXT;',
  ],
};
