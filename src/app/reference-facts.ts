import { idOf } from '../base/ref.ts';
import type { FoundCard, SourceFacts } from '../engines/answers/index.ts';
import type { Conventions } from '../stores/conventions/index.ts';
import { type References, staleSince, type TopicSummary } from '../stores/references/index.ts';
import { versionWarnings } from './version-warnings.ts';

export interface ReferenceParts {
  references: () => Promise<References>;
  conventions: () => Promise<Conventions>;
}

/** `topic:topic-x#file.md` → `topic-x`. */
const topicIdOf = (ref: string): string => idOf(ref).replace(/#.*$/s, '');

/** What the shelf says about topics, each read once for one answer. */
export function topicReader({ references }: Pick<ReferenceParts, 'references'>) {
  let shelf: Promise<Map<string, TopicSummary>> | undefined;
  return async (ref: string): Promise<TopicSummary | undefined> => {
    shelf ??= references()
      .then((opened) => opened.list({ obsolete: true }))
      .then((topics) => new Map(topics.map((topic) => [topic.topic_id, topic])));
    return (await shelf).get(topicIdOf(ref));
  };
}

export type ReadTopic = ReturnType<typeof topicReader>;

/** What kind of writing it is sets how far it is trusted; the score of whoever gathered it only lowers that. */
export const topicTrust = ({ kind, trust_score }: TopicSummary) => ({
  kind: kind === 'question_and_answer' ? ('stack_overflow' as const) : kind,
  trustScore: trust_score,
});

export async function referenceFacts(
  { conventions }: Pick<ReferenceParts, 'conventions'>,
  readTopic: ReadTopic,
  card: FoundCard,
): Promise<SourceFacts | undefined> {
  const topic = await readTopic(card.ref);
  if (!topic) return undefined;
  const [otherVersion] = await versionWarnings(conventions, [topic]);
  return {
    ...topicTrust(topic),
    text: card.snippet ?? card.title,
    at: Date.parse(topic.fetched_at),
    via: 'academic',
    ...(topic.max_age_days > 0 ? { staleAt: Date.parse(staleSince(topic)) } : {}),
    ...(otherVersion ? { otherVersion } : {}),
  };
}
