import { codeRef } from '../../base/ref.ts';
import type { Sqlite } from '../../base/sqlite/index.ts';
import type { SymbolRecord } from './symbol.ts';

/** The condition under which a row of `code_files f` is visible in a view. The view is our own number, never input. */
export const visibleIn = (view: number): string =>
  view === 0
    ? "f.view = 0 AND f.hash <> ''"
    : `f.hash <> '' AND (f.view = ${view} OR (f.view = 0 AND NOT EXISTS
       (SELECT 1 FROM code_files o WHERE o.path = f.path AND o.view = ${view})))`;

export interface SymbolRow {
  id: number;
  kind: SymbolRecord['kind'];
  name: string;
  key: string;
  path: string;
  line: number;
  end_line: number;
  signature: string;
  doc: string;
  exported: number;
  /** 1: a signature without a body. */
  declaration: number;
  language: string;
  package: string;
  file: number;
  parent: number;
  start: number;
  end: number;
}

export const symbolColumns = `s.id, s.kind, s.name, s.key, f.path, s.line, s.end_line, s.signature, s.doc, s.exported, s.declaration, f.language,
  f.package, s.file, s.parent, s.start, s."end"`;

export const fromSymbols = `SELECT ${symbolColumns} FROM code_symbols s JOIN code_files f ON f.id = s.file`;

export function recordOf(row: SymbolRow): SymbolRecord {
  return {
    ref: codeRef(row.path, row.key),
    id: row.id,
    kind: row.kind,
    name: row.name,
    qualified: row.key === '' ? row.path : row.key,
    path: row.path,
    line: row.line,
    end_line: row.end_line,
    signature: row.signature,
    doc: row.doc,
    exported: row.exported === 1,
    language: row.language,
    package: row.package,
  };
}

export const rowById = (sqlite: Sqlite, id: number): SymbolRow | undefined =>
  sqlite.get<SymbolRow>(`${fromSymbols} WHERE s.id = ?`, id);

export function* chunksOf<T>(items: T[], size: number): Generator<T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}
