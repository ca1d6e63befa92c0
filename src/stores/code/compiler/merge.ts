import type { Sqlite } from '../../../base/sqlite/index.ts';
import { type Edge, packEdges, unpackEdges } from '../edge.ts';
import type { LinkedFile } from '../link/link-file.ts';
import type { UnresolvedUse } from '../neighbours.ts';

/** Links that the compiler does not make anew. */
const kept = new Set<Edge['kind']>(['imports', 'returns', 'receives']);

/**
 * A file that the compiler has read drops its own links for the compiler's; any other file stays as it is. A row that `adds`
 * has only links of calls that nothing else could follow, and lists these as `[line, name]`.
 */
export function mergeCompiled(sqlite: Sqlite, file: number, linked: LinkedFile): LinkedFile {
  const compiled = sqlite.get<{ edges: Uint8Array; unresolved: string; targets: string; adds: number }>(
    `SELECT c.edges, c.unresolved, c.targets, c.adds FROM code_compiled c JOIN code_files f ON f.id = c.file AND f.hash = c.hash
     WHERE c.file = ?`,
    file,
  );
  if (!compiled) return linked;
  const targets: number[] = JSON.parse(compiled.targets);
  const consulted = [...new Set([...linked.consulted, ...targets])];
  if (compiled.adds)
    return {
      edges: packEdges([
        ...[...unpackEdges(linked.edges)].filter((edge) => edge.known !== 'compiler'),
        ...unpackEdges(compiled.edges),
      ]),
      unresolved: withoutAnswered(linked.unresolved, compiled.unresolved),
      consulted,
      lookups: linked.lookups,
    };
  const own = [...unpackEdges(linked.edges)].filter((edge) => kept.has(edge.kind));
  const inHead = new Set(
    own.filter((edge) => edge.kind !== 'imports').map((edge) => `${edge.source} ${edge.target}`),
  );
  const theirs = [...unpackEdges(compiled.edges)].filter(
    (edge) => edge.kind !== 'references' || !inHead.has(`${edge.source} ${edge.target}`),
  );
  return {
    edges: packEdges([...own, ...theirs]),
    unresolved: withImports(linked.unresolved, compiled.unresolved),
    consulted,
    lookups: linked.lookups,
  };
}

function withoutAnswered(own: string, answered: string): string {
  const pairs: Array<[line: number, name: string]> = JSON.parse(answered || '[]');
  const known = new Set(pairs.map(([line, name]) => `${line} ${name}`));
  const left = usesIn(own).filter(
    ([, kind, line, path]) => kind !== 'calls' || !known.has(`${line} ${lastName(path)}`),
  );
  return left.length > 0 ? JSON.stringify(left) : '';
}

/** `a.b().c` → c */
export const lastName = (path: string): string => /([^.()[\]]+)$/.exec(path)?.[1] ?? '';

/** The compiler names members of unknown values; which packages a file imports from outside is known by its text. */
function withImports(own: string, theirs: string): string {
  const imports = usesIn(own).filter(([, kind]) => kind === 'imports');
  const all = [...imports, ...usesIn(theirs)];
  return all.length > 0 ? JSON.stringify(all) : '';
}

const usesIn = (text: string): UnresolvedUse[] => JSON.parse(text || '[]');

/** Puts links that the compiler has just made in the place of those that the file had. */
export function applyCompiled(sqlite: Sqlite, file: number): void {
  const before = sqlite.get<{ edges: Uint8Array; unresolved: string }>(
    'SELECT edges, unresolved FROM code_links WHERE file = ? AND view = 0',
    file,
  );
  if (!before) return;
  const merged = mergeCompiled(sqlite, file, { ...before, consulted: [], lookups: '' });
  sqlite.run(
    'UPDATE code_links SET edges = ?, unresolved = ? WHERE file = ? AND view = 0',
    merged.edges,
    merged.unresolved,
    file,
  );
  for (const target of merged.consulted)
    sqlite.run('INSERT OR IGNORE INTO code_consulted (target, source) VALUES (?, ?)', target, file);
}
