import type { Sqlite } from '../../../base/sqlite/index.ts';
import { unpackEdges } from '../edge.ts';
import type { LinkUse } from '../parse-file.ts';
import { linesOf, readAsIndexed } from '../scip/import.ts';
import type { UpdateOptions } from '../update.ts';
import { lastName } from './merge.ts';
import type { CompiledLink } from './protocol.ts';
import { type PythonServer, pyrightProgram, startPythonServer } from './python-server.ts';
import { type FollowedCalls, writeCompiled } from './write.ts';

export interface PythonOptions {
  megabytes: number;
  timeoutMs?: number | undefined;
  /** The language server; tests pass one of their own, others have it on PATH. */
  program?: string | undefined;
}

export interface PythonReport {
  files: number;
  /** Files whose open calls were asked for now, and links that came of it. */
  read: number;
  links: number;
}

const python = "f.view = 0 AND f.hash <> '' AND f.language = 'python'";
const calls = new Set(['call', 'new', 'decorator']);

/**
 * Calls of Python that scopes and imports could not follow, followed by the language server that the person has installed.
 * Undefined where there is none. What was asked before the time is over is kept, the rest is asked the next time.
 */
export async function followPython(
  { sqlite, mainRoot }: { sqlite: Sqlite; mainRoot: string },
  options: PythonOptions,
  { signal, progress }: Pick<UpdateOptions, 'signal' | 'progress'> = {},
): Promise<PythonReport | undefined> {
  const files = sqlite.column<string>(`SELECT f.path FROM code_files f WHERE ${python} ORDER BY f.path`);
  const wanted = sqlite.all<{ id: number; path: string; hash: string }>(
    `SELECT f.id, f.path, f.hash FROM code_files f LEFT JOIN code_compiled c ON c.file = f.id AND c.hash = f.hash
     WHERE ${python} AND f.linked = 1 AND coalesce(c.stale, 1) > 0 ORDER BY coalesce(c.stale, 0), f.path`,
  );
  const program = wanted.length > 0 ? (options.program ?? pyrightProgram(mainRoot)) : undefined;
  if (!program || options.megabytes === 0) return undefined;
  const report: PythonReport = { files: files.length, read: 0, links: 0 };
  const server = await startPythonServer(program, {
    root: mainRoot,
    files,
    megabytes: options.megabytes,
  });
  const close = () => server.close();
  const timer = setTimeout(close, options.timeoutMs ?? 300_000);
  signal?.addEventListener('abort', close, { once: true });
  try {
    const properties = propertiesIn(sqlite, mainRoot);
    for (const file of wanted) {
      const followed = await followCalls(sqlite, mainRoot, server, file, properties);
      if (server.hasEnded()) break;
      if (!followed || !writeCompiled(sqlite, followed)) continue;
      report.read++;
      report.links += followed.links.length;
      progress?.({
        done: report.read,
        total: wanted.length,
        message: `links: ${report.read} of ${wanted.length} files of Python checked`,
      });
    }
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', close);
    close();
  }
  return report;
}

async function followCalls(
  sqlite: Sqlite,
  root: string,
  server: PythonServer,
  { id, path, hash }: { id: number; path: string; hash: string },
  properties: RegExp | undefined,
): Promise<FollowedCalls | undefined> {
  const text = readAsIndexed(root, path, hash);
  if (text === undefined) return undefined;
  const lines = linesOf(text);
  const followed: FollowedCalls = { path, hash, links: [], answered: [] };
  const follow = async (row: number, column: number, name: string, kind: 'calls' | 'references') => {
    const places = await server.definitions({ path, line: row, column });
    for (const place of places === 'outside' ? [] : places) {
      const offset = offsetOf(sqlite, root, place);
      const at = (lines[row]?.at ?? 0) + column;
      if (offset === undefined) continue;
      const link: CompiledLink = [at, row + 1, kind, place.path, name, offset];
      followed.links.push(link);
    }
    return places.length > 0;
  };
  const asked = openCalls(sqlite, id).flatMap(({ line, name, isCall }) =>
    columnsOf(lines, line, name, isCall).map(async ({ row, column }) => {
      if (await follow(row, column, name, 'calls')) followed.answered.push([line, name]);
    }),
  );
  const read = lines.flatMap(({ text: line }, row) =>
    properties
      ? [...line.matchAll(properties)].map(({ index, 0: name }) => follow(row, index, name, 'references'))
      : [],
  );
  await Promise.all([...asked, ...read]);
  return followed;
}

const property = /@(?:\w+\.)*(?:cached_)?property[ \t]*\r?\n[ \t]*(?:async )?def (\w+)/g;

/** A pattern of reads of what some class here defines as a property: its function is called without brackets. */
function propertiesIn(sqlite: Sqlite, root: string): RegExp | undefined {
  const names = new Set<string>();
  for (const { path, hash } of sqlite.all<{ path: string; hash: string }>(
    `SELECT f.path, f.hash FROM code_files f WHERE ${python}`,
  ))
    for (const [, name = ''] of (readAsIndexed(root, path, hash) ?? '').matchAll(property)) names.add(name);
  return names.size > 0 ? new RegExp(`(?<=\\.)(?:${[...names].join('|')})\\b(?!\\s*\\()`, 'gu') : undefined;
}

/** Calls by a name that some function or class of Python here has, and which nothing surer than the name leads to. */
function openCalls(sqlite: Sqlite, file: number): Array<{ line: number; name: string; isCall: boolean }> {
  const uses: LinkUse[] = JSON.parse(
    sqlite.value<string>('SELECT uses FROM code_facts WHERE file = ?', file) || '[]',
  );
  const edges = sqlite.value<Uint8Array>('SELECT edges FROM code_links WHERE file = ? AND view = 0', file);
  const nameOf = sqlite.prepare<{ name: string }>('SELECT name FROM code_symbols WHERE id = ?');
  const sure = new Set<string>();
  for (const { kind, line, known, target } of edges ? unpackEdges(edges) : [])
    if (kind === 'calls' && known === 'imports') sure.add(`${line} ${nameOf.get(target)?.name}`);
  const isHere = sqlite.prepare<{ id: number }>(
    `SELECT s.id FROM code_symbols s JOIN code_files f ON f.id = s.file WHERE s.name = ? AND ${python}
     AND s.kind IN ('function', 'method', 'class') LIMIT 1`,
  );
  const open = new Map<string, { line: number; name: string; isCall: boolean }>();
  for (const [kind, path, , line] of uses) {
    const name = lastName(path);
    const key = `${line} ${name}`;
    if (calls.has(kind) && name && !sure.has(key) && !open.has(key) && isHere.get(name))
      open.set(key, { line, name, isCall: kind !== 'decorator' });
  }
  return [...open.values()];
}

const furthest = 10;

/** Where the name is called: in its line, or in the first line after it where a chain goes on. */
function columnsOf(
  lines: Array<{ text: string }>,
  line: number,
  name: string,
  isCall: boolean,
): Array<{ row: number; column: number }> {
  const called = new RegExp(
    `(?<![\\p{L}\\p{N}_])${name}(?![\\p{L}\\p{N}_])${isCall ? '(?=\\s*\\()' : ''}`,
    'gu',
  );
  for (let row = line - 1; row < Math.min(lines.length, line - 1 + furthest); row++) {
    const found = [...(lines[row]?.text ?? '').matchAll(called)].map(({ index }) => ({ row, column: index }));
    if (found.length > 0) return found;
  }
  return [];
}

/** The offset of a place in a file that is indexed as it is. */
function offsetOf(
  sqlite: Sqlite,
  root: string,
  { path, line, column }: { path: string; line: number; column: number },
): number | undefined {
  const hash = sqlite.value<string>(`SELECT f.hash FROM code_files f WHERE f.path = ? AND ${python}`, path);
  const text = hash === undefined ? undefined : readAsIndexed(root, path, hash);
  const found = text === undefined ? undefined : linesOf(text)[line];
  return found && found.at + column;
}
