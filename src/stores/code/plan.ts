import { join } from 'node:path';
import { system } from '../../base/files/index.ts';
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
  'not readable',
  'parser failed',
  'parsing took too long',
  'overlong lines',
] satisfies SkipReason[]);

/** Skipped by a path rule, which may have changed; skips by content hold until the content changes. */
const isRuledOut = (reason: string | null): boolean => reason !== null && !byContent.has(reason);

interface StoredFile {
  path: string;
  size: number;
  modified: number;
  /** Why it was skipped; null for a file that is indexed. */
  reason: string | null;
}

const storedFiles = `SELECT path, size, modified, reason FROM code_skipped WHERE view = ?1
  UNION ALL SELECT path, size, modified, NULL FROM code_files WHERE view = ?1`;

/** Differences between disk and store. Size and time are checked first; the content decides. */
export function planUpdate(
  sqlite: Sqlite,
  { view, root, scan, named }: { view: number; root: string; scan: Scan; named?: string[] | undefined },
): Plan {
  const rows = named
    ? named.flatMap((path) =>
        sqlite.all<StoredFile>(`SELECT * FROM (${storedFiles}) WHERE path = ?2`, view, path),
      )
    : sqlite.all<StoredFile>(storedFiles, view);
  const stored = new Map(rows.map((row) => [row.path, row]));
  /** The stored record of a file, if unchanged. */
  const takeUnchanged = (file: { path: string; size: number; modified: number }) => {
    const before = stored.get(file.path);
    stored.delete(file.path);
    return before?.size === file.size && before.modified === file.modified ? before : undefined;
  };
  const plan: Plan = { jobs: [], removed: [], skipped: [], unskipped: [] };
  // Read permission changes neither size nor time.
  const isReadableNow = ({ path, reason }: StoredFile) =>
    reason === 'not readable' && system.isReadable(join(root, path));
  for (const file of scan.files) {
    const same = takeUnchanged(file);
    if (!same || isRuledOut(same.reason) || isReadableNow(same)) plan.jobs.push(file);
  }
  for (const one of scan.skipped) {
    if (takeUnchanged(one)?.reason !== one.reason) plan.skipped.push(one);
  }
  for (const [path, before] of stored) (before.reason ? plan.unskipped : plan.removed).push(path);
  return plan;
}
