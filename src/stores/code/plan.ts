import type { Sqlite } from '../../base/sqlite/index.ts';
import type { ParseJob } from './parse-pool.ts';
import type { Scan } from './scan.ts';
import type { SkipReason } from './skip-rules.ts';

export interface Plan {
  jobs: Array<Omit<ParseJob, 'root'>>;
  removed: string[];
  skipped: Scan['skipped'];
  unskipped: string[];
}

const byContent = new Set<string>([
  'binary',
  'generated',
  'minified',
  'no language for it',
  'not readable',
  'parser failed',
  'parsing took too long',
  'unreasonably long lines',
] satisfies SkipReason[]);

/** Left out by a rule about its path, which may have changed; what its content said holds until the content changes. */
const isRuledOut = (reason: string | undefined): boolean => reason !== undefined && !byContent.has(reason);

/** What differs between the disk and the store. Size and time decide; the content has the last word. */
export function planUpdate(sqlite: Sqlite, view: number, scan: Scan, named: string[] | undefined): Plan {
  const known = new Map<string, { size: number; modified: number; reason: string | undefined }>();
  const note = (row: { path: string; size: number; modified: number }, reason?: string) =>
    known.set(row.path, { size: row.size, modified: row.modified, reason });
  if (named) {
    for (const path of named) {
      const file = sqlite.get<{ path: string; size: number; modified: number }>(
        'SELECT path, size, modified FROM code_files WHERE path = ? AND view = ?',
        path,
        view,
      );
      const skip = sqlite.get<{ path: string; size: number; modified: number; reason: string }>(
        'SELECT path, size, modified, reason FROM code_skipped WHERE view = ? AND path = ?',
        view,
        path,
      );
      if (file) note(file);
      else if (skip) note(skip, skip.reason);
    }
  } else {
    for (const row of sqlite.all<{ path: string; size: number; modified: number }>(
      'SELECT path, size, modified FROM code_files WHERE view = ?',
      view,
    ))
      note(row);
    for (const row of sqlite.all<{ path: string; size: number; modified: number; reason: string }>(
      'SELECT path, size, modified, reason FROM code_skipped WHERE view = ?',
      view,
    ))
      note(row, row.reason);
  }
  const plan: Plan = { jobs: [], removed: [], skipped: [], unskipped: [] };
  for (const file of scan.files) {
    const before = known.get(file.path);
    known.delete(file.path);
    if (
      !before ||
      before.size !== file.size ||
      before.modified !== file.modified ||
      isRuledOut(before.reason)
    )
      plan.jobs.push(file);
  }
  for (const one of scan.skipped) {
    const before = known.get(one.path);
    known.delete(one.path);
    if (before?.reason !== one.reason || before.size !== one.size || before.modified !== one.modified)
      plan.skipped.push(one);
  }
  for (const [path, before] of known) (before.reason ? plan.unskipped : plan.removed).push(path);
  return plan;
}
