import { SylkError } from '../../../base/errors.ts';
import { type Log, silentLog } from '../../../base/log.ts';
import { automaticDescription, byId, collectionsOf, deriveCollections } from '../collections.ts';
import { skillNotFound } from '../ids.ts';
import type { SkillDescriptor, SkillFilter, SkillOrigin, SkillProblem, SkillSource } from '../skill.ts';

export interface NamedSource {
  name: string;
  source: SkillSource;
}

/** A skill with the source that shadows it, where one of the same id stands before it. */
export type ListedSkill = SkillDescriptor & { shadowed_by?: string };

export interface CompositeSource extends SkillSource {
  readonly sources: readonly NamedSource[];
  /** Everything, shadowed skills too. */
  listAll(filter?: SkillFilter): Promise<ListedSkill[]>;
  /** The source that answers for an id, by precedence. */
  sourceOf(id: string): Promise<NamedSource>;
}

export const originOf = (source: SkillSource): SkillOrigin =>
  source.origin?.() ?? { kind: 'memory', location: 'code', remote: false };

/** Many sources as one namespace: the first that has an id wins. A source that fails is reported and passed over. */
export function compositeSource(
  given: Array<NamedSource | SkillSource>,
  log: Log = silentLog,
): CompositeSource {
  const sources = given.map((one, index) =>
    'source' in one ? one : { name: `source-${index + 1}`, source: one },
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
          log.warn(`Skill source ${name} could not be asked: ${messageOf(error)}`, { source: name }),
        );
      }
      return { error };
    }
  };

  const listAll = async (filter?: SkillFilter): Promise<ListedSkill[]> => {
    const lists = await Promise.all(sources.map((named) => attempt(named, (source) => source.list(filter))));
    const winners = new Map<string, string>();
    const all: ListedSkill[] = [];
    for (const [index, { answer }] of lists.entries()) {
      const { name } = sources[index]!;
      for (const skill of answer ?? []) {
        const winner = winners.get(skill.id);
        all.push({ ...skill, source_name: name, ...(winner === undefined ? {} : { shadowed_by: winner }) });
        if (winner === undefined) winners.set(skill.id, name);
        else sayShadowed(skill.id, name, winner);
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

  /** Asks in order of precedence; a source that lacks the id passes it on. */
  const first = async <T>(id: string, ask: (source: SkillSource) => Promise<T>) => {
    let unavailable: { name: string; error: unknown } | undefined;
    for (const named of sources) {
      const { answer, error } = await attempt(named, ask);
      if (error === undefined) return { named, answer: answer as T };
      if (!(error instanceof SylkError)) throw error;
      if (error.code === 'DENIED' || error.code === 'VALIDATION_ERROR') throw error;
      if (error.code !== 'NOT_FOUND') unavailable ??= { name: named.name, error };
    }
    if (!unavailable) throw skillNotFound(id);
    throw new SylkError(
      'UNAVAILABLE',
      `Skill '${id}' not found; source ${unavailable.name} could not be asked: ${messageOf(unavailable.error)}`,
      {
        hint: '`sylk skills sources` shows the state of every source.',
      },
    );
  };

  const owner = async (id: string): Promise<NamedSource> =>
    (await first(id, (source) => source.load(id))).named;

  return {
    sources,
    listAll,
    sourceOf: owner,
    list: async (filter) => (await listAll(filter)).filter((skill) => skill.shadowed_by === undefined),
    load: async (id) => {
      const { named, answer } = await first(id, (source) => source.load(id));
      return { ...answer, descriptor: { ...answer.descriptor, source_name: named.name } };
    },
    collections: async () => {
      const descriptions = new Map<string, string>();
      for (const named of sources) {
        const { answer } = await attempt(named, collectionsOf);
        for (const { path, description, count } of answer ?? []) {
          const written = description !== automaticDescription(count);
          if (written && !descriptions.has(path)) descriptions.set(path, description);
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
      for (const [name, error] of failures) problems.push(unavailableProblem(name, sources, error));
      return problems;
    },
    resources: async (id) => (await owner(id)).source.resources?.(id) ?? [],
    readResource: async (id, path) => {
      const { source, name } = await owner(id);
      if (source.readResource) return source.readResource(id, path);
      throw new SylkError('NOT_FOUND', `Skill '${id}' of ${name} has no files beside its text.`);
    },
    origin: () => ({
      kind: 'composite',
      location: sources.map(({ name }) => name).join(', '),
      remote: false,
    }),
  };
}

function unavailableProblem(name: string, sources: NamedSource[], error: unknown): SkillProblem {
  const named = sources.find((one) => one.name === name);
  return {
    severity: 'error',
    code: 'unavailable',
    source_name: name,
    file: named ? originOf(named.source).location : name,
    line: 1,
    message: messageOf(error),
    fix:
      (error instanceof SylkError && error.hint) ||
      'Check the address and the network; the other sources go on.',
  };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
