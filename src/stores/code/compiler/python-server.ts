import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isWithin, state } from '../../../base/files/index.ts';
import { programOnPath } from '../../../base/process/index.ts';
import { startLanguageServer } from './language-server.ts';

export interface Position {
  path: string;
  /** From 0. */
  line: number;
  /** In UTF-16 units, from 0. */
  column: number;
}

export interface PythonServer {
  /** Where a name is defined: places of this repository, `outside`, or nothing where its type is unknown. */
  definitions(at: Position): Promise<Position[] | 'outside'>;
  hasEnded(): boolean;
  close(): void;
}

/**
 * The language server of pyright, if the person has it on PATH. It is run by our own Node, without a PATH: so it finds no
 * interpreter, and nothing of the repository is executed. Its root is a directory of ours with a link to the repository,
 * so that settings of the repository do not hold.
 */
export function pyrightProgram(root: string): string | undefined {
  const program = programOnPath('pyright-langserver');
  return program && /\.[cm]?js$/.test(program) && !isWithin(root, program) ? program : undefined;
}

export async function startPythonServer(
  program: string,
  { root, files, megabytes }: { root: string; files: string[]; megabytes: number },
): Promise<PythonServer> {
  const directory = state.temporaryDirectory('sylk-python-');
  const linked = join(directory, 'repo');
  state.addRoot(directory);
  state.addLink(linked, root);
  const environments = [{ root: 'repo', extraPaths: ['repo/src', 'repo/lib'] }];
  const include = files.map((path) => `repo/${path}`);
  state.write(
    join(directory, 'pyrightconfig.json'),
    JSON.stringify({ include, executionEnvironments: environments, typeCheckingMode: 'off' }),
  );
  const uri = pathToFileURL(directory).href;
  const prefixes = [`${uri}/repo/`, `${pathToFileURL(root).href}/`];
  const server = startLanguageServer(process.execPath, {
    args: [`--max-old-space-size=${megabytes}`, program, '--stdio'],
    cwd: directory,
    env: { PATH: '', HOME: directory },
    settings: { analysis: { diagnosticMode: 'openFilesOnly' } },
    isReady: (line) => /\bsource files?\b/i.test(line),
  });
  await server.request('initialize', {
    processId: process.pid,
    rootUri: uri,
    capabilities: { workspace: { configuration: true, workspaceFolders: true } },
    workspaceFolders: [{ uri, name: 'repository' }],
  });
  server.notify('initialized', {});
  await server.ready;
  return {
    hasEnded: server.hasEnded,
    definitions: async ({ path, line, column }) => {
      const reply = await server.request('textDocument/definition', {
        textDocument: { uri: pathToFileURL(join(linked, path)).href },
        position: { line, character: column },
      });
      const places = placesIn(reply);
      const here = places.flatMap(({ uri: found, range }): Position[] => {
        const prefix = prefixes.find((each) => found.startsWith(each));
        return prefix
          ? [
              {
                path: decodeURIComponent(found.slice(prefix.length)),
                line: range.start.line,
                column: range.start.character,
              },
            ]
          : [];
      });
      return here.length === 0 && places.length > 0 ? 'outside' : here;
    },
    close: () => {
      server.close();
      state.remove(directory);
    },
  };
}

interface Place {
  uri: string;
  range: { start: { line: number; character: number } };
}

const placesIn = (reply: unknown): Place[] => (Array.isArray(reply) ? reply.filter(isPlace) : []);

const isPlace = (one: Partial<Place> | undefined): one is Place =>
  typeof one?.uri === 'string' && typeof one.range?.start?.line === 'number';
