import { SylkError } from '../../base/errors.ts';
import type { TextVectors } from '../../base/search/index.ts';
import {
  automaticDescription,
  collectionsOf,
  deriveCollections,
  partition,
  trimPath,
} from './collections.ts';
import type { SkillsSettings } from './config.ts';
import { isReferable, plainId, reservedCommands } from './ids.ts';
import { problemAt } from './problems.ts';
import { createRanker, type RankedSkill } from './rank.ts';
import { type ResolvedSkill, renderInventory, renderSkill } from './render.ts';
import {
  isForeign,
  type SkillCollection,
  type SkillDescriptor,
  type SkillDocument,
  type SkillFilter,
  type SkillOrigin,
  type SkillProblem,
  type SkillSource,
} from './skill.ts';
import { type CompositeSource, type ListedSkill, originOf } from './sources/composite.ts';
import { digestIn } from './sources/memory.ts';
import { mayEnter, type SkillQuestion, type SkillTrustState } from './trust.ts';

/** A skill of a search scores at least so much, and this share of the best. */
const leastScore = 0.28;
const leastShare = 0.3;

/** What a person decided about a skill. */
export type SkillGate = (question: SkillQuestion) => Promise<SkillTrustState>;

/** A skill in a list, with the person's decision about it. */
export type JudgedSkill = ListedSkill & { trust: SkillTrustState; origin: SkillOrigin };

export interface SkillEngineOptions<Source extends SkillSource = SkillSource> {
  source: Source;
  settings?: Partial<SkillsSettings>;
  /** When omitted: everything of the source may be injected. A program that wires a source has made that choice. */
  gate?: SkillGate;
  /** The agent's capabilities. When omitted: requirements are shown, nothing is withheld. */
  capabilities?: string[];
  /** Ranking by meaning, besides words. */
  vectors?: TextVectors;
}

export interface Resolution extends ResolvedSkill {
  source_name: string;
  /** Text from a network or the repository: never for the system role. */
  foreign: boolean;
  truncated: boolean;
  notes: string[];
}

export type SkillEngine<Source extends SkillSource = SkillSource> = ReturnType<
  typeof createSkillEngine<Source>
>;

export const defaultSettings: SkillsSettings = {
  enabled: true,
  max_injection_bytes: 32_768,
  inventory_threshold: 12,
};

const isComposite = (source: SkillSource): source is CompositeSource => 'sourceOf' in source;

/** Everything a conversation needs from skills, over any source. */
export function createSkillEngine<Source extends SkillSource>(options: SkillEngineOptions<Source>) {
  const { source: given, gate, capabilities, vectors } = options;
  const settings = { ...defaultSettings, ...options.settings };
  const source: SkillSource = given;
  const rank = createRanker(vectors);
  const holder = async (id: string): Promise<SkillSource> =>
    isComposite(source) ? (await source.sourceOf(id)).source : source;

  const missing = (skill: SkillDescriptor): string[] =>
    capabilities ? skill.requires_capabilities.filter((need) => !capabilities.includes(need)) : [];

  const digest = async (id: string): Promise<string> => digestIn(await holder(id), plainId(id));

  const judge = async (skill: ListedSkill): Promise<JudgedSkill> => {
    const named = isComposite(source)
      ? source.sources.find(({ name }) => name === skill.source_name)?.source
      : source;
    const from = named ?? source;
    const origin = originOf(from);
    const { id, source_name } = skill;
    const trust = gate
      ? await gate({ id, origin, source_name, digest: () => digestIn(from, plainId(id)) })
      : 'local';
    return { ...skill, origin, trust };
  };

  const listSkills = async (
    filter?: SkillFilter,
    { shadowed = false }: { shadowed?: boolean } = {},
  ): Promise<JudgedSkill[]> => {
    const all = shadowed && isComposite(source) ? await source.listAll(filter) : await source.list(filter);
    return Promise.all(all.filter((skill) => missing(skill).length === 0).map(judge));
  };

  const usableSkills = async (filter?: SkillFilter): Promise<JudgedSkill[]> =>
    (await listSkills(filter)).filter(({ trust }) => mayEnter(trust));

  const usableCollections = async (skills: JudgedSkill[]): Promise<SkillCollection[]> => {
    const described = (await collectionsOf(source)).filter(
      ({ description, count }) => description !== automaticDescription(count),
    );
    return deriveCollections(skills, new Map(described.map(({ path, description }) => [path, description])));
  };

  const loadUsable = async (id: string): Promise<SkillDocument> => {
    const document = await source.load(id);
    const lacking = missing(document.descriptor);
    if (lacking.length > 0)
      throw new SylkError(
        'UNAVAILABLE',
        `Skill '${id}' needs ${lacking.join(', ')}, which is not available here.`,
        {
          hint: 'Choose another skill, or add the capability to skills.capabilities in your own config.',
        },
      );
    const { trust, origin } = await judge(document.descriptor);
    if (!mayEnter(trust)) throw heldBack(id, trust, origin);
    return document;
  };

  const resolve = async (id: string): Promise<Resolution> => {
    const document = await loadUsable(id);
    const { descriptor } = document;
    const origin = originOf(await holder(id));
    const foreign = isForeign(origin);
    const label = foreign ? labelOf(descriptor.source_name, origin) : undefined;
    const rendered = renderSkill({ id, body: document.body, source: label }, settings.max_injection_bytes);
    const notes: string[] = [];
    if (rendered.truncated)
      notes.push(
        `The text was truncated to ${settings.max_injection_bytes} bytes; read_skill_resource reads SKILL.md itself.`,
      );
    if (rendered.hidden > 0) notes.push(`${rendered.hidden} hidden characters were removed.`);
    if (descriptor.requires_capabilities.length > 0)
      notes.push(`This skill needs ${descriptor.requires_capabilities.join(', ')}.`);
    if (!isReferable(id)) notes.push('This id cannot be named with a slash in a message.');
    return {
      id,
      name: descriptor.name,
      rendered_body: rendered.text,
      byte_size: Buffer.byteLength(rendered.text),
      source_name: descriptor.source_name,
      foreign,
      truncated: rendered.truncated,
      notes,
    };
  };

  return {
    source: given,
    settings,
    inventorySection: async (active: string[] = []): Promise<string> => {
      const skills = await usableSkills();
      const threshold = settings.inventory_threshold;
      return renderInventory(skills, await usableCollections(skills), { threshold, active });
    },
    resolveAndRender: async (ids: string[]): Promise<Resolution[]> => {
      const resolved: Resolution[] = [];
      for (const id of new Set(ids)) resolved.push(await resolve(id));
      return resolved;
    },
    collections: async () => usableCollections(await usableSkills()),
    /** All skills, with the person's decision about each; `shadowed` adds overridden ones. */
    listSkills,
    /** Only what may enter a conversation. */
    usableSkills,
    /** The document, if it may enter a conversation; otherwise throws with the next step. */
    loadUsable,
    /** One level of the tree: its skills and the collections directly below. */
    browse: async (given: string) => {
      const path = trimPath(given);
      const skills = await listSkills(path === '' ? {} : { collection: path });
      return { path, ...partition(path, skills, await collectionsOf(source)) };
    },
    /** What comes far behind the best is noise: a search never lists everything there is. */
    search: async (query: string, limit = 20): Promise<RankedSkill<JudgedSkill>[]> => {
      const ranked = await rank(await listSkills(), query, limit);
      const floor = Math.max(leastScore, (ranked[0]?.score ?? 0) * leastShare);
      return ranked.filter(({ score }) => score >= floor);
    },
    /** The ranking alone, over skills that are at hand. */
    rank: <Skill extends SkillDescriptor>(skills: Skill[], query: string, limit = 20) =>
      rank(skills, query, limit),
    digest,
    originOf: async (id: string): Promise<SkillOrigin> => originOf(await holder(id)),
    problems: async (): Promise<SkillProblem[]> => [
      ...((await source.problems?.()) ?? []),
      // A message that starts with a command of the conversation never means a skill.
      ...(await source.list())
        .filter(({ id }) => reservedCommands.has(id))
        .map(({ id, source_name }) => problemAt('reserved', { id, source_name, file: `${id}/SKILL.md` })),
    ],
  };
}

/** Origin of text that needs a decision, for display. */
export const labelOf = (sourceName: string, origin: SkillOrigin): string =>
  origin.repository === undefined
    ? `${sourceName || origin.kind} ${origin.location}`
    : `this repository: ${origin.repository}`;

const heldBack = (id: string, trust: SkillTrustState, origin: SkillOrigin): SylkError =>
  new SylkError(
    'APPROVAL_REQUIRED',
    trust === 'changed'
      ? `Skill '${id}' changed since it was trusted and is withheld.`
      : `Skill '${id}' from ${origin.repository === undefined ? origin.location : 'this repository'} is not trusted yet.`,
    {
      hint: `A person can review it with \`sylk skills show ${id}\` and decide with \`sylk skills trust ${id}\`.`,
    },
  );
