import { join } from 'node:path';
import { state } from '../../../base/files/index.ts';
import {
  type CodeServer,
  openCodeServer,
  programOutside,
  type ServedFiles,
  uriOfDirectory,
} from './code-server.ts';

/**
 * The language server of pyright, if the person has it on PATH. It is run by our own Node, without a PATH: so it finds no
 * interpreter, and nothing of the repository is executed. Its root is a directory of ours with a link to the repository,
 * so that settings of the repository do not hold.
 */
export function pyrightProgram(root: string): string | undefined {
  const program = programOutside(root, ['pyright-langserver']);
  return program && /\.[cm]?js$/.test(program) ? program : undefined;
}

export function startPyright(
  program: string,
  { root, files, megabytes, ended }: ServedFiles,
): Promise<CodeServer> {
  const directory = state.temporaryDirectory('sylk-python-');
  state.addRoot(directory);
  state.addLink(join(directory, 'repo'), root);
  const environments = [{ root: 'repo', extraPaths: ['repo/src', 'repo/lib'] }];
  const include = files.map((path) => `repo/${path}`);
  state.write(
    join(directory, 'pyrightconfig.json'),
    JSON.stringify({ include, executionEnvironments: environments, typeCheckingMode: 'off' }),
  );
  const uri = uriOfDirectory(directory);
  return openCodeServer({
    command: process.execPath,
    args: [`--max-old-space-size=${megabytes}`, program, '--stdio'],
    cwd: directory,
    env: { PATH: '', HOME: directory },
    settings: { analysis: { diagnosticMode: 'openFilesOnly' } },
    isReady: ({ method, params }) =>
      method === 'window/logMessage' && /\bsource files?\b/i.test(params?.message ?? ''),
    ended,
    uri,
    repository: `${uri}/repo`,
    alsoCalled: [uriOfDirectory(root)],
    languageOf: () => 'python',
    release: () => state.remove(directory),
  });
}
