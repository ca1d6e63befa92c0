import type { Clock } from '../../base/clock.ts';
import type { Git } from '../../base/git/index.ts';
import type { Sqlite } from '../../base/sqlite/index.ts';
import type { ParsePoolOptions } from './parse-pool.ts';
import type { ScanSettings } from './scan.ts';

export interface UpdateOptions {
  /** Only these paths, from a watcher; otherwise everything is scanned. */
  paths?: string[] | undefined;
  /** Deletes the existing index first. */
  rebuild?: boolean;
  signal?: AbortSignal;
  progress?: (event: { done: number; total: number; message: string }) => void;
}

export interface UpdateReport {
  /** Files parsed, files removed, files relinked. */
  parsed: number;
  removed: number;
  linked: number;
  files: number;
  skipped: Record<string, number>;
  problems: Array<{ path: string; reason: string }>;
  changed: string[];
}

export interface IngestPlace {
  sqlite: Sqlite;
  git: Git;
  /** A second git bound to the main working tree, when this one is a linked worktree. */
  mainGit: Git;
  root: string;
  mainRoot: string;
  linkedWorktree: boolean;
  /** The main repository has no working tree, so there is no base to share. */
  bareMain: boolean;
  settings: ScanSettings;
  pool: ParsePoolOptions;
  clock: Clock;
}

export const emptyReport = (): UpdateReport => ({
  parsed: 0,
  removed: 0,
  linked: 0,
  files: 0,
  skipped: {},
  problems: [],
  changed: [],
});
