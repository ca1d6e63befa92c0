import type { Sqlite } from '../../base/sqlite/index.ts';
import { matchAny } from '../../base/text/index.ts';
import { lookupWord } from './link/lookup-words.ts';
import type { Changes } from './write-file.ts';

/** Files of the base that must be relinked after the changes, besides the changed files themselves. */
export function filesToRelink(sqlite: Sqlite, changes: Changes): Set<number> {
  const found = new Set<number>();
  for (const file of changes.files)
    for (const row of sqlite.all<{ source: number }>(
      'SELECT source FROM code_consulted WHERE target = ?',
      file,
    ))
      found.add(row.source);
  const names = [...new Set([...changes.lookups].map(lookupWord))];
  for (let at = 0; at < names.length; at += 60) {
    const query = matchAny(names.slice(at, at + 60));
    if (!query) continue;
    for (const row of sqlite.all<{ rowid: number }>(
      'SELECT rowid FROM code_lookups WHERE code_lookups MATCH ?',
      query,
    ))
      found.add(row.rowid);
  }
  return found;
}

export function markUnlinked(sqlite: Sqlite, files: Iterable<number>): void {
  const update = sqlite.prepare('UPDATE code_files SET linked = 0 WHERE id = ?');
  for (const id of files) update.run(id);
}
