import { closest } from '../../base/closest.ts';
import { byCodePoint } from '../../base/code-point-order.ts';
import { SylkError } from '../../base/errors.ts';
import { isRefOf, parseCodeRef } from '../../base/ref.ts';
import type { Sqlite } from '../../base/sqlite/index.ts';
import { fromSymbols, type SymbolRow, visibleIn } from './visible.ts';

/**
 * Everything that a ref, a path, a qualified name (`Outer.inner`, `pkg/auth.Login`, `A::b`) or a bare name can mean,
 * the most likely first.
 */
export function findSymbols(sqlite: Sqlite, view: number, asked: string): SymbolRow[] {
  const text = asked.trim();
  const parsed = parseCodeRef(text);
  if (parsed) {
    const exact = byPathAndKey(sqlite, view, parsed.path, parsed.key);
    if (exact.length > 0 || isRefOf(text, 'symbol') || isRefOf(text, 'file')) return exact;
  }
  const file = byPathAndKey(sqlite, view, text.replace(/^\.\//, ''), '');
  if (file.length > 0) return file;
  const parts = text.split(/::|[.#/\\]+/).filter(Boolean);
  const name = parts.at(-1)?.replace(/\(\)$/, '');
  if (!name) return [];
  const rows = sqlite.all<SymbolRow>(
    `${fromSymbols} WHERE s.name = ? AND ${visibleIn(view)} LIMIT 400`,
    name,
  );
  const lead = parts.slice(0, -1);
  const fitting = rows.filter((row) => lead.length === 0 || fits(row, lead));
  const found = fitting.length > 0 || lead.length > 0 ? fitting : anyCase(sqlite, view, name);
  return found.sort(
    (a, b) => likeliness(b) - likeliness(a) || byCodePoint(a.path, b.path) || a.start - b.start,
  );
}

/** The intended symbol, or an error with suggestions. */
export function requireSymbol(sqlite: Sqlite, view: number, asked: string): [SymbolRow, ...SymbolRow[]] {
  const [first, ...more] = findSymbols(sqlite, view, asked);
  if (first) return [first, ...more];
  const tail = asked.split(/::|[.#/\\]+/).at(-1) ?? asked;
  const names = sqlite.column<string>(
    `SELECT DISTINCT s.name FROM code_symbols s JOIN code_files f ON f.id = s.file WHERE s.name LIKE ? AND ${visibleIn(view)} LIMIT 2000`,
    `${tail.slice(0, 2).replace(/[%_\\]/g, '')}%`,
  );
  const near = closest(tail, names);
  throw new SylkError('NOT_FOUND', `Unknown symbol ${JSON.stringify(asked.slice(0, 160))}.`, {
    hint: near
      ? `Did you mean ${near}? Run \`sylk code WORDS\` to search symbols.`
      : 'Run `sylk code WORDS` to search symbols, or `sylk index` to read new files.',
  });
}

const byPathAndKey = (sqlite: Sqlite, view: number, path: string, key: string): SymbolRow[] =>
  sqlite.all<SymbolRow>(`${fromSymbols} WHERE f.path = ? AND s.key = ? AND ${visibleIn(view)}`, path, key);

const anyCase = (sqlite: Sqlite, view: number, name: string): SymbolRow[] =>
  sqlite.all<SymbolRow>(
    `${fromSymbols} WHERE s.name LIKE ? ESCAPE '\\' AND ${visibleIn(view)} LIMIT 100`,
    name.replace(/[\\%_]/g, '\\$&'),
  );

/** The words before the name are outer symbols, the package, or the end of the path. */
function fits(row: SymbolRow, lead: string[]): boolean {
  const outer = row.key.split('.').slice(0, -1);
  const place = row.path.replace(/\.[^./]+$/, '').split('/');
  const whole = [
    ...place.filter((part) => part !== 'index' && part !== '__init__' && part !== 'mod'),
    ...outer,
  ];
  const packages = [...row.package.split(/[.\\/]/).filter(Boolean), ...outer];
  const endsWith = (list: string[]) =>
    lead.every((part, index) => list[list.length - lead.length + index] === part);
  return (
    endsWith(outer) || endsWith(whole) || endsWith(packages) || endsWith([...place.slice(0, -1), ...outer])
  );
}

const weights: Record<string, number> = {
  class: 9,
  struct: 9,
  interface: 9,
  function: 8,
  trait: 8,
  type: 7,
  enum: 7,
  method: 6,
  constant: 4,
  module: 4,
  constructor: 3,
  variable: 3,
  field: 2,
  file: 1,
};

/** A method of an interface in Go: others have its body. */
const isPromised = ({ language, kind, signature }: SymbolRow): boolean =>
  language === 'go' && kind === 'method' && !signature.startsWith('func');

/** By what the symbol is and where it stands. */
export function likeliness(row: SymbolRow): number {
  const test = /(?:^|[/_.-])(?:tests?|specs?|__tests__|fixtures?|examples?|docs?)(?:[/_.-]|$)/i.test(row.path)
    ? -20
    : 0;
  const body = row.declaration || isPromised(row) ? -6 : 0;
  return (weights[row.kind] ?? 1) + (row.exported ? 5 : 0) + test + body - row.key.split('.').length;
}
