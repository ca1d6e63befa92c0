import type { Sqlite } from '../../base/sqlite/index.ts';
import { mark, stemOf } from './link/lookup-words.ts';
import type { ParsedFile } from './parse-file.ts';
import type { Scan } from './scan.ts';

interface StoredFile {
  id: number;
  interface: string;
  package: string;
}

/** Names whose meaning changed, for files that looked them up; collected over a batch and marked once. */
export interface Changes {
  files: Set<number>;
  lookups: Set<string>;
}

export const noChanges = (): Changes => ({ files: new Set(), lookups: new Set() });

export function keepSkipped(
  sqlite: Sqlite,
  view: number,
  { path, reason, size, modified }: Scan['skipped'][number],
): void {
  sqlite.run(
    'INSERT OR REPLACE INTO code_skipped (view, path, reason, size, modified) VALUES (?, ?, ?, ?, ?)',
    view,
    path,
    reason,
    size,
    modified,
  );
}

/** Stores one parsed file in a view. Ids of the file and of surviving symbols do not change. */
export function writeFile(
  sqlite: Sqlite,
  view: number,
  parsed: ParsedFile,
  changes: Changes | undefined,
): void {
  sqlite.run('DELETE FROM code_skipped WHERE view = ? AND path = ?', view, parsed.path);
  if (parsed.skip) {
    removeFile(sqlite, view, parsed.path, changes);
    keepSkipped(sqlite, view, { ...parsed, reason: parsed.skip });
    return;
  }
  const old = stored(sqlite, view, parsed.path);
  const values = [
    parsed.hash,
    parsed.interface,
    parsed.language,
    parsed.package,
    parsed.size,
    parsed.modified,
    parsed.lines,
    parsed.broken ? 1 : 0,
  ];
  const file = old ? old.id : insertFile(sqlite, view, parsed.path, values);
  if (old)
    sqlite.run(
      `UPDATE code_files SET hash = ?, interface = ?, language = ?, package = ?, size = ?, modified = ?, lines = ?, broken = ?, linked = 0
       WHERE id = ?`,
      ...values,
      old.id,
    );
  if (changes && (old?.interface !== parsed.interface || old?.package !== parsed.package)) {
    noteNames(sqlite, file, parsed, old !== undefined, changes);
    if (old) changes.files.add(file);
    if (!old || old.package !== parsed.package) noteModule(parsed.path, parsed.package, changes);
    if (old && old.package !== parsed.package) noteModule(parsed.path, old.package, changes);
  }
  const ids = writeSymbols(sqlite, file, parsed, old !== undefined);
  sqlite.run(
    'INSERT OR REPLACE INTO code_facts (file, facts, uses, ids) VALUES (?, ?, ?, ?)',
    file,
    parsed.facts,
    parsed.uses,
    new Uint8Array(ids.buffer),
  );
}

function insertFile(sqlite: Sqlite, view: number, path: string, values: Array<string | number>): number {
  return sqlite.run(
    `INSERT INTO code_files (hash, interface, language, package, size, modified, lines, broken, view, path)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...values,
    view,
    path,
  ).lastInsertRowid;
}

function writeSymbols(sqlite: Sqlite, file: number, parsed: ParsedFile, known: boolean): Int32Array {
  const before = new Map<string, number>();
  if (known)
    for (const row of sqlite.all<{ id: number; key: string; kind: string }>(
      'SELECT id, key, kind FROM code_symbols WHERE file = ?',
      file,
    ))
      before.set(row.kind === 'file' ? '' : row.key, row.id);
  const ids = new Int32Array(parsed.symbols.length + 1);
  const insert = sqlite.prepare(
    `INSERT INTO code_symbols (file, kind, name, key, parent, line, end_line, start, "end", exported, declaration, signature, doc)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const update = sqlite.prepare(
    `UPDATE code_symbols SET kind = ?, name = ?, parent = ?, line = ?, end_line = ?, start = ?, "end" = ?, exported = ?, declaration = ?,
     signature = ?, doc = ? WHERE id = ?`,
  );
  const words = sqlite.prepare('INSERT INTO code_words (rowid, words) VALUES (?, ?)');
  const put = (index: number, row: ParsedFile['symbols'][number]) => {
    const [kind, name, key, parent, line, endLine, start, end, exported, declaration, signature, doc] = row;
    const parentId = index === 0 ? 0 : (ids[parent + 1] ?? 0);
    const there = before.get(key);
    const rest = [line, endLine, start, end, exported, declaration, signature, doc];
    let id = there ?? 0;
    if (there === undefined)
      id = Number(insert.run(file, kind, name, key, parentId, ...rest).lastInsertRowid);
    else {
      before.delete(key);
      update.run(kind, name, parentId, ...rest, id);
      sqlite.run('DELETE FROM code_words WHERE rowid = ?', id);
    }
    ids[index] = id;
    words.run(id, parsed.words[index] ?? '');
  };
  const name = parsed.path.slice(parsed.path.lastIndexOf('/') + 1);
  put(0, ['file', name, '', 0, 1, parsed.lines, 0, 0, 1, 0, '', '']);
  for (const [index, row] of parsed.symbols.entries()) put(index + 1, row);
  for (const gone of before.values()) removeSymbol(sqlite, gone);
  return ids;
}

function removeSymbol(sqlite: Sqlite, id: number): void {
  sqlite.run('DELETE FROM code_words WHERE rowid = ?', id);
  sqlite.run('DELETE FROM code_symbols WHERE id = ?', id);
}

/** Removes a file and everything derived from it from a view. */
export function removeFile(sqlite: Sqlite, view: number, path: string, changes: Changes | undefined): void {
  const old = stored(sqlite, view, path);
  if (!old) return;
  changes?.files.add(old.id);
  if (changes) noteModule(path, old.package, changes);
  for (const row of sqlite.all<{ id: number; name: string }>(
    'SELECT id, name FROM code_symbols WHERE file = ?',
    old.id,
  )) {
    changes?.lookups.add(row.name);
    removeSymbol(sqlite, row.id);
  }
  forgetLinks(sqlite, view, old.id);
  sqlite.run('DELETE FROM code_facts WHERE file = ?', old.id);
  sqlite.run('DELETE FROM code_files WHERE id = ?', old.id);
}

function forgetLinks(sqlite: Sqlite, view: number, file: number): void {
  sqlite.run('DELETE FROM code_links WHERE file = ?', file);
  sqlite.run('DELETE FROM code_compiled WHERE file = ?', file);
  sqlite.run('DELETE FROM code_consulted WHERE source = ?', file);
  if (view === 0) sqlite.run('DELETE FROM code_lookups WHERE rowid = ?', file);
}

const stored = (sqlite: Sqlite, view: number, path: string): StoredFile | undefined =>
  sqlite.get<StoredFile>(
    'SELECT id, interface, package FROM code_files WHERE path = ? AND view = ?',
    path,
    view,
  );

/** Names that appeared, disappeared or changed their kind: another file may have looked them up. */
function noteNames(sqlite: Sqlite, file: number, parsed: ParsedFile, known: boolean, changes: Changes): void {
  const balance = new Map<string, { name: string; more: number }>();
  const count = (name: string, kind: string, declaration: number, step: 1 | -1) => {
    const key = `${kind} ${declaration} ${name}`;
    const one = balance.get(key) ?? { name, more: 0 };
    one.more += step;
    balance.set(key, one);
  };
  if (known)
    for (const row of sqlite.all<{ name: string; kind: string; declaration: number }>(
      "SELECT name, kind, declaration FROM code_symbols WHERE file = ? AND kind <> 'file'",
      file,
    ))
      count(row.name, row.kind, row.declaration, -1);
  for (const [kind, name, , , , , , , , declaration] of parsed.symbols) count(name, kind, declaration, 1);
  for (const { name, more } of balance.values()) if (more !== 0) changes.lookups.add(name);
}

export function noteModule(path: string, packageName: string, changes: Changes): void {
  const slash = path.lastIndexOf('/');
  const directory = path.slice(0, Math.max(0, slash));
  changes.lookups.add(`m:${stemOf(path.slice(slash + 1))}`);
  changes.lookups.add(`m:${mark(directory.slice(directory.lastIndexOf('/') + 1) || '_')}`);
  changes.lookups.add(`p:${mark(directory)}`);
  if (packageName) changes.lookups.add(`p:${mark(packageName)}`);
}
