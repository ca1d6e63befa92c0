import { SylkError } from '../../base/errors.ts';
import type { ReferencesContext, ShelfIndex } from './context.ts';
import { findRows, topicOf, unknownTopic } from './query.ts';
import { type RankedPassage, rankPassages } from './rank-passages.ts';
import type { TopicRow } from './tables.ts';
import { isStale, staleSince } from './topic.ts';
import { searchTopics } from './topic-search.ts';

export interface FileHit {
  topic_id: string;
  topic: string;
  file: string;
  start_line: number;
  end_line: number;
  heading: string;
  text: string;
  score: number;
  /** Cosine of the passage and the question. */
  likeness: number;
  /** False for a passage that is only the nearest. */
  fits: boolean;
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
  /** A name, not an id: the best match is used. */
  topic?: string | undefined;
  kinds?: readonly string[] | undefined;
  limit?: number | undefined;
  /** Where no passage fits the question: the nearest ones instead of none. */
  nearest?: boolean | undefined;
}

/** Searches the files of all topics that are not obsolete. */
export async function searchFiles(context: ReferencesContext, question: FileQuestion): Promise<FileHit[]> {
  if (!context.shelf.exists())
    return question.topic ? Promise.reject(unknownTopic(context, question.topic)) : [];
  const index = context.index();
  const topics = await topicsMeant(context, question);
  if (topics.size === 0) return [];
  const limit = question.limit ?? 10;
  const { passages, fits } = await rankPassages(context, index, {
    question: question.question,
    topics: [...topics.keys()],
    wanted: Math.max(60, limit * 6),
  });
  if (!fits && !question.nearest) return [];
  return spread(
    passages
      .map((each) => hitOf(context, index, { ...each, fits }, topics))
      .filter((hit) => hit !== undefined),
    fits ? limit : mostNearest,
  );
}

const mostNearest = 3;

async function topicsMeant(
  context: ReferencesContext,
  { topic, kinds }: FileQuestion,
): Promise<Map<number, TopicRow>> {
  const { sqlite } = context.index();
  let rows: TopicRow[];
  if (topic) {
    rows = findRows(context, topic);
    const [near] = rows.length > 0 ? [] : await searchTopics(context, topic, 5);
    if (near) rows = findRows(context, near.topic_id);
    if (rows.length === 0) throw unknownTopic(context, topic);
    const [first] = rows;
    if (first && rows.every(({ status }) => status === 'obsolete')) throw obsoleteTopic(first);
  } else rows = sqlite.all<TopicRow>('SELECT * FROM reference_topics');
  return new Map(
    rows
      .filter((row) => row.status !== 'obsolete' && (!kinds || kinds.includes(row.kind)))
      .map((row) => [row.number, row]),
  );
}

const obsoleteTopic = ({ id }: TopicRow): SylkError =>
  new SylkError('INVALID_OPERATION', `${id} is obsolete; its files are not searched.`, {
    hint: `Run \`sylk ref update ${id} --status active\` to restore it, or \`sylk ref list\` to see the others.`,
    data: { topic_id: id, status: 'obsolete' },
  });

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
  context: ReferencesContext,
  { sqlite }: ShelfIndex,
  { chunk, score, likeness, fits }: RankedPassage & { fits: boolean },
  topics: Map<number, TopicRow>,
): FileHit | undefined {
  const row = sqlite.get<ChunkRow>(
    `SELECT c.*, f.path, f.url, f.commit_id FROM reference_chunks AS c JOIN reference_files AS f ON f.number = c.file AND f.live = 1
     WHERE c.number = ?`,
    chunk,
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
    likeness,
    fits,
    url: url || undefined,
    commit: row.commit_id || undefined,
    fetched_at: topicRow.fetched_at,
    stale_since: isStale(topic, context.clock.now()) ? staleSince(topic) : undefined,
    kind: topicRow.kind,
    trust: topicRow.trust,
    library: topic.library || undefined,
    library_version: topic.library_version || undefined,
  };
}

/** One file must not fill the answer: its third and later passages come after those of other files. */
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
