import { undefinedIfMissing } from '../../base/errors.ts';
import { idOf, isRefOf, refOf } from '../../base/ref.ts';
import { type Entry, textOfEntry } from '../../stores/chronicle/index.ts';
import { staleSince, type TopicSummary, versionWarnings } from '../../stores/references/index.ts';
import { kindOfFile, type SourceKind, trustOf } from '../recall/index.ts';
import { type FoundCard, type SourceFacts, sightOf, type Viewer } from './answer.ts';
import type { AnswersContext } from './context.ts';

const deepestLineage = 5;

/** The stores as the asker sees them; topics are listed once for one answer. */
type FactContext = AnswersContext & {
  viewer: Viewer;
  topicOf(ref: string): Promise<TopicSummary | undefined>;
};

/** What the stores know about cards besides their text, by ref. Cards that no store knows more about are missing. */
export async function factsOf(
  context: AnswersContext,
  cards: FoundCard[],
  viewer: Viewer,
): Promise<Map<string, SourceFacts>> {
  const looking: FactContext = { ...context, viewer, topicOf: topicReader(context) };
  const graph = await context.graph();
  const refs = cards.map(({ ref }) => ref);
  const [verifications, successors, nodes] = await Promise.all([
    graph.verificationsOf(refs),
    graph.supersededBy(refs),
    graph.nodesOf(refs),
  ]);
  const facts = new Map<string, SourceFacts>();
  for (const card of cards) {
    const own = await ownFacts(looking, card);
    if (!own) continue;
    const verification = verifications.get(card.ref);
    const successor = successors.get(card.ref);
    const isReplaced = successor !== undefined && successor !== card.ref;
    const expiresAt = nodes.get(card.ref)?.expires_at;
    const [firstSource] = await graph.sourcesOf(card.ref);
    facts.set(card.ref, {
      ...own,
      verification:
        verification && verification.verification !== 'none' ? verification.verification : own.verification,
      rejected: verification?.verdict === 'rejected',
      supersededBy: isReplaced ? successor : own.supersededBy,
      currentTitle: isReplaced ? await titleOf(looking, successor) : undefined,
      expiresAt: expiresAt ? Date.parse(expiresAt) : undefined,
      via: firstSource && card.domain !== 'code' ? firstSource.type : own.via,
    });
  }
  return facts;
}

async function ownFacts(context: FactContext, card: FoundCard): Promise<SourceFacts | undefined> {
  const at = card.updated ? Date.parse(card.updated) : 0;
  const text = card.snippet ?? card.title;
  switch (card.domain) {
    case 'code': {
      const kind = kindOfFile(card.path ?? card.title);
      return { kind, text, at, via: kind === 'code' ? 'code' : undefined };
    }
    case 'commits':
      return { kind: 'commit', text, at, via: 'history' };
    case 'chronicle':
      return entryFacts(context, card.ref);
    case 'areas':
      return { kind: 'area', text, at, stale: await isStaleArea(context, card.ref) };
    case 'references':
      return topicFacts(context, card);
    default:
      return undefined;
  }
}

const entryAt = async ({ memory, viewer }: FactContext, ref: string): Promise<Entry | undefined> =>
  (await memory()).chronicle.get(sightOf(viewer), idOf(ref)).catch(undefinedIfMissing);

const titleOf = async (context: FactContext, ref: string): Promise<string> =>
  (isRefOf(ref, 'entry') ? (await entryAt(context, ref))?.title : undefined) ?? ref;

async function entryFacts(context: FactContext, ref: string): Promise<SourceFacts | undefined> {
  const entry = await entryAt(context, ref);
  if (!entry) return undefined;
  const byPerson = entry.source_kind === 'person';
  return {
    kind: 'entry',
    text: textOfEntry(entry),
    at: Date.parse(entry.created_at),
    byPerson,
    category: entry.category,
    verification: entry.verification,
    lineage: await lineageOf(context, entry, deepestLineage),
    via: byPerson ? 'user_provided' : 'llm_inference',
    supersededBy: entry.superseded_by ? refOf('entry', entry.superseded_by) : undefined,
  };
}

const kindOfRef = new Map<string, SourceKind>([
  ['symbol', 'code'],
  ['commit', 'commit'],
  ['task', 'task'],
  ['atom', 'area'],
  ['molecule', 'area'],
  ['skill', 'skill'],
  ['answer', 'inference'],
]);

/** How far the sources of an entry can be trusted; an entry counts as far as its own sources let it. */
async function lineageOf(context: FactContext, entry: Entry, depth: number): Promise<number[]> {
  const levels: number[] = [];
  for (const ref of entry.derived_from) {
    const kind = ref.slice(0, ref.indexOf(':'));
    if (kind === 'topic') {
      const topic = await context.topicOf(ref);
      // A topic that is gone is hearsay.
      levels.push(trustOf(topic ? topicTrust(topic) : { kind: 'blog_post' }).level);
      continue;
    }
    if (kind !== 'entry') {
      const sourceKind = kind === 'file' ? kindOfFile(idOf(ref)) : kindOfRef.get(kind);
      if (sourceKind) levels.push(trustOf({ kind: sourceKind }).level);
      continue;
    }
    const source = depth > 0 ? await entryAt(context, ref) : undefined;
    if (!source) continue;
    levels.push(
      trustOf({
        kind: 'entry',
        byPerson: source.source_kind === 'person',
        verification: source.verification,
        lineage: await lineageOf(context, source, depth - 1),
        uncheckable: !source.needs_review,
      }).level,
    );
  }
  return levels;
}

async function isStaleArea({ areas, workAreas }: FactContext, ref: string): Promise<boolean> {
  const id = ref.slice(ref.indexOf(':') + 1);
  const area = (await (await areas()).areaDocuments()).find((each) => each.id === id);
  if (!area) return false;
  const stale = await (await workAreas()).stale({ projectId: area.projectId, limit: 10_000 });
  return stale.some((each) => each.id === id);
}

/** `topic:topic-x#file.md` → the summary of topic-x. */
function topicReader({ references }: AnswersContext): FactContext['topicOf'] {
  let topics: Promise<Map<string, TopicSummary>> | undefined;
  return async (ref) => {
    topics ??= references()
      .then((opened) => opened.list({ obsolete: true }))
      .then((all) => new Map(all.map((topic) => [topic.topic_id, topic])));
    return (await topics).get(idOf(ref).replace(/#.*$/s, ''));
  };
}

/** The kind of a topic sets how far it is trusted; the score that it was gathered with only lowers that. */
const topicTrust = ({ kind, trust_score }: TopicSummary) => ({
  kind: kind === 'question_and_answer' ? ('stack_overflow' as const) : kind,
  trustScore: trust_score,
});

async function topicFacts(context: FactContext, card: FoundCard): Promise<SourceFacts | undefined> {
  const topic = await context.topicOf(card.ref);
  if (!topic) return undefined;
  const [otherVersion] = await versionWarnings(
    [topic],
    async (library) =>
      (await (await context.conventions()).dependencies.check({ need: library, path: '', limit: 20 }))
        .packages,
  );
  return {
    ...topicTrust(topic),
    text: card.snippet ?? card.title,
    at: Date.parse(topic.fetched_at),
    via: 'academic',
    staleAt: topic.max_age_days > 0 ? Date.parse(staleSince(topic)) : undefined,
    otherVersion,
  };
}
