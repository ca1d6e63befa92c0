import { messageOf, SylkError } from '../../../base/errors.ts';
import { type Log, silentLog } from '../../../base/log.ts';
import {
  automaticDescription,
  byId,
  collectionsOf,
  deriveCollections,
  matchesFilter,
} from '../collections.ts';
import { inRepository, namesRepository, plainId, skillNotFound } from '../ids.ts';
import { problemAt } from '../problems.ts';
import type { SkillDescriptor, SkillFilter, SkillOrigin, SkillProblem, SkillSource } from '../skill.ts';

export interface NamedSource {
  name: string;
  source: SkillSource;
  /** The repository itself, or a place that its own skills.toml names: `repo:ID` queries these sources only. */
  repository?: boolean;
}

/** A skill with the source that overrides it, if one with the same id comes before it. */
export type ListedSkill = SkillDescriptor & {
  shadowed_by?: string;
  /** For a skill of the repository under its `repo:` name: the source that owns the plain id. */
  plain_id_in?: string;
};

export interface CompositeSource extends Required<Omit<SkillSource, 'digest' | 'refresh'>> {
  readonly sources: readonly NamedSource[];
  /** Everything, including overridden skills. */
  listAll(filter?: SkillFilter): Promise<ListedSkill[]>;
  /** The source that answers for an id, by precedence. */
  sourceOf(id: string): Promise<NamedSource>;
}

/** Whether the description that a source gives a collection may be shown. */
export type MayDescribe = (named: NamedSource, path: string, description: string) => Promise<boolean>;

export const originOf = (source: SkillSource): SkillOrigin =>
  source.origin?.() ?? { kind: 'memory', location: 'code', remote: false };

/** Many sources as one namespace: the first that has an id wins. A failed source is reported and skipped. */
export function compositeSource(
  given: Array<NamedSource | SkillSource>,
  log: Log = silentLog,
  mayDescribe: MayDescribe = async () => true,
): CompositeSource {
  const sources = given.map(
    (one, index): NamedSource => ('source' in one ? one : { name: `source-${index + 1}`, source: one }),
  );
  const said = new Set<string>();
  const failures = new Map<string, unknown>();

  const attempt = async <T>({ name, source }: NamedSource, ask: (source: SkillSource) => Promise<T>) => {
    try {
      const answer = await ask(source);
      failures.delete(name);
      return { answer };
    } catch (error) {
      if (!(error instanceof SylkError && error.code === 'NOT_FOUND')) {
        failures.set(name, error);
        sayOnce(`failed\0${name}\0${messageOf(error)}`, () =>
          log.warn(`Skill source ${name} could not be read: ${messageOf(error)}`, { source: name }),
        );
      }
      return { error };
    }
  };

  const listAll = async (filter?: SkillFilter): Promise<ListedSkill[]> => {
    const lists = await Promise.all(sources.map((named) => attempt(named, (source) => source.list())));
    const winners = new Map<string, NamedSource>();
    const all: ListedSkill[] = [];
    for (const [index, named] of sources.entries()) {
      for (const skill of lists[index]?.answer ?? []) {
        const listed = listedAs({ ...skill, source_name: named.name }, named, winners);
        if (listed.shadowed_by !== undefined) sayShadowed(skill.id, named.name, listed.shadowed_by);
        if (matchesFilter(skill, filter)) all.push(listed);
      }
    }
    return all.sort(byId);
  };

  const sayOnce = (key: string, say: () => void) => {
    if (said.has(key)) return;
    said.add(key);
    say();
  };

  const sayShadowed = (id: string, shadowed: string, winning: string) =>
    sayOnce(`${id}\0${shadowed}\0${winning}`, () =>
      log.info('Skill shadowed by higher-precedence repository', {
        skill_id: id,
        shadowed_source: shadowed,
        winning_source: winning,
      }),
    );

  /** Queries in order of precedence; a source without the id passes it on. */
  const first = async <T>(id: string, ask: (source: SkillSource, id: string) => Promise<T>) => {
    const asked = plainId(id);
    let unavailable: { name: string; error: unknown } | undefined;
    for (const named of sources.filter(({ repository }) => repository || !namesRepository(id))) {
      const { answer, error } = await attempt(named, (source) => ask(source, asked));
      if (error === undefined) return { named, answer: answer as T };
      if (!(error instanceof SylkError)) throw error;
      if (error.code === 'DENIED' || error.code === 'VALIDATION_ERROR') throw error;
      if (error.code !== 'NOT_FOUND') unavailable ??= { name: named.name, error };
    }
    if (!unavailable) throw skillNotFound(id);
    throw new SylkError(
      'UNAVAILABLE',
      `Skill '${id}' not found; source ${unavailable.name} could not be read: ${messageOf(unavailable.error)}`,
      {
        hint: 'Run `sylk skills sources` to see the state of every source.',
      },
    );
  };

  const owner = async (id: string): Promise<NamedSource> =>
    (await first(id, (source, asked) => source.load(asked))).named;

  return {
    sources,
    listAll,
    sourceOf: owner,
    list: async (filter) => (await listAll(filter)).filter((skill) => skill.shadowed_by === undefined),
    load: async (id) => {
      const { named, answer } = await first(id, (source, asked) => source.load(asked));
      return { ...answer, descriptor: { ...answer.descriptor, id, source_name: named.name } };
    },
    collections: async () => {
      const descriptions = new Map<string, string>();
      for (const named of sources) {
        const { answer } = await attempt(named, collectionsOf);
        for (const { path, description, count } of answer ?? []) {
          if (description === automaticDescription(count) || descriptions.has(path)) continue;
          if (await mayDescribe(named, path, description)) descriptions.set(path, description);
        }
      }
      const skills = (await listAll()).filter((skill) => skill.shadowed_by === undefined);
      return deriveCollections(skills, descriptions);
    },
    problems: async () => {
      const problems: SkillProblem[] = [];
      for (const named of sources) {
        const { answer } = await attempt(named, async (source) => {
          if (source.problems) return source.problems();
          await source.list();
          return [];
        });
        for (const problem of answer ?? []) problems.push({ ...problem, source_name: named.name });
      }
      for (const [name, error] of failures) {
        const named = sources.find((one) => one.name === name);
        const place = { source_name: name, file: named ? originOf(named.source).location : name };
        const hint = error instanceof SylkError ? error.hint : undefined;
        const fix = hint ?? 'Check the URL and the network; the other sources still work.';
        problems.push(problemAt('unavailable', place, { why: messageOf(error), fix }));
      }
      return problems;
    },
    resources: async (id) => (await owner(id)).source.resources?.(plainId(id)) ?? [],
    readResource: async (id, path) => {
      const { source, name } = await owner(id);
      if (source.readResource) return source.readResource(plainId(id), path);
      throw new SylkError('NOT_FOUND', `Skill '${id}' of ${name} has no other files.`);
    },
    origin: () => ({
      kind: 'composite',
      location: sources.map(({ name }) => name).join(', '),
      remote: false,
    }),
  };
}

/** Takes an id, or is overridden by its owner. A skill of the repository then still has its `repo:` name. */
function listedAs(
  skill: SkillDescriptor,
  named: NamedSource,
  winners: Map<string, NamedSource>,
): ListedSkill {
  const winner = winners.get(skill.id);
  if (!winner) {
    winners.set(skill.id, named);
    return skill;
  }
  if (!named.repository || winner.repository) return { ...skill, shadowed_by: winner.name };
  const own = inRepository(skill.id);
  const before = winners.get(own);
  if (before) return { ...skill, id: own, shadowed_by: before.name };
  winners.set(own, named);
  return { ...skill, id: own, plain_id_in: winner.name };
}
