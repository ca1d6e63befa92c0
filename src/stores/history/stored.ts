import { graftMark, type Repository } from '../../base/git/index.ts';
import type { Sqlite } from '../../base/sqlite/index.ts';
import { loadView, type StoredView } from './derive/view.ts';
import { createFacts, type Facts } from './facts.ts';
import type { TagOperation } from './message.ts';
import type { HistorySettings } from './settings.ts';

/** Which worktree asks: each has its own HEAD. */
export const worktreeName = (repository: Repository): string =>
  repository.linkedWorktree ? repository.gitDirectory : 'main';

/** Changes with everything that decides what is stored, so that a change of rules rebuilds. */
export const storageMark = (repository: Repository, settings: HistorySettings): string =>
  JSON.stringify([settings.exclude, settings.stripPrefixes, settings.stopTags, graftMark(repository)]);

export const shaText = (sha: Uint8Array | null): string | null =>
  sha ? Buffer.from(sha).toString('hex') : null;

export function viewOf(sqlite: Sqlite, worktree: string): StoredView | undefined {
  const row = sqlite.get<{ view: number }>('SELECT view FROM worktrees WHERE name = ?', worktree);
  return row ? loadView(sqlite, row.view) : undefined;
}

export function loadFacts(sqlite: Sqlite, count: number): Facts {
  const page = sqlite.prepare('SELECT data FROM facts WHERE page = ?');
  return createFacts({
    count,
    load: (number) => (page.get(number) as { data: Uint8Array } | undefined)?.data,
  });
}

export function shaLookup(sqlite: Sqlite): (id: number) => string {
  const find = sqlite.prepare('SELECT sha FROM commits WHERE id = ?');
  const known = new Map<number, string>();
  return (id) => {
    let sha = known.get(id);
    if (sha === undefined) {
      sha = shaText((find.get(id) as { sha: Uint8Array }).sha)!;
      known.set(id, sha);
    }
    return sha;
  };
}

export function readTagLine(sqlite: Sqlite, commit: number): TagOperation[] {
  const row = sqlite.get<{ operations: string }>(
    'SELECT operations FROM tag_lines WHERE commit_id = ?',
    commit,
  );
  return row ? (JSON.parse(row.operations) as TagOperation[]) : [];
}
