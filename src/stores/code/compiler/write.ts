import type { Sqlite } from '../../../base/sqlite/index.ts';
import { type Edge, edgeKinds, packEdges } from '../edge.ts';
import type { UnresolvedUse } from '../neighbours.ts';
import { applyCompiled } from './merge.ts';
import type { CompiledFile, CompiledLink } from './protocol.ts';

interface SymbolSpan {
  id: number;
  kind: string;
  name: string;
  parent: number;
  start: number;
  end: number;
}

/** What calls lead to that nothing else could follow. */
export interface FollowedCalls {
  path: string;
  hash: string;
  links: CompiledLink[];
  /** Also those that lead out of the repository. */
  answered: Array<[line: number, name: string]>;
}

/** Stores what the compiler said about one file, if the file is still the one that was indexed. */
export function writeCompiled(
  sqlite: Sqlite,
  compiled: CompiledFile | FollowedCalls,
  known: 'compiler' | 'scip' = 'compiler',
): boolean {
  return sqlite.write(() => {
    const spansByPath = new Map<string, FileSpans | undefined>();
    const spansAt = (path: string) => {
      if (!spansByPath.has(path)) spansByPath.set(path, readSpans(sqlite, path));
      return spansByPath.get(path);
    };
    const own = spansAt(compiled.path);
    if (!own || own.hash !== compiled.hash) return false;
    const edges = new Map<string, Edge>();
    const targets = new Set<number>();
    const put = (source: number, target: number, kind: Edge['kind'], line: number) => {
      if (source === target && kind !== 'calls') return;
      const key = `${source} ${target} ${line} ${kind === 'references' ? '' : kind}`;
      const mention = `${source} ${target} ${line} `;
      if (kind !== 'references') edges.delete(mention);
      else if (edgeKinds.some((other) => edges.has(`${mention}${other}`))) return;
      edges.set(key, { source, target, kind, line, known });
    };
    for (const [at, line, kind, path, name, targetAt] of compiled.links) {
      const file = spansAt(path);
      const target = file && named(file.spans, name, targetAt);
      if (!file || !target) continue;
      const source = innermost(own.spans, at);
      if (file.id !== own.id) targets.add(file.id);
      const made = kind === 'calls' ? constructorOf(file.spans, target) : undefined;
      if (made) put(source ?? own.self, made.id, 'calls', line);
      put(source ?? own.self, target.id, made ? 'references' : kind, line);
    }
    const unresolved =
      'answered' in compiled
        ? compiled.answered
        : compiled.unknown.map(
            ([at, line, name]): UnresolvedUse => [
              innermost(own.spans, at) ?? own.self,
              'calls',
              line,
              `?.${name}`,
            ],
          );
    sqlite.run(
      `INSERT OR REPLACE INTO code_compiled (file, hash, edges, unresolved, targets, stale, adds)
       VALUES (?, ?, ?, ?, ?, 0, ?)`,
      own.id,
      compiled.hash,
      packEdges([...edges.values()]),
      unresolved.length > 0 ? JSON.stringify(unresolved) : '',
      JSON.stringify([...targets]),
      Number('answered' in compiled),
    );
    applyCompiled(sqlite, own.id);
    return true;
  });
}

interface FileSpans {
  id: number;
  hash: string;
  /** The symbol of the file itself. */
  self: number;
  spans: SymbolSpan[];
}

function readSpans(sqlite: Sqlite, path: string): FileSpans | undefined {
  const file = sqlite.get<{ id: number; hash: string }>(
    "SELECT id, hash FROM code_files WHERE path = ? AND view = 0 AND hash <> ''",
    path,
  );
  if (!file) return undefined;
  const all = sqlite.all<SymbolSpan>(
    'SELECT id, kind, name, parent, start, "end" FROM code_symbols WHERE file = ? ORDER BY start, "end" DESC',
    file.id,
  );
  return {
    ...file,
    self: all.find((one) => one.kind === 'file')?.id ?? 0,
    spans: all.filter((one) => one.kind !== 'file'),
  };
}

/** The innermost symbol around a place. */
function innermost(spans: SymbolSpan[], at: number): number | undefined {
  let found: SymbolSpan | undefined;
  for (const span of spans) {
    if (span.start > at) break;
    if (at < span.end) found = span;
  }
  return found?.id;
}

/** The symbol of that name whose declaration stands at the place; names inside the quotes of a key count too. */
function named(spans: SymbolSpan[], name: string, at: number): SymbolSpan | undefined {
  const bare = name.replace(/^["'`#]|["'`]$/g, '');
  return spans.findLast(
    (span) => span.start <= at && at < span.end && (span.name === bare || span.name === name),
  );
}

const constructorOf = (spans: SymbolSpan[], target: SymbolSpan): SymbolSpan | undefined =>
  target.kind === 'class'
    ? spans.find((span) => span.kind === 'constructor' && span.parent === target.id)
    : undefined;
