import { pathToFileURL } from 'node:url';
import { isWithin } from '../../../base/files/index.ts';
import { programOnPath } from '../../../base/process/index.ts';
import { type LanguageServerOptions, startLanguageServer } from './language-server.ts';

export interface Position {
  path: string;
  /** From 0. */
  line: number;
  /** In UTF-16 units, from 0. */
  column: number;
}

export interface CodeServer {
  /**
   * Where a name is defined: places of this repository, `outside`, or nothing where its type is unknown. Undefined where the
   * server can't say: it does not know the file.
   */
  definitions(at: Position): Promise<Position[] | 'outside' | undefined>;
  /** What keeps a promise of an interface. */
  implementations(at: Position): Promise<Position[]>;
  /** Some answer about files that they were told of only. */
  open(path: string, text: string): void;
  close(path: string): void;
  hasEnded(): boolean;
  end(): void;
}

/** What a server is started for. */
export interface ServedFiles {
  root: string;
  files: string[];
  megabytes: number;
  /** Ends the server, also while it starts. */
  ended: AbortSignal;
}

export interface CodeServerOptions extends LanguageServerOptions {
  command: string;
  /** What the server takes for the root of everything. */
  uri: string;
  /** The repository as the server calls it, and other names of it that may come back. */
  repository: string;
  alsoCalled?: string[];
  /** A file without text that makes the server look at all the others. */
  first?: string | undefined;
  /** The name of the language for `open`. */
  languageOf(path: string): string;
  ended: AbortSignal;
  /** Removes what was made for it. */
  release(): void;
}

/** A program on PATH that no clone has placed there. */
export function programOutside(root: string, names: string[]): string | undefined {
  for (const name of names) {
    const program = programOnPath(name);
    if (program && !isWithin(root, program)) return program;
  }
  return undefined;
}

/** A language server that has read its files. */
export async function openCodeServer(options: CodeServerOptions): Promise<CodeServer> {
  const server = startLanguageServer(options.command, options);
  options.ended.addEventListener('abort', server.close, { once: true });
  const prefixes = [options.repository, ...(options.alsoCalled ?? [])].map((uri) => `${uri}/`);
  const uriOf = (path: string) =>
    `${options.repository}/${path.split('/').map(encodeURIComponent).join('/')}`;
  await server.request('initialize', {
    processId: process.pid,
    rootUri: options.uri,
    initializationOptions: options.settings,
    capabilities: {
      workspace: { configuration: true, workspaceFolders: true },
      window: { workDoneProgress: true },
    },
    workspaceFolders: [{ uri: options.uri, name: 'repository' }],
  });
  server.notify('initialized', {});
  const open = (path: string, text: string) =>
    server.notify('textDocument/didOpen', {
      textDocument: { uri: uriOf(path), languageId: options.languageOf(path), version: 1, text },
    });
  const close = (path: string) =>
    server.notify('textDocument/didClose', { textDocument: { uri: uriOf(path) } });
  if (options.first !== undefined) open(options.first, '');
  await server.ready;
  if (options.first !== undefined) close(options.first);
  const ask = async (method: string, { path, line, column }: Position) => {
    const reply = await server.request(`textDocument/${method}`, {
      textDocument: { uri: uriOf(path) },
      position: { line, character: column },
    });
    const places = placesIn(reply);
    const here = places.flatMap(({ uri, range }): Position[] => {
      const prefix = prefixes.find((each) => uri.startsWith(each));
      return prefix === undefined
        ? []
        : [
            {
              path: decodeURIComponent(uri.slice(prefix.length)),
              line: range.start.line,
              column: range.start.character,
            },
          ];
    });
    return { here, isOutside: here.length === 0 && places.length > 0, isKnown: reply !== undefined };
  };
  return {
    hasEnded: server.hasEnded,
    definitions: async (at) => {
      const { here, isOutside, isKnown } = await ask('definition', at);
      if (isOutside) return 'outside';
      return isKnown ? here : undefined;
    },
    implementations: async (at) => (await ask('implementation', at)).here,
    open,
    close,
    end: () => {
      server.close();
      options.release();
    },
  };
}

export const uriOfDirectory = (path: string): string => pathToFileURL(path).href;

interface Place {
  uri: string;
  range: { start: { line: number; character: number } };
}

const placesIn = (reply: unknown): Place[] => (Array.isArray(reply) ? reply.filter(isPlace) : []);

const isPlace = (one: Partial<Place> | undefined): one is Place =>
  typeof one?.uri === 'string' && typeof one.range?.start?.line === 'number';
