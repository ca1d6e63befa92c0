import { fileRef, idOf, isRefOf, refOf } from '../../base/ref.ts';
import type { CodeStore, SymbolRecord } from '../../stores/code/index.ts';
import {
  commitRecord,
  findCommit,
  type History,
  type HistoryView,
  relatedFiles,
} from '../../stores/history/index.ts';
import { kindOfFile, trustOf } from '../recall/index.ts';
import type { NeighbourhoodContext, NeighbourSource } from './around.ts';
import type { LinkRecord, NodeRecord } from './node.ts';

/** Files, symbols and commits, from the code and git. */

/** By the only table of trust levels. */
export const trusted = (facts: Parameters<typeof trustOf>[0]): { trust: number; trust_name: string } => {
  const { shown, name } = trustOf(facts);
  return { trust: shown, trust_name: name };
};

const pathsOf = (refs: readonly string[]): string[] => refs.filter((ref) => isRefOf(ref, 'file')).map(idOf);
const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';
const viewOf =
  ({ history }: Pick<NeighbourhoodContext, 'history'>) =>
  async () =>
    (await (await history()).ready({ waitMs: 0 })).view;

export function fileSource(context: Pick<NeighbourhoodContext, 'code' | 'history'>): NeighbourSource {
  const view = viewOf(context);
  const importsOf = cachedImports(context);
  return {
    kinds: ['file'],
    links: async (refs, { most }) => {
      const paths = pathsOf(refs);
      if (paths.length === 0) return [];
      const [imports, history, known] = [await importsOf(), await context.history(), await view()];
      return paths.flatMap((path) => [
        ...(imports.from.get(path) ?? []).slice(0, most).map((to) => importLink(path, to)),
        ...(imports.to.get(path) ?? []).slice(0, most).map((from) => importLink(from, path)),
        ...together(history, known, path, most),
      ]);
    },
    describe: async (refs) => {
      const known = await view();
      const lines = new Map((await context.code()).files().map((file) => [file.path, file]));
      return pathsOf(refs).flatMap((path): NodeRecord[] => {
        const id = known.find(path);
        const file = lines.get(path);
        if (id === undefined && !file) return [];
        const story = id === undefined ? [] : known.commitsOf(id);
        const last = story.length > 0 ? commitRecord(known, story.at(-1)!) : undefined;
        const alive = id === undefined || known.isAlive(id);
        return [
          {
            ref: fileRef(path),
            kind: 'file',
            title: path,
            detail: [file && `${file.language}, ${file.lines} lines`, `${story.length} commits`]
              .filter(Boolean)
              .join(', '),
            ...trusted({ kind: kindOfFile(path) }),
            state: alive ? 'current' : 'gone',
            state_reason: alive ? 'read from the working tree' : 'deleted; its history is available',
            provenance: last
              ? `${last.author} in ${last.commit.slice(0, 10)}: ${firstLine(last.message)}`
              : 'not committed yet',
            updated: last?.timestamp ?? null,
          },
        ];
      });
    },
  };
}

const importLink = (from: string, to: string): LinkRecord => ({
  source: fileRef(from),
  target: fileRef(to),
  type: 'imports',
  weight: 0.6,
  reason: `${from} imports ${to}`,
});

function together(history: History, view: HistoryView, path: string, most: number): LinkRecord[] {
  const id = view.find(path);
  if (id === undefined) return [];
  return relatedFiles(history, view, id)
    .filter((row) => view.isAlive(row.path))
    .slice(0, most)
    .map((row) => {
      const [source, target] = [path, row.name].sort() as [string, string];
      return {
        source: fileRef(source),
        target: fileRef(target),
        type: 'changes_with',
        weight: Math.round(row.jaccard * 1000) / 1000,
        reason: `${row.count} commits changed both`,
      };
    });
}

/** Which file imports which, read once per state of the code. */
function cachedImports({ code }: Pick<NeighbourhoodContext, 'code'>) {
  let cached: { generation: number; from: Map<string, string[]>; to: Map<string, string[]> } | undefined;
  return async () => {
    const store = await code();
    const generation = store.generation();
    if (cached?.generation === generation) return cached;
    cached = { generation, from: new Map(), to: new Map() };
    for (const { from, to } of store.imports().links) {
      cached.from.set(from, [...(cached.from.get(from) ?? []), to]);
      cached.to.set(to, [...(cached.to.get(to) ?? []), from]);
    }
    return cached;
  };
}

export function symbolSource({ code }: Pick<NeighbourhoodContext, 'code'>): NeighbourSource {
  const found = (store: CodeStore, refs: readonly string[]): SymbolRecord[] =>
    refs
      .filter((ref) => isRefOf(ref, 'symbol'))
      .flatMap((ref) => store.find(ref).filter((symbol) => symbol.ref === ref));
  const declared = (symbol: SymbolRecord): LinkRecord => ({
    source: fileRef(symbol.path),
    target: symbol.ref,
    type: 'declares',
    weight: 0.9,
    reason: `declared in line ${symbol.line}`,
  });
  return {
    kinds: ['symbol'],
    links: async (refs, { wanted, most }) => {
      if (!wanted.has('symbol')) return [];
      const store = await code();
      const ofFiles = pathsOf(refs).flatMap((path) => store.fileSymbols(path).slice(0, most).map(declared));
      const ofSymbols = found(store, refs).flatMap((symbol) => [
        declared(symbol),
        ...(['out', 'in'] as const).flatMap((direction) =>
          store.linked(symbol, { direction, depth: 1, limit: most }).map((other): LinkRecord => {
            const [source, target] = direction === 'out' ? [symbol, other] : [other, symbol];
            return {
              source: source.ref,
              target: target.ref,
              type: other.edge,
              weight: other.confidence,
              reason: `${source.name} ${other.edge} ${target.name}`,
            };
          }),
        ),
      ]);
      return [...ofFiles, ...ofSymbols];
    },
    describe: async (refs) =>
      found(await code(), refs).map((symbol) => ({
        ref: symbol.ref,
        kind: 'symbol',
        title: symbol.qualified || symbol.name,
        detail: symbol.signature || symbol.kind,
        ...trusted({ kind: 'code' }),
        state: 'current',
        state_reason: 'read from the working tree',
        provenance: `${symbol.path}:${symbol.line}`,
        updated: null,
      })),
  };
}

export function commitSource(context: Pick<NeighbourhoodContext, 'history'>): NeighbourSource {
  const view = viewOf(context);
  return {
    kinds: ['commit'],
    links: async (refs, { wanted, most }) => {
      if (!wanted.has('commit')) return [];
      const known = await view();
      return pathsOf(refs).flatMap((path) => {
        const id = known.find(path);
        const story = id === undefined ? [] : known.commitsOf(id).slice(-Math.min(most, 8));
        return story.map((commit): LinkRecord => {
          const { commit: sha, message } = commitRecord(known, commit);
          return {
            source: refOf('commit', sha),
            target: fileRef(path),
            type: 'changed',
            weight: 0.4,
            reason: firstLine(message),
          };
        });
      });
    },
    describe: async (refs) => {
      const known = await view();
      return refs.flatMap((ref): NodeRecord[] => {
        try {
          const { commit, message, author, timestamp } = commitRecord(known, findCommit(known, idOf(ref)));
          return [
            {
              ref,
              kind: 'commit',
              title: firstLine(message),
              detail: commit.slice(0, 10),
              ...trusted({ kind: 'commit' }),
              state: 'current',
              state_reason: 'a record of the past',
              provenance: author,
              updated: timestamp,
            },
          ];
        } catch {
          return [];
        }
      });
    },
  };
}
