import type { HistoryView } from './history-view.ts';

export interface ListedCommit {
  id: number;
  sha: string;
  /** Seconds since 1970. */
  timestamp: number;
}

/** Commits that HEAD reaches and that change files themselves; a merge says what others already said. */
export function listCommits(view: HistoryView): ListedCommit[] {
  const listed: ListedCommit[] = [];
  const statement = view.sqlite.db.prepare('SELECT id, sha, timestamp FROM commits');
  for (const row of statement.iterate()) {
    const id = Number(row['id']);
    if ((view.stored.positions[id] ?? -1) < 0 || view.facts.size(id) === 0) continue;
    const sha = Buffer.from(row['sha'] as Uint8Array).toString('hex');
    listed.push({ id, sha, timestamp: Number(row['timestamp']) });
  }
  return listed;
}

/** Files of a commit that are still there, as they are called now. */
export function livingFilesOf(view: HistoryView, commit: number): string[] {
  const files = new Set<string>();
  view.facts.eachChange(commit, (path) => {
    const home = view.currentPath(path);
    if (home >= 0 && view.isAlive(home)) files.add(view.name(home));
  });
  return [...files];
}
