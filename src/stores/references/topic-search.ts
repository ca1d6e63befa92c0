import { sharesOfBest } from '../../base/search/index.ts';
import { searchWords } from '../../base/text/index.ts';
import type { ReferencesContext } from './context.ts';
import { summaryOf, type TopicSummary, topicOf } from './query.ts';
import { type TopicRow, topicWords } from './tables.ts';

export interface TopicHit extends TopicSummary {
  score: number;
  snippet: string;
}

/** Below these, a topic without a shared word is unrelated to the question. */
const leastTopicSimilarity = 0.4;
const leastTextShare = 0.25;

/** Searches the notes of topics, not their files, by words and meaning. */
export async function searchTopics(
  context: ReferencesContext,
  query: string,
  limit = 10,
): Promise<TopicHit[]> {
  if (!context.shelf.exists()) return [];
  const { sqlite, topics } = context.index();
  const terms = [...new Set(searchWords(query))];
  const shares = sharesOfBest(topicWords.rank(sqlite, { terms, limit: 50 }));
  const vector = await context.question(query);
  const similar = new Map(topics.search(vector, 50).map(({ key, score }) => [key, score]));
  const rows = sqlite.all<TopicRow & { files: number }>(
    'SELECT *, (SELECT count(*) FROM reference_files AS f WHERE f.topic = t.number AND f.live = 1) AS files FROM reference_topics AS t',
  );
  const hits = rows.flatMap((row): TopicHit[] => {
    const text = (shares.get(row.number) ?? 0) * wordsShare(query, row);
    const meaning = Math.max(0, similar.get(row.id) ?? 0);
    if (text < leastTextShare && meaning < leastTopicSimilarity) return [];
    const score = Math.round(100 * (0.5 * text + 0.5 * meaning)) / 100;
    return [
      { ...summaryOf(row, row.files, context.clock.now()), score, snippet: snippetOf(row.body, query, 240) },
    ];
  });
  return hits.sort((a, b) => b.score - a.score || (a.topic_id < b.topic_id ? -1 : 1)).slice(0, limit);
}

/** How much of the question a note covers. */
function wordsShare(query: string, row: TopicRow): number {
  const asked = new Set(searchWords(query));
  const told = new Set(searchWords(`${row.title} ${topicOf(row).tags.join(' ')} ${row.body}`));
  if (asked.size === 0) return 0;
  return [...asked].filter((word) => told.has(word)).length / asked.size;
}

/** The part of a text around the first matching word. */
export function snippetOf(text: string, query: string, length: number): string {
  const plain = text.replace(/\s+/g, ' ').trim();
  const word = searchWords(query).find((each) => plain.toLowerCase().includes(each));
  const at = word ? Math.max(0, plain.toLowerCase().indexOf(word) - length / 3) : 0;
  const from = at === 0 ? 0 : plain.indexOf(' ', at) + 1;
  const cut = plain.slice(from, from + length);
  return `${from > 0 ? '…' : ''}${cut}${from + length < plain.length ? '…' : ''}`;
}
