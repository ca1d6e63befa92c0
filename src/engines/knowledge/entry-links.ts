import { createHash } from 'node:crypto';
import { z } from 'zod';
import { SylkError } from '../../base/errors.ts';
import { objectOf } from '../../base/json.ts';
import { fileRef, idOf, isRefOf, refOf } from '../../base/ref.ts';
import type { Entry, Viewer } from '../../stores/chronicle/index.ts';
import {
  codeEdges,
  isRef,
  type NewEdge,
  type NodeFacts,
  type NodeKind,
  parseRef,
  refText,
  type Source,
} from '../../stores/graph/index.ts';
import type { KnowledgeContext } from './context.ts';
import type { Places } from './places.ts';
import type { RelatedOf } from './related.ts';

/** Confidence of links that were not made by hand. */
const sure = { code: 0.9, pattern: 0.85, research: 0.8 } as const;

export const changeWords = ['modified', 'created', 'deleted'] as const;
type Change = (typeof changeWords)[number];

/** Summaries of work describe what was done; a decision about a file did not change it. */
const workSummaries = new Set(['task_completion', 'refactoring', 'bug_fix', 'feature']);
const batch = 500;

export const entryCodeSchema = z.object({
  ref: z.string(),
  relation: z.string(),
  path: z.string().optional(),
  line: z.number().optional(),
  state: z.enum(['current', 'moved', 'lost']).optional(),
  was: z.string().optional(),
});
type EntryCode = z.output<typeof entryCodeSchema>;

/** Links derived from memory: what an entry did to code, what it is based on, its session. */
export function createEntryLinks(
  context: KnowledgeContext,
  { places, relatedOf }: { places: Places; relatedOf: RelatedOf },
) {
  const { graph, chronicle, library } = context;
  const marks = library.marks('entry-links');

  /** One transaction per entry; the chronicle is read before it starts. */
  const linkEntry = async (entry: Entry, supersedes: string[], mark?: number): Promise<number> => {
    const edges = [...aboutEdges(entry, await changesOf(entry)), ...originEdges(entry)];
    const sources = entry.derived_from.filter(isRef).map(sourceOf);
    const ref = refOf('entry', entry.id);
    return library.write(async () => {
      const made = await graph.linkAll(edges);
      await graph.describe([nodeOf(entry)]);
      if (sources.length > 0) await graph.recordSources(ref, sources);
      // A cycle, possible after merging two libraries, drops that link and not the entry.
      for (const old of supersedes)
        await graph.supersede(refOf('entry', old), ref, entry.source).catch((error: unknown) => {
          if (!(error instanceof SylkError)) throw error;
        });
      await notePlaces(made.items.flatMap(({ source, target }) => [source, target]));
      if (mark !== undefined) await marks.set('linked', String(mark));
      return made.items.length;
    });
  };

  /** What the session reports about files, and what the entry itself says. The entry wins. */
  const changesOf = async (entry: Entry): Promise<Map<string, Change>> => {
    const told = objectOf(entry.metadata['changed']);
    const changes = new Map<string, Change>();
    if (entry.summary_type && workSummaries.has(entry.summary_type))
      for (const { path, operation } of await chronicle.files.of(entry.session_id, 1000))
        if (isChange(operation) && !changes.has(path)) changes.set(path, operation);
    for (const [path, change] of Object.entries(told)) if (isChange(change)) changes.set(path, change);
    return changes;
  };

  /** Symbols store their lines: shown after they are deleted. */
  const notePlaces = async (refs: string[]): Promise<void> => {
    const symbols = [...new Set(refs)].filter((ref) => isRefOf(ref, 'symbol'));
    if (symbols.length === 0) return;
    const standings = await places.now(symbols);
    await graph.describe(
      [...standings].flatMap(([ref, { state, path, name, line, end_line, kind }]) =>
        state === 'lost' ? [] : [{ ref, kind: kindOf(kind), place: { path, name, line, end_line } }],
      ),
    );
  };

  /** Entries that arrived otherwise, such as by an import or an older version, are linked with the next one. */
  const follow = async (): Promise<Map<string, number>> => {
    const linked = new Map<string, number>();
    for (;;) {
      const from = Number((await marks.get('linked')) ?? 0);
      const waiting = await chronicle.standing.after(from, batch);
      for (const { entry, supersedes, seq } of waiting)
        linked.set(entry.id, await linkEntry(entry, supersedes, seq));
      if (waiting.length < batch) return linked;
    }
  };

  /** Files and symbols that an entry is about, and what its session changed. */
  const codeOf = async (viewer: Viewer, entry: Entry): Promise<EntryCode[]> => {
    const linked = await relatedOf(viewer, [refOf('entry', entry.id)], {
      types: codeEdges,
      direction: 'out',
    });
    // Older entries, and those about commits, name their refs themselves.
    const named = entry.refs
      .filter((ref) => /^(?:file|symbol|commit):/.test(ref))
      .map((ref) => ({ ref, relation: 'referenced_in' }));
    // The files of a session stay private, even if one of its entries is shared.
    const isOwn = viewer.sees_all || entry.session_id === viewer.session_id;
    const changed = (isOwn ? await chronicle.files.of(entry.session_id, 1000) : [])
      .filter(({ operation }) => operation !== 'read')
      .map(({ path, operation }): { ref: string; relation: string } => ({
        ref: fileRef(path),
        relation: operation,
      }));
    const known = new Set(linked.flatMap(({ card }) => [card.ref, card.was ?? card.ref]));
    const others = [...named, ...changed].filter(({ ref }) => !known.has(ref));
    return [
      ...linked.map(({ card: { ref, state, path, line, was }, type }) => ({
        ref,
        relation: type,
        state,
        path,
        line,
        was,
      })),
      ...new Map(others.map((each) => [`${each.relation} ${each.ref}`, each])).values(),
    ];
  };

  return {
    follow,
    notePlaces,
    codeOf,
    /** Call after an entry was stored. Returns its number of links. */
    linkStored: async (entry: Entry): Promise<number> =>
      (await follow()).get(entry.id) ?? linkEntry(entry, []),
    /** Numbers of entries are reused after the newest was forgotten. */
    rewind: async (): Promise<void> => {
      const from = Number((await marks.get('linked')) ?? 0);
      const newest = await chronicle.standing.newest();
      if (newest < from) await marks.set('linked', String(newest));
    },
  };
}

const isChange = (word: unknown): word is Change => changeWords.some((each) => each === word);

/** What the entry is about, and what a decision is based on. */
function aboutEdges(entry: Entry, changes: Map<string, Change>): NewEdge[] {
  const source = refOf('entry', entry.id);
  const by = entry.source;
  const edges = new Map<string, NewEdge>();
  const put = (edge: NewEdge) => edges.set(`${edge.source} ${edge.type} ${edge.target}`, edge);
  for (const target of entry.refs.filter(isRef).map(refText)) {
    const { side, kind } = parseRef(target);
    if (target === source) continue;
    if (side === 'code') {
      const change = kind === 'file' ? changes.get(idOf(target)) : undefined;
      put({ source, target, type: change ?? 'referenced_in', weight: sure.code, by });
      if (entry.category === 'pattern')
        put({ source: target, target: source, type: 'implements_pattern', weight: sure.pattern, by });
    } else if (kind === 'topic' || kind === 'library') {
      const type = entry.category === 'decision' ? 'based_on' : 'references';
      put({ source, target, type, weight: sure.research, by });
    } else put({ source, target, type: 'references', weight: sure.code, by });
  }
  for (const target of entry.derived_from.filter(isRef).map(refText))
    if (target !== source) put({ source, target, type: 'based_on', weight: sure.research, by });
  // A finished task did what its session did; any other summary only what it names.
  if (entry.summary_type === 'task_completion')
    for (const [path, type] of changes)
      if (isRef(fileRef(path))) put({ source, target: fileRef(path), type, weight: sure.code, by });
  return [...edges.values()];
}

/** The session that produced it, and the task it is the outcome of. */
function originEdges(entry: Entry): NewEdge[] {
  const ref = refOf('entry', entry.id);
  const task = entry.metadata['task_id'];
  const edges: NewEdge[] = [
    { source: ref, target: refOf('session', entry.session_id), type: 'produced_by', by: entry.source },
  ];
  if (typeof task === 'string' && isRef(refOf('task', task)))
    edges.push({ source: refOf('task', task), target: ref, type: 'resulted_in', by: entry.source });
  return edges;
}

const kindByCategory: Record<string, NodeKind> = {
  decision: 'decision',
  pattern: 'pattern',
  failure: 'failure',
  architect_workflow: 'workflow',
};

const nodeOf = (entry: Entry): NodeFacts => ({
  ref: refOf('entry', entry.id),
  kind: entry.summary_type === 'bug_fix' ? 'outcome' : (kindByCategory[entry.category] ?? 'entry'),
  content_hash: createHash('sha256').update(`${entry.title}\n${entry.content}`).digest('hex').slice(0, 16),
});

const symbolKinds = new Map<string, NodeKind>([
  ['constructor', 'method'],
  ['trait', 'interface'],
  ['enum', 'type'],
  ['field', 'variable'],
]);
const plainKinds: NodeKind[] = [
  'function',
  'method',
  'class',
  'struct',
  'interface',
  'type',
  'variable',
  'constant',
  'file',
];
const kindOf = (kind = ''): NodeKind | undefined =>
  plainKinds.find((each) => each === kind) ?? symbolKinds.get(kind);

const typeBySide = { code: 'code', history: 'history', knowledge: 'academic' } as const;

const sourceOf = (ref: string): Source => ({
  type: typeBySide[parseRef(ref).side],
  ref,
  confidence: sure.code,
});
