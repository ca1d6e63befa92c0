import { listAt, readJson } from '../dependencies/structured-text.ts';
import type { ToolUse } from './recognise.ts';
import type { ToolCategory } from './record.ts';

/** Extensions that stand for one tool. */
const extensions: Record<string, [string, ToolCategory[]]> = {
  'dbaeumer.vscode-eslint': ['eslint', ['linter']],
  'esbenp.prettier-vscode': ['prettier', ['formatter']],
  'prettier.prettier-vscode': ['prettier', ['formatter']],
  'biomejs.biome': ['biome', ['linter', 'formatter']],
  'oxc.oxc-vscode': ['oxlint', ['linter']],
  'charliermarsh.ruff': ['ruff', ['linter', 'formatter']],
  'ms-python.black-formatter': ['black', ['formatter']],
  'ms-python.mypy-type-checker': ['mypy', ['type_checker']],
  'ms-python.pylint': ['pylint', ['linter']],
  'ms-python.flake8': ['flake8', ['linter']],
  'ms-pyright.pyright': ['pyright', ['type_checker', 'lsp']],
  'vitest.explorer': ['vitest', ['test_framework']],
  'orta.vscode-jest': ['jest', ['test_framework']],
  'ms-playwright.playwright': ['playwright', ['test_framework']],
  'rust-lang.rust-analyzer': ['rust-analyzer', ['lsp']],
  'golang.go': ['gopls', ['lsp']],
  'shopify.ruby-lsp': ['ruby-lsp', ['lsp']],
  'vue.volar': ['vue-language-server', ['lsp']],
  'svelte.svelte-vscode': ['svelte-language-server', ['lsp']],
  'llvm-vs-code-extensions.vscode-clangd': ['clangd', ['lsp']],
  'denoland.vscode-deno': ['deno', ['linter', 'formatter', 'lsp']],
  'timonwong.shellcheck': ['shellcheck', ['linter']],
};

const settings: Array<[RegExp, string, ToolCategory[]]> = [
  [/"eslint\.enable"\s*:\s*true|source\.fixAll\.eslint/, 'eslint', ['linter']],
  [/"python\.testing\.pytestEnabled"\s*:\s*true/, 'pytest', ['test_framework']],
  [/"python\.testing\.unittestEnabled"\s*:\s*true/, 'unittest', ['test_framework']],
  [/"python\.linting\.pylintEnabled"\s*:\s*true/, 'pylint', ['linter']],
  [/"python\.linting\.flake8Enabled"\s*:\s*true/, 'flake8', ['linter']],
  [/"python\.linting\.mypyEnabled"\s*:\s*true/, 'mypy', ['type_checker']],
  [/"python\.formatting\.provider"\s*:\s*"black"/, 'black', ['formatter']],
  [/"python\.languageServer"\s*:\s*"Pylance"/, 'pyright', ['lsp']],
  [/"go\.lintTool"\s*:\s*"golangci-lint/, 'golangci-lint', ['linter']],
  [/"rust-analyzer\.check\.command"\s*:\s*"clippy"/, 'clippy', ['linter']],
  [/"deno\.enable"\s*:\s*true/, 'deno', ['linter', 'formatter', 'lsp']],
  [/<component name="EslintConfiguration"|name="Eslint" enabled="true"/, 'eslint', ['linter']],
  [/<component name="PrettierConfiguration"/, 'prettier', ['formatter']],
  [/<component name="BiomeSettings"/, 'biome', ['linter', 'formatter']],
  [/<component name="KtlintProjectConfiguration"|ktlint-plugin/, 'ktlint', ['linter', 'formatter']],
  [
    /name="PROJECT_TEST_RUNNER" value="py\.test"|projectTestRunner"? value="pytest"/i,
    'pytest',
    ['test_framework'],
  ],
];

/** What the settings of an editor that lie in the project say. Weaker than a configuration file of the tool itself. */
export function editorTools(path: string, text: string): ToolUse[] {
  const spread = (tool: string, categories: ToolCategory[]) =>
    categories.map((category) => ({ tool, category }));
  const found = settings
    .filter(([pattern]) => pattern.test(text))
    .flatMap(([, tool, categories]) => spread(tool, categories));
  const named = path.endsWith('extensions.json')
    ? listAt(readJson(text), 'recommendations')
    : [...text.matchAll(/"editor\.defaultFormatter"\s*:\s*"([^"]+)"/g)].map((match) => match[1]);
  for (const id of named) {
    const extension = typeof id === 'string' ? extensions[id.toLowerCase()] : undefined;
    if (!extension) continue;
    const formats = !path.endsWith('extensions.json');
    found.push(
      ...spread(
        extension[0],
        formats ? extension[1].filter((category) => category === 'formatter') : extension[1],
      ),
    );
  }
  return found;
}

export const isEditorFile = (path: string): boolean =>
  /^\.vscode\/(settings|extensions)\.json$|^\.idea\/.+\.xml$|\.code-workspace$/.test(path);
