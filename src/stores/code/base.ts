import { isoTime } from '../../base/clock.ts';
import type { Sqlite } from '../../base/sqlite/index.ts';
import { markStale } from './compiler/stale.ts';
import { filesToRelink, markUnlinked } from './dirty.ts';
import { linkBase } from './link/link-base.ts';
import type { ParsedFile } from './parse-file.ts';
import { parseJobs } from './parse-jobs.ts';
import { planUpdate } from './plan.ts';
import { scanFiles, sortOut } from './scan.ts';
import { emptyReport, type IngestPlace, type UpdateOptions, type UpdateReport } from './update.ts';
import { beginUpdate, finishUpdate, type ViewRow } from './views.ts';
import { keepSkipped, noChanges, removeFile, writeFile } from './write-file.ts';

/** Updates the base to the main working tree. */
export async function updateBase(
  place: IngestPlace,
  view: ViewRow,
  options: UpdateOptions,
): Promise<UpdateReport> {
  const { sqlite } = place;
  const report = emptyReport();
  const first = view.generation === 0;
  const scan = options.paths
    ? await sortOut(place.mainRoot, [...new Set(options.paths)], place.settings)
    : await scanFiles(place.mainGit, place.mainRoot, place.settings, options.signal);
  const plan = planUpdate(sqlite, {
    view: view.id,
    root: place.mainRoot,
    scan,
    named: options.paths,
  });
  // Don't report `updating` when the scan finds no changes.
  if (first || Object.values(plan).some((part) => part.length > 0))
    beginUpdate(sqlite, view.id, plan.jobs.length);
  const changes = first ? undefined : noChanges();
  const settle = () => {
    if (!changes || (changes.files.size === 0 && changes.lookups.size === 0)) return;
    const affected = filesToRelink(sqlite, changes);
    markUnlinked(sqlite, affected);
    markStale(sqlite, affected);
    changes.files.clear();
    changes.lookups.clear();
  };
  sqlite.write(() => {
    for (const path of plan.removed) removeFile(sqlite, view.id, path, changes);
    for (const path of plan.unskipped)
      sqlite.run('DELETE FROM code_skipped WHERE view = ? AND path = ?', view.id, path);
    for (const one of plan.skipped) {
      removeFile(sqlite, view.id, one.path, changes);
      keepSkipped(sqlite, view.id, one);
    }
    settle();
  });
  report.removed = plan.removed.length;
  report.changed.push(...plan.removed);
  let done = 0;
  const jobs = plan.jobs.map((job) => ({ ...job, root: place.mainRoot }));
  await parseJobs(place, jobs, options, (files) => {
    sqlite.write(() => {
      for (const file of files) {
        if (isUntouched(sqlite, view.id, file)) continue;
        writeFile(sqlite, view.id, file, changes);
        report.parsed++;
        report.changed.push(file.path);
      }
      settle();
      done += files.length;
      sqlite.run('UPDATE code_views SET done = ? WHERE id = ?', done, view.id);
    });
    options.progress?.({ done, total: jobs.length, message: `code: ${done} of ${jobs.length} files read` });
  });
  report.linked = await linkBase(place, options);
  const head = await place.mainGit.text(['rev-parse', '-q', '--verify', 'HEAD'], { accept: [1] });
  const changed = report.linked > 0 || report.removed > 0 || report.parsed > 0;
  finishUpdate(sqlite, view.id, { head, at: isoTime(place.clock.now()), changed, baseGeneration: 0 });
  return report;
}

/** Touched, but with the same bytes: only the time is stored. */
function isUntouched(sqlite: Sqlite, view: number, file: ParsedFile): boolean {
  if (file.skip) return false;
  return (
    sqlite.run(
      'UPDATE code_files SET modified = ?, size = ? WHERE view = ? AND path = ? AND hash = ?',
      file.modified,
      file.size,
      view,
      file.path,
      file.hash,
    ).changes > 0
  );
}
