import { shaText } from '../stored.ts';
import { listTags } from './artifacts.ts';
import type { HistoryView } from './history-view.ts';
import { commitRecord } from './provenance.ts';

const recentCommits = 200;
const shown = 8;

/** Overview: totals, active areas, changes since `since`. */
export function summarise(view: HistoryView, since = '') {
  const { positions, commits } = view.stored;
  const order = new Int32Array(commits);
  for (const [id, place] of positions.entries()) if (place >= 0) order[place] = id;
  const alive = view.alive();
  const sinceId = view.sqlite.value<number>(
    'SELECT id FROM commits WHERE sha = ?',
    Buffer.from(since, 'hex'),
  );
  const known = view.stored.place(sinceId ?? -1);
  const first = known >= 0 ? known + 1 : Math.max(0, commits - 10);
  const fresh = Array.from(order.subarray(first)).reverse();
  const ownCommits = fresh.filter((id) => view.facts.size(id) > 0);
  return {
    commits,
    artifacts_alive: alive.length,
    artifacts_dead: view.all().length - alive.length,
    tags: listTags(view).length,
    head: view.stored.head && shaText(view.stored.head),
    hottest: hottest(view, order.subarray(Math.max(0, commits - recentCommits))),
    /** Commits since the given one, newest first, and the most changed files. */
    changes: {
      since: known >= 0 ? since : null,
      commits: fresh.length,
      // A merge that changes nothing itself says nothing that its commits do not say.
      subjects: ownCommits.slice(0, shown).map((id) => {
        const { commit, message } = commitRecord(view, id);
        return `${commit.slice(0, 10)} ${message.split('\n')[0]}`;
      }),
      files: mostTouched(view, fresh),
    },
  };
}

/** The folders that recent commits touched most, as they are called now. */
function hottest(view: HistoryView, ids: Int32Array): Array<{ area: string; commits: number }> {
  const counts = new Map<string, number>();
  for (const id of ids) {
    if (view.facts.size(id) > view.settings.bulkCap) continue;
    const areas = new Set<string>();
    view.facts.eachChange(id, (path) => {
      const home = view.currentPath(path);
      if (home >= 0) areas.add(view.name(home).split('/').slice(0, -1).join('/') || '.');
    });
    for (const area of areas) counts.set(area, (counts.get(area) ?? 0) + 1);
  }
  return most(counts).map(([area, commits]) => ({ area, commits }));
}

function mostTouched(view: HistoryView, ids: number[]): string[] {
  const counts = new Map<string, number>();
  for (const id of ids)
    view.facts.eachChange(id, (path) => {
      const home = view.currentPath(path);
      const name = view.name(home >= 0 ? home : path);
      counts.set(name, (counts.get(name) ?? 0) + 1);
    });
  return most(counts).map(([name]) => name);
}

const most = (counts: Map<string, number>): Array<[string, number]> =>
  [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, shown);
