import type { Sqlite } from '../../base/sqlite/index.ts';
import { unpackEdges } from './edge.ts';
import { visibleIn } from './visible.ts';

export interface FileLink {
  from: string;
  to: string;
}

export interface ImportGraph {
  links: FileLink[];
  /** Modules that are not of this repository → the files that import them. */
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
  const uses = JSON.parse(unresolved || '[]') as Array<[number, string, number, string]>;
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

/** Files of the base that the view has its own version of: links of unchanged files still name the base's. */
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

/** Groups of files that import each other in a circle, largest first. */
export function importCycles(links: FileLink[]): string[][] {
  const next = new Map<string, string[]>();
  for (const { from, to } of links) next.set(from, [...(next.get(from) ?? []), to]);
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const open: string[] = [];
  const isOpen = new Set<string>();
  const cycles: string[][] = [];
  for (const start of next.keys()) {
    if (order.has(start)) continue;
    // Tarjan's walk with its own stack: import chains can be deeper than the call stack.
    const work: Array<{ node: string; at: number }> = [{ node: start, at: 0 }];
    while (work.length > 0) {
      const here = work.at(-1)!;
      if (here.at === 0) {
        order.set(here.node, order.size);
        low.set(here.node, order.get(here.node)!);
        open.push(here.node);
        isOpen.add(here.node);
      }
      const to = next.get(here.node)?.[here.at++];
      if (to !== undefined) {
        if (!order.has(to)) work.push({ node: to, at: 0 });
        else if (isOpen.has(to)) low.set(here.node, Math.min(low.get(here.node)!, order.get(to)!));
        continue;
      }
      work.pop();
      const above = work.at(-1)?.node;
      if (above) low.set(above, Math.min(low.get(above)!, low.get(here.node)!));
      if (low.get(here.node) !== order.get(here.node)) continue;
      const group = open.splice(open.lastIndexOf(here.node));
      for (const one of group) isOpen.delete(one);
      if (group.length > 1) cycles.push(group.sort());
    }
  }
  return cycles.sort((a, b) => b.length - a.length || (a[0]! < b[0]! ? -1 : 1));
}
