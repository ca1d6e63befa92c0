import type { Model } from './model.ts';

export interface ListedCommit {
  id: number;
  sha: string;
  /** Seconds since 1970. */
  timestamp: number;
}

/** Commits that HEAD reaches and that change files themselves; a merge says what others already said. */
export function listCommits(model: Model): ListedCommit[] {
  const listed: ListedCommit[] = [];
  const statement = model.sqlite.db.prepare('SELECT id, sha, timestamp FROM commits');
  for (const row of statement.iterate()) {
    const id = Number(row['id']);
    if ((model.view.positions[id] ?? -1) < 0 || model.facts.size(id) === 0) continue;
    const sha = Buffer.from(row['sha'] as Uint8Array).toString('hex');
    listed.push({ id, sha, timestamp: Number(row['timestamp']) });
  }
  return listed;
}

/** Files of a commit that are still there, as they are called now. */
export function livingFilesOf(model: Model, commit: number): string[] {
  const files = new Set<string>();
  model.facts.eachChange(commit, (path) => {
    const home = model.home(path);
    if (home >= 0 && model.isAlive(home)) files.add(model.name(home));
  });
  return [...files];
}
