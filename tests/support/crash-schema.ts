/** What a release had: version 1 of a store. */
export const releasedMigrations = [
  `CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL);
   CREATE TABLE tags (note INTEGER NOT NULL REFERENCES notes(id), tag TEXT NOT NULL, PRIMARY KEY (note, tag));`,
];

/** What the next one brings: every kind of step that a migration has, one statement each. */
export const crashMigrations = [
  ...releasedMigrations,
  'ALTER TABLE notes ADD COLUMN kind TEXT',
  "UPDATE notes SET kind = 'note'",
  'CREATE TABLE notes_new (id INTEGER PRIMARY KEY, text TEXT NOT NULL, kind TEXT NOT NULL)',
  'INSERT INTO notes_new SELECT id, text, kind FROM notes',
  'CREATE TABLE tags_new (note INTEGER NOT NULL, tag TEXT NOT NULL, PRIMARY KEY (note, tag))',
  'INSERT INTO tags_new SELECT note, tag FROM tags',
  'DROP TABLE tags',
  'DROP TABLE notes',
  'ALTER TABLE notes_new RENAME TO notes',
  'ALTER TABLE tags_new RENAME TO tags',
  'CREATE INDEX notes_kind ON notes(kind)',
];
