import { listTags } from './artifacts.ts';
import type { HistoryView } from './history-view.ts';
import { commitRecord } from './provenance.ts';

export interface RepositorySummary {
  commits: number;
  artifacts_alive: number;
  artifacts_dead: number;
  tags: number;
  head: string | null;
  hottest: Array<{ area: string; commits: number }>;
  /** Commits since the given one, newest first, and the files they touched most. */
  changes: { since: string | null; commits: number; subjects: string[]; files: string[] };
}

const recentCommits = 200;
const shown = 8;

/** One screen: how much there is, where work happens, what is new since `since`. */
export function summarise(view: HistoryView, since?: string): RepositorySummary {
  const { positions, commits } = view.stored;
  const order = new Int32Array(commits);
  for (let id = 0; id < positions.length; id++) if (positions[id]! >= 0) order[positions[id]!] = id;
  const alive = view.alive();
  const known = since ? sinceIndex(view, since) : -1;
  const first = known >= 0 ? known + 1 : Math.max(0, commits - 10);
  const fresh = Array.from(order.subarray(first)).reverse();
  return {
    commits,
    artifacts_alive: alive.length,
    artifacts_dead: view.all().length - alive.length,
    tags: listTags(view).length,
    head: view.stored.head ? Buffer.from(view.stored.head).toString('hex') : null,
    hottest: hottest(view, order.subarray(Math.max(0, commits - recentCommits))),
    changes: {
      since: known >= 0 ? since! : null,
      commits: fresh.length,
      subjects: fresh.slice(0, shown).map((id) => {
        const { commit, message } = commitRecord(view, id);
        return `${commit.slice(0, 10)} ${message.split('\n')[0]}`;
      }),
      files: mostTouched(view, fresh),
    },
  };
}

function sinceIndex(view: HistoryView, since: string): number {
  const row = view.sqlite.get<{ id: number }>(
    'SELECT id FROM commits WHERE sha = ?',
    Buffer.from(since, 'hex'),
  );
  return row ? (view.stored.positions[row.id] ?? -1) : -1;
}

/** Areas are tags where files have them, else folders. */
function hottest(view: HistoryView, ids: Int32Array): RepositorySummary['hottest'] {
  const counts = new Map<string, number>();
  for (const id of ids) {
    if (view.facts.size(id) > view.settings.bulkCap) continue;
    const areas = new Set<string>();
    view.facts.eachChange(id, (path) => {
      const name = view.name(path);
      const tags = view.folderTags(name);
      areas.add(tags.length > 0 ? tags.slice(0, 2).join('/') : name.split('/').slice(0, -1).join('/') || '.');
    });
    for (const area of areas) counts.set(area, (counts.get(area) ?? 0) + 1);
  }
  return [...counts]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, shown)
    .map(([area, count]) => ({ area, commits: count }));
}

function mostTouched(view: HistoryView, ids: number[]): string[] {
  const counts = new Map<string, number>();
  for (const id of ids) {
    view.facts.eachChange(id, (path) => {
      const name = view.name(view.currentPath(path) >= 0 ? view.currentPath(path) : path);
      counts.set(name, (counts.get(name) ?? 0) + 1);
    });
  }
  return [...counts]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, shown)
    .map(([name]) => name);
}
