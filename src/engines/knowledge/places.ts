import { codeRef, fileRef, idOf, parseCodeRef } from '../../base/ref.ts';
import type { CodeStore, SymbolRecord } from '../../stores/code/index.ts';
import type { Place } from '../../stores/graph/index.ts';
import { type HistoryView, nameNow, namesEver } from '../../stores/history/index.ts';
import type { KnowledgeContext } from './context.ts';

/** The current place of something in the code. */
export interface Standing {
  /** The current ref; the requested one if it was deleted. */
  ref: string;
  state: 'current' | 'moved' | 'lost';
  path: string;
  name?: string | undefined;
  kind?: string | undefined;
  line?: number | undefined;
  end_line?: number | undefined;
}

const isCodeRef = /^(?:file|symbol):/;

/** `symbol:a.ts#b.c` → a.ts and b.c; `file:a.ts` → a.ts. */
export const splitCodeRef = (ref: string): { path: string; key: string } =>
  parseCodeRef(ref) ?? { path: idOf(ref), key: '' };

/**
 * Links store names, and names change. Each read resolves the current and the earlier names through the history of the
 * file; a deleted item is shown with its last place.
 */
export function createPlaces({ code, history, graph }: Pick<KnowledgeContext, 'code' | 'history' | 'graph'>) {
  /** Without a readable history renames are unknown, and names are used as they are. */
  const historyView = async (): Promise<HistoryView | undefined> => {
    try {
      return (await (await history()).ready({ waitMs: 2000 })).view;
    } catch {
      return undefined;
    }
  };

  const now = async (refs: string[]): Promise<Map<string, Standing>> => {
    const asked = [...new Set(refs)].filter((ref) => isCodeRef.test(ref));
    if (asked.length === 0) return new Map();
    const store = await code();
    const missing: string[] = [];
    const found = new Map<string, Standing>();
    for (const ref of asked) {
      const symbol = store.find(ref)[0];
      if (symbol) found.set(ref, standingOf(symbol, 'current'));
      else missing.push(ref);
    }
    if (missing.length === 0) return found;
    const view = await historyView();
    const nodes = await graph.nodesOf(missing);
    for (const ref of missing) found.set(ref, healed(store, view, ref) ?? lost(ref, nodes.get(ref)?.place));
    return found;
  };

  /** The refs under which the same item may be linked: its current and earlier names. */
  const names = async (refs: string[]): Promise<string[]> => {
    const asked = refs.filter((ref) => isCodeRef.test(ref));
    const view = asked.length > 0 ? await historyView() : undefined;
    if (!view) return refs;
    const known = namesEver(view, [...new Set(asked.map((ref) => splitCodeRef(ref).path))]);
    const all = new Set(refs);
    for (const ref of asked) {
      const { path, key } = splitCodeRef(ref);
      for (const name of known.get(path) ?? []) all.add(codeRef(name, key));
    }
    return [...all];
  };

  return { now, names, historyView };
}

export type Places = ReturnType<typeof createPlaces>;

function standingOf(symbol: SymbolRecord, state: 'current' | 'moved'): Standing {
  const { ref, path, kind, qualified, line, end_line } = symbol;
  return kind === 'file'
    ? { ref, state, path, name: path, kind }
    : { ref, state, path, name: qualified, kind, line, end_line };
}

function healed(store: CodeStore, view: HistoryView | undefined, ref: string): Standing | undefined {
  const { path, key } = splitCodeRef(ref);
  const current = view ? nameNow(view, path) : undefined;
  if (current === undefined) return undefined;
  const state = current === path ? 'current' : 'moved';
  if (key === '') return { ref: fileRef(current), state, path: current, name: current, kind: 'file' };
  const same = store.find(codeRef(current, key))[0];
  if (same) return standingOf(same, state);
  // Wrapped into a class, or moved out of one: the file has one symbol of that name left.
  const name = key.replace(/~\d+$/, '').split('.').at(-1)!;
  const alike = store.fileSymbols(current).filter((symbol) => symbol.name === name);
  return alike.length === 1 ? standingOf(alike[0]!, 'moved') : undefined;
}

function lost(ref: string, place: Place | undefined): Standing {
  const { path, key } = splitCodeRef(ref);
  return {
    ref,
    state: 'lost',
    path: place?.path ?? path,
    name: place?.name ?? (key || path),
    line: place?.line === undefined ? undefined : place.line,
    end_line: place?.end_line === undefined ? undefined : place.end_line,
  };
}
