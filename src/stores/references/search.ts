import { matchAny, searchWords } from '../../base/text/index.ts';
import { findRow, summaryOf, type TopicSummary, topicOf, unknownTopic } from './query.ts';
import { isStale, staleSince } from './staleness.ts';
import type { ShelfIndex, Stand } from './stand.ts';
import { chunkNumber, type TopicRow } from './tables.ts';

export interface TopicHit extends TopicSummary {
  score: number;
  snippet: string;
}

/** Below these, a topic that shares no word with the question has nothing to do with it. */
const leastTopicSimilarity = 0.4;
const leastTextShare = 0.25;

/** Over the notes of topics, not over their files: words and meaning together. */
export async function searchTopics(stand: Stand, query: string, limit = 10): Promise<TopicHit[]> {
  if (!stand.shelf.exists()) return [];
  const { sqlite, topics } = stand.index();
  const match = matchAny(searchWords(query));
  const byWords = match
    ? sqlite.all<{ rowid: number; rank: number }>(
        'SELECT rowid, bm25(reference_topic_words, 6.0, 4.0, 1.0) AS rank FROM reference_topic_words WHERE reference_topic_words MATCH ? ORDER BY rank LIMIT 50',
        match,
      )
    : [];
  const [vector] = await stand.embedder.embed([query]);
  const similar = new Map(topics.search(vector!, 50).map(({ key, score }) => [key, score]));
  const best = Math.max(1e-9, ...byWords.map(({ rank }) => -rank));
  const shares = new Map(byWords.map(({ rowid, rank }) => [rowid, -rank / best]));
  const rows = sqlite.all<TopicRow & { files: number }>(
    'SELECT *, (SELECT count(*) FROM reference_files AS f WHERE f.topic = t.number AND f.live = 1) AS files FROM reference_topics AS t',
  );
  const hits = rows.flatMap((row): TopicHit[] => {
    const text = (shares.get(row.number) ?? 0) * wordsShare(query, row);
    const meaning = Math.max(0, similar.get(row.id) ?? 0);
    if (text < leastTextShare && meaning < leastTopicSimilarity) return [];
    const score = Math.round(100 * (0.5 * text + 0.5 * meaning)) / 100;
    return [
      { ...summaryOf(row, row.files, stand.clock.now()), score, snippet: snippetOf(row.body, query, 240) },
    ];
  });
  return hits.sort((a, b) => b.score - a.score || (a.topic_id < b.topic_id ? -1 : 1)).slice(0, limit);
}

/** How much of the question a note answers at all. */
function wordsShare(query: string, row: TopicRow): number {
  const asked = new Set(searchWords(query));
  const told = new Set(searchWords(`${row.title} ${topicOf(row).tags.join(' ')} ${row.body}`));
  if (asked.size === 0) return 0;
  return [...asked].filter((word) => told.has(word)).length / asked.size;
}

export interface FileHit {
  topic_id: string;
  topic: string;
  file: string;
  start_line: number;
  end_line: number;
  heading: string;
  text: string;
  score: number;
  url?: string;
  commit?: string;
  fetched_at: string;
  stale_since?: string;
  kind: string;
  trust: number;
  library?: string;
  library_version?: string;
}

export interface FileQuestion {
  question: string;
  /** A name, not an id: what fits best is meant. */
  topic?: string | undefined;
  kinds?: readonly string[] | undefined;
  limit?: number | undefined;
}

/** Over the files of all topics that are not obsolete. */
export async function searchFiles(stand: Stand, question: FileQuestion): Promise<FileHit[]> {
  if (!stand.shelf.exists()) return question.topic ? Promise.reject(unknownTopic(stand, question.topic)) : [];
  const index = stand.index();
  const topics = await topicsMeant(stand, question);
  if (topics.size === 0) return [];
  const limit = question.limit ?? 10;
  const wanted = Math.max(60, limit * 6);
  const text = byText(index, question.question, topics, wanted);
  const meaning = await byMeaning(stand, index, question.question, topics, wanted);
  const weight = looksLikeCode(question.question) ? textWeight.code : textWeight.prose;
  const scores = new Map<number, number>();
  for (const [number, share] of text) scores.set(number, weight * share);
  for (const [number, share] of meaning) scores.set(number, (scores.get(number) ?? 0) + (1 - weight) * share);
  const ranked = [...scores].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, wanted);
  return spread(
    ranked
      .map(([number, score]) => hitOf(stand, index, number, score, topics))
      .filter((hit) => hit !== undefined),
    limit,
  );
}

/** Words are exact where an identifier is asked for; meaning helps where a sentence is. */
const textWeight = { code: 0.85, prose: 0.7 };
const looksLikeCode = (question: string): boolean => /[a-z][A-Z]|\w_\w|::|\(\)|[\w$]\.[\w$]|`/.test(question);

async function topicsMeant(stand: Stand, { topic, kinds }: FileQuestion): Promise<Map<number, TopicRow>> {
  const { sqlite } = stand.index();
  let rows: TopicRow[];
  if (topic) {
    const exact = findRow(stand, topic);
    const near = exact
      ? undefined
      : (await searchTopics(stand, topic, 5)).find(({ status }) => status !== 'obsolete');
    const found = exact ?? (near && findRow(stand, near.topic_id));
    if (!found) throw unknownTopic(stand, topic);
    rows = [found];
  } else rows = sqlite.all<TopicRow>('SELECT * FROM reference_topics');
  return new Map(
    rows
      .filter((row) => row.status !== 'obsolete' && (!kinds || kinds.includes(row.kind)))
      .map((row) => [row.number, row]),
  );
}

function byText(
  { sqlite }: ShelfIndex,
  question: string,
  topics: Map<number, TopicRow>,
  limit: number,
): Map<number, number> {
  const match = matchAny(searchWords(question));
  if (!match) return new Map();
  const rows = sqlite.all<{ number: number; rank: number }>(
    `SELECT c.number, bm25(reference_chunk_words, 2.0, 3.0, 1.0) AS rank
     FROM reference_chunk_words JOIN reference_chunks AS c ON c.number = reference_chunk_words.rowid
     JOIN reference_files AS f ON f.number = c.file AND f.live = 1
     WHERE reference_chunk_words MATCH ? AND c.topic IN (SELECT value FROM json_each(?)) ORDER BY rank LIMIT ?`,
    match,
    JSON.stringify([...topics.keys()]),
    limit,
  );
  const best = -(rows[0]?.rank ?? -1);
  return new Map(rows.map(({ number, rank }) => [number, best > 0 ? -rank / best : 0]));
}

async function byMeaning(
  stand: Stand,
  { sqlite, chunks }: ShelfIndex,
  question: string,
  topics: Map<number, TopicRow>,
  limit: number,
): Promise<Map<number, number>> {
  const [vector] = await stand.embedder.embed([question]);
  const owner = sqlite.prepare(
    'SELECT c.topic FROM reference_chunks AS c JOIN reference_files AS f ON f.number = c.file WHERE c.number = ? AND f.live = 1',
  );
  const accept = (key: string) => {
    const row = owner.get(chunkNumber(key)) as { topic: number } | undefined;
    return row !== undefined && topics.has(row.topic);
  };
  const found = chunks.search(vector!, limit, accept);
  const best = Math.max(1e-9, found[0]?.score ?? 0);
  return new Map(found.map(({ key, score }) => [chunkNumber(key), Math.max(0, score / best)]));
}

interface ChunkRow {
  topic: number;
  path: string;
  start_line: number;
  end_line: number;
  heading: string;
  anchor: string | null;
  text: string;
  url: string | null;
  commit_id: string | null;
}

function hitOf(
  stand: Stand,
  { sqlite }: ShelfIndex,
  number: number,
  score: number,
  topics: Map<number, TopicRow>,
): FileHit | undefined {
  const row = sqlite.get<ChunkRow>(
    `SELECT c.*, f.path, f.url, f.commit_id FROM reference_chunks AS c JOIN reference_files AS f ON f.number = c.file AND f.live = 1
     WHERE c.number = ?`,
    number,
  );
  const topicRow = row && topics.get(row.topic);
  if (!row || !topicRow) return undefined;
  const topic = topicOf(topicRow);
  const url = row.url ? `${row.url}${row.anchor ? `#${row.anchor}` : ''}` : undefined;
  return {
    topic_id: topicRow.id,
    topic: topicRow.title,
    file: row.path,
    start_line: row.start_line,
    end_line: row.end_line,
    heading: row.heading,
    text: row.text,
    score: Math.round(score * 1000) / 1000,
    ...(url ? { url } : {}),
    ...(row.commit_id ? { commit: row.commit_id } : {}),
    fetched_at: topicRow.fetched_at,
    ...(isStale(topic, stand.clock.now()) ? { stale_since: staleSince(topic) } : {}),
    kind: topicRow.kind,
    trust: topicRow.trust,
    ...(topic.library ? { library: topic.library } : {}),
    ...(topic.library_version ? { library_version: topic.library_version } : {}),
  };
}

/** One file does not fill the answer: its third passage and later ones come after those of other files. */
function spread(hits: FileHit[], limit: number): FileHit[] {
  const seen = new Map<string, number>();
  const first: FileHit[] = [];
  const later: FileHit[] = [];
  for (const hit of hits) {
    const key = `${hit.topic_id}/${hit.file}`;
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    (count <= 2 ? first : later).push(hit);
  }
  return [...first, ...later].slice(0, limit);
}

/** The part of a text around the first word that was asked for. */
export function snippetOf(text: string, query: string, length: number): string {
  const plain = text.replace(/\s+/g, ' ').trim();
  const word = searchWords(query).find((each) => plain.toLowerCase().includes(each));
  const at = word ? Math.max(0, plain.toLowerCase().indexOf(word) - length / 3) : 0;
  const from = at === 0 ? 0 : plain.indexOf(' ', at) + 1;
  const cut = plain.slice(from, from + length);
  return `${from > 0 ? '…' : ''}${cut}${from + length < plain.length ? '…' : ''}`;
}
