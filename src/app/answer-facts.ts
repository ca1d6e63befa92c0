import { idOf, isRefOf, refOf } from '../base/ref.ts';
import { type FoundCard, kindOfFile, type SourceFacts, trustOf } from '../engines/answers/index.ts';
import type { Memory } from '../engines/memory/index.ts';
import type { WorkAreas } from '../engines/work-areas/index.ts';
import type { Areas } from '../stores/areas/index.ts';
import { type Entry, textOfEntry, type Viewer } from '../stores/chronicle/index.ts';
import type { Graph } from '../stores/graph/index.ts';
import {
  type ReadTopic,
  type ReferenceParts,
  referenceFacts,
  topicReader,
  topicTrust,
} from './reference-facts.ts';

export interface FactParts extends ReferenceParts {
  memory: () => Promise<Memory>;
  areas: () => Promise<Areas>;
  workAreas: () => Promise<WorkAreas>;
  graph: () => Promise<Graph>;
}

type Looking = FactParts & { viewer: Viewer; readTopic: ReadTopic };

/** A session sees its own entries besides what was shared; nobody sees those of another. */
const viewerOf = (session = ''): Viewer => ({ session_id: session, sees_all: false });
const deepestLineage = 5;

/** What the stores know about results besides their text. */
export const answerFacts =
  (given: FactParts) =>
  async (cards: FoundCard[], session?: string): Promise<Map<string, SourceFacts>> => {
    const parts = { ...given, viewer: viewerOf(session), readTopic: topicReader(given) };
    const graph = await parts.graph();
    const refs = cards.map(({ ref }) => ref);
    const [verifications, replaced, nodes] = await Promise.all([
      graph.verificationsOf(refs),
      graph.supersededBy(refs),
      graph.nodesOf(refs),
    ]);
    const facts = new Map<string, SourceFacts>();
    for (const card of cards) {
      const own = await ownFacts(parts, card);
      if (!own) continue;
      const verification = verifications.get(card.ref);
      const supersededBy = replaced.get(card.ref);
      const expiresAt = nodes.get(card.ref)?.expires_at;
      const first = (await graph.sourcesOf(card.ref))[0];
      facts.set(card.ref, {
        ...own,
        ...(verification && verification.verification !== 'none'
          ? { verification: verification.verification }
          : {}),
        ...(verification?.verdict === 'rejected' ? { rejected: true } : {}),
        ...(supersededBy && supersededBy !== card.ref
          ? { supersededBy, currentTitle: await titleOf(parts, supersededBy) }
          : {}),
        ...(expiresAt ? { expiresAt: Date.parse(expiresAt) } : {}),
        ...(first && card.domain !== 'code' ? { via: first.type } : {}),
      });
    }
    return facts;
  };

async function ownFacts(parts: Looking, card: FoundCard): Promise<SourceFacts | undefined> {
  const at = card.updated ? Date.parse(card.updated) : 0;
  const text = card.snippet ?? card.title;
  switch (card.domain) {
    case 'code':
      return fileFacts(card.path ?? card.title, text, at);
    case 'commits':
      return { kind: 'commit', text, at, via: 'history' };
    case 'chronicle':
      return entryFacts(parts, card.ref);
    case 'areas':
      return { kind: 'area', text, at, stale: (await isStale(parts, card.ref)) ? true : undefined };
    case 'references':
      return referenceFacts(parts, parts.readTopic, card);
    default:
      return undefined;
  }
}

function fileFacts(path: string, text: string, at: number): SourceFacts {
  const kind = kindOfFile(path);
  return kind === 'code' ? { kind, text, at, via: 'code' } : { kind, text, at };
}

const entryAt = async (parts: Looking, ref: string): Promise<Entry | undefined> =>
  (await parts.memory()).chronicle.get(parts.viewer, idOf(ref)).catch(() => undefined);

const titleOf = async (parts: Looking, ref: string): Promise<string> =>
  (isRefOf(ref, 'entry') ? (await entryAt(parts, ref))?.title : undefined) ?? ref;

async function entryFacts(parts: Looking, ref: string): Promise<SourceFacts | undefined> {
  const entry = await entryAt(parts, ref);
  if (!entry) return undefined;
  return {
    kind: 'entry',
    text: textOfEntry(entry),
    at: Date.parse(entry.created_at),
    byPerson: entry.source_kind === 'person',
    verification: entry.verification,
    lineage: await lineageOf(parts, entry, deepestLineage),
    via: entry.source_kind === 'person' ? 'user_provided' : 'llm_inference',
    supersededBy: entry.superseded_by ? refOf('entry', entry.superseded_by) : undefined,
  };
}

const kindOfRef = {
  symbol: 'code',
  commit: 'commit',
  task: 'task',
  atom: 'area',
  molecule: 'area',
  skill: 'skill',
  answer: 'inference',
} as const;

/** How far what it was made from can be trusted; an entry counts as its own sources let it. */
async function lineageOf(parts: Looking, entry: Entry, depth: number): Promise<number[]> {
  const levels: number[] = [];
  for (const ref of entry.derived_from) {
    const kind = ref.slice(0, ref.indexOf(':'));
    if (kind === 'topic') {
      const topic = await parts.readTopic(ref);
      // What a topic said that is on no shelf any more is hearsay.
      levels.push(trustOf(topic ? topicTrust(topic) : { kind: 'blog_post' }).level);
      continue;
    }
    if (kind !== 'entry') {
      const known = kind === 'file' ? kindOfFile(idOf(ref)) : kindOfRef[kind as keyof typeof kindOfRef];
      if (known) levels.push(trustOf({ kind: known }).level);
      continue;
    }
    const source = depth > 0 ? await entryAt(parts, ref) : undefined;
    if (!source) continue;
    const lineage = await lineageOf(parts, source, depth - 1);
    levels.push(
      trustOf({
        kind: 'entry',
        byPerson: source.source_kind === 'person',
        verification: source.verification,
        lineage,
        uncheckable: !source.needs_review,
      }).level,
    );
  }
  return levels;
}

async function isStale(parts: FactParts, ref: string): Promise<boolean> {
  const id = ref.slice(ref.indexOf(':') + 1);
  const area = (await (await parts.areas()).areaDocuments()).find((each) => each.id === id);
  if (!area) return false;
  const stale = await (await parts.workAreas()).stale({ projectId: area.projectId, limit: 10_000 });
  return stale.some((each) => each.id === id);
}
