import { undefinedIfMissing } from '../../base/errors.ts';
import { fileRef, idOf, refOf } from '../../base/ref.ts';
import { type AreaDocument, createPathIndex } from '../../stores/areas/index.ts';
import type { Entry, Viewer } from '../../stores/chronicle/index.ts';
import type { NeighbourhoodContext, NeighbourSource } from './around.ts';
import { trusted } from './code-sources.ts';
import type { LinkRecord, NodeRecord } from './node.ts';

/** Areas, entries, tasks and topics: what people and agents wrote. */

const seconds = (iso: string): number => Math.floor(Date.parse(iso) / 1000);
const ofKind = (refs: readonly string[], ...prefixes: string[]): string[] =>
  refs.filter((ref) => prefixes.some((prefix) => ref.startsWith(`${prefix}:`)));

export function areaSource({
  areas,
  workAreas,
  code,
}: Pick<NeighbourhoodContext, 'areas' | 'workAreas' | 'code'>): NeighbourSource {
  const documents = async () => (await areas()).areaDocuments();
  return {
    kinds: ['area'],
    links: async (refs, { wanted, most }) => {
      if (!wanted.has('area')) return [];
      const all = await documents();
      const index = createPathIndex();
      for (const area of all) if (area.kind === 'atom') index.set(area.id, area.paths);
      const covers = (id: string, path: string): LinkRecord => ({
        source: refOf('atom', id),
        target: fileRef(path),
        type: 'covers',
        weight: 0.8,
        reason: `${all.find((area) => area.id === id)?.name ?? 'the area'} covers ${path}`,
      });
      const links = ofKind(refs, 'file').flatMap((ref) =>
        index.match(idOf(ref)).map((id) => covers(id, idOf(ref))),
      );
      const here = new Set(ofKind(refs, 'atom', 'molecule').map(idOf));
      if (here.size === 0) return links;
      const covered = new Map<string, number>();
      for (const { path } of (await code()).files())
        for (const id of index.match(path)) {
          const sofar = covered.get(id) ?? 0;
          covered.set(id, sofar + 1);
          if (here.has(id) && sofar < most) links.push(covers(id, path));
        }
      return [...links, ...all.flatMap((area) => areaLinks(area, here))];
    },
    describe: async (refs) => {
      const ids = new Set(refs.map(idOf));
      const shown = (await documents()).filter((area) => ids.has(area.id));
      const engine = await workAreas();
      const stale = new Map<string, number>();
      for (const projectId of new Set(shown.map((area) => area.projectId)))
        for (const atom of await engine.stale({ projectId, limit: 10_000 }))
          stale.set(atom.id, atom.staleness.commits);
      return shown.map((area): NodeRecord => {
        const behind = stale.get(area.id);
        return {
          ref: `${area.kind}:${area.id}`,
          kind: 'area',
          title: area.name,
          detail: area.paths.join(', '),
          ...trusted({ kind: 'area', stale: behind !== undefined }),
          state: behind ? 'stale' : 'current',
          state_reason: behind
            ? `${behind} commits changed its files since`
            : 'its files did not change since it was written',
          provenance: `version ${area.version}, knowledge about a part of the tree`,
          updated: seconds(area.updatedAt),
        };
      });
    },
  };
}

/** What an area is related to, and the molecule that holds it, where one of the two ends is asked for. */
function areaLinks({ kind, id, related, moleculeId }: AreaDocument, here: Set<string>): LinkRecord[] {
  const links = related
    .filter((other) => here.has(id) || here.has(other.id))
    .map((other) => ({
      source: `${kind}:${id}`,
      target: `${kind}:${other.id}`,
      type: 'related_to',
      weight: 0.7,
      reason: other.reason,
    }));
  if (!moleculeId || !(here.has(id) || here.has(moleculeId))) return links;
  const [source, target] = [refOf('molecule', moleculeId), refOf('atom', id)];
  return [...links, { source, target, type: 'holds', weight: 0.9, reason: 'part of the group' }];
}

function stateOf({ superseded_by, needs_review, confidence }: Entry) {
  if (superseded_by) return { state: 'superseded' as const, reason: `replaced by ${superseded_by}` };
  if (needs_review) return { state: 'disputed' as const, reason: 'contradicted by another entry' };
  return { state: 'current' as const, reason: `${Math.round(confidence * 100)} % sure` };
}

export function entrySource({
  memory,
  clock,
}: Pick<NeighbourhoodContext, 'memory' | 'clock'>): NeighbourSource {
  const about = (entry: Entry, ref: string): LinkRecord => ({
    source: refOf('entry', entry.id),
    target: ref,
    type: 'about',
    weight: Math.max(0.3, entry.confidence),
    reason: entry.title || entry.category,
  });
  const load = async (refs: readonly string[], viewer: Viewer): Promise<Entry[]> => {
    const { chronicle } = await memory();
    const found = ofKind(refs, 'entry').map((ref) =>
      chronicle.get(viewer, idOf(ref)).catch(undefinedIfMissing),
    );
    return (await Promise.all(found)).filter((entry) => entry !== undefined);
  };
  return {
    kinds: ['entry'],
    links: async (refs, { wanted, viewer }) => {
      if (!wanted.has('entry')) return [];
      const { chronicle } = await memory();
      const level = new Set(refs);
      const around = await chronicle.find(viewer, { refs: [...refs], limit: 200 });
      return [
        ...around.flatMap((entry) =>
          entry.refs.filter((ref) => level.has(ref)).map((ref) => about(entry, ref)),
        ),
        ...(await load(refs, viewer)).flatMap((entry) => [
          ...entry.refs.map((ref) => about(entry, ref)),
          ...entry.derived_from.map((ref) => ({ ...about(entry, ref), type: 'made_from' })),
          ...(entry.superseded_by
            ? [{ ...about(entry, refOf('entry', entry.superseded_by)), type: 'superseded_by' }]
            : []),
        ]),
      ];
    },
    describe: async (refs, viewer) =>
      (await load(refs, viewer)).map((entry) => {
        const { state, reason } = stateOf(entry);
        return {
          ref: refOf('entry', entry.id),
          kind: 'entry',
          title: entry.title || entry.content.slice(0, 80),
          detail: entry.category.replaceAll('_', ' '),
          ...trusted(entryFacts(entry, clock.now())),
          state,
          state_reason: reason,
          provenance: `written by ${entry.source || entry.source_kind}`,
          updated: seconds(entry.updated_at),
        };
      }),
  };
}

const entryFacts = (entry: Entry, now: number): Parameters<typeof trusted>[0] => ({
  kind: 'entry',
  verification: entry.verification,
  byPerson: entry.source_kind === 'person',
  disputed: entry.needs_review,
  uncheckable: entry.verification === 'none',
  age: (now - Date.parse(entry.created_at)) / 86_400_000,
});

export function taskSource({ work }: Pick<NeighbourhoodContext, 'work'>): NeighbourSource {
  const load = async (refs: readonly string[]) => {
    const store = await work();
    const found = ofKind(refs, 'task', 'feature').map((ref) => store.findContainer(idOf(ref)));
    return (await Promise.all(found)).flatMap((row) =>
      row && row.kind !== 'project' ? [{ ...row, kind: row.kind }] : [],
    );
  };
  return {
    kinds: ['task'],
    links: async (refs, { wanted }) => {
      if (!wanted.has('task')) return [];
      const store = await work();
      const links: LinkRecord[] = [];
      for (const row of await load(refs)) {
        const { dependencies, dependents } = await store.queryDependencies(row.kind, row.id);
        for (const edge of [...dependencies, ...dependents])
          if (edge.fromEntityType && edge.toEntityType)
            links.push({
              source: `${edge.fromEntityType}:${edge.fromId}`,
              target: `${edge.toEntityType}:${edge.toId}`,
              type: edge.type === 'BLOCKS' ? 'blocks' : 'related_to',
              weight: 0.7,
              reason: edge.type === 'BLOCKS' ? 'has to be done first' : 'related',
            });
      }
      return links;
    },
    describe: async (refs) =>
      (await load(refs)).map((row): NodeRecord => {
        const done = /closed|done|completed|cancel|archived/i.test(row.status ?? '');
        return {
          ref: `${row.kind}:${row.id}`,
          kind: 'task',
          title: row.name,
          detail: (row.status ?? '').toLowerCase().replaceAll('_', ' '),
          ...trusted({ kind: 'task' }),
          state: done ? 'done' : 'current',
          state_reason: done ? 'finished' : 'open',
          provenance: `planned as a ${row.kind}`,
          updated: null,
        };
      }),
  };
}

/** Topics have no links of their own: entries and the graph lead to them. */
export function topicSource({ references }: Pick<NeighbourhoodContext, 'references'>): NeighbourSource {
  return {
    kinds: ['topic'],
    links: async () => [],
    describe: async (refs) => {
      const ids = new Set(refs.map(idOf));
      const topics = await (await references()).list({ obsolete: true });
      return topics
        .filter((topic) => ids.has(topic.topic_id))
        .map(
          (topic): NodeRecord => ({
            ref: refOf('topic', topic.topic_id),
            kind: 'topic',
            title: topic.title,
            detail: `${topic.source_count} sources, ${topic.file_count} files`,
            trust: topic.trust,
            trust_name: topic.kind.replaceAll('_', ' '),
            state: topic.is_stale ? 'stale' : 'current',
            state_reason: topic.is_stale ? 'older than its age limit' : 'within its age limit',
            provenance: `fetched for ${topic.created_by}`,
            updated: seconds(topic.fetched_at),
          }),
        );
    },
  };
}

/**
 * Links made by hand, by agents and by checks. Provides no descriptions: the stores behind the refs do. The entries
 * themselves return what they name.
 */
export function graphSource({ knowledge }: Pick<NeighbourhoodContext, 'knowledge'>): NeighbourSource {
  return {
    kinds: [],
    links: async (refs, { viewer, most }) => {
      const { graph, seeing } = await knowledge();
      const { session_id: session, sees_all } = viewer;
      const ofRef = (ref: string) => graph.edgesOf(ref, { viewer: { session, sees_all } });
      const found = (await Promise.all(refs.map(ofRef))).flat();
      // An item of another session is not even named as the other end of a link.
      const ends = [...new Set(found.flatMap(({ source, target }) => [source, target]))];
      const secret = await seeing.hidden(viewer, ends);
      const seen = refs.flatMap((ref) =>
        found
          .filter(
            ({ type, source, target }) => type !== 'referenced_in' && (source === ref || target === ref),
          )
          .filter(({ source, target }) => !secret.has(source) && !secret.has(target))
          .slice(0, most),
      );
      return [...new Set(seen)].map(({ source, target, type, weight, by }) => ({
        source,
        target,
        type,
        weight,
        reason: `linked by ${by}`,
      }));
    },
    describe: async () => [],
  };
}
