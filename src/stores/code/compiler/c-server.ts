import { dirname, extname, join } from 'node:path';
import { state } from '../../../base/files/index.ts';
import {
  type CodeServer,
  openCodeServer,
  programOutside,
  type ServedFiles,
  uriOfDirectory,
} from './code-server.ts';

/** The language server of clang, where the person has it on PATH. */
export const clangdProgram = (root: string): string | undefined =>
  programOutside(root, ['clangd', ...[22, 21, 20, 19, 18, 17, 16].map((version) => `clangd-${version}`)]);

const sources = new Set(['.c', '.cc', '.cpp', '.cxx']);
const mostDirectories = 100;

/**
 * It is told how to read each file by commands that are made here: those of the repository could name plugins, and a
 * compiler. No compiler is asked, and no `.clangd` is read. Its index is in a directory of ours.
 */
export function startClangd(
  program: string,
  { root, files, megabytes, ended }: ServedFiles,
): Promise<CodeServer> {
  const directory = state.temporaryDirectory('sylk-c-');
  state.addRoot(directory);
  const include = includeDirectories(files).map((path) => `-I${join(root, path)}`);
  const commands = files
    .filter((path) => sources.has(extname(path)))
    .map((path) => ({
      directory: root,
      file: join(root, path),
      arguments: [extname(path) === '.c' ? 'clang' : 'clang++', ...include, '-c', join(root, path)],
    }));
  state.write(join(directory, 'compile_commands.json'), JSON.stringify(commands));
  const uri = uriOfDirectory(root);
  return openCodeServer({
    command: program,
    args: [
      `--compile-commands-dir=${directory}`,
      '--enable-config=0',
      '--background-index',
      '--clang-tidy=0',
      '--header-insertion=never',
      '--pch-storage=disk',
      '--log=error',
      '-j=2',
    ],
    cwd: directory,
    env: {
      PATH: '',
      HOME: directory,
      XDG_CONFIG_HOME: directory,
      XDG_CACHE_HOME: directory,
      TMPDIR: directory,
    },
    settings: {},
    // Without sources there is nothing that it would read ahead.
    isReady:
      commands.length === 0
        ? undefined
        : ({ method, params }) => method === '$/progress' && params?.value?.kind === 'end',
    megabytes,
    ended,
    uri,
    repository: uri,
    first: files.find((path) => sources.has(extname(path))),
    languageOf: (path) => (extname(path) === '.c' ? 'c' : 'cpp'),
    release: () => state.remove(directory),
  });
}

/** Directories of headers and those above them: what `#include` may begin at, those with most headers first. */
function includeDirectories(files: string[]): string[] {
  const headers = new Map<string, number>([['.', 1]]);
  for (const path of files)
    if (!sources.has(extname(path)))
      for (let at = dirname(path); at !== '.'; at = dirname(at)) headers.set(at, (headers.get(at) ?? 0) + 1);
  return [...headers]
    .sort((a, b) => b[1] - a[1])
    .slice(0, mostDirectories)
    .map(([path]) => path);
}
