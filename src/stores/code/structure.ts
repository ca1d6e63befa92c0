import type { Sqlite } from '../../base/sqlite/index.ts';
import { visibleIn } from './visible.ts';

export interface Directory {
  path: string;
  files: number;
  lines: number;
  symbols: number;
  languages: Record<string, number>;
  /** Direct files, for directories at or above the requested depth. */
  entries: string[];
  directories: Directory[];
}

/** Directories with their contents, `depth` levels below `path`. */
export function readStructure(
  sqlite: Sqlite,
  view: number,
  path: string,
  depth: number,
): Directory | undefined {
  const prefix = path === '' || path === '.' ? '' : `${path.replace(/\/+$/, '')}/`;
  const rows = sqlite.all<{ path: string; lines: number; language: string; symbols: number }>(
    `SELECT f.path, f.lines, f.language, (SELECT count(*) - 1 FROM code_symbols s WHERE s.file = f.id) AS symbols
     FROM code_files f WHERE ${visibleIn(view)} AND f.path >= ? AND f.path < ? ORDER BY f.path`,
    prefix,
    prefix === '' ? '\u{10ffff}' : `${prefix.slice(0, -1)}0`,
  );
  if (rows.length === 0) return undefined;
  const make = (at: string): Directory => ({
    path: at,
    files: 0,
    lines: 0,
    symbols: 0,
    languages: {},
    entries: [],
    directories: [],
  });
  const root = make(prefix.replace(/\/$/, '') || '.');
  for (const row of rows) {
    const parts = row.path.slice(prefix.length).split('/');
    let here = root;
    count(here, row);
    for (let level = 0; level < parts.length - 1 && level < depth; level++) {
      const at = prefix + parts.slice(0, level + 1).join('/');
      let next = here.directories.at(-1);
      if (next?.path !== at) {
        next = here.directories.find((one) => one.path === at) ?? make(at);
        if (!here.directories.includes(next)) here.directories.push(next);
      }
      here = next;
      count(here, row);
    }
    if (
      parts.length - 1 <= depth &&
      here.path === (prefix + parts.slice(0, -1).join('/') || '.').replace(/\/$/, '')
    )
      here.entries.push(row.path.slice(row.path.lastIndexOf('/') + 1));
  }
  return root;
}

function count(directory: Directory, row: { lines: number; language: string; symbols: number }): void {
  directory.files++;
  directory.lines += row.lines;
  directory.symbols += row.symbols;
  directory.languages[row.language] = (directory.languages[row.language] ?? 0) + 1;
}
