import type { Sqlite } from '../../base/sqlite/index.ts';
import { versionOf } from '../../base/sqlite/index.ts';
import { planUpdate } from './plan.ts';
import { scanFiles } from './scan.ts';
import type { IngestPlace } from './update.ts';
import { findView, type ViewRow } from './views.ts';

/**
 * `empty`: never indexed. `building`: the first index is in progress. `updating`: an update is in progress. `interrupted`: an
 * update started and no process continues it. `stale`: the disk differs. `fresh`: matches the disk, linked.
 */
export type FreshnessState = 'empty' | 'building' | 'updating' | 'interrupted' | 'stale' | 'fresh';

export interface Freshness {
  state: FreshnessState;
  /** One line for people and models. */
  detail: string;
  files: number;
  /** When stale: at most ten differing paths, and their total number. */
  changed: number;
  examples: string[];
  indexed_at: string | undefined;
}

/** Checks the disk: the answer is true at that moment. With `trust`, our watcher has already checked. */
export async function readFreshness(
  place: IngestPlace,
  isWorking: () => boolean,
  trust: boolean,
): Promise<Freshness> {
  const { sqlite } = place;
  const view = currentView(place);
  if (!view || view.generation === 0) {
    const working = view && view.state !== 'empty' && isWorking();
    if (!working) return answer('empty', 'not indexed yet; run `sylk index`', sqlite, view);
    const share = view.found > 0 ? ` ${Math.floor((100 * view.done) / view.found)} %` : '';
    return answer('building', `indexing${share}`, sqlite, view);
  }
  if (view.state === 'updating' || view.state === 'building') {
    if (isWorking())
      return answer('updating', `updating, ${view.done} of ${view.found} files read`, sqlite, view);
    return answer('interrupted', 'an update was interrupted; run `sylk index` to finish it', sqlite, view);
  }
  const changed = trust ? [] : await changedPaths(place, view);
  if (changed.length > 0)
    return {
      ...answer('stale', `${changed.length} files differ from the index`, sqlite, view),
      changed: changed.length,
      examples: changed.slice(0, 10),
    };
  return answer('fresh', 'as on disk', sqlite, view);
}

export function currentView(place: IngestPlace): ViewRow | undefined {
  if (versionOf(place.sqlite, 'code') === 0) return undefined;
  return place.linkedWorktree ? findView(place.sqlite, place.root) : findView(place.sqlite, place.root, 0);
}

async function changedPaths(place: IngestPlace, view: ViewRow): Promise<string[]> {
  const { sqlite } = place;
  const unlinked = sqlite.all<{ path: string }>(
    "SELECT path FROM code_files WHERE view = ? AND linked = 0 AND hash <> ''",
    view.id,
  );
  const found = unlinked.map((row) => row.path);
  if (!place.linkedWorktree) {
    const scan = await scanFiles(place.git, place.root, place.settings);
    const plan = planUpdate(sqlite, { view: 0, root: place.root, scan });
    return [
      ...found,
      ...plan.jobs.map((job) => job.path),
      ...plan.removed,
      ...plan.skipped.map((one) => one.path),
      ...plan.unskipped,
    ];
  }
  const base = findView(sqlite, '', 0);
  if ((base?.generation ?? 0) !== view.base_generation) found.push('(the main working tree was reindexed)');
  const scan = await scanFiles(place.git, place.root, place.settings);
  const seen = new Map(
    sqlite
      .all<{ path: string; size: number; modified: number }>(
        'SELECT path, size, modified FROM code_seen WHERE view = ?',
        view.id,
      )
      .map((row) => [row.path, row]),
  );
  for (const file of scan.files) {
    const before = seen.get(file.path);
    seen.delete(file.path);
    if (!before || before.size !== file.size || before.modified !== file.modified) found.push(file.path);
  }
  return [...found, ...seen.keys()];
}

function answer(state: FreshnessState, detail: string, sqlite: Sqlite, view: ViewRow | undefined): Freshness {
  const counted = "SELECT count(*) FROM code_files WHERE view IN (0, ?) AND hash <> ''";
  const files = view ? (sqlite.value<number>(counted, view.id) ?? 0) : 0;
  return { state, detail, files, changed: 0, examples: [], indexed_at: view?.finished_at ?? undefined };
}
