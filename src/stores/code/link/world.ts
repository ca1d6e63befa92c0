import type { Sqlite } from '../../../base/sqlite/index.ts';
import type { Language } from '../../../base/syntax/index.ts';
import type { LinkFacts, LinkUse } from '../parse-file.ts';

/** A file as linking sees it: definitions, what names stand for, and the ids its symbols have in the store. */
export interface LoadedFile {
  id: number;
  path: string;
  language: Language;
  package: string;
  definitions: LinkFacts['definitions'];
  imports: LinkFacts['imports'];
  /** What imports are called here, and the first part of it where that is dotted. */
  importedNames: ReadonlySet<string>;
  exports: LinkFacts['exports'];
  heritage: LinkFacts['heritage'];
  /** The file itself first, then each definition. */
  ids: Int32Array;
  /** Definitions by scope and name, the last one last. */
  inside(scope: number, name: string): number[] | undefined;
  /** Definitions that name their type from outside of it (`func (t *T) m`, `impl T`, `T::m`). */
  contained(type: string, name: string): number[] | undefined;
  bindings(scope: number, name: string): Array<[how: string, path: string]> | undefined;
  results(scope: number): Array<[name: string, path: string]> | undefined;
  /** Functions with the types that they take. */
  parameters: Array<[scope: number, path: string]>;
}

/** What is visible in one view, loaded as far as it is asked for. */
export interface World {
  view: number;
  file(path: string): LoadedFile | undefined;
  byId(id: number): LoadedFile | undefined;
  uses(id: number): LinkUse[];
  /** Callable and type definitions of that name, at most `limit` of them. */
  named(name: string, limit: number): Array<{ file: LoadedFile; ordinal: number }>;
  inPackage(name: string): LoadedFile[];
  inDirectory(directory: string, language: Language): LoadedFile[];
  /** Paths that end like this, at most four. */
  endingWith(suffix: string): LoadedFile[];
}

const keptFiles = 6000;
const targets =
  "'function','method','class','struct','interface','trait','enum','type','macro','constructor','module'";

export function openWorld(sqlite: Sqlite, view: number): World {
  const byPath = new Map<string, LoadedFile | undefined>();
  const loaded = new Map<number, LoadedFile>();
  const names = new Map<string, Array<{ file: LoadedFile; ordinal: number }>>();
  const groups = new Map<string, LoadedFile[]>();
  let overlay: Map<string, number> | undefined;

  const overlaid = () => {
    if (!overlay) {
      overlay = new Map();
      if (view !== 0)
        for (const row of sqlite.all<{ path: string; id: number; hash: string }>(
          'SELECT path, id, hash FROM code_files WHERE view = ?',
          view,
        ))
          overlay.set(row.path, row.hash === '' ? 0 : row.id);
    }
    return overlay;
  };
  const visible = (id: number, path: string, of: number) =>
    of === view || (of === 0 && !overlaid().has(path)) ? id : undefined;

  const load = (id: number): LoadedFile | undefined => {
    let file = loaded.get(id);
    if (!file) {
      const row = sqlite.get<FileRow>(
        `SELECT f.id, f.path, f.language, f.package, x.facts, x.ids FROM code_files f JOIN code_facts x ON x.file = f.id
         WHERE f.id = ? AND f.hash <> ''`,
        id,
      );
      if (!row) return undefined;
      file = prepare(row);
      if (loaded.size >= keptFiles) loaded.delete(loaded.keys().next().value!);
      loaded.set(id, file);
    }
    return file;
  };
  const group = (
    key: string,
    find: () => Array<{ id: number; path: string; view: number }>,
  ): LoadedFile[] => {
    let found = groups.get(key);
    if (!found) {
      found = [];
      for (const row of find()) {
        const file = visible(row.id, row.path, row.view) !== undefined ? load(row.id) : undefined;
        if (file) found.push(file);
      }
      groups.set(key, found);
    }
    return found;
  };
  const columns = "SELECT id, path, view FROM code_files WHERE hash <> '' AND view IN (0, ?)";

  return {
    view,
    byId: load,
    file: (path) => {
      if (byPath.has(path)) return byPath.get(path);
      const own = overlaid().get(path);
      const id =
        own ??
        sqlite.get<{ id: number }>(
          "SELECT id FROM code_files WHERE path = ? AND view = 0 AND hash <> ''",
          path,
        )?.id;
      const file = id ? load(id) : undefined;
      byPath.set(path, file);
      return file;
    },
    uses: (id) =>
      JSON.parse(
        sqlite.get<{ uses: string }>('SELECT uses FROM code_facts WHERE file = ?', id)?.uses || '[]',
      ),
    named: (name, limit) => {
      let found = names.get(name);
      if (!found) {
        found = [];
        for (const row of sqlite.all<{ file: number; key: string; path: string; view: number }>(
          `SELECT s.file, s.key, f.path, f.view FROM code_symbols s JOIN code_files f ON f.id = s.file
           WHERE s.name = ? AND s.kind IN (${targets}) AND f.view IN (0, ?) AND f.hash <> '' ORDER BY f.path, s.start LIMIT 40`,
          name,
          view,
        )) {
          const file = visible(row.file, row.path, row.view) !== undefined ? load(row.file) : undefined;
          const ordinal = file ? file.definitions.findIndex((one) => one[4] === row.key) : -1;
          if (file && ordinal >= 0) found.push({ file, ordinal });
        }
        names.set(name, found);
      }
      return found.slice(0, limit);
    },
    inPackage: (name) =>
      group(`package ${name}`, () => sqlite.all(`${columns} AND package = ? ORDER BY path`, view, name)),
    inDirectory: (directory, language) =>
      group(`directory ${language} ${directory}`, () =>
        sqlite
          .all<{ id: number; path: string; view: number }>(
            `${columns} AND language = ? AND path >= ? AND path < ? ORDER BY path`,
            view,
            language,
            directory === '' ? '' : `${directory}/`,
            directory === '' ? '\u{10ffff}' : `${directory}0`,
          )
          .filter((row) => row.path.lastIndexOf('/') === (directory === '' ? -1 : directory.length)),
      ),
    endingWith: (suffix) =>
      group(`ending ${suffix}`, () => {
        const last = suffix.slice(suffix.lastIndexOf('/') + 1);
        return sqlite
          .all<{ id: number; path: string; view: number }>(
            `SELECT f.id, f.path, f.view FROM code_symbols s JOIN code_files f ON f.id = s.file
             WHERE s.name = ? AND s.kind = 'file' AND f.view IN (0, ?) AND f.hash <> '' ORDER BY f.path`,
            last,
            view,
          )
          .filter((row) => row.path === suffix || row.path.endsWith(`/${suffix}`))
          .slice(0, 4);
      }),
  };
}

interface FileRow {
  id: number;
  path: string;
  language: Language;
  package: string;
  facts: string;
  ids: Uint8Array;
}

function prepare(row: FileRow): LoadedFile {
  const facts: LinkFacts = JSON.parse(
    row.facts || '{"definitions":[],"bindings":[],"imports":[],"exports":[],"heritage":[]}',
  );
  const byScope = new Map<number, Map<string, number[]>>();
  const byContainer = new Map<string, Map<string, number[]>>();
  const bound = new Map<number, Map<string, Array<[string, string]>>>();
  const parameters: Array<[number, string]> = [];
  const returned = new Map<number, Array<[string, string]>>();
  for (const [ordinal, [, name, parent, container]] of facts.definitions.entries()) {
    if (container === '' || parent >= 0) push(inner(byScope, parent), name, ordinal);
    if (container !== '')
      push(inner(byContainer, container.slice(container.lastIndexOf('.') + 1)), name, ordinal);
  }
  for (const [how, scope, name, path] of facts.bindings) {
    if (how === 'param' && path !== '') parameters.push([scope, path]);
    if (how === 'result') push(returned, scope, [name, path]);
    else push(inner(bound, scope), name, [how, path]);
  }
  const ids = row.ids.byteOffset % 4 === 0 ? row.ids : row.ids.slice();
  return {
    id: row.id,
    path: row.path,
    language: row.language,
    package: row.package,
    definitions: facts.definitions,
    imports: facts.imports,
    importedNames: new Set(
      facts.imports.flatMap(([, , as]) => (as.includes('.') ? [as, as.split('.')[0]!] : as)),
    ),
    exports: facts.exports,
    heritage: facts.heritage,
    ids: new Int32Array(ids.buffer, ids.byteOffset, ids.byteLength >> 2),
    inside: (scope, name) => byScope.get(scope)?.get(name),
    contained: (type, name) => byContainer.get(type)?.get(name),
    bindings: (scope, name) => bound.get(scope)?.get(name),
    results: (scope) => returned.get(scope),
    parameters,
  };
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const there = map.get(key);
  if (there) there.push(value);
  else map.set(key, [value]);
}

function inner<K, V>(map: Map<K, Map<string, V>>, key: K): Map<string, V> {
  let there = map.get(key);
  if (!there) {
    there = new Map();
    map.set(key, there);
  }
  return there;
}
