import { requireRevision } from '../../../base/git/index.ts';
import type { ContentReader } from '../git/content.ts';
import { unpackIds } from '../packed.ts';
import { pathBytes, withoutQuotes } from '../path-name.ts';
import type { HistoryView } from './history-view.ts';
import { commitRecord } from './provenance.ts';

export interface ArtifactFilter {
  tags?: string[];
  includeDeleted?: boolean;
  sourceOnly?: boolean;
  /** Only under this folder. */
  under?: string;
  /** Tracked files that .gitignore names. */
  ignored?: Set<string>;
}

/** Ids of the matching artifacts, ordered by path. Filtered first, so that pages are always full. */
export function listArtifacts(view: HistoryView, filter: ArtifactFilter): number[] {
  const tagged = filter.tags && filter.tags.length > 0 ? pathsWithTags(view, filter.tags) : undefined;
  const under = filter.under ? `${filter.under.replace(/\/+$/, '')}/` : '';
  const candidates = filter.includeDeleted ? view.all() : view.alive();
  return candidates.filter((path) => {
    if (tagged && !tagged.has(path)) return false;
    const name = view.name(path);
    const place = withoutQuotes(name);
    if (under && !place.startsWith(under)) return false;
    if (filter.sourceOnly && !/(?:^|\/)src\//.test(place)) return false;
    return !filter.ignored?.has(name);
  });
}

/** Paths with all of the tags. */
export function pathsWithTags(view: HistoryView, tags: string[]): Set<number> {
  let found: Set<number> | undefined;
  for (const tag of new Set(tags.map((each) => each.trim().toLowerCase()).filter(Boolean))) {
    const sql = 'SELECT paths FROM tags WHERE view = ? AND tag = ?';
    const paths = new Set(unpackIds(view.sqlite.value<Uint8Array>(sql, view.stored.id, tag)));
    const before = found;
    found = before ? new Set([...paths].filter((path) => before.has(path))) : paths;
  }
  return found ?? new Set();
}

export function artifactSummary(view: HistoryView, path: number) {
  const last = view.commitsOf(path).at(-1);
  const home = view.currentPath(path);
  return {
    path: view.name(path),
    tags: view.tags(path),
    last_modified: last === undefined ? null : view.facts.authored(last),
    deleted: view.isAlive(path) ? undefined : true,
    /** The current path of a renamed file. */
    moved_to: home === path || view.isAlive(path) ? undefined : view.name(home),
  };
}

/** Every tag with its number of living artifacts, most used first. */
export const listTags = ({ sqlite, stored }: HistoryView) =>
  sqlite.all<{ tag: string; count: number }>(
    'SELECT tag, alive AS count FROM tags WHERE view = ? AND alive > 0 ORDER BY alive DESC, tag',
    stored.id,
  );

const newestCommits = 5;

/** A file's content at a commit, with its tags and newest commits. Lines keep their endings. */
export async function readArtifact(
  { content }: { content: ContentReader },
  view: HistoryView,
  path: number,
  ref = 'HEAD',
) {
  requireRevision(ref);
  const { last_modified: _, ...summary } = artifactSummary(view, path);
  // An old name at HEAD means the file under its current name.
  const shown = ref === 'HEAD' && summary.moved_to ? summary.moved_to : summary.path;
  const blob = await content.read(ref, pathBytes(shown));
  const isText = blob?.isFile === true && !blob.bytes.subarray(0, 8000).includes(0);
  const story = view.commitsOf(path);
  const commits = story.slice(-newestCommits).map((commit) => commitRecord(view, commit));
  const isMissing = !blob && (await content.isNamed(ref, shown));
  const kind = isText ? ('text' as const) : ('binary' as const);
  const none = isMissing ? ('missing' as const) : ('absent' as const);
  return {
    path: summary.path,
    ref,
    content_kind: blob ? kind : none,
    lines: isText ? [...(blob.bytes.toString('utf8').match(/[^\n]*\n|[^\n]+$/g) ?? [])] : [],
    summary: {
      ...summary,
      commits,
      total_commits: story.length,
      commits_truncated: story.length > commits.length,
    },
  };
}

/** The current name of a path; undefined if the file was deleted or never existed. */
export function nameNow(view: HistoryView, path: string): string | undefined {
  const id = view.find(path);
  const now = id === undefined || view.isAlive(id) ? id : view.currentPath(id);
  return now !== undefined && view.isAlive(now) ? view.name(now) : undefined;
}

/** Every name in the lineage of each path, including its own. */
export function namesEver(view: HistoryView, paths: string[]): Map<string, string[]> {
  const namesByHome = new Map<number, string[]>();
  const ever = new Map<string, string[]>();
  for (const path of paths) {
    const id = view.find(path);
    if (id === undefined) continue;
    const names = namesByHome.get(view.currentPath(id)) ?? [];
    namesByHome.set(view.currentPath(id), names);
    ever.set(path, names);
  }
  if (ever.size > 0) for (const id of view.all()) namesByHome.get(view.currentPath(id))?.push(view.name(id));
  return ever;
}
