import type { Sqlite } from '../../../base/sqlite/index.ts';
import { unpackEdges } from '../edge.ts';
import type { LinkUse } from '../parse-file.ts';
import { linesOf, readAsIndexed } from '../scip/import.ts';
import type { UpdateOptions } from '../update.ts';
import { clangdProgram, startClangd } from './c-server.ts';
import type { CodeServer, Position, ServedFiles } from './code-server.ts';
import { goplsProgram, startGopls } from './go-server.ts';
import { lastName } from './merge.ts';
import type { CompiledLink } from './protocol.ts';
import { pyrightProgram, startPyright } from './python-server.ts';
import { type FollowedCalls, writeCompiled } from './write.ts';

/** A language server that a person may have, and what it is asked. */
interface Layer {
  name: string;
  by: string;
  languages: string[];
  program(root: string): string | undefined;
  start(program: string, files: ServedFiles): Promise<CodeServer>;
  /** Files are asked about while they are open: clangd knows no others, gopls reads the package of any other anew each time. */
  opens?: boolean;
  /** Reads of properties are calls. */
  properties?: boolean;
  /** A call through an interface may be a call of everything that implements it. */
  interfaces?: boolean;
}

const layers: Layer[] = [
  {
    name: 'Python',
    by: 'pyright',
    languages: ['python'],
    program: pyrightProgram,
    start: startPyright,
    properties: true,
  },
  {
    name: 'Go',
    by: 'gopls',
    languages: ['go'],
    program: goplsProgram,
    start: startGopls,
    opens: true,
    interfaces: true,
  },
  {
    name: 'C and C++',
    by: 'clangd',
    languages: ['c', 'cpp'],
    program: clangdProgram,
    start: startClangd,
    opens: true,
  },
];

export interface ServedOptions {
  megabytes: number;
  timeoutMs?: number | undefined;
  /** Language servers by what they are called here; tests pass their own, others have them on PATH. */
  programs?: Record<string, string> | undefined;
}

export interface ServedReport {
  language: string;
  by: string;
  files: number;
  /** Files whose open calls were asked for now, and links that came of it. */
  read: number;
  links: number;
}

const filesOf = ({ languages }: Layer): string =>
  `f.view = 0 AND f.hash <> '' AND f.language IN (${languages.map((one) => `'${one}'`).join(', ')})`;
const calls = new Set(['call', 'new', 'decorator']);

/**
 * Calls that scopes and imports could not follow, followed by the language servers that the person has installed, one after
 * the other. What was asked before the time is over is kept, the rest is asked the next time.
 */
export async function followServed(
  place: { sqlite: Sqlite; mainRoot: string },
  options: ServedOptions,
  request: Pick<UpdateOptions, 'signal' | 'progress'> = {},
): Promise<ServedReport[]> {
  const reports: ServedReport[] = [];
  for (const layer of options.megabytes === 0 ? [] : layers) {
    const report = await follow(place, layer, options, request);
    if (report) reports.push(report);
  }
  return reports;
}

/** Undefined where there is no such server, or nothing to ask it. */
async function follow(
  { sqlite, mainRoot }: { sqlite: Sqlite; mainRoot: string },
  layer: Layer,
  options: ServedOptions,
  { signal, progress }: Pick<UpdateOptions, 'signal' | 'progress'>,
): Promise<ServedReport | undefined> {
  const ours = filesOf(layer);
  const files = sqlite.column<string>(`SELECT f.path FROM code_files f WHERE ${ours} ORDER BY f.path`);
  const wanted = sqlite.all<{ id: number; path: string; hash: string }>(
    `SELECT f.id, f.path, f.hash FROM code_files f LEFT JOIN code_compiled c ON c.file = f.id AND c.hash = f.hash
     WHERE ${ours} AND f.linked = 1 AND coalesce(c.stale, 1) > 0 ORDER BY coalesce(c.stale, 0), f.path`,
  );
  const program = wanted.length > 0 ? (options.programs?.[layer.by] ?? layer.program(mainRoot)) : undefined;
  if (!program) return undefined;
  const report: ServedReport = { language: layer.name, by: layer.by, files: files.length, read: 0, links: 0 };
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), options.timeoutMs ?? 300_000);
  const ended = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
  const server = await layer.start(program, { root: mainRoot, files, megabytes: options.megabytes, ended });
  try {
    const asking: Asking = {
      sqlite,
      root: mainRoot,
      server,
      layer,
      implementations: new Map(),
      asked: 0,
      answers: 0,
      properties: layer.properties ? propertiesIn(sqlite, mainRoot, ours) : undefined,
    };
    // A server that can't load the project says nothing of any file: all are asked again when it can.
    const silent: FollowedCalls[] = [];
    const keep = (followed: FollowedCalls) => {
      if (!writeCompiled(sqlite, followed)) return;
      report.read++;
      report.links += followed.links.length;
    };
    for (const file of wanted) {
      const followed = await followCalls(asking, file);
      if (server.hasEnded()) break;
      if (!followed) continue;
      silent.push(followed);
      if (asking.answers > 0) for (const one of silent.splice(0)) keep(one);
      progress?.({
        done: report.read,
        total: wanted.length,
        message: `links: ${report.read} of ${wanted.length} files of ${layer.name} checked`,
      });
    }
    if (asking.asked === 0) for (const one of silent) keep(one);
  } finally {
    clearTimeout(timer);
    server.end();
  }
  return report;
}

interface Asking {
  sqlite: Sqlite;
  root: string;
  server: CodeServer;
  layer: Layer;
  /** By the place of the promise. */
  implementations: Map<string, Promise<Position[]>>;
  properties: RegExp | undefined;
  asked: number;
  answers: number;
}

async function followCalls(
  asking: Asking,
  { id, path, hash }: { id: number; path: string; hash: string },
): Promise<FollowedCalls | undefined> {
  const { sqlite, root, server, layer, properties } = asking;
  const text = readAsIndexed(root, path, hash);
  if (text === undefined) return undefined;
  const lines = linesOf(text);
  const followed: FollowedCalls = { path, hash, links: [], answered: [] };
  const followAt = async (row: number, column: number, name: string, kind: 'calls' | 'references') => {
    asking.asked++;
    const places = await server.definitions({ path, line: row, column });
    if (places === undefined) return false;
    asking.answers++;
    for (const place of places === 'outside' ? [] : await withImplementations(asking, places)) {
      const offset = offsetOf(asking, place);
      const at = (lines[row]?.at ?? 0) + column;
      if (offset === undefined) continue;
      const link: CompiledLink = [at, row + 1, kind, place.path, name, offset];
      followed.links.push(link);
    }
    return places.length > 0;
  };
  const open = openCalls(sqlite, layer, id);
  const reads = properties
    ? lines.flatMap(({ text: line }, row) =>
        [...line.matchAll(properties)].map(({ index, 0: name }) => ({ row, column: index, name })),
      )
    : [];
  if (layer.opens && open.length > 0) server.open(path, text);
  const asked = open.flatMap(({ line, name, isCall }) =>
    columnsOf(lines, line, name, isCall).map(async ({ row, column }) => {
      if (await followAt(row, column, name, 'calls')) followed.answered.push([line, name]);
    }),
  );
  const read = reads.map(({ row, column, name }) => followAt(row, column, name, 'references'));
  await Promise.all([...asked, ...read]);
  if (layer.opens && open.length > 0) server.close(path);
  return followed;
}

/** A promise of an interface, and everything that keeps it. */
async function withImplementations(asking: Asking, places: Position[]): Promise<Position[]> {
  if (!asking.layer.interfaces) return places;
  const all = [...places];
  for (const place of places) {
    if (!isPromise(asking, place)) continue;
    const key = `${place.path}:${place.line}:${place.column}`;
    const known = asking.implementations.get(key) ?? asking.server.implementations(place);
    asking.implementations.set(key, known);
    all.push(...(await known));
  }
  return all;
}

function isPromise({ sqlite, layer }: Asking, { path, line }: Position): boolean {
  return (
    sqlite.value<number>(
      `SELECT 1 FROM code_symbols s JOIN code_files f ON f.id = s.file WHERE f.path = ? AND ${filesOf(layer)}
       AND s.kind = 'interface' AND s.line <= ? AND s.end_line >= ? LIMIT 1`,
      path,
      line + 1,
      line + 1,
    ) === 1
  );
}

const property = /@(?:\w+\.)*(?:cached_)?property[ \t]*\r?\n[ \t]*(?:async )?def (\w+)/g;

/** A pattern of reads of what some class here defines as a property: its function is called without brackets. */
function propertiesIn(sqlite: Sqlite, root: string, ours: string): RegExp | undefined {
  const names = new Set<string>();
  for (const { path, hash } of sqlite.all<{ path: string; hash: string }>(
    `SELECT f.path, f.hash FROM code_files f WHERE ${ours}`,
  ))
    for (const [, name = ''] of (readAsIndexed(root, path, hash) ?? '').matchAll(property)) names.add(name);
  return names.size > 0 ? new RegExp(`(?<=\\.)(?:${[...names].join('|')})\\b(?!\\s*\\()`, 'gu') : undefined;
}

interface OpenCall {
  line: number;
  name: string;
  isCall: boolean;
}

/** Calls by a name that some function or class of the language here has, and which nothing surer than the name leads to. */
function openCalls(sqlite: Sqlite, layer: Layer, file: number): OpenCall[] {
  const uses: LinkUse[] = JSON.parse(
    sqlite.value<string>('SELECT uses FROM code_facts WHERE file = ?', file) || '[]',
  );
  const edges = sqlite.value<Uint8Array>('SELECT edges FROM code_links WHERE file = ? AND view = 0', file);
  const nameOf = sqlite.prepare<{ name: string }>('SELECT name FROM code_symbols WHERE id = ?');
  const sure = new Set<string>();
  for (const { kind, line, known, target } of edges ? unpackEdges(edges) : [])
    if (kind === 'calls' && known === 'imports') sure.add(`${line} ${nameOf.get(target)?.name}`);
  const isHere = sqlite.prepare<{ id: number }>(
    `SELECT s.id FROM code_symbols s JOIN code_files f ON f.id = s.file WHERE s.name = ? AND ${filesOf(layer)}
     AND s.kind IN ('function', 'method', 'class', 'macro') LIMIT 1`,
  );
  const open = new Map<string, OpenCall>();
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
function offsetOf({ sqlite, root, layer }: Asking, { path, line, column }: Position): number | undefined {
  const hash = sqlite.value<string>(
    `SELECT f.hash FROM code_files f WHERE f.path = ? AND ${filesOf(layer)}`,
    path,
  );
  const text = hash === undefined ? undefined : readAsIndexed(root, path, hash);
  const found = text === undefined ? undefined : linesOf(text)[line];
  return found && found.at + column;
}
