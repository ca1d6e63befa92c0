import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { isAbsolute, join, relative } from 'node:path';
import { state } from '../../base/files/index.ts';
import { compileGlob } from '../../base/glob/index.ts';
import {
  type Reading,
  readReport,
  type ShapedCommand,
  shapeCommand,
  type ToolOutput,
} from '../../base/reports/index.ts';
import { runConfined } from '../../base/sandbox/index.ts';
import type { Checks } from '../../stores/checks/index.ts';
import type { Gate } from './gates.ts';
import type { WorkingCopy } from './trees.ts';

export interface GateRun {
  reading: Reading;
  milliseconds: number;
  isCached: boolean;
}

export interface RunPlace {
  root: string;
  /** The copy is seen at `root`, where its packages are. */
  movesPlaces: boolean;
  unconfined: boolean;
  /** What else is seen, where places can be moved; elsewhere the copy has links. */
  bring: Array<{ from: string; at: string }>;
  /** May be written by tools, and stays. */
  caches: string;
  hidden: string[];
  checks: Checks;
  /** Changes when packages are installed anew. */
  packages: string;
  timeoutMs: number;
  signal: AbortSignal;
}

const reportFolder = '.sylk-reports';
const mostReportBytes = 64 * 1024 * 1024;

/** The same tool on the same files, in the same environment, says the same: it runs once. */
export async function runGate(
  place: RunPlace,
  gate: Gate,
  copy: WorkingCopy,
  files: string[] | undefined,
  { again = false, without }: { again?: boolean; without?: string[] | undefined } = {},
): Promise<GateRun> {
  const { tool, category, directory } = gate;
  const seen = place.movesPlaces ? place.root : copy.directory;
  const reportFile = join(seen, reportFolder, `${tool.replace(/\W+/g, '-')}-${category}`);
  const below = (paths: string[] | undefined) => paths?.map((file) => relative(directory, file) || '.');
  const shape = shapeCommand(tool, category, gate.words, {
    files: below(files),
    without: below(without),
    reportFile,
  });
  if (!shape) return failure('unreadable', `The output of ${tool} can't be read.`);
  const key = digest([copy.digest, place.packages, directory, again ? 'again' : '', ...shape.words]);
  const kept = () => place.checks.result(key);
  const cached = kept();
  if (cached) return { ...cached, isCached: true };
  // Another check may be at work in the same copy, and may find the same.
  return place.checks.exclusively(copy.digest, place.signal, async () => {
    const meanwhile = kept();
    return meanwhile ? { ...meanwhile, isCached: true } : runInCopy(place, gate, copy, { shape, seen, key });
  });
}

async function runInCopy(
  place: RunPlace,
  { tool, category, directory }: Gate,
  copy: WorkingCopy,
  { shape, seen, key }: { shape: ShapedCommand; seen: string; key: string },
): Promise<GateRun> {
  await copy.restore();
  state.remove(join(copy.directory, reportFolder));
  state.makeDirectory(join(copy.directory, reportFolder));
  const patterns = (shape.reports ?? []).map((path) =>
    relative(seen, isAbsolute(path) ? path : join(seen, directory, path)),
  );
  for (const path of listReports(copy.directory, patterns)) state.remove(join(copy.directory, path));
  const started = performance.now();
  const result = await runConfined({
    argv: shape.words.flatMap((word) => expand(join(copy.directory, directory), word)),
    cwd: join(seen, directory),
    writable: [{ from: copy.directory, at: seen }, place.caches],
    readable: place.movesPlaces ? place.bring : place.bring.map(({ from }) => from),
    hidden: place.hidden,
    environment: { TMPDIR: tmpdir(), ...environment(place.caches), ...shape.env },
    limits: { seconds: place.timeoutMs / 1000 },
    signal: place.signal,
    unconfined: place.unconfined,
  });
  const output: ToolOutput = {
    ...result,
    stdout: result.stdout.toString('utf8'),
    reports: listReports(copy.directory, patterns).map(
      (path) => state.readText(join(copy.directory, path), { limit: mostReportBytes }) ?? '',
    ),
  };
  const reading = withoutRoot(
    belowRoot(readReport(tool, category, output, join(seen, directory)), directory),
    seen,
  );
  const milliseconds = Math.round(performance.now() - started);
  if (reading.kind === 'report') place.checks.keepResult(key, { reading, milliseconds });
  return { reading, milliseconds, isCached: false };
}

const failure = (cause: 'unreadable', message: string): GateRun => ({
  reading: { kind: 'failure', cause, message },
  milliseconds: 0,
  isCached: false,
});

/** A tool names files from where it runs. */
function belowRoot(reading: Reading, directory: string): Reading {
  if (reading.kind === 'failure' || directory === '') return reading;
  const placed = <T extends { file?: string }>(items: T[]): T[] =>
    items.map((item) => (item.file === undefined ? item : { ...item, file: `${directory}/${item.file}` }));
  return { ...reading, findings: placed(reading.findings), tests: placed(reading.tests) };
}

/** Names and messages say where a file is in the tree, not where the tree is. */
const withoutRoot = (reading: Reading, root: string): Reading =>
  JSON.parse(JSON.stringify(reading).replaceAll(`${JSON.stringify(root).slice(1, -1)}/`, '')) as Reading;

const digest = (parts: string[]): string =>
  createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 32);

/**
 * Tools keep caches outside the tree, print no colours, and write no snapshots. Not cargo: it tells by times what is built already, and
 * would take what one side was built to for the other, which is seen at the same place.
 */
const environment = (caches: string): Record<string, string> => ({
  CI: 'true',
  NO_COLOR: '1',
  FORCE_COLOR: '0',
  PYTHONDONTWRITEBYTECODE: '1',
  XDG_CACHE_HOME: caches,
  npm_config_cache: join(caches, 'npm'),
  npm_config_update_notifier: 'false',
  GOCACHE: join(caches, 'go'),
  GOFLAGS: '-mod=mod',
});

/** Scripts leave `test/*.js` to their shell. What a tool expands itself, with `**` or braces, stays as it is. */
function expand(directory: string, word: string): string[] {
  if (!/^[\w./-]*\*[\w./*-]*$/.test(word) || word.includes('**') || word.startsWith('-')) return [word];
  const pattern = word.replace(/^\.\//, '');
  const paths = listReports(directory, [pattern]).filter(
    (path) => path.split('/').length === pattern.split('/').length,
  );
  return paths.length > 0 ? paths.sort() : [word];
}

function listReports(directory: string, patterns: string[]): string[] {
  return patterns.flatMap((pattern) => {
    if (!pattern.includes('*'))
      return state.entry(join(directory, pattern))?.kind === 'file' ? [pattern] : [];
    const fixed = pattern.slice(0, pattern.indexOf('*'));
    return filesBelow(directory, fixed.slice(0, Math.max(0, fixed.lastIndexOf('/'))), 6)
      .filter(compileGlob(pattern))
      .slice(0, 2000);
  });
}

function filesBelow(directory: string, path: string, depth: number): string[] {
  return state.list(join(directory, path)).flatMap((entry) => {
    const below = path === '' ? entry.name : `${path}/${entry.name}`;
    if (entry.isFile()) return [below];
    return entry.isDirectory() && depth > 0 && entry.name !== 'node_modules'
      ? filesBelow(directory, below, depth - 1)
      : [];
  });
}
