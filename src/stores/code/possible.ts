import type { Sqlite } from '../../base/sqlite/index.ts';
import { family } from './link/value.ts';
import { confidenceOf } from './link-confidence.ts';
import type { UnresolvedUse } from './neighbours.ts';
import { rowById, type SymbolRow, visibleIn } from './visible.ts';

/** A call by the same name on something whose type is unknown. */
export interface PossibleUse {
  path: string;
  line: number;
  /** The symbol that the call is written in. */
  name: string;
  confidence: number;
}

interface Row {
  unresolved: string;
  path: string;
  language: string;
}

/** Calls that lead nowhere and end in the symbol's name: each may mean it, and nothing says so. */
export function possibleUses(sqlite: Sqlite, view: number, symbol: SymbolRow): PossibleUse[] {
  if (symbol.kind === 'file') return [];
  const rows = sqlite.all<Row>(
    `SELECT l.unresolved, f.path, f.language FROM code_links l JOIN code_files f ON f.id = l.file
     WHERE instr(l.unresolved, ?) > 0 AND ${visibleIn(view)} AND l.view = (SELECT max(v.view) FROM code_links v
       WHERE v.file = l.file AND v.view IN (0, ?)) ORDER BY f.path`,
    `${symbol.name}"`,
    view,
  );
  const found: PossibleUse[] = [];
  const lastName = /([^.()[\]]+)$/;
  for (const { unresolved, path, language } of rows) {
    if (family(language) !== family(symbol.language)) continue;
    const uses: UnresolvedUse[] = JSON.parse(unresolved);
    for (const [source, kind, line, use] of uses)
      if (kind === 'calls' && lastName.exec(use)?.[1] === symbol.name)
        found.push({
          path,
          line,
          name: rowById(sqlite, source)?.name ?? path,
          confidence: confidenceOf(language, 'possible'),
        });
  }
  return found;
}
