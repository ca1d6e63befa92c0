import type { Sqlite } from '../../base/sqlite/index.ts';
import { unpackEdges } from './edge.ts';
import type { UnresolvedUse } from './neighbours.ts';
import { visibleIn } from './visible.ts';

export interface FileLink {
  from: string;
  to: string;
}

export interface ImportGraph {
  links: FileLink[];
  /** External modules → the files that import them. */
  outside: Map<string, string[]>;
}

/** Which file imports which, in one pass over all links. */
export function importGraph(sqlite: Sqlite, view: number, prefix = ''): ImportGraph {
  const paths = new Map<number, string>();
  for (const row of sqlite.all<{ id: number; path: string }>(
    `SELECT s.id, f.path FROM code_symbols s JOIN code_files f ON f.id = s.file WHERE s.kind = 'file' AND ${visibleIn(view)}`,
  ))
    paths.set(row.id, row.path);
  const twins = view === 0 ? new Map<number, string>() : hiddenTwins(sqlite, view);
  const graph: ImportGraph = { links: [], outside: new Map() };
  for (const row of visibleLinks(sqlite, view)) {
    if (!row.path.startsWith(prefix)) continue;
    const seen = new Set<string>();
    for (const edge of unpackEdges(row.edges)) {
      const to = paths.get(edge.target) ?? twins.get(edge.target);
      if (edge.kind !== 'imports' || !to || to === row.path || seen.has(to)) continue;
      seen.add(to);
      graph.links.push({ from: row.path, to });
    }
    for (const module of outsideModules(row))
      graph.outside.set(module, [...(graph.outside.get(module) ?? []), row.path]);
  }
  return graph;
}

interface LinkRow {
  path: string;
  language: string;
  edges: Uint8Array;
  unresolved: string;
}

function outsideModules({ unresolved, language }: LinkRow): string[] {
  const uses: UnresolvedUse[] = JSON.parse(unresolved || '[]');
  return uses.flatMap(([, kind, , name]) => {
    const module = kind === 'imports' ? packageName(name.replace(/#.*/s, ''), language) : undefined;
    return module ? [module] : [];
  });
}

const visibleLinks = (sqlite: Sqlite, view: number): LinkRow[] =>
  sqlite.all<LinkRow>(
    `SELECT f.path, f.language, l.edges, l.unresolved FROM code_files f JOIN code_links l ON l.file = f.id
     WHERE ${visibleIn(view)} AND l.view = (SELECT max(m.view) FROM code_links m WHERE m.file = f.id AND m.view IN (0, ?))
     ORDER BY f.path`,
    view,
  );

/** Files of the base that the view overrides: links of unchanged files still name the base's. */
const hiddenTwins = (sqlite: Sqlite, view: number): Map<number, string> =>
  new Map(
    sqlite
      .all<{ id: number; path: string }>(
        `SELECT s.id, f.path FROM code_symbols s JOIN code_files f ON f.id = s.file JOIN code_files o ON o.path = f.path
         WHERE s.kind = 'file' AND f.view = 0 AND o.view = ? AND o.hash <> ''`,
        view,
      )
      .map((row) => [row.id, row.path]),
  );

/** `lodash/fp` → lodash, `@scope/a/b` → @scope/a, `os.path` → os. */
function packageName(module: string, language: string): string | undefined {
  if (module.startsWith('.') || module === '') return undefined;
  if (language === 'python') return module.split('.')[0];
  if (language === 'rust') return module.split('::')[0];
  if (language === 'typescript' || language === 'tsx' || language === 'javascript')
    return module.startsWith('@') ? module.split('/', 2).join('/') : module.split('/', 1)[0];
  return module;
}

interface Visit {
  path: string;
  order: number;
  /** The earliest file that this one leads back to. */
  low: number;
  isOpen: boolean;
  left: string[];
}

/** Groups of files that import each other in a cycle, largest first. */
export function importCycles(links: FileLink[]): string[][] {
  const next = Map.groupBy(links, ({ from }) => from);
  const visits = new Map<string, Visit>();
  const open: Visit[] = [];
  const cycles: string[][] = [];
  const visit = (path: string): Visit => {
    const left = (next.get(path) ?? []).map(({ to }) => to).reverse();
    const made = { path, order: visits.size, low: visits.size, isOpen: true, left };
    visits.set(path, made);
    open.push(made);
    return made;
  };
  for (const start of next.keys()) {
    // Tarjan's algorithm with its own stack: import chains can be deeper than the call stack.
    const work = visits.has(start) ? [] : [visit(start)];
    for (let here = work.at(-1); here; here = work.at(-1)) {
      const to = here.left.pop();
      if (to !== undefined) {
        const known = visits.get(to);
        if (!known) work.push(visit(to));
        else if (known.isOpen) here.low = Math.min(here.low, known.order);
        continue;
      }
      work.pop();
      const above = work.at(-1);
      if (above) above.low = Math.min(above.low, here.low);
      if (here.low !== here.order) continue;
      const group = open.splice(open.lastIndexOf(here));
      for (const one of group) one.isOpen = false;
      if (group.length > 1) cycles.push(group.map(({ path }) => path).sort());
    }
  }
  return cycles.sort((a, b) => b.length - a.length || ((a[0] ?? '') < (b[0] ?? '') ? -1 : 1));
}
