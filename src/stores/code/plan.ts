import type { Sqlite } from '../../base/sqlite/index.ts';
import type { ParseJob } from './parse-pool.ts';
import type { Scan } from './scan.ts';

export interface Plan {
  jobs: Array<Omit<ParseJob, 'absolute'>>;
  removed: string[];
  skipped: Scan['skipped'];
  unskipped: string[];
}

/** What differs between the disk and the store. Size and time decide; the content has the last word. */
export function planUpdate(sqlite: Sqlite, view: number, scan: Scan, named: string[] | undefined): Plan {
  const known = new Map<string, { size: number; modified: number; skipped: boolean }>();
  const note = (row: { path: string; size: number; modified: number }, skipped: boolean) =>
    known.set(row.path, { size: row.size, modified: row.modified, skipped });
  if (named) {
    for (const path of named) {
      const file = sqlite.get<{ path: string; size: number; modified: number }>(
        'SELECT path, size, modified FROM code_files WHERE path = ? AND view = ?',
        path,
        view,
      );
      const skip = sqlite.get<{ path: string; size: number; modified: number }>(
        'SELECT path, size, modified FROM code_skipped WHERE view = ? AND path = ?',
        view,
        path,
      );
      if (file) note(file, false);
      else if (skip) note(skip, true);
    }
  } else {
    for (const row of sqlite.all<{ path: string; size: number; modified: number }>(
      'SELECT path, size, modified FROM code_files WHERE view = ?',
      view,
    ))
      note(row, false);
    for (const row of sqlite.all<{ path: string; size: number; modified: number }>(
      'SELECT path, size, modified FROM code_skipped WHERE view = ?',
      view,
    ))
      note(row, true);
  }
  const plan: Plan = { jobs: [], removed: [], skipped: [], unskipped: [] };
  for (const file of scan.files) {
    const before = known.get(file.path);
    known.delete(file.path);
    if (!before || before.size !== file.size || before.modified !== file.modified) plan.jobs.push(file);
  }
  for (const one of scan.skipped) {
    const before = known.get(one.path);
    known.delete(one.path);
    if (!before?.skipped || before.size !== one.size || before.modified !== one.modified)
      plan.skipped.push(one);
  }
  for (const [path, before] of known) (before.skipped ? plan.unskipped : plan.removed).push(path);
  return plan;
}
