import type { Sqlite } from '../../base/sqlite/index.ts';
import { updateBase } from './base.ts';
import { syncOverlay } from './overlay.ts';
import { emptyReport, type IngestPlace, type UpdateOptions, type UpdateReport } from './update.ts';
import { findView, viewOf } from './views.ts';

/** Updates the index: the base first, then, in a linked worktree, the differences. */
export async function updateCode(place: IngestPlace, options: UpdateOptions = {}): Promise<UpdateReport> {
  const { sqlite } = place;
  if (options.rebuild) clearAll(sqlite);
  let report = emptyReport();
  if (!place.bareMain) {
    const base = viewOf(sqlite, place.mainRoot, 0);
    const paths = place.linkedWorktree ? undefined : options.paths;
    report = await updateBase(place, base, { ...options, paths });
  }
  if (place.linkedWorktree) report = await syncOverlay(place, options);
  const view = place.linkedWorktree ? (findView(sqlite, place.root)?.id ?? 0) : 0;
  return { ...report, ...counts(sqlite, view) };
}

function clearAll(sqlite: Sqlite): void {
  sqlite.write(() => {
    for (const table of [
      'files',
      'symbols',
      'facts',
      'links',
      'compiled',
      'consulted',
      'seen',
      'skipped',
      'views',
    ])
      sqlite.exec(`DELETE FROM code_${table}`);
    for (const table of ['words', 'lookups'])
      sqlite.exec(`INSERT INTO code_${table} (code_${table}) VALUES ('delete-all')`);
  });
}

function counts(sqlite: Sqlite, view: number): Pick<UpdateReport, 'files' | 'skipped' | 'problems'> {
  const visible = sqlite.value<number>(
    `SELECT count(*) FROM code_files f WHERE hash <> '' AND (view = ?1 OR (view = 0 AND NOT EXISTS
     (SELECT 1 FROM code_files o WHERE o.path = f.path AND o.view = ?1 AND ?1 <> 0)))`,
    view,
  );
  const rows = sqlite.all<{ reason: string; n: number }>(
    'SELECT reason, count(*) AS n FROM code_skipped WHERE view = ? GROUP BY reason ORDER BY n DESC',
    view,
  );
  const problems = sqlite.all<{ path: string; reason: string }>(
    `SELECT path, reason FROM code_skipped WHERE view = ? AND reason IN ('not readable', 'parser failed', 'parsing took too long',
     'name is not UTF-8') ORDER BY path LIMIT 100`,
    view,
  );
  return {
    files: visible ?? 0,
    skipped: Object.fromEntries(rows.map((row) => [row.reason, row.n])),
    problems,
  };
}
