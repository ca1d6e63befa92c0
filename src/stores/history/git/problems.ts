import { SylkError } from '../../../base/errors.ts';
import { ignoreRules } from '../../../base/glob/index.ts';
import type { Sqlite } from '../../../base/sqlite/index.ts';
import { showPath } from '../path-name.ts';
import { howToMend, type TreeEntry } from './tree.ts';

const meanings: Record<string, (commits: number) => string> = {
  renames: (commits) => `renames were not followed in ${commits} commits, because objects are missing`,
  changes: (commits) => `the files of ${commits} commits could not be read, because trees are missing`,
  commit: (commits) => `${commits} commits could not be read at all`,
};

export function readProblems(sqlite: Sqlite): string[] {
  return sqlite
    .all<{ kind: string; commits: number }>(
      'SELECT kind, sum(count) AS commits FROM problems GROUP BY kind ORDER BY kind',
    )
    .map(({ kind, commits }) => meanings[kind]?.(commits) ?? `${kind}: ${commits}`);
}

/** A commit that git could not read, or whose files it could not read. */
export interface DamagedCommit {
  commit: string;
  kind: 'commit' | 'changes';
}

export const damagedCommits = (sqlite: Sqlite): DamagedCommit[] =>
  sqlite.all<DamagedCommit>(
    "SELECT what AS \"commit\", kind FROM problems WHERE kind IN ('commit', 'changes') ORDER BY kind DESC, id",
  );

export function damageReport([first, ...more]: DamagedCommit[]): SylkError | undefined {
  if (first === undefined) return undefined;
  const which = more.length > 0 ? `${first.commit} and ${more.length} more` : first.commit;
  const message =
    first.kind === 'commit'
      ? `Commit ${which} is missing or damaged: history before it is not indexed.`
      : `The files of commit ${which} are missing or damaged: its changes are not indexed.`;
  return new SylkError('UNAVAILABLE', message, { hint: howToMend });
}

export function countSkipped(tree: TreeEntry[], exclude: string[]): { excluded: number; submodule: number } {
  const excludes = ignoreRules(exclude);
  const skipped = { excluded: 0, submodule: 0 };
  for (const { path, gitlink } of tree) {
    if (gitlink) skipped.submodule++;
    else if (excludes(showPath(path))) skipped.excluded++;
  }
  return skipped;
}
