import { createHash } from 'node:crypto';
import { embeddingText } from '../../base/chunk/index.ts';
import { withLease } from '../../base/durable/index.ts';
import { tree } from '../../base/files/index.ts';
import type { WordDocument } from '../../base/search/index.ts';
import { searchWords } from '../../base/text/index.ts';
import { aboutFile, aboutText, type FileAbout } from './about-file.ts';
import { cutFile, type FileChunk } from './chunks.ts';
import type { ReferencesContext, ShelfIndex } from './context.ts';
import { dropFiles, forgetTopic } from './forget.ts';
import { folderOf, slugOf } from './names.ts';
import type { ShelvedTopic } from './shelf.ts';
import { repositoryName } from './sources/git-remote.ts';
import { chunkKey, fileKey, fileWords, passageWords, topicWords } from './tables.ts';
import { type Topic, trustLevel } from './topic.ts';

export interface IndexReport {
  file_count: number;
  chunk_count: number;
  added: number;
  changed: number;
  removed: number;
}

export interface IndexOptions {
  signal?: AbortSignal | undefined;
  progress?(done: number, total: number): void;
}

/** Syncs the index with the shelf: adds topics put there by hand, or by a killed process. */
export async function syncIndex(context: ReferencesContext, options: IndexOptions = {}): Promise<void> {
  if (!context.shelf.exists()) return;
  const { items, problems } = context.shelf.list();
  for (const { folder, message } of problems)
    context.log.warn(`reference topic ${folder} is skipped: ${message}`);
  const index = context.index();
  const rows = index.sqlite.all<{ id: string; stamp: string; folder: string }>(
    'SELECT id, stamp, folder FROM reference_topics',
  );
  const stamps = new Map(rows.map(({ id, stamp }) => [id, stamp]));
  const present = new Set(items.map(({ topic }) => topic.id));
  for (const { id } of rows) if (!present.has(id)) forgetTopic(index, id);
  for (const item of items) {
    if (folderOf(item.topic.id) !== item.folder)
      context.log.warn(`reference topic ${item.folder} has the id ${item.topic.id}`);
    if (stamps.get(item.topic.id) !== item.stamp) await indexTopic(context, item, options);
  }
}

/**
 * Syncs the index of one topic with the disk. Only changed files are read again; the old version answers until
 * the new one is complete. Returns undefined when another process is indexing it.
 */
export async function indexTopic(
  context: ReferencesContext,
  shelved: ShelvedTopic,
  options: IndexOptions = {},
): Promise<IndexReport | undefined> {
  const index = context.index();
  const hold = { seconds: 120, signal: options.signal };
  return withLease(
    () => index.sqlite,
    `topic:${shelved.topic.id}`,
    hold,
    async (signal) => {
      const number = await writeTopic(context, index, shelved);
      return writeFiles(context, index, shelved, number, { ...options, signal });
    },
  );
}

async function writeTopic(
  context: ReferencesContext,
  { sqlite, topics }: ShelfIndex,
  { folder, topic }: ShelvedTopic,
): Promise<number> {
  const [vector] = await context.embedder.embed([topicText(topic)]);
  return sqlite.write(() => {
    const values = [
      folder,
      topic.title,
      topic.body,
      topic.kind,
      trustLevel(topic.kind, topic.trust_score),
      JSON.stringify(topic.sources),
      topic.status,
      topic.fetched_at,
      topic.max_age_days,
      topic.created_by.agent,
      JSON.stringify(topic.tags),
      JSON.stringify({ ...topic, files: [] }),
    ];
    const { number } = sqlite.get<{ number: number }>(
      `INSERT INTO reference_topics (folder, title, body, kind, trust, sources_json, status, fetched_at, max_age_days,
         created_by, tags_json, topic_json, id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET folder = excluded.folder, stamp = '', title = excluded.title,
         body = excluded.body, kind = excluded.kind, trust = excluded.trust, sources_json = excluded.sources_json,
         status = excluded.status, fetched_at = excluded.fetched_at, max_age_days = excluded.max_age_days,
         created_by = excluded.created_by, tags_json = excluded.tags_json, topic_json = excluded.topic_json
       RETURNING number`,
      ...values,
      topic.id,
    )!;
    const fields = [topic.title, topic.tags.join(' '), topic.body].map(searchWords);
    topicWords.remove(sqlite, [number]);
    topicWords.add(sqlite, [{ id: number, fields }]);
    if (vector) topics.put([{ key: topic.id, vector, tier: 0 }]);
    return number;
  });
}

async function writeFiles(
  context: ReferencesContext,
  index: ShelfIndex,
  { folder, topic, stamp }: ShelvedTopic,
  number: number,
  options: IndexOptions,
): Promise<IndexReport> {
  const { sqlite } = index;
  const directory = context.shelf.path(folder);
  dropFiles(index, 'SELECT number FROM reference_files WHERE topic = ? AND live = 0', number);
  const known = new Map(
    sqlite
      .all<{ path: string; hash: string }>(
        'SELECT path, hash FROM reference_files WHERE topic = ? AND live = 1',
        number,
      )
      .map(({ path, hash }) => [path, hash]),
  );
  const report = { added: 0, changed: 0, removed: 0 };
  const paths = listFiles(directory);
  for (let from = 0; from < paths.length; from += batchSize) {
    options.signal?.throwIfAborted();
    const prepared: PreparedFile[] = [];
    for (const path of paths.slice(from, from + batchSize)) {
      const content = tree.read(directory, path);
      const hash = createHash('sha256').update(content).digest('hex').slice(0, 32);
      if (known.get(path) === hash) continue;
      if (known.has(path)) report.changed++;
      else report.added++;
      const text = content.toString('utf8');
      const { url, chunks } = await cutFile(path, text);
      const about = aboutFile(path, text, chunks);
      prepared.push({ path, hash, url: url ?? null, commit: commitOf(topic, path), chunks, about });
    }
    await writeBatch(context, index, number, prepared);
    options.progress?.(Math.min(paths.length, from + batchSize), paths.length);
  }
  const gone = [...known.keys()].filter((path) => !paths.includes(path));
  report.removed = gone.length;
  sqlite.write(() => {
    dropFiles(
      index,
      `SELECT number FROM reference_files AS old WHERE topic = ? AND live = 1 AND (
         path IN (SELECT value FROM json_each(?)) OR
         EXISTS (SELECT 1 FROM reference_files AS new WHERE new.topic = old.topic AND new.path = old.path AND new.live = 0))`,
      number,
      JSON.stringify(gone),
    );
    sqlite.run('UPDATE reference_files SET live = 1 WHERE topic = ? AND live = 0', number);
    // The stamp marks a complete index; it is written last.
    sqlite.run('UPDATE reference_topics SET stamp = ?, complete = 1 WHERE number = ?', stamp, number);
  });
  const row = sqlite.get<{ n: number }>('SELECT count(*) AS n FROM reference_chunks WHERE topic = ?', number);
  return { file_count: paths.length, chunk_count: row?.n ?? 0, ...report };
}

const batchSize = 64;

/** An embedder returns one vector per text. */
const vectorAt = (vectors: Float32Array[], at: number): Float32Array => vectors[at] ?? new Float32Array();

interface PreparedFile {
  path: string;
  hash: string;
  url: string | null;
  commit: string | null;
  chunks: FileChunk[];
  about: FileAbout;
}

async function writeBatch(
  context: ReferencesContext,
  { sqlite, chunks: space, files: abouts }: ShelfIndex,
  topic: number,
  files: PreparedFile[],
): Promise<void> {
  if (files.length === 0) return;
  const { tier } = context.embedder;
  const vectors = await context.embedder.embed(files.flatMap(({ chunks }) => chunks.map(embeddingText)));
  const cards = await context.embedder.embed(files.map(({ path, about }) => aboutText(path, about)));
  let next = 0;
  sqlite.write(() => {
    for (const [at, { path, hash, url, commit, chunks, about }] of files.entries()) {
      const file = sqlite.run(
        'INSERT INTO reference_files (topic, path, hash, live, url, commit_id, title, about, headings) VALUES (?, ?, ?, 0, ?, ?, ?, ?, ?)',
        ...[topic, path, hash, url, commit, about.title, about.about, about.headings.join('\n')],
      ).lastInsertRowid;
      const texts = [path, about.title, about.about, about.headings.join(' ')];
      const body = chunks.flatMap(({ text }) => searchWords(text));
      fileWords.add(sqlite, [{ id: file, fields: [...texts.map(searchWords), body] }]);
      const passages: WordDocument[] = [];
      abouts.put([{ key: fileKey(file), vector: vectorAt(cards, at), tier }]);
      for (const { startLine, endLine, heading, anchor, kind, text } of chunks) {
        const title = heading.join(' › ');
        const chunk = sqlite.run(
          'INSERT INTO reference_chunks (topic, file, start_line, end_line, heading, anchor, kind, text) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
          topic,
          file,
          startLine,
          endLine,
          title,
          anchor ?? null,
          kind,
          text,
        ).lastInsertRowid;
        passages.push({ id: chunk, fields: [path, title, text].map(searchWords) });
        space.put([{ key: chunkKey(chunk), vector: vectorAt(vectors, next++), tier }]);
      }
      passageWords.add(sqlite, passages);
    }
  });
}

const topicText = ({ title, tags, body }: Topic): string =>
  `${title}\n${tags.join(', ')}\n${body.slice(0, 1500)}`;

function listFiles(directory: string): string[] {
  const found: string[] = [];
  const walk = (below: string) => {
    for (const entry of tree.list(directory, below)) {
      const path = `${below}${entry.name}`;
      if (entry.isDirectory()) walk(`${path}/`);
      else if (entry.isFile() && path !== 'topic.md' && !/^\..*\.tmp$/.test(entry.name)) found.push(path);
    }
  };
  walk('');
  return found.sort();
}

/** The repository of a file, by its prefix where there are several. */
function commitOf(topic: Topic, path: string): string | null {
  const trees = topic.sources.filter(({ type }) => type === 'git' || type === 'local');
  const source = trees.find(
    (each) =>
      trees.length === 1 ||
      (each.type === 'git' && path.startsWith(`${slugOf(repositoryName(each.url), 80)}/`)),
  );
  return source?.type === 'git' && !path.startsWith('web/') ? (source.commit ?? null) : null;
}
