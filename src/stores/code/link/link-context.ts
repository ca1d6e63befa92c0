import type { Sqlite } from '../../../base/sqlite/index.ts';
import type { Language } from '../../../base/syntax/index.ts';
import type { LinkFacts, LinkUse } from '../parse-file.ts';

/** A file for linking: definitions, bindings, and the ids of its symbols in the store. */
export type LoadedFile = ReturnType<typeof prepare>;

export type LinkContext = ReturnType<typeof openLinkContext>;

/** The `definition` of the file itself. */
const noDefinition: LinkFacts['definitions'][number] = ['file', '', -1, '', '', 0];

const keptFiles = 6000;
const targets =
  "'function','method','class','struct','interface','trait','enum','type','macro','constructor','module'";

/** What is visible in one view, loaded on demand. */
export function openLinkContext(sqlite: Sqlite, view: number) {
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
      const [oldest] = loaded.keys();
      if (oldest !== undefined && loaded.size >= keptFiles) loaded.delete(oldest);
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
    file: (path: string): LoadedFile | undefined => {
      if (byPath.has(path)) return byPath.get(path);
      const stored = "SELECT id FROM code_files WHERE path = ? AND view = 0 AND hash <> ''";
      const id = overlaid().get(path) ?? sqlite.value<number>(stored, path);
      const file = id ? load(id) : undefined;
      byPath.set(path, file);
      return file;
    },
    uses: (id: number): LinkUse[] =>
      JSON.parse(sqlite.value<string>('SELECT uses FROM code_facts WHERE file = ?', id) || '[]'),
    /** Callable and type definitions of that name, at most `limit` of them. */
    named: (name: string, limit: number) => {
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
    inPackage: (name: string) =>
      group(`package ${name}`, () => sqlite.all(`${columns} AND package = ? ORDER BY path`, view, name)),
    inDirectory: (directory: string, language: Language) =>
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
    /** Paths with this ending, at most four. */
    endingWith: (suffix: string) =>
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

function prepare(row: FileRow) {
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
  const aligned = row.ids.byteOffset % 4 === 0 ? row.ids : row.ids.slice();
  const ids = new Int32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength >> 2);
  const { definitions, imports, exports, heritage } = facts;
  return {
    id: row.id,
    path: row.path,
    language: row.language,
    package: row.package,
    definitions,
    definition: (ordinal: number) => definitions[ordinal] ?? noDefinition,
    imports,
    /** Import names, and their first part where they are dotted. */
    importedNames: new Set(imports.flatMap(([, , as]) => [as, as.replace(/\..*/s, '')])),
    exports,
    heritage,
    /** The symbol of a definition; of the file itself for -1. */
    idOf: (ordinal: number): number => ids[ordinal + 1] ?? -1,
    /** Definitions by scope and name, the last one last. */
    inside: (scope: number, name: string) => byScope.get(scope)?.get(name),
    /** Definitions that name their type from outside of it (`func (t *T) m`, `impl T`, `T::m`). */
    contained: (type: string, name: string) => byContainer.get(type)?.get(name),
    bindings: (scope: number, name: string) => bound.get(scope)?.get(name),
    results: (scope: number) => returned.get(scope),
    /** Functions with their parameter types. */
    parameters,
  };
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const there = map.get(key);
  if (there) there.push(value);
  else map.set(key, [value]);
}

function inner<K, V>(map: Map<K, Map<string, V>>, key: K): Map<string, V> {
  const there = map.get(key) ?? new Map<string, V>();
  map.set(key, there);
  return there;
}
