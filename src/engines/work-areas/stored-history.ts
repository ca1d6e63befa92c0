import { isoTime } from '../../base/clock.ts';
import { commitRecord, type History, listCommits, type Model } from '../../stores/history/index.ts';
import type { RecentHistory } from './git-history.ts';
import type { Commit } from './staleness.ts';

/** How long a question about an area waits for an index that is being made. */
const patience = 1500;

/**
 * What the history store knows: every commit, under the names that files have today. Where there is no index yet, `otherwise`
 * answers.
 */
export function storedHistory(history: () => Promise<History>, otherwise: RecentHistory): RecentHistory {
  let kept: { model: Model; newestFirst: Array<{ id: number; sha: string; at: number }> } | undefined;
  const model = async (): Promise<Model> => (await (await history()).ready({ waitMs: patience })).model;
  const commitsOf = (current: Model) => {
    if (kept?.model !== current) {
      const newestFirst = listCommits(current)
        .map(({ id, sha }) => ({ id, sha, at: current.facts.committed(id) * 1000 }))
        .sort((left, right) => right.at - left.at);
      kept = { model: current, newestFirst };
    }
    return kept.newestFirst;
  };
  return {
    commitsSince: async (since) => {
      const current = await model().catch(() => undefined);
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
      const current = await model().catch(() => undefined);
      return current ? current.alive().map((path) => current.name(path)) : otherwise.files();
    },
  };
}

/** A file that was renamed counts where it is now; one that was deleted, where it was. */
function pathsOf(model: Model, commit: number): string[] {
  const paths = new Set<string>();
  model.facts.eachChange(commit, (path) => {
    const home = model.home(path);
    paths.add(model.name(home >= 0 && model.isAlive(home) ? home : path));
  });
  return [...paths];
}
