import { createHash } from 'node:crypto';
import { chunkFile } from '../../base/chunk/index.ts';
import type { Library } from '../../base/library/index.ts';
import { refOf } from '../../base/ref.ts';
import { searchWords } from '../../base/text/index.ts';
import type { Areas } from '../../stores/areas/index.ts';
import { type Chronicle, doubtAbout } from '../../stores/chronicle/index.ts';
import type { FileHit, References } from '../../stores/references/index.ts';
import type { Skills } from '../../stores/skills/index.ts';
import type { Work } from '../../stores/work/index.ts';
import { relevanceFrom } from './cards.ts';
import type { Card, RecallSource } from './source.ts';
import { trustOf } from './trust.ts';

/** Stores whose things are found besides files and commits. Each is opened when recall first reads it. */
export interface SourceStores {
  library: () => Promise<Library>;
  chronicle: () => Promise<Chronicle>;
  work: () => Promise<Work>;
  areas: () => Promise<Areas>;
  skills: () => Promise<Skills>;
  references: () => Promise<References>;
}

export const storeSources = (stores: SourceStores): RecallSource[] => [
  chronicleSource(stores),
  workSource(stores),
  areasSource(stores),
  skillsSource(stores),
  referencesSource(stores),
];

interface Document {
  id: string;
  title: string;
  text: string;
  updated?: number;
}

/** A store whose things are short texts, as recall sees it. */
function documentSource(
  shape: Pick<RecallSource, 'name' | 'domain' | 'trust' | 'generation'> & {
    /** Without one, ids are refs themselves. */
    kind?: string;
    load(): Promise<Document[]>;
  },
): RecallSource {
  let known = new Map<string, Document>();
  const load = async () => {
    known = new Map((await shape.load()).map((document) => [document.id, document]));
    return known;
  };
  const find = async (id: string) => known.get(id) ?? (await load()).get(id);
  return {
    name: shape.name,
    domain: shape.domain,
    trust: shape.trust,
    ref: (id) => (shape.kind ? `${shape.kind}:${id}` : id),
    generation: shape.generation,
    isNeverUnread: true,
    owners: async () =>
      [...(await load()).values()].map(({ id, title, text, updated }) => ({
        owner: id,
        title,
        hash: createHash('sha256').update(`${title}\n${text}`).digest('hex').slice(0, 16),
        updated: updated || undefined,
      })),
    text: async (id) => (await find(id))?.text,
    chunks: async (id) => {
      const document = await find(id);
      return document && chunkFile({ path: `${document.title}.md`, text: document.text });
    },
    freshness: () => ({ state: 'fresh' }),
  };
}

const changesAtOnce = 10_000;

/** Only what was shared: an entry that belongs to one session is never found by another. */
const chronicleSource = ({ chronicle, library }: SourceStores): RecallSource => ({
  standing: async (id) => {
    const entry = (await (await chronicle()).standing.several({ session_id: '', sees_all: true }, [id])).get(
      id,
    );
    if (!entry) return undefined;
    const { verification, needs_review, source_kind } = entry;
    const { level } = trustOf({
      kind: 'entry',
      verification,
      byPerson: source_kind === 'person',
      disputed: needs_review,
      uncheckable: !needs_review,
    });
    const doubt = verification === 'none' ? '⚠️ UNVERIFIED' : doubtAbout(entry);
    return { trust: level, ...(doubt ? { warning: doubt } : {}) };
  },
  ...documentSource({
    name: 'chronicle',
    domain: 'chronicle',
    kind: 'entry',
    trust: 60,
    generation: async (last) => {
      const opened = await library();
      let changes = await opened.changesSince(last, changesAtOnce);
      while (changes.more) changes = await opened.changesSince(changes.position, changesAtOnce);
      return changes.position;
    },
    load: async () => {
      const shared = await (await chronicle()).find(
        { session_id: '', sees_all: false },
        { promoted_only: true, limit: 20_000 },
      );
      return shared.map((entry) => ({
        id: entry.id,
        title: entry.title,
        text: entry.resolution ? `${entry.content}\n\n${entry.resolution}` : entry.content,
        updated: Date.parse(entry.updated_at),
      }));
    },
  }),
});

/** The journal moves with every write of work and areas. */
const journalNumber =
  ({ library }: SourceStores) =>
  async () =>
    String(await (await library()).journal.latest());

const mostTexts = 20_000;

const workSource = (stores: SourceStores): RecallSource =>
  documentSource({
    name: 'work',
    domain: 'work',
    trust: 50,
    generation: journalNumber(stores),
    load: async () =>
      (await (await stores.work()).latestTexts(mostTexts)).map(({ ref, title, text, modifiedAt }) => ({
        id: ref,
        title,
        text,
        updated: Date.parse(modifiedAt),
      })),
  });

const areasSource = (stores: SourceStores): RecallSource =>
  documentSource({
    name: 'areas',
    domain: 'areas',
    trust: 60,
    generation: journalNumber(stores),
    load: async () =>
      (await (await stores.areas()).allTexts()).map(({ ref, title, text, updatedAt }) => ({
        id: ref,
        title,
        text,
        updated: Date.parse(updatedAt),
      })),
  });

/** Topics of the person: the shelf has an index of its own, and answers from it. */
const referencesSource = ({ references }: SourceStores): RecallSource => ({
  name: 'references',
  domain: 'references',
  trust: 70,
  owners: () => [],
  chunks: () => undefined,
  text: () => undefined,
  ref: (owner) => refOf('topic', owner),
  generation: async () => {
    const topics = await (await references()).list({ obsolete: true });
    const states = topics.map(({ topic_id, fetched_at, status }) => `${topic_id} ${fetched_at} ${status}`);
    return createHash('sha256').update(states.sort().join('\n')).digest('hex');
  },
  freshness: async () => {
    const topics = await (await references()).list();
    const old = topics.filter(({ is_stale }) => is_stale).map(({ title }) => title);
    if (topics.length === 0) return { state: 'empty' };
    return old.length === 0
      ? { state: 'fresh' }
      : { state: 'stale', detail: `${old.length} of ${topics.length} topics, such as ${old[0]}` };
  },
  answer: async (text, { limit, offset, lines }) => {
    const hits = await (await references()).search({ question: text, limit: offset + limit });
    const cards = hits.slice(offset).map((hit) => referenceCard(hit, text, lines));
    return { cards, total: hits.length };
  },
});

/** 0–1: by the words of the question that a passage has, and by meaning. */
export function relevanceOfPassage(hit: FileHit, question: string): number {
  const asked = [...new Set(searchWords(question))];
  const words = new Set(searchWords(`${hit.topic} ${hit.file} ${hit.heading} ${hit.text}`));
  const covered = asked.filter((word) => words.has(word)).length / Math.max(1, asked.length);
  return Math.round(relevanceFrom(covered, hit.likeness) * 100) / 100;
}

function referenceCard(hit: FileHit, question: string, lines: number): Card {
  const age = `${hit.kind.replaceAll('_', ' ')}, fetched ${hit.fetched_at.slice(0, 10)}${hit.stale_since ? ', stale' : ''}`;
  return {
    ref: `topic:${hit.topic_id}#${hit.file}`,
    domain: 'references',
    title: `${hit.topic} › ${hit.file}`,
    lines: `${hit.start_line}-${hit.end_line}`,
    heading: hit.heading || undefined,
    snippet: hit.text
      .split('\n')
      .slice(0, lines)
      .join('\n')
      .slice(0, 160 * lines),
    score: hit.score,
    relevance: relevanceOfPassage(hit, question),
    reason: `quoted from outside (${age})`,
    trust: hit.trust,
    updated: hit.fetched_at.slice(0, 10),
  };
}

const skillsSource = ({ skills }: SourceStores): RecallSource =>
  documentSource({
    name: 'skills',
    domain: 'skills',
    kind: 'skill',
    trust: 50,
    load: async () => {
      const engine = await (await skills()).requireEngine();
      return (await engine.usableSkills()).map(({ id, name, description }) => ({
        id,
        title: name,
        text: `${name}\n\n${description}`,
      }));
    },
  });
