import { type Chunk, chunkFile, type Span } from '../../base/chunk/index.ts';
import { tree } from '../../base/files/index.ts';
import type { Git } from '../../base/git/index.ts';
import { fileRef } from '../../base/ref.ts';
import { isProseOrSettings } from '../../base/text/index.ts';
import { readQuery } from './query.ts';
import type {
  Awaitable,
  FileSymbol,
  Freshness,
  OwnerHit,
  RecallSource,
  Signals,
  SourceOwner,
} from './source.ts';

export interface CodeSourceOptions {
  /** Files that are indexed, with a hash of their content. */
  files(): Awaitable<Iterable<SourceOwner>>;
  generation?(): Awaitable<string>;
  read(path: string): Awaitable<string | undefined>;
  spans(path: string, text: string): Awaitable<Span[]>;
  symbols?(path: string): FileSymbol[];
  /** What the history of files says about a question, by path. */
  historySignals?(
    text: string,
    limit: number,
    also: string[],
  ): Awaitable<Array<{ path: string; signals: Signals }>>;
  /** Files and lines that contain a text letter by letter. */
  containing?(text: string, limit: number): Promise<Array<{ path: string; line: number }>>;
  /** Where a name is defined. */
  defining?(name: string, limit: number): Awaitable<Array<{ path: string; line: number; endLine: number }>>;
  freshness(): Awaitable<Freshness>;
}

/** The files of the working tree. */
export function createCodeSource(options: CodeSourceOptions): RecallSource {
  const search = async (text: string, limit: number, found: string[]): Promise<OwnerHit[]> => {
    const query = readQuery(text);
    const hits: OwnerHit[] = [];
    for (const { path, signals } of (await options.historySignals?.(query.text, limit, found)) ?? [])
      hits.push({ owner: path, signals });
    for (const needle of query.exact.slice(0, 2))
      for (const { path, line } of (await options.containing?.(needle, limit)) ?? [])
        hits.push({
          owner: path,
          signals: { exact: 1 },
          exact: query.kind === 'exact',
          startLine: line,
          endLine: line,
        });
    for (const name of query.identifiers.slice(0, 3))
      for (const place of (await options.defining?.(name, limit)) ?? [])
        hits.push({
          owner: place.path,
          signals: { defines: 1 },
          // A name inside a longer question is a strong sign; asked alone it is the answer.
          exact: query.kind === 'identifier',
          startLine: place.line,
          endLine: place.endLine,
        });
    return hits;
  };
  return {
    name: 'code',
    domain: 'code',
    trust: 100,
    standing: async (path) => (isProseOrSettings(path) ? { trust: 70 } : undefined),
    owners: options.files,
    generation: options.generation,
    ref: (path) => fileRef(path),
    text: options.read,
    symbols: options.symbols,
    freshness: options.freshness,
    chunks: async (path) => {
      const text = await options.read(path);
      if (text === undefined) return undefined;
      return [wholeFile(path, text), ...chunkFile({ path, text, spans: await options.spans(path, text) })];
    },
    search: (text, { limit, found }) => search(text, limit, found ?? []),
  };
}

/** The file as such, known by its path alone: what it is called often says what it is for. */
const wholeFile = (path: string, text: string): Chunk => ({
  path,
  startLine: 1,
  endLine: Math.min(20, text.split('\n').length),
  heading: [],
  kind: 'code',
  text: '',
});

const largestFile = 2_000_000;

/** Undefined for what is gone, too large or no text. */
export function readWorktreeFile(root: string, path: string): string | undefined {
  try {
    const bytes = tree.read(root, path, { limit: largestFile });
    return bytes.subarray(0, 8000).includes(0) ? undefined : bytes.toString('utf8');
  } catch {
    return undefined;
  }
}

/** Lines that contain a text letter by letter, the first of each file. */
export async function grepWorktree(
  git: Git,
  text: string,
  limit: number,
): Promise<Array<{ path: string; line: number }>> {
  const { stdout } = await git.run(
    ['grep', '-z', '-n', '-I', '-F', '--untracked', '--max-count=1', '-e', text, '--', '.'],
    { accept: [1], timeoutMs: 5000, maxOutputBytes: 4_000_000, mayCut: true },
  );
  const found: Array<{ path: string; line: number }> = [];
  for (const row of stdout.toString('utf8').split('\n')) {
    const [path, line] = row.split('\0');
    if (path && line) found.push({ path, line: Number(line) });
    if (found.length >= limit) break;
  }
  return found;
}
