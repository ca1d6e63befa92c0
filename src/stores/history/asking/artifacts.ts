import { unpackIds } from '../packed.ts';
import type { Model } from './model.ts';

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
export function listArtifacts(model: Model, filter: ArtifactFilter): number[] {
  const tagged = filter.tags && filter.tags.length > 0 ? pathsWithTags(model, filter.tags) : undefined;
  const under = filter.under ? `${filter.under.replace(/\/+$/, '')}/` : '';
  const candidates = filter.includeDeleted ? model.all() : model.alive();
  return candidates.filter((path) => {
    if (tagged && !tagged.has(path)) return false;
    const name = model.name(path);
    if (under && !name.startsWith(under)) return false;
    if (filter.sourceOnly && !/(?:^|\/)src\//.test(name)) return false;
    return !filter.ignored?.has(name);
  });
}

/** Paths that carry all of the tags. */
export function pathsWithTags(model: Model, tags: string[]): Set<number> {
  let found: Set<number> | undefined;
  for (const tag of new Set(tags.map((each) => each.trim().toLowerCase()).filter(Boolean))) {
    const row = model.sqlite.get<{ paths: Uint8Array }>(
      'SELECT paths FROM tags WHERE view = ? AND tag = ?',
      model.view.id,
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

export function artifactSummary(model: Model, path: number): ArtifactSummary {
  const last = model.story(path).at(-1);
  const home = model.home(path);
  return {
    path: model.name(path),
    tags: model.tags(path),
    last_modified: last === undefined ? null : model.facts.authored(last),
    deleted: model.isAlive(path) ? undefined : true,
    moved_to: home === path || model.isAlive(path) ? undefined : model.name(home),
  };
}

/** Every tag with the number of living artifacts that carry it, most used first. */
export function listTags(model: Model): Array<{ tag: string; count: number }> {
  return model.sqlite.all<{ tag: string; count: number }>(
    'SELECT tag, alive AS count FROM tags WHERE view = ? AND alive > 0 ORDER BY alive DESC, tag',
    model.view.id,
  );
}
