import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { programOnPath } from '../../src/base/process/index.ts';
import {
  type LanguageServerOptions,
  startLanguageServer,
} from '../../src/stores/code/compiler/language-server.ts';
import { randomNumbers, shuffled } from '../random.ts';
import { tagsOf } from './code-questions.ts';
import { linesOf } from './programs.ts';
import type { JudgedFunction } from './typescript-judge.ts';

interface Judge {
  files: string[];
  /** The server and how it is started for these files; undefined where nobody has it. */
  start(
    root: string,
    files: string[],
    place: string,
  ): (Pick<LanguageServerOptions, 'args' | 'env' | 'isReady'> & { command: string }) | undefined;
  settings: object;
  /** True where the server answers about open files only. */
  opens?: string;
  /** A line that uses nothing: an import, a definition, a name in a list. */
  isOther: RegExp;
}

const clangd = ['clangd', 'clangd-22', 'clangd-19', 'clangd-16'];

const judges: Record<string, Judge> = {
  python: {
    files: ['*.py'],
    start: () => {
      const program = programOnPath('pyright-langserver');
      return program
        ? {
            command: process.execPath,
            args: ['--max-old-space-size=3000', program, '--stdio'],
            env: { PATH: '' },
            isReady: ({ params }) => /\bsource files?\b/i.test(params?.message ?? ''),
          }
        : undefined;
    },
    settings: { analysis: { diagnosticMode: 'openFilesOnly', include: ['.'], extraPaths: ['src', 'lib'] } },
    isOther: /^\s*(?:from|import)\b|^\s*(?:async )?def\b|^\s*["']?\w+["']?,?\s*$/,
  },
  go: {
    files: ['*.go'],
    start: (_root, _files, place) => {
      const program = programOnPath('gopls');
      const env = { GOFLAGS: '-mod=mod', GOPROXY: 'off', GOTOOLCHAIN: 'local', GOCACHE: place };
      return program ? { command: program, args: ['serve'], env } : undefined;
    },
    settings: {},
    isOther: /^\s*(?:import|func)\b/,
  },
  c: {
    files: ['*.c', '*.h', '*.cc', '*.cpp', '*.hpp'],
    start: (root, files, place) => {
      const program = clangd.flatMap((name) => programOnPath(name) ?? [])[0];
      const include = [...new Set(files.flatMap((path) => [dirname(path), dirname(dirname(path))]))];
      const sources = files.filter((path) => /^\.c/.test(extname(path)));
      writeFileSync(
        join(place, 'compile_commands.json'),
        JSON.stringify(
          sources.map((path) => ({
            directory: root,
            file: path,
            arguments: [
              extname(path) === '.c' ? 'clang' : 'clang++',
              ...include.map((at) => `-I${at}`),
              '-c',
              path,
            ],
          })),
        ),
      );
      const args = [
        `--compile-commands-dir=${place}`,
        '--background-index',
        '--limit-references=0',
        '--log=error',
      ];
      return program && sources.length > 0
        ? { command: program, args, env: {}, isReady: ({ params }) => params?.value?.kind === 'end' }
        : undefined;
    },
    settings: {},
    opens: 'cpp',
    isOther: /^\s*#\s*include\b/,
  },
};

const isTest = /(?:^|[/_.-])(?:tests?|examples?|fuzz\w*)(?:[/_.-]|$)/i;
const callable = new Set(['function', 'method', 'func']);

/**
 * Functions that universal-ctags finds outside of tests, and every line that a language server says to use them. `node
 * server-judge.ts LANGUAGE ROOT COUNT SEED` prints them as JSON; none where nobody has the server.
 */
async function judge(language: string, root: string, count: number, seed: number): Promise<JudgedFunction[]> {
  const of = judges[language];
  const files = of ? linesOf(root, 'git', ['ls-files', ...of.files]) : [];
  const place = mkdtempSync(join(tmpdir(), 'sylk-judge-'));
  const started = of && files.length > 0 ? of.start(root, files, place) : undefined;
  if (!of || !started) return [];
  const uri = pathToFileURL(root).href;
  const server = startLanguageServer(started.command, { ...started, cwd: root, settings: of.settings });
  await server.request('initialize', {
    processId: process.pid,
    rootUri: uri,
    capabilities: {
      workspace: { configuration: true, workspaceFolders: true },
      window: { workDoneProgress: true },
    },
    workspaceFolders: [{ uri, name: 'repository' }],
  });
  server.notify('initialized', {});
  const texts = new Map(files.map((path) => [path, readFileSync(join(root, path), 'utf8').split('\n')]));
  const open = (path: string) =>
    server.notify('textDocument/didOpen', {
      textDocument: {
        uri: `${uri}/${path}`,
        languageId: extname(path) === '.c' ? 'c' : of.opens,
        version: 1,
        text: texts.get(path)?.join('\n'),
      },
    });
  // One open file makes it look at all the others.
  const first = files.find((path) => /^\.c/.test(extname(path)));
  if (of.opens && first) open(first);
  await server.ready;
  const all = tagsOf(root, 2).filter(
    ({ path, kind, name }) =>
      texts.has(path) &&
      (callable.has(kind) || (kind === 'member' && language === 'python')) &&
      !isTest.test(path) &&
      !name.startsWith('__'),
  );
  const judged: JudgedFunction[] = [];
  for (const { path, name, line } of shuffled(all, randomNumbers(seed))) {
    if (judged.length === count) break;
    const text = texts.get(path)?.[line - 1] ?? '';
    const column = text.search(new RegExp(`(?<![\\w$])${name}(?![\\w$])`));
    if (column < 0) continue;
    const textDocument = { uri: `${uri}/${path}` };
    if (of.opens && path !== first) open(path);
    const found = await server.request('textDocument/references', {
      textDocument,
      position: { line: line - 1, character: column },
      context: { includeDeclaration: false },
    });
    if (of.opens && path !== first) server.notify('textDocument/didClose', { textDocument });
    const places = (Array.isArray(found) ? found : []) as Array<{
      uri: string;
      range: { start: { line: number } };
    }>;
    const uses = places.flatMap(({ uri: at, range }) => {
      const used = decodeURIComponent(at.slice(uri.length + 1));
      const use = texts.get(used)?.[range.start.line] ?? '';
      return texts.has(used) && !of.isOther.test(use) ? [`${used}:${range.start.line + 1}`] : [];
    });
    judged.push({ path, name, line, uses: [...new Set(uses)] });
  }
  server.close();
  rmSync(place, { recursive: true, force: true });
  return judged;
}

const [language = '', root = '', count = '40', seed = '1'] = process.argv.slice(2);
process.stdout.write(JSON.stringify(await judge(language, root, Number(count), Number(seed))), () =>
  process.exit(0),
);
