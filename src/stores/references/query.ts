import { didYouMean } from '../../base/closest.ts';
import { SylkError } from '../../base/errors.ts';
import { splitWords } from '../../base/text/index.ts';
import type { ReferencesContext } from './context.ts';
import type { TopicRow } from './tables.ts';
import { isStale, type ShownStatus, shownStatus, type Topic, type TopicKind } from './topic.ts';

export interface TopicSummary {
  topic_id: string;
  title: string;
  status: ShownStatus;
  is_stale: boolean;
  fetched_at: string;
  max_age_days: number;
  created_by: string;
  source_count: number;
  file_count: number;
  tags: string[];
  kind: TopicKind;
  trust: number;
  trust_score: number;
  library?: string;
  library_version?: string;
}

/** Most recently fetched first. */
export function listTopics(
  context: ReferencesContext,
  { obsolete = false, limit = 10_000 } = {},
): TopicSummary[] {
  if (!context.shelf.exists()) return [];
  const rows = context.index().sqlite.all<TopicRow & { files: number }>(
    `SELECT *, (SELECT count(*) FROM reference_files AS f WHERE f.topic = t.number AND f.live = 1) AS files
     FROM reference_topics AS t WHERE ? OR status <> 'obsolete' ORDER BY fetched_at DESC, id LIMIT ?`,
    obsolete ? 1 : 0,
    limit,
  );
  return rows.map((row) => summaryOf(row, row.files, context.clock.now()));
}

export function summaryOf(row: TopicRow, files: number, now: number): TopicSummary {
  const topic = topicOf(row);
  return {
    topic_id: row.id,
    title: row.title,
    status: shownStatus(topic, now),
    is_stale: isStale(topic, now),
    fetched_at: row.fetched_at,
    max_age_days: row.max_age_days,
    created_by: topic.created_by.agent,
    source_count: topic.sources.length,
    file_count: files,
    tags: topic.tags,
    kind: topic.kind,
    trust: row.trust,
    trust_score: topic.trust_score,
    library: topic.library || undefined,
    library_version: topic.library_version || undefined,
  };
}

export const topicOf = (row: TopicRow): Topic => JSON.parse(row.topic_json) as Topic;

/** The topics that a name means: the one with this id, folder, ref or title, else all that have every word of it. */
export function findRows(context: ReferencesContext, name: string): TopicRow[] {
  if (!context.shelf.exists()) return [];
  const { sqlite } = context.index();
  const plain = name
    .trim()
    .replace(/^topic:/, '')
    .replace(/#.*$/, '');
  const exact = sqlite.get<TopicRow>(
    `SELECT * FROM reference_topics WHERE id = ?1 OR folder = ?1 OR id = 'topic-' || ?1 OR title = ?1 COLLATE NOCASE
     ORDER BY (id = ?1) DESC, (status = 'obsolete'), fetched_at DESC LIMIT 1`,
    plain,
  );
  if (exact) return [exact];
  const words = splitWords(plain);
  const rows = sqlite.all<TopicRow>('SELECT * FROM reference_topics ORDER BY fetched_at DESC, id');
  const matching = rows.filter((row) => {
    const own = new Set(splitWords(`${row.folder} ${row.title} ${topicOf(row).library ?? ''}`));
    return words.length > 0 && words.every((word) => own.has(word));
  });
  const active = matching.filter(({ status }) => status !== 'obsolete');
  return active.length > 0 ? active : matching;
}

/** The only topic that a name means. */
export function findRow(context: ReferencesContext, name: string): TopicRow | undefined {
  const [first, ...others] = findRows(context, name);
  if (first && others.length > 0) {
    const ids = [first, ...others].map(({ id }) => id);
    throw new SylkError(
      'CONFLICT',
      `${JSON.stringify(name.slice(0, 120))} is part of ${ids.length} topic names.`,
      {
        hint: `Give one of these ids: ${ids.join(', ')}.`,
        data: { topics: ids },
      },
    );
  }
  return first;
}

export function unknownTopic(context: ReferencesContext, name: string): SylkError {
  const titles = listTopics(context, { obsolete: true }).flatMap(({ topic_id, title }) => [topic_id, title]);
  const other = 'Run `sylk ref list` to see the topics, or `sylk ref create` to add one.';
  return new SylkError('NOT_FOUND', `Unknown reference topic ${JSON.stringify(name.slice(0, 120))}.`, {
    hint: didYouMean(name, titles, other),
  });
}

/** The prompt block that lists an agent's references. */
export function recentTopics(context: ReferencesContext): string {
  const topics = listTopics(context, { limit: 10 });
  if (topics.length === 0) return '';
  const lines = topics.map(
    ({ title, topic_id, tags }) =>
      `- ${title} (\`${topic_id}\`)${tags.length > 0 ? ` — ${tags.join(', ')}` : ''}`,
  );
  return `## Available Reference Topics\n\n${lines.join('\n')}\n`;
}
