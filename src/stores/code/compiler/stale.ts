import type { Sqlite } from '../../../base/sqlite/index.ts';

/** When the compiler reads a file again whose text is as it was: something that it uses changed, or something behind that. */
const soon = 1;
const later = 2;

/** After a change that these files may feel: they are read again soon, the files that use them later. */
export function markStale(sqlite: Sqlite, files: ReadonlySet<number>): void {
  const usersOf = (file: number) =>
    sqlite.column<number>('SELECT source FROM code_consulted WHERE target = ?', file);
  const mark = sqlite.prepare('UPDATE code_compiled SET stale = ? WHERE file = ? AND stale <> 1');
  for (const file of files) mark.run(soon, file);
  const seen = new Set(files);
  for (let level = [...files]; level.length > 0; ) {
    const next = new Set(level.flatMap(usersOf).filter((user) => !seen.has(user)));
    for (const user of next) {
      seen.add(user);
      mark.run(later, user);
    }
    level = [...next];
  }
}
