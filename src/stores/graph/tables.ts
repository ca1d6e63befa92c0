import type { Generated } from 'kysely';
import type { Columns, LibraryMigrations } from '../../base/library/index.ts';
import type { Conflict, GraphNode, SourceType, Verification } from './records.ts';

export interface GraphTables {
  ref_nodes: { id: Generated<number> } & Columns<'ref place'> &
    Pick<GraphNode, 'kind' | 'content_hash'> &
    Columns<'superseded_by expires_at archived_at', number | null> &
    Columns<'created_at updated_at', number>;
  ref_edges: { id: Generated<number> } & Columns<'source target type weight created_at updated_at', number> &
    Columns<'session metadata by'>;
  ref_sources: { id: Generated<number> } & Columns<'node confidence created_at', number> &
    Columns<'type', SourceType> &
    Columns<'source line end_line verified_at', number | null> &
    Columns<'path url', string | null>;
  ref_verifications: Columns<'node confidence needs_review recorded_at', number> &
    Columns<'warnings contradictions reviewed_by'> &
    Pick<Verification, 'verification' | 'verdict'> &
    Columns<'reviewed_at', number | null>;
  ref_conflicts: Pick<Conflict, 'kind'> &
    Columns<'id subject detail proposal resolution resolved_by'> &
    Columns<'left right detected_at', number> &
    Columns<'resolved_at', number | null>;
}

export const lesserEnd = '(CASE WHEN "left" < "right" THEN "left" ELSE "right" END)';
export const greaterEnd = '(CASE WHEN "left" < "right" THEN "right" ELSE "left" END)';

/**
 * A node is a ref of any store with a number, so that links are three numbers and both of their indexes answer a
 * traversal without reading a row. A link is unique for its ends, its type and its session. Deleting a node deletes its
 * links, sources, verification and conflicts; what it superseded is current again.
 */
export const graphMigrations: LibraryMigrations = {
  store: 'graph',
  steps: [
    [
      `CREATE TABLE ref_nodes (
      id INTEGER PRIMARY KEY, ref TEXT NOT NULL UNIQUE, kind TEXT, place TEXT NOT NULL DEFAULT '{}', content_hash TEXT,
      superseded_by INTEGER REFERENCES ref_nodes (id) ON DELETE SET NULL, expires_at INTEGER, archived_at INTEGER,
      created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL);
    CREATE INDEX ref_nodes_hash ON ref_nodes (content_hash) WHERE content_hash IS NOT NULL;
    CREATE INDEX ref_nodes_superseded ON ref_nodes (superseded_by) WHERE superseded_by IS NOT NULL;
    CREATE INDEX ref_nodes_expiring ON ref_nodes (expires_at) WHERE expires_at IS NOT NULL;
    CREATE INDEX ref_nodes_archived ON ref_nodes (archived_at) WHERE archived_at IS NOT NULL;
    CREATE TABLE ref_edges (
      id INTEGER PRIMARY KEY, source INTEGER NOT NULL REFERENCES ref_nodes (id) ON DELETE CASCADE,
      target INTEGER NOT NULL REFERENCES ref_nodes (id) ON DELETE CASCADE, type INTEGER NOT NULL,
      session TEXT NOT NULL DEFAULT '', weight REAL NOT NULL DEFAULT 1 CHECK (weight BETWEEN 0 AND 1),
      metadata TEXT NOT NULL DEFAULT '{}', by TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL);
    CREATE UNIQUE INDEX ref_edges_out ON ref_edges (source, type, target, session);
    CREATE INDEX ref_edges_in ON ref_edges (target, type, source, session);
    CREATE INDEX ref_edges_session ON ref_edges (session) WHERE session <> '';
    CREATE TABLE ref_sources (
      id INTEGER PRIMARY KEY, node INTEGER NOT NULL REFERENCES ref_nodes (id) ON DELETE CASCADE, type TEXT NOT NULL,
      source INTEGER REFERENCES ref_nodes (id) ON DELETE SET NULL, path TEXT, line INTEGER, end_line INTEGER, url TEXT,
      confidence REAL NOT NULL, verified_at INTEGER, created_at INTEGER NOT NULL);
    CREATE INDEX ref_sources_of ON ref_sources (source) WHERE source IS NOT NULL;
    CREATE TABLE ref_verifications (
      node INTEGER PRIMARY KEY REFERENCES ref_nodes (id) ON DELETE CASCADE, verification TEXT NOT NULL,
      confidence REAL NOT NULL, needs_review INTEGER NOT NULL, warnings TEXT NOT NULL, contradictions TEXT NOT NULL,
      verdict TEXT, reviewed_by TEXT NOT NULL DEFAULT '', recorded_at INTEGER NOT NULL, reviewed_at INTEGER);
    CREATE INDEX ref_verifications_waiting ON ref_verifications (recorded_at) WHERE needs_review = 1;
    CREATE TABLE ref_conflicts (
      id TEXT PRIMARY KEY, kind TEXT NOT NULL, "left" INTEGER NOT NULL REFERENCES ref_nodes (id) ON DELETE CASCADE,
      "right" INTEGER NOT NULL REFERENCES ref_nodes (id) ON DELETE CASCADE, subject TEXT NOT NULL, detail TEXT NOT NULL,
      proposal TEXT NOT NULL DEFAULT '', detected_at INTEGER NOT NULL, resolution TEXT NOT NULL DEFAULT '',
      resolved_by TEXT NOT NULL DEFAULT '', resolved_at INTEGER);
    CREATE INDEX ref_conflicts_right ON ref_conflicts ("right");
    CREATE INDEX ref_conflicts_left ON ref_conflicts ("left");`,
      {
        sqlite: `CREATE UNIQUE INDEX ref_sources_once ON ref_sources (
          node, type, ifnull(source, 0), ifnull(path, ''), ifnull(line, 0), ifnull(url, ''));
        CREATE UNIQUE INDEX ref_conflicts_once ON ref_conflicts (
          kind, min("left", "right"), max("left", "right"), subject);`,
      },
    ],
    // SQL that both databases support.
    `DROP INDEX IF EXISTS ref_sources_once;
    CREATE UNIQUE INDEX ref_sources_once ON ref_sources (
      node, type, coalesce(source, 0), coalesce(path, ''), coalesce(line, 0), coalesce(url, ''));
    DROP INDEX IF EXISTS ref_conflicts_once;
    CREATE UNIQUE INDEX ref_conflicts_once ON ref_conflicts (kind, ${lesserEnd}, ${greaterEnd}, subject);`,
  ],
};
