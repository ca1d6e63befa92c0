import { unpackIds } from '../packed.ts';
import type { HistoryView } from './history-view.ts';

export interface ArtifactFilter {
  tags?: string[];
  includeDeleted?: boolean;
  sourceOnly?: boolean;
  /** Only below this folder. */
  under?: string;
  /** Tracked files that .gitignore names. */
  ignored?: Set<string>;
}

/** Ids of the artifacts that match, ordered by path. The filter comes first, so that pages are always full. */
export function listArtifacts(view: HistoryView, filter: ArtifactFilter): number[] {
  const tagged = filter.tags && filter.tags.length > 0 ? pathsWithTags(view, filter.tags) : undefined;
  const under = filter.under ? `${filter.under.replace(/\/+$/, '')}/` : '';
  const candidates = filter.includeDeleted ? view.all() : view.alive();
  return candidates.filter((path) => {
    if (tagged && !tagged.has(path)) return false;
    const name = view.name(path);
    if (under && !name.startsWith(under)) return false;
    if (filter.sourceOnly && !/(?:^|\/)src\//.test(name)) return false;
    return !filter.ignored?.has(name);
  });
}

/** Paths that carry all of the tags. */
export function pathsWithTags(view: HistoryView, tags: string[]): Set<number> {
  let found: Set<number> | undefined;
  for (const tag of new Set(tags.map((each) => each.trim().toLowerCase()).filter(Boolean))) {
    const row = view.sqlite.get<{ paths: Uint8Array }>(
      'SELECT paths FROM tags WHERE view = ? AND tag = ?',
      view.stored.id,
      tag,
    );
    const paths = new Set(unpackIds(row?.paths));
    const before = found;
    found = before ? new Set([...paths].filter((path) => before.has(path))) : paths;
  }
  return found ?? new Set();
}

export interface ArtifactSummary {
  path: string;
  tags: string[];
  last_modified: number | null;
  deleted?: boolean;
  /** Where a renamed file is now. */
  moved_to?: string;
}

export function artifactSummary(view: HistoryView, path: number): ArtifactSummary {
  const last = view.commitsOf(path).at(-1);
  const home = view.currentPath(path);
  return {
    path: view.name(path),
    tags: view.tags(path),
    last_modified: last === undefined ? null : view.facts.authored(last),
    deleted: view.isAlive(path) ? undefined : true,
    moved_to: home === path || view.isAlive(path) ? undefined : view.name(home),
  };
}

/** Every tag with the number of living artifacts that carry it, most used first. */
export function listTags(view: HistoryView): Array<{ tag: string; count: number }> {
  return view.sqlite.all<{ tag: string; count: number }>(
    'SELECT tag, alive AS count FROM tags WHERE view = ? AND alive > 0 ORDER BY alive DESC, tag',
    view.stored.id,
  );
}
