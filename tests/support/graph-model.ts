import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { fixedClock } from '../../src/base/clock.ts';
import { embeddedOf, type Library, openLibrary } from '../../src/base/library/index.ts';
import { type EdgeType, edgeTable, edgeTypes, type Graph, openGraph } from '../../src/stores/graph/index.ts';

/** Numbers that look random and are the same for the same seed. */
export function randomOf(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    state ^= state >>> 12;
    return (Math.imul(state, 0x297a2d39) >>> 8) % below;
  };
}

interface ModelEdge {
  source: string;
  target: string;
  type: EdgeType;
  session: string;
  weight: number;
}

const refs = [
  ...[1, 2, 3, 4].map((at) => `entry:ent_${at}`),
  ...[1, 2, 3].map((at) => `file:src/${at}.ts`),
  ...[1, 2].map((at) => `topic:topic-${at}`),
];
const sessions = ['', 'ses_a', 'ses_b'];
const sideOf = (ref: string) =>
  ref.startsWith('file') ? 'code' : ref.startsWith('entry') ? 'history' : 'knowledge';

/** The simplest thing that behaves as the store promises. */
function createModel() {
  let edges: ModelEdge[] = [];
  const archived = new Set<string>();
  const newer = new Map<string, string>();
  const same = (one: ModelEdge, other: Omit<ModelEdge, 'weight'>) =>
    one.source === other.source &&
    one.target === other.target &&
    one.type === other.type &&
    one.session === other.session;
  const seen = (session: string, all: boolean) =>
    edges.filter((edge) => all || edge.session === '' || edge.session === session);
  const currentOf = (ref: string): string => {
    const next = newer.get(ref);
    return next === undefined ? ref : currentOf(next);
  };
  return {
    link: (edge: ModelEdge) => {
      edges = [...edges.filter((one) => !same(one, edge)), edge];
    },
    unlink: (key: Omit<ModelEdge, 'weight' | 'session'>, session: string, all: boolean): boolean => {
      const gone = seen(session, all).filter((one) => same(one, { ...key, session: one.session }));
      edges = edges.filter((one) => !gone.includes(one));
      const shared = gone.some((one) => one.session === '');
      if (key.type === 'supersedes' && shared && newer.get(key.target) === key.source)
        newer.delete(key.target);
      return gone.length > 0;
    },
    remove: (ref: string) => {
      edges = edges.filter(({ source, target }) => source !== ref && target !== ref);
      archived.delete(ref);
      newer.delete(ref);
      for (const [old, by] of newer) if (by === ref) newer.delete(old);
    },
    archive: (ref: string) => archived.add(ref),
    restore: (ref: string) => archived.delete(ref),
    supersede: (old: string, by: string): boolean => {
      for (let next = newer.get(by); next !== undefined; next = newer.get(next))
        if (next === old) return false;
      edges = [
        ...edges.filter((one) => !same(one, { source: by, target: old, type: 'supersedes', session: '' })),
        { source: by, target: old, type: 'supersedes', session: '', weight: 1 },
      ];
      newer.set(old, by);
      return true;
    },
    current: () => Object.fromEntries([...newer.keys()].map((ref) => [ref, currentOf(ref)])),
    edgesAt: (ref: string, session: string, all: boolean): string[] => {
      const living = seen(session, all).filter(
        ({ source, target }) =>
          (source === ref || target === ref) && !archived.has(source) && !archived.has(target),
      );
      const best = new Map<string, ModelEdge>();
      for (const edge of living) {
        const key = `${edge.source} ${edge.type} ${edge.target}`;
        const known = best.get(key);
        if (!known || (edge.session === '') === all) best.set(key, edge);
      }
      return [...best]
        .map(([key, { weight, session: of }]) => (all && of !== '' ? key : `${key} ${weight}`))
        .sort();
    },
    reach: (
      start: string,
      depth: number,
      direction: 'out' | 'in' | 'both',
      session: string,
      all: boolean,
    ) => {
      const depths = new Map([[start, 0]]);
      let level = [start];
      for (let at = 1; at <= depth; at++) {
        const next = new Set<string>();
        for (const { source, target } of seen(session, all))
          for (const [from, to] of [
            ...(direction === 'in' ? [] : [[source, target]]),
            ...(direction === 'out' ? [] : [[target, source]]),
          ])
            if (level.includes(from!) && !depths.has(to!) && !archived.has(to!)) next.add(to!);
        for (const ref of next) depths.set(ref, at);
        level = [...next];
      }
      depths.delete(start);
      return [...depths].map(([ref, at]) => `${at} ${ref}`).sort();
    },
  };
}

export interface GraphStage {
  library: Library;
  graph: Graph;
}

/** One database for many stories: each begins with an empty graph. */
export function graphStage(directory: string): GraphStage {
  const library = openLibrary({ url: join(directory, 'graph.db') });
  embeddedOf(library).exec('PRAGMA synchronous = OFF');
  return { library, graph: openGraph({ library, clock: fixedClock() }) };
}

/** One random story, played to the store and to the model; answers the first difference, or what was compared. */
export async function playGraph(
  { library, graph }: GraphStage,
  seed: number,
  steps: number,
): Promise<{ difference?: string; compared: number; digest: string }> {
  embeddedOf(library).exec('DELETE FROM ref_nodes');
  const model = createModel();
  const random = randomOf(seed);
  const pick = <T>(list: readonly T[]): T => list[random(list.length)]!;
  const hash = createHash('sha256');
  let compared = 0;
  for (let step = 0; step < steps; step++) {
    const differs = (what: string, store: unknown, expected: unknown): string | undefined => {
      compared++;
      const [left, right] = [JSON.stringify(store), JSON.stringify(expected)];
      hash.update(right);
      return left === right ? undefined : `seed ${seed} step ${step} ${what}: ${left} instead of ${right}`;
    };
    const fitting = (type: EdgeType, source: string, target: string) =>
      source !== target &&
      (edgeTable[type].from as readonly string[]).includes(sideOf(source)) &&
      (edgeTable[type].to as readonly string[]).includes(sideOf(target));
    const [type, source, target] = [pick(edgeTypes), pick(refs), pick(refs)];
    const [session, all, ref] = [pick(sessions), random(3) === 0, pick(refs)];
    const viewer = { session, sees_all: all };
    let found: string | undefined;
    const choice = random(20);
    if (choice < 9) {
      if (fitting(type, source, target)) {
        const weight = random(11) / 10;
        await graph.link({ source, target, type, weight, by: 'ada', session });
        model.link({ source, target, type, session, weight });
      } else
        found = differs(
          'a link without meaning',
          await graph.link({ source, target, type, by: 'ada' }).then(
            () => 'made',
            () => 'refused',
          ),
          'refused',
        );
    } else if (choice < 11) {
      if (fitting(type, source, target))
        found = differs(
          'unlink',
          await graph.unlink({ source, target, type }, viewer),
          model.unlink({ source, target, type }, session, all),
        );
    } else if (choice < 12) {
      await graph.removeRefs([ref]);
      model.remove(ref);
    } else if (choice < 13) {
      if ((await graph.archive([ref])) > 0) model.archive(ref);
    } else if (choice < 14) {
      if ((await graph.restore([ref])) > 0) model.restore(ref);
    } else if (choice < 16) {
      if (source !== target)
        found = differs(
          'supersede',
          await graph.supersede(target, source).then(
            () => true,
            () => false,
          ),
          model.supersede(target, source),
        );
    }
    found ??= differs(
      'links',
      (await graph.edgesOf(ref, { viewer }))
        .map((edge) => ({ key: `${edge.source} ${edge.type} ${edge.target}`, weight: edge.weight }))
        .map(({ key, weight }) => (model.edgesAt(ref, session, all).includes(key) ? key : `${key} ${weight}`))
        .sort(),
      model.edgesAt(ref, session, all),
    );
    const [depth, direction] = [1 + random(5), pick(['out', 'in', 'both'] as const)];
    found ??= differs(
      'walk',
      (await graph.traverse({ from: [ref], depth, direction, viewer })).reached
        .map((one) => `${one.depth} ${one.ref}`)
        .sort(),
      model.reach(ref, depth, direction, session, all),
    );
    found ??= differs(
      'what stands now',
      Object.fromEntries([...(await graph.supersededBy(refs))].sort()),
      Object.fromEntries(Object.entries(model.current()).sort()),
    );
    if (found) return { difference: found, compared, digest: '' };
  }
  return { compared, digest: hash.digest('hex').slice(0, 12) };
}
