import { isoTime } from '../../base/clock.ts';
import { tree } from '../../base/files/index.ts';
import type { Sqlite } from '../../base/sqlite/index.ts';
import { filesToRelink } from './dirty.ts';
import { createEvaluator } from './link/evaluate.ts';
import { moduleSettings } from './link/link-base.ts';
import { openLinkContext } from './link/link-context.ts';
import { linkFile } from './link/link-file.ts';
import { createModules } from './link/modules.ts';
import { contentHash } from './parse-file.ts';
import { parseJobs } from './parse-jobs.ts';
import type { ParseJob } from './parse-pool.ts';
import { type Scan, scanFiles } from './scan.ts';
import { emptyReport, type IngestPlace, type UpdateOptions, type UpdateReport } from './update.ts';
import { beginUpdate, findView, finishUpdate, viewOf } from './views.ts';
import { type Changes, keepSkipped, noChanges, noteModule, removeFile, writeFile } from './write-file.ts';

/** A linked worktree stores only its differences from the base: changed, added and missing files. */
export async function syncOverlay(place: IngestPlace, options: UpdateOptions): Promise<UpdateReport> {
  const { sqlite } = place;
  const view = viewOf(sqlite, place.root);
  const scan = await scanFiles(place.git, place.root, place.settings, options.signal);
  const report = emptyReport();
  const differs = compare(place, view.id, scan);
  beginUpdate(sqlite, view.id, differs.parse.length);
  sqlite.write(() => {
    for (const path of differs.drop) removeFile(sqlite, view.id, path, undefined);
    for (const path of differs.hide) hide(sqlite, view.id, path);
    sqlite.run('DELETE FROM code_skipped WHERE view = ?', view.id);
    for (const one of scan.skipped) keepSkipped(sqlite, view.id, one);
  });
  report.removed = differs.drop.length;
  await parseJobs(place, differs.parse, options, (files) => {
    sqlite.write(() => {
      for (const file of files) {
        writeFile(sqlite, view.id, file, undefined);
        if (file.skip) hide(sqlite, view.id, file.path);
        report.parsed++;
        report.changed.push(file.path);
      }
      sqlite.run('UPDATE code_views SET done = done + ? WHERE id = ?', files.length, view.id);
    });
  });
  const base = findView(sqlite, '', 0)?.generation ?? 0;
  const moved =
    report.parsed > 0 || report.removed > 0 || differs.hide.length > 0 || view.base_generation !== base;
  if (moved || view.generation === 0) report.linked = linkOverlay(place, view.id);
  const head = await place.git.text(['rev-parse', '-q', '--verify', 'HEAD'], { accept: [1] });
  finishUpdate(sqlite, view.id, {
    head,
    at: isoTime(place.clock.now()),
    changed: moved,
    baseGeneration: base,
  });
  return report;
}

interface Difference {
  parse: ParseJob[];
  /** Overlay rows that are no longer needed. */
  drop: string[];
  /** Files of the base that this worktree does not have. */
  hide: string[];
}

interface Known {
  hash: string;
  size: number;
  modified: number;
}

function compare(place: IngestPlace, view: number, scan: Scan): Difference {
  const { sqlite } = place;
  const rows = (sql: string, ...values: number[]) =>
    new Map(sqlite.all<Known & { path: string }>(sql, ...values).map((row) => [row.path, row]));
  const base = rows("SELECT path, hash, size, modified FROM code_files WHERE view = 0 AND hash <> ''");
  const own = rows('SELECT path, hash, size, modified FROM code_files WHERE view = ?', view);
  const seen = rows('SELECT path, hash, size, modified FROM code_seen WHERE view = ?', view);
  const difference: Difference = { parse: [], drop: [], hide: [] };
  sqlite.write(() => {
    for (const file of scan.files) {
      const hash = hashOf(place, view, file, seen.get(file.path));
      const there = own.get(file.path);
      own.delete(file.path);
      if (base.get(file.path)?.hash === hash) {
        if (there) difference.drop.push(file.path);
      } else if (there?.hash !== hash) difference.parse.push({ ...file, root: place.root });
      base.delete(file.path);
      seen.delete(file.path);
    }
    for (const path of seen.keys())
      sqlite.run('DELETE FROM code_seen WHERE view = ? AND path = ?', view, path);
  });
  for (const [path, row] of own) if (!base.has(path) || row.hash !== '') difference.drop.push(path);
  for (const path of base.keys()) if (own.get(path)?.hash !== '') difference.hide.push(path);
  return difference;
}

/** Reads a file only if its size or time changed. */
function hashOf(
  place: IngestPlace,
  view: number,
  file: Scan['files'][number],
  seen: Known | undefined,
): string {
  if (seen && seen.size === file.size && seen.modified === file.modified) return seen.hash;
  let hash = '';
  try {
    hash = contentHash(tree.read(place.root, file.path));
  } catch {
    // Gone or unreadable meanwhile: the parser reports it.
  }
  place.sqlite.run(
    'INSERT OR REPLACE INTO code_seen (view, path, size, modified, hash) VALUES (?, ?, ?, ?, ?)',
    view,
    file.path,
    file.size,
    file.modified,
    hash,
  );
  return hash;
}

function hide(sqlite: Sqlite, view: number, path: string): void {
  sqlite.run(
    `INSERT OR IGNORE INTO code_files (view, path, hash, interface, language, package, size, modified, lines, broken, linked)
     VALUES (?, ?, '', '', 'markdown', '', 0, 0, 0, 0, 1)`,
    view,
    path,
  );
}

/** Links the differences, and every file of the base that they can affect, for this view only. */
function linkOverlay(place: IngestPlace, view: number): number {
  const { sqlite } = place;
  const own = sqlite.all<{ id: number; path: string; hash: string; interface: string; package: string }>(
    'SELECT id, path, hash, interface, package FROM code_files WHERE view = ?',
    view,
  );
  const reach = filesToRelink(sqlite, changesAgainstBase(sqlite, own));
  const hidden = new Set(own.map((row) => row.path));
  const linkContext = openLinkContext(sqlite, view);
  const modules = createModules(linkContext, moduleSettings(sqlite, place.root, view));
  const evaluator = createEvaluator(linkContext, modules);
  const targets = [
    ...own.filter((row) => row.hash !== '').map((row) => row.id),
    ...[...reach].filter((id) => {
      const path = sqlite.value<string>('SELECT path FROM code_files WHERE id = ? AND view = 0', id);
      return path !== undefined && !hidden.has(path);
    }),
  ];
  sqlite.write(() => {
    sqlite.run('DELETE FROM code_links WHERE view = ?', view);
    for (const id of targets) {
      const file = linkContext.byId(id);
      if (!file) continue;
      const linked = linkFile(linkContext, modules, evaluator, file);
      sqlite.run(
        'INSERT OR REPLACE INTO code_links (view, file, edges, unresolved) VALUES (?, ?, ?, ?)',
        view,
        id,
        linked.edges,
        linked.unresolved,
      );
    }
    sqlite.run('UPDATE code_files SET linked = 1 WHERE view = ?', view);
  });
  return targets.length;
}

function changesAgainstBase(
  sqlite: Sqlite,
  own: Array<{ id: number; path: string; hash: string; interface: string; package: string }>,
): Changes {
  const changes = noChanges();
  const names = (id: number) => sqlite.column<string>('SELECT name FROM code_symbols WHERE file = ?', id);
  for (const row of own) {
    const twin = sqlite.get<{ id: number; interface: string; package: string }>(
      "SELECT id, interface, package FROM code_files WHERE path = ? AND view = 0 AND hash <> ''",
      row.path,
    );
    if (twin && row.hash !== '' && twin.interface === row.interface && twin.package === row.package) continue;
    const before = twin ? names(twin.id) : [];
    const after = row.hash !== '' ? names(row.id) : [];
    if (twin) changes.files.add(twin.id);
    for (const name of before) if (!after.includes(name)) changes.lookups.add(name);
    for (const name of after) if (!before.includes(name)) changes.lookups.add(name);
    noteModule(row.path, row.package, changes);
    if (twin) noteModule(row.path, twin.package, changes);
  }
  return changes;
}
