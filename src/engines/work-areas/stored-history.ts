import { isoTime } from '../../base/clock.ts';
import { commitRecord, type History, type HistoryView, listCommits } from '../../stores/history/index.ts';
import type { RecentHistory } from './git-history.ts';
import type { Commit } from './staleness.ts';

/** How long a question about an area waits for an index that is being made. */
const patience = 1500;

/**
 * What the history store knows: every commit, under the names that files have today. Where there is no index yet, `otherwise`
 * answers.
 */
export function storedHistory(history: () => Promise<History>, otherwise: RecentHistory): RecentHistory {
  let kept: { view: HistoryView; newestFirst: Array<{ id: number; sha: string; at: number }> } | undefined;
  const view = async (): Promise<HistoryView> => (await (await history()).ready({ waitMs: patience })).view;
  const commitsOf = (current: HistoryView) => {
    if (kept?.view !== current) {
      const newestFirst = listCommits(current)
        .map(({ id, sha }) => ({ id, sha, at: current.facts.committed(id) * 1000 }))
        .sort((left, right) => right.at - left.at);
      kept = { view: current, newestFirst };
    }
    return kept.newestFirst;
  };
  return {
    commitsSince: async (since) => {
      const current = await view().catch(() => undefined);
      if (!current) return otherwise.commitsSince(since);
      const from = Date.parse(since);
      const commits: Commit[] = [];
      for (const { id, sha, at } of commitsOf(current)) {
        if (at <= from) break;
        commits.push({
          sha,
          at: isoTime(at),
          paths: pathsOf(current, id),
          // Read when it is shown: few are.
          get subject() {
            return commitRecord(current, id).message.split('\n', 1)[0]!;
          },
        });
      }
      return { commits, complete: true };
    },
    files: async () => {
      const current = await view().catch(() => undefined);
      return current ? current.alive().map((path) => current.name(path)) : otherwise.files();
    },
  };
}

/** A file that was renamed counts where it is now; one that was deleted, where it was. */
function pathsOf(view: HistoryView, commit: number): string[] {
  const paths = new Set<string>();
  view.facts.eachChange(commit, (path) => {
    const home = view.currentPath(path);
    paths.add(view.name(home >= 0 && view.isAlive(home) ? home : path));
  });
  return [...paths];
}
