import { createWordIndex } from '../../base/search/index.ts';
import type { DerivedSchema } from '../../base/sqlite/index.ts';

/** Words of topics' notes, of whole files and of their passages. */
export const topicWords = createWordIndex('reference_topic_words', { title: 6, tags: 4, body: 1 });
export const fileWords = createWordIndex('reference_file_words', {
  path: 1,
  title: 3,
  about: 3,
  headings: 1,
  body: 1,
});
export const passageWords = createWordIndex('reference_chunk_words', { path: 1, heading: 2, body: 1 });

/** Everything here can be rebuilt from the topics on disk. Rows with `live` 0 belong to an unfinished version. */
export const schema: DerivedSchema = {
  store: 'references',
  version: 4,
  tables: [
    'reference_topics',
    'reference_files',
    'reference_chunks',
    ...topicWords.tables,
    ...fileWords.tables,
    ...passageWords.tables,
    // Of older versions.
    'academic_sources',
    'library_docs',
  ],
  create: `
    CREATE TABLE reference_topics (
      number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, folder TEXT NOT NULL, stamp TEXT NOT NULL DEFAULT '',
      title TEXT NOT NULL, body TEXT NOT NULL, kind TEXT NOT NULL, trust INTEGER NOT NULL,
      sources_json TEXT NOT NULL, status TEXT NOT NULL DEFAULT 'active', fetched_at TEXT NOT NULL,
      max_age_days INTEGER NOT NULL DEFAULT 0, created_by TEXT NOT NULL, tags_json TEXT NOT NULL,
      topic_json TEXT NOT NULL, complete INTEGER NOT NULL DEFAULT 0);
    CREATE TABLE reference_files (
      number INTEGER PRIMARY KEY, topic INTEGER NOT NULL, path TEXT NOT NULL, hash TEXT NOT NULL, live INTEGER NOT NULL,
      url TEXT, commit_id TEXT, title TEXT NOT NULL, about TEXT NOT NULL,
      headings TEXT NOT NULL, UNIQUE (topic, path, live));
    CREATE TABLE reference_chunks (
      number INTEGER PRIMARY KEY, topic INTEGER NOT NULL, file INTEGER NOT NULL, start_line INTEGER NOT NULL,
      end_line INTEGER NOT NULL, heading TEXT NOT NULL, anchor TEXT, kind TEXT NOT NULL, text TEXT NOT NULL);
    CREATE INDEX reference_chunks_by_file ON reference_chunks (file);
    ${topicWords.create}
    ${fileWords.create}
    ${passageWords.create}`,
};

export interface TopicRow {
  number: number;
  id: string;
  folder: string;
  stamp: string;
  title: string;
  body: string;
  kind: string;
  trust: number;
  status: string;
  fetched_at: string;
  max_age_days: number;
  topic_json: string;
  complete: number;
}

export const fileKey = (number: number): string => `f${number}`;
export const fileNumber = (key: string): number => Number(key.slice(1));
export const chunkKey = (number: number): string => `c${number}`;
export const chunkNumber = (key: string): number => Number(key.slice(1));
