import { createHash } from 'node:crypto';
import { chunkFile } from './base/chunk/index.ts';
import type { Library } from './base/library/index.ts';
import type { Memory } from './engines/memory/index.ts';
import type { RecallSource } from './engines/recall/index.ts';
import type { Areas } from './stores/areas/index.ts';
import type { Skills } from './stores/skills/index.ts';
import type { Work } from './stores/work/index.ts';

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
    ...(shape.generation ? { generation: shape.generation } : {}),
    owners: async () =>
      [...(await load()).values()].map(({ id, title, text, updated }) => ({
        owner: id,
        title,
        hash: createHash('sha256').update(`${title}\n${text}`).digest('hex').slice(0, 16),
        ...(updated ? { updated } : {}),
      })),
    text: async (id) => (await find(id))?.text,
    chunks: async (id) => {
      const document = await find(id);
      return document && chunkFile({ path: `${document.title}.md`, text: document.text });
    },
    freshness: () => ({ state: 'fresh' }),
  };
}

/** Only what was shared: an entry that belongs to one session is never found by another. */
export const chronicleSource = (memory: () => Promise<Memory>): RecallSource =>
  documentSource({
    name: 'chronicle',
    domain: 'chronicle',
    kind: 'entry',
    trust: 60,
    load: async () => {
      const { chronicle } = await memory();
      const shared = await chronicle.find(
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
  });

/** The journal moves with every write of work and areas. */
const written = (library: () => Promise<Library>) => async () =>
  String(await (await library()).journal.latest());

const mostTexts = 20_000;

export const workSource = (work: () => Promise<Work>, library: () => Promise<Library>): RecallSource =>
  documentSource({
    name: 'work',
    domain: 'work',
    trust: 50,
    generation: written(library),
    load: async () =>
      (await (await work()).latestTexts(mostTexts)).map(({ ref, title, text, modifiedAt }) => ({
        id: ref,
        title,
        text,
        updated: Date.parse(modifiedAt),
      })),
  });

export const areasSource = (areas: () => Promise<Areas>, library: () => Promise<Library>): RecallSource =>
  documentSource({
    name: 'areas',
    domain: 'areas',
    trust: 60,
    generation: written(library),
    load: async () =>
      (await (await areas()).allTexts()).map(({ ref, title, text, updatedAt }) => ({
        id: ref,
        title,
        text,
        updated: Date.parse(updatedAt),
      })),
  });

export const skillsSource = (skills: () => Promise<Skills>): RecallSource =>
  documentSource({
    name: 'skills',
    domain: 'skills',
    kind: 'skill',
    trust: 50,
    load: async () => {
      const engine = await (await skills()).requireEngine();
      return (await engine.listSkills()).map(({ id, name, description }) => ({
        id,
        title: name,
        text: `${name}\n\n${description}`,
      }));
    },
  });
