import { graftMark, type Repository } from '../../base/git/index.ts';
import type { Sqlite } from '../../base/sqlite/index.ts';
import { loadView, type StoredView } from './derive/view.ts';
import { createFacts, type Facts } from './facts.ts';
import type { TagOperation } from './message.ts';
import type { HistorySettings } from './settings.ts';

/** The calling worktree: each has its own HEAD. */
export const worktreeName = (repository: Repository): string =>
  repository.linkedWorktree ? repository.gitDirectory : 'main';

/** Changes with every setting that affects the stored data, so that a change rebuilds. */
export const storageMark = (repository: Repository, settings: HistorySettings): string =>
  JSON.stringify([settings.exclude, settings.stripPrefixes, settings.stopTags, graftMark(repository)]);

export const shaText = (sha: Uint8Array): string => Buffer.from(sha).toString('hex');

/** A fact about the whole index. */
export const metaOf = <T>(sqlite: Sqlite, key: 'mark' | 'commits' | 'since_snapshot'): T | undefined =>
  sqlite.value<T>('SELECT value FROM meta WHERE key = ?', key);

export function viewOf(sqlite: Sqlite, worktree: string): StoredView | undefined {
  const view = sqlite.value<number>('SELECT view FROM worktrees WHERE name = ?', worktree);
  return view === undefined ? undefined : loadView(sqlite, view);
}

export const loadFacts = (sqlite: Sqlite): Facts =>
  createFacts(metaOf<number>(sqlite, 'commits') ?? 0, (page) =>
    sqlite.value<Uint8Array>('SELECT data FROM facts WHERE page = ?', page),
  );

export const shaOf = (sqlite: Sqlite, id: number): string =>
  shaText(sqlite.value<Uint8Array>('SELECT sha FROM commits WHERE id = ?', id) ?? new Uint8Array());

export const readTagLine = (sqlite: Sqlite, commit: number): TagOperation[] =>
  JSON.parse(sqlite.value<string>('SELECT operations FROM tag_lines WHERE commit_id = ?', commit) ?? '[]');
