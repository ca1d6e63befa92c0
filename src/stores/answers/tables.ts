import type { DerivedSchema } from '../../base/sqlite/index.ts';

/** Answers can be recomputed, so a newer Sylk deletes them instead of converting them. */
export const answersSchema: DerivedSchema = {
  store: 'answers',
  version: 2,
  tables: ['kept_answers', 'answer_sources', 'answer_counts'],
  create: `
    CREATE TABLE kept_answers (
      id INTEGER PRIMARY KEY, agent TEXT NOT NULL, intent TEXT NOT NULL, subject TEXT NOT NULL, concept TEXT NOT NULL,
      related TEXT NOT NULL, time TEXT NOT NULL, sees TEXT NOT NULL, overlay TEXT NOT NULL, shape TEXT NOT NULL,
      asked TEXT NOT NULL, answer TEXT NOT NULL, tokens INTEGER NOT NULL, complete INTEGER NOT NULL,
      files TEXT NOT NULL, directories TEXT NOT NULL, refs TEXT NOT NULL, versions TEXT NOT NULL,
      vector BLOB, maker TEXT NOT NULL, made_at INTEGER NOT NULL, used_at INTEGER NOT NULL, hits INTEGER NOT NULL DEFAULT 0);
    CREATE INDEX kept_answers_by_eyes ON kept_answers (agent, concept, time, sees, overlay, shape, intent);
    CREATE INDEX kept_answers_by_use ON kept_answers (agent, intent, used_at);
    CREATE TABLE answer_sources (
      source TEXT NOT NULL, answer_id INTEGER NOT NULL REFERENCES kept_answers (id) ON DELETE CASCADE,
      PRIMARY KEY (source, answer_id)) WITHOUT ROWID;
    CREATE INDEX answer_sources_by_answer ON answer_sources (answer_id);
    CREATE TABLE answer_counts (
      agent TEXT NOT NULL, intent TEXT NOT NULL, hits INTEGER NOT NULL DEFAULT 0, misses INTEGER NOT NULL DEFAULT 0,
      invalidations INTEGER NOT NULL DEFAULT 0, expired INTEGER NOT NULL DEFAULT 0, evicted INTEGER NOT NULL DEFAULT 0,
      tokens_saved INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (agent, intent)) WITHOUT ROWID;`,
};
