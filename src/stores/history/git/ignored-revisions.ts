import { tree } from '../../../base/files/index.ts';
import type { Sqlite } from '../../../base/sqlite/index.ts';

/** Commits that the project itself marks as formatting only. */
export function readIgnoredRevisions(sqlite: Sqlite, root: string): Set<number> {
  const ids = new Set<number>();
  const text = tree.readText(root, '.git-blame-ignore-revs', { limit: 16_000_000 });
  if (!text) return ids;
  for (const line of text.split('\n')) {
    const sha = /^\s*([0-9a-f]{40}|[0-9a-f]{64})\b/.exec(line)?.[1];
    const id = sha && sqlite.value<number>('SELECT id FROM commits WHERE sha = ?', Buffer.from(sha, 'hex'));
    if (typeof id === 'number') ids.add(id);
  }
  return ids;
}
