import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { programOnPath } from '../../src/base/process/index.ts';
import { startLanguageServer } from '../../src/stores/code/compiler/language-server.ts';
import { randomNumbers } from '../random.ts';
import { linesOf } from './programs.ts';
import type { JudgedFunction } from './typescript-judge.ts';

/**
 * Functions of Python files that are called somewhere by their name, and every line that the language server of pyright
 * says to use them, imports left out. `node python-judge.ts ROOT COUNT SEED` prints them as JSON; none without pyright.
 */
async function judge(root: string, count: number, seed: number): Promise<JudgedFunction[]> {
  const program = programOnPath('pyright-langserver');
  const files = linesOf(root, 'git', ['ls-files', '*.py']);
  if (!program || files.length === 0) return [];
  const uri = pathToFileURL(root).href;
  const server = startLanguageServer(process.execPath, {
    args: ['--max-old-space-size=3000', program, '--stdio'],
    cwd: root,
    env: { PATH: '' },
    settings: { analysis: { diagnosticMode: 'openFilesOnly', include: ['.'], extraPaths: ['src', 'lib'] } },
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
  const texts = new Map(files.map((path) => [path, readFileSync(join(root, path), 'utf8').split('\n')]));
  const all = [...texts].flatMap(([path, lines]) =>
    lines.flatMap((text, at) => {
      const [, indent = '', name] = /^(\s*(?:async )?def )(\w+)/.exec(text) ?? [];
      const isTest = /(?:^|[/_])tests?(?:[/_.]|$)/.test(path);
      return name && !isTest && !name.startsWith('__')
        ? [{ path, name, line: at + 1, column: indent.length }]
        : [];
    }),
  );
  const random = randomNumbers(seed);
  const drawn = all
    .map((one) => ({ one, order: random() }))
    .sort((a, b) => a.order - b.order)
    .slice(0, count)
    .map(({ one }) => one);
  const judged: JudgedFunction[] = [];
  for (const { path, name, line, column } of drawn) {
    const found = await server.request('textDocument/references', {
      textDocument: { uri: `${uri}/${path}` },
      position: { line: line - 1, character: column },
      context: { includeDeclaration: false },
    });
    const places = (Array.isArray(found) ? found : []) as Array<{
      uri: string;
      range: { start: { line: number } };
    }>;
    const uses = places.flatMap(({ uri: at, range }) => {
      const used = decodeURIComponent(at.slice(uri.length + 1));
      const text = texts.get(used)?.[range.start.line] ?? '';
      const isOther = /^\s*(?:from|import)\b|^\s*(?:async )?def\b|^\s*["']?\w+["']?,?\s*$/.test(text);
      return texts.has(used) && !isOther ? [`${used}:${range.start.line + 1}`] : [];
    });
    judged.push({ path, name, line, uses: [...new Set(uses)] });
  }
  server.close();
  return judged;
}

const [root = '', count = '40', seed = '1'] = process.argv.slice(2);
process.stdout.write(JSON.stringify(await judge(root, Number(count), Number(seed))), () => process.exit(0));
