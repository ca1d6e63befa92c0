import { codeRef } from '../../base/ref.ts';
import type { Sqlite } from '../../base/sqlite/index.ts';
import { splitWords } from '../../base/text/index.ts';
import { unpackEdges } from './edge.ts';
import { fromSymbols, rowById, type SymbolRow, visibleIn } from './visible.ts';

export interface Pattern {
  /**
   * `suffix`: names with the same ending; `prefix`: with the same start; `base`: same supertype; `layout`: files with the
   * same name.
   */
  kind: 'suffix' | 'prefix' | 'base' | 'layout';
  name: string;
  description: string;
  count: number;
  examples: Array<{ ref: string; path: string; line: number }>;
}

const least = 3;

/** Countable conventions: naming, supertypes, file layout. */
export function detectPatterns(sqlite: Sqlite, view: number, prefix: string): Pattern[] {
  const rows = sqlite.all<SymbolRow>(
    `${fromSymbols} WHERE ${visibleIn(view)} AND s.kind IN ('class', 'struct', 'interface', 'function', 'file') AND f.path >= ? AND f.path < ?
     ORDER BY f.path, s.start`,
    prefix,
    prefix === '' ? '\u{10ffff}' : `${prefix}\u{10ffff}`,
  );
  return [...namePatterns(rows), ...layoutPatterns(rows), ...basePatterns(sqlite, view, prefix)].sort(
    (a, b) => b.count - a.count || (a.name < b.name ? -1 : 1),
  );
}

function namePatterns(rows: SymbolRow[]): Pattern[] {
  const groups = new Map<string, SymbolRow[]>();
  const push = (key: string, row: SymbolRow) => groups.set(key, [...(groups.get(key) ?? []), row]);
  for (const row of rows) {
    if (row.kind === 'file') continue;
    const words = splitWords(row.name);
    if (words.length < 2) continue;
    if (row.kind === 'function') push(`prefix ${words[0]}`, row);
    else push(`suffix ${words.at(-1)}`, row);
  }
  return [...groups].flatMap(([key, members]) => {
    const [start = '', word = ''] = key.split(' ');
    const kind = start === 'suffix' ? 'suffix' : 'prefix';
    if (members.length < least) return [];
    const name = kind === 'suffix' ? `*${word.slice(0, 1).toUpperCase()}${word.slice(1)}` : `${word}*`;
    const what = kind === 'suffix' ? 'types' : 'functions';
    return [
      {
        kind,
        name,
        description: `${members.length} ${what} are named ${name}`,
        count: members.length,
        examples: examplesOf(members),
      },
    ];
  });
}

function layoutPatterns(rows: SymbolRow[]): Pattern[] {
  const groups = new Map<string, SymbolRow[]>();
  for (const row of rows) {
    const ending =
      row.kind === 'file' ? /^[^.]+(\.[a-z]+\.[a-z]+|_test\.\w+|_spec\.\w+)$|^(test_)/i.exec(row.name) : null;
    const key = ending?.[1] ?? ending?.[2];
    if (key) groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups].flatMap(([ending, members]) => {
    if (members.length < least) return [];
    const name = ending === 'test_' ? 'test_*' : `*${ending}`;
    return [
      {
        kind: 'layout' as const,
        name,
        description: `${members.length} files are named ${name}`,
        count: members.length,
        examples: examplesOf(members),
      },
    ];
  });
}

function basePatterns(sqlite: Sqlite, view: number, prefix: string): Pattern[] {
  const users = new Map<number, number[]>();
  for (const row of sqlite.all<{ edges: Uint8Array }>(
    `SELECT l.edges FROM code_files f JOIN code_links l ON l.file = f.id WHERE ${visibleIn(view)} AND l.view IN (0, ?)
     AND f.path >= ? AND f.path < ?`,
    view,
    prefix,
    prefix === '' ? '\u{10ffff}' : `${prefix}\u{10ffff}`,
  ))
    for (const edge of unpackEdges(row.edges))
      if (edge.kind === 'extends' || edge.kind === 'implements')
        users.set(edge.target, [...(users.get(edge.target) ?? []), edge.source]);
  return [...users].flatMap(([target, sources]) => {
    const base = sources.length >= least ? rowById(sqlite, target) : undefined;
    if (!base) return [];
    const members = sources.slice(0, 5).flatMap((id) => rowById(sqlite, id) ?? []);
    return [
      {
        kind: 'base' as const,
        name: base.name,
        description: `${sources.length} types extend ${base.name} (${base.path})`,
        count: sources.length,
        examples: examplesOf(members),
      },
    ];
  });
}

const examplesOf = (rows: SymbolRow[]): Pattern['examples'] =>
  rows.slice(0, 5).map((row) => ({ ref: codeRef(row.path, row.key), path: row.path, line: row.line }));
