import type { LibraryMigrations } from '../../base/library/index.ts';

/** In the person's own library: decisions about texts from a network apply in every repository. */
export interface SkillTables {
  skill_trust: { skill_id: string; source: string; digest: string; trusted_at: string; text: string };
}

export const skillMigrations: LibraryMigrations = {
  store: 'skills',
  steps: [
    `CREATE TABLE skill_trust (
       skill_id TEXT NOT NULL, source TEXT NOT NULL, digest TEXT NOT NULL, trusted_at TEXT NOT NULL,
       PRIMARY KEY (skill_id, source));
     CREATE TABLE skill_variable (
       url TEXT NOT NULL, variable TEXT NOT NULL, allowed_at TEXT NOT NULL,
       PRIMARY KEY (url, variable));`,
    `ALTER TABLE skill_trust ADD COLUMN text TEXT NOT NULL DEFAULT '';`,
  ],
};
