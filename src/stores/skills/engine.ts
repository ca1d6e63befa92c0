import { SylkError } from '../../base/errors.ts';
import { type Log, silentLog } from '../../base/log.ts';
import { collectionsOf, partition, trimPath } from './collections.ts';
import type { SkillsSettings } from './config.ts';
import { isReferable, reservedCommands } from './ids.ts';
import { createRanker, type RankedSkill, type SkillVectors } from './rank.ts';
import { type ResolvedSkill, renderInventory, renderSkill } from './render.ts';
import type {
  SkillCollection,
  SkillDescriptor,
  SkillDocument,
  SkillFilter,
  SkillOrigin,
  SkillProblem,
  SkillSource,
} from './skill.ts';
import { type CompositeSource, originOf } from './sources/composite.ts';
import { documentDigest } from './sources/memory.ts';

/** Says whether a skill may enter a conversation, and if not, why and what to do. */
export type SkillGate = (skill: {
  document: SkillDocument;
  origin: SkillOrigin;
  digest: () => Promise<string>;
}) => Promise<{ allowed: true } | { allowed: false; reason: string; hint: string }>;

export interface SkillEngineOptions {
  source: SkillSource;
  settings?: Partial<SkillsSettings>;
  /** Left out: everything the source has may be injected. A program that wires a source has made that choice. */
  gate?: SkillGate;
  /** What the agent can do. Left out: requirements are shown, nothing is held back. */
  capabilities?: string[];
  /** Meaning beside words, for ranking. */
  vectors?: SkillVectors;
  log?: Log;
}

export interface Resolution extends ResolvedSkill {
  source_name: string;
  /** Text from a network: never for the system role. */
  remote: boolean;
  truncated: boolean;
  notes: string[];
}

export interface SkillEngine {
  readonly source: SkillSource;
  readonly settings: SkillsSettings;
  inventorySection(active?: string[]): Promise<string>;
  resolveAndRender(ids: string[]): Promise<Resolution[]>;
  collections(): Promise<SkillCollection[]>;
  listSkills(filter?: SkillFilter): Promise<SkillDescriptor[]>;
  /** One level of the tree: its skills and the collections right below. */
  browse(
    path: string,
  ): Promise<{ path: string; subcollections: SkillCollection[]; skills: SkillDescriptor[] }>;
  search(query: string, limit?: number): Promise<RankedSkill[]>;
  /** The ranking alone, over skills that are at hand. */
  rank(skills: SkillDescriptor[], query: string, limit?: number): Promise<RankedSkill[]>;
  digest(id: string): Promise<string>;
  originOf(id: string): Promise<SkillOrigin>;
  problems(): Promise<SkillProblem[]>;
}

export const defaultSettings: SkillsSettings = {
  enabled: true,
  max_injection_bytes: 32_768,
  inventory_threshold: 12,
};

const isComposite = (source: SkillSource): source is CompositeSource => 'sourceOf' in source;

/** Everything a conversation needs of skills, over whatever source it is given. */
export function createSkillEngine(options: SkillEngineOptions): SkillEngine {
  const { source, gate, vectors, log = silentLog } = options;
  const settings = { ...defaultSettings, ...options.settings };
  const rank = createRanker({ vectors, log });
  const holder = async (id: string): Promise<SkillSource> =>
    isComposite(source) ? (await source.sourceOf(id)).source : source;

  const missing = (skill: SkillDescriptor): string[] =>
    options.capabilities
      ? skill.requires_capabilities.filter((need) => !options.capabilities!.includes(need))
      : [];

  const usable = async (filter?: SkillFilter) =>
    (await source.list(filter)).filter((skill) => missing(skill).length === 0);

  const digest = async (id: string, document?: SkillDocument): Promise<string> => {
    const from = await holder(id);
    return from.digest ? from.digest(id) : documentDigest(document ?? (await from.load(id)));
  };

  const resolve = async (id: string): Promise<Resolution> => {
    const document = await source.load(id);
    const { descriptor } = document;
    const lacking = missing(descriptor);
    if (lacking.length > 0)
      throw new SylkError(
        'UNAVAILABLE',
        `Skill '${id}' needs ${lacking.join(', ')}, which is not available here.`,
        {
          hint: 'Choose another skill, or add the capability to skills.capabilities in your own config.',
        },
      );
    const origin = originOf(await holder(id));
    const verdict = gate
      ? await gate({ document, origin, digest: () => digest(id, document) })
      : { allowed: true as const };
    if (!verdict.allowed) throw new SylkError('APPROVAL_REQUIRED', verdict.reason, { hint: verdict.hint });
    const label = origin.remote ? `${descriptor.source_name || origin.kind} ${origin.location}` : undefined;
    const rendered = renderSkill(
      { id, body: document.body, ...(label === undefined ? {} : { source: label }) },
      settings.max_injection_bytes,
    );
    const notes: string[] = [];
    if (rendered.truncated)
      notes.push(
        `The text was cut at ${settings.max_injection_bytes} bytes; read_skill_resource reads SKILL.md itself.`,
      );
    if (rendered.hidden > 0) notes.push(`${rendered.hidden} hidden characters were removed.`);
    if (!isReferable(id)) notes.push('This id cannot be named with a slash in a message.');
    return {
      id,
      name: descriptor.name,
      rendered_body: rendered.text,
      byte_size: Buffer.byteLength(rendered.text),
      source_name: descriptor.source_name,
      remote: origin.remote,
      truncated: rendered.truncated,
      notes,
    };
  };

  return {
    source,
    settings,
    inventorySection: async (active = []) =>
      renderInventory(await usable(), await collectionsOf(source), {
        threshold: settings.inventory_threshold,
        active,
      }),
    resolveAndRender: async (ids) => {
      const resolved: Resolution[] = [];
      for (const id of new Set(ids)) resolved.push(await resolve(id));
      return resolved;
    },
    collections: () => collectionsOf(source),
    listSkills: usable,
    browse: async (given) => {
      const path = trimPath(given);
      return {
        path,
        ...partition(
          path,
          await usable(path === '' ? {} : { collection: path }),
          await collectionsOf(source),
        ),
      };
    },
    search: async (query, limit = 20) => rank(await usable(), query, limit),
    rank: (skills, query, limit = 20) => rank(skills, query, limit),
    digest: (id) => digest(id),
    originOf: async (id) => originOf(await holder(id)),
    problems: async () => [
      ...((await source.problems?.()) ?? []),
      ...(await source.list()).flatMap(reservedProblem),
    ],
  };
}

/** A message that starts with a command of the conversation never means a skill. */
const reservedProblem = ({ id, source_name }: SkillDescriptor): SkillProblem[] =>
  reservedCommands.has(id)
    ? [
        {
          ...{ severity: 'warning', code: 'reserved', source_name, id, file: `${id}/SKILL.md`, line: 1 },
          message: `/${id} is a command, so a message cannot name this skill; load_skill takes it.`,
          fix: 'Give its directory another name.',
        },
      ]
    : [];
