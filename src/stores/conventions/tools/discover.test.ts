import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { conventionsWith } from '../../../../tests/support/conventions.ts';
import type { ToolCategory } from './record.ts';

const sourceOf: Record<string, string> = {
  eslint: 'a.js',
  'golangci-lint': 'a.go',
  ruff: 'a.py',
  clippy: 'a.rs',
  prettier: 'a.js',
  rustfmt: 'a.rs',
  editorconfig: 'a.lua.js',
  tsc: 'a.ts',
  pyright: 'a.py',
  mypy: 'a.py',
  jest: 'a.js',
  vitest: 'a.ts',
  pytest: 'a.py',
  mocha: 'a.js',
};

/** The 23 names of the detection table of the design, with tool and category. */
const detectionTable: Array<[file: string, tool: string, category: ToolCategory]> = [
  ['.eslintrc', 'eslint', 'linter'],
  ['.eslintrc.js', 'eslint', 'linter'],
  ['.eslintrc.json', 'eslint', 'linter'],
  ['eslint.config.js', 'eslint', 'linter'],
  ['.golangci.yml', 'golangci-lint', 'linter'],
  ['.golangci.yaml', 'golangci-lint', 'linter'],
  ['ruff.toml', 'ruff', 'linter'],
  ['.ruff.toml', 'ruff', 'linter'],
  ['clippy.toml', 'clippy', 'linter'],
  ['.prettierrc', 'prettier', 'formatter'],
  ['.prettierrc.js', 'prettier', 'formatter'],
  ['prettier.config.js', 'prettier', 'formatter'],
  ['rustfmt.toml', 'rustfmt', 'formatter'],
  ['.editorconfig', 'editorconfig', 'formatter'],
  ['tsconfig.json', 'tsc', 'type_checker'],
  ['pyrightconfig.json', 'pyright', 'type_checker'],
  ['mypy.ini', 'mypy', 'type_checker'],
  ['jest.config.js', 'jest', 'test_framework'],
  ['jest.config.ts', 'jest', 'test_framework'],
  ['vitest.config.ts', 'vitest', 'test_framework'],
  ['pytest.ini', 'pytest', 'test_framework'],
  ['setup.cfg', 'pytest', 'test_framework'],
  ['.mocharc.js', 'mocha', 'test_framework'],
];

test('Librarian Detection Patterns: each of the 23 configuration files names its tool, and HIGH means such a file is there', async () => {
  const files: Record<string, string> = {};
  for (const [at, [file, tool]] of detectionTable.entries()) {
    files[`p${at}/${file}`] =
      file === 'setup.cfg' ? '[metadata]\nname = x\n\n[tool:pytest]\naddopts = -q\n' : '{}\n';
    files[`p${at}/src/${sourceOf[tool]}`] = 'x\n';
  }
  const { conventions } = conventionsWith(files);
  expect(detectionTable).toHaveLength(23);
  for (const [at, [file, tool, category]] of detectionTable.entries()) {
    const { tools } = await conventions.tools.discover({ path: `p${at}/src`, category });
    const found = tools.find((entry) => entry.name === tool);
    expect(found, file).toMatchObject({
      config_path: `p${at}/${file}`,
      confidence: 'high',
      source: 'config_file',
    });
  }
});

test('setup.cfg stands for pytest only with its [tool:pytest] section', async () => {
  const { conventions } = conventionsWith({ 'setup.cfg': '[metadata]\nname = x\n', 'a.py': 'x = 1\n' });
  const { tools } = await conventions.tools.discover({ path: '', category: 'test_framework' });
  expect(tools.map((tool) => tool.source)).toEqual(['registry']);
});

test('.editorconfig is listed but never settles which formatter to run', async () => {
  const { conventions } = conventionsWith({ '.editorconfig': 'root = true\n', 'a.ts': 'let a = 1;\n' });
  const found = await conventions.tools.discover({ path: '', category: 'formatter' });
  expect(found).toMatchObject({ tier: 3, requires_user: true });
  expect(found.tools.map((tool) => tool.name)).toEqual(['editorconfig']);
});

test('PackageManifestRules: a declared dependency is MEDIUM and is used directly', async () => {
  const node = ['eslint', 'prettier', 'jest', 'vitest', 'mocha', 'typescript', 'biome'];
  const python = ['ruff', 'black', 'pytest', 'mypy', 'pyright'];
  const files: Record<string, string> = {};
  for (const name of node) {
    files[`n-${name}/package.json`] = JSON.stringify({ devDependencies: { [name]: '^1.0.0' } });
    files[`n-${name}/a.ts`] = 'x\n';
  }
  for (const name of python) {
    files[`p-${name}/pyproject.toml`] = `[project]\nname = "x"\n[dependency-groups]\ndev = ["${name}>=1"]\n`;
    files[`p-${name}/a.py`] = 'x\n';
  }
  const { conventions } = conventionsWith(files);
  const expected: Record<string, [string, ToolCategory]> = {
    eslint: ['eslint', 'linter'],
    prettier: ['prettier', 'formatter'],
    jest: ['jest', 'test_framework'],
    vitest: ['vitest', 'test_framework'],
    mocha: ['mocha', 'test_framework'],
    typescript: ['tsc', 'type_checker'],
    biome: ['biome', 'linter'],
    ruff: ['ruff', 'linter'],
    black: ['black', 'formatter'],
    pytest: ['pytest', 'test_framework'],
    mypy: ['mypy', 'type_checker'],
    pyright: ['pyright', 'type_checker'],
  };
  for (const directory of [...node.map((name) => `n-${name}`), ...python.map((name) => `p-${name}`)]) {
    const [tool, category] = expected[directory.slice(2)]!;
    const found = await conventions.tools.discover({ path: directory, category });
    expect(found, directory).toMatchObject({ tier: 1, confidence: 'medium', requires_user: false });
    expect(found.tools[0], directory).toMatchObject({
      name: tool,
      confidence: 'medium',
      source: 'package_manifest',
    });
  }
});

test('go.mod and Cargo.toml bring the tools of their toolchain', async () => {
  const { conventions } = conventionsWith({
    'g/go.mod': 'module x\n\ngo 1.24\n',
    'g/a.go': 'package x\n',
    'r/Cargo.toml': '[package]\nname = "x"\n',
    'r/src/lib.rs': 'fn x() {}\n',
  });
  const names = async (path: string) =>
    (await conventions.tools.discover({ path })).tools
      .filter((tool) => tool.confidence === 'medium')
      .map((tool) => `${tool.category} ${tool.run_command}`);
  expect(await names('g')).toEqual([
    'formatter gofmt -l .',
    'type_checker go vet ./...',
    'test_framework go test ./...',
  ]);
  expect(await names('r')).toEqual([
    'linter cargo clippy',
    'formatter cargo fmt --check',
    'type_checker cargo check',
    'test_framework cargo test',
  ]);
});

test('versions are the exact ones of the lock file, and the runner is that of the package manager', async () => {
  const { conventions } = conventionsWith({
    'package.json': JSON.stringify({ devDependencies: { eslint: '^9.0.0', vitest: '^3.0.0' } }),
    'pnpm-lock.yaml':
      "lockfileVersion: '9.0'\n\nimporters:\n\n  .:\n    devDependencies:\n      eslint:\n        specifier: ^9.0.0\n        version: 9.39.1(jiti@2.6.1)\n\npackages:\n\n  eslint@8.0.0: {}\n",
    'a.ts': 'x\n',
  });
  const { tools } = await conventions.tools.discover({ path: '', category: 'linter' });
  expect(tools[0]).toMatchObject({
    name: 'eslint',
    version: '9.39.1',
    run_command: 'pnpm exec eslint .',
    install_cmd: 'pnpm add -D eslint',
  });
});

test('settings of an editor are evidence: .vscode and .idea', async () => {
  const { conventions } = conventionsWith({
    'v/a.ts': 'x\n',
    '.vscode/settings.json': '{ // comment\n "editor.defaultFormatter": "esbenp.prettier-vscode" }\n',
    '.vscode/extensions.json': '{ "recommendations": ["dbaeumer.vscode-eslint"] }\n',
    '.idea/biome.xml': '<project><component name="BiomeSettings"/></project>',
  });
  const { tools } = await conventions.tools.discover({ path: '' });
  const seen = tools
    .filter((tool) => tool.source === 'editor_settings')
    .map((tool) => `${tool.name} ${tool.category}`);
  expect(seen).toEqual(['biome linter', 'eslint linter', 'biome formatter', 'prettier formatter']);
});

test('in a monorepo the nearest configuration wins, and a file is judged by its own language', async () => {
  const { conventions } = conventionsWith({
    'package.json': JSON.stringify({ workspaces: ['packages/*'] }),
    '.eslintrc.json': '{}',
    'packages/a/package.json': JSON.stringify({ scripts: { lint: 'biome lint .' } }),
    'packages/a/biome.json': '{}',
    'packages/a/x.ts': 'x\n',
    'packages/b/x.ts': 'x\n',
    'packages/b/y.ts': 'x\n',
    'packages/b/tool.py': 'x\n',
  });
  const first = async (path: string) =>
    (await conventions.tools.discover({ path, category: 'linter' })).tools[0]!;
  expect(await first('packages/a')).toMatchObject({ name: 'biome', config_path: 'packages/a/biome.json' });
  expect(await first('packages/b')).toMatchObject({ name: 'eslint', config_path: '.eslintrc.json' });
  expect(await first('packages/b/tool.py')).toMatchObject({
    name: 'ruff',
    language: 'python',
    source: 'registry',
  });
});

test('a file that cannot be parsed loses only itself', async () => {
  const { conventions } = conventionsWith({
    'package.json': '{ "devDependencies": { "eslint": ',
    '.github/workflows/ci.yml': 'jobs: [\n  - {{{ not yaml',
    'pyproject.toml': '[tool.ruff\nbroken',
    Makefile: '\u0000\u0001',
    'ruff.toml': 'line-length = 100\n',
    'a.py': 'x\n',
  });
  const { tools } = await conventions.tools.discover({ path: '', category: 'linter' });
  expect(tools[0]).toMatchObject({ name: 'ruff', config_path: 'ruff.toml' });
});

test('nothing of a repository is run: scripts, targets and tool binaries stay untouched', async () => {
  const { repository, conventions } = conventionsWith({
    'package.json': JSON.stringify({
      scripts: { test: 'touch canary && vitest run', pretest: 'touch canary' },
    }),
    Makefile: 'X := $(shell touch canary)\ntest:\n\ttouch canary; vitest run\n',
    'eslint.config.js': "require('fs').writeFileSync('canary', '')\n",
    'scripts/check.sh': '#!/bin/sh\ntouch canary\nvitest run\n',
    '.github/workflows/ci.yml': 'jobs:\n  a:\n    steps:\n      - run: ./scripts/check.sh\n',
    'a.ts': 'x\n',
  });
  await conventions.tools.discover({ path: '' });
  expect(existsSync(join(repository.path, 'canary'))).toBe(false);
});

test('a path that is missing is refused with the nearest one', async () => {
  const { conventions } = conventionsWith({ 'src/index.ts': 'x\n' });
  await expect(conventions.tools.discover({ path: 'src/indx.ts' })).rejects.toMatchObject({
    code: 'NOT_FOUND',
    hint: 'Did you mean src/index.ts?',
  });
});

test('the command of a part of a repository counts before the one of the root, in its own directory', async () => {
  const { conventions } = conventionsWith({
    'package.json': JSON.stringify({
      scripts: { test: 'npm run test --workspaces' },
      workspaces: ['parts/*'],
    }),
    'parts/a/package.json': JSON.stringify({ scripts: { test: 'vitest run' } }),
    'parts/a/a.ts': 'x\n',
    'parts/b/package.json': JSON.stringify({ scripts: { test: 'vitest run --retry 1' } }),
    'parts/b/b.ts': 'x\n',
    '.github/workflows/ci.yml':
      'on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - run: npm test\n',
  });
  const found = await conventions.tools.discover({ path: 'parts/b', category: 'test_framework' });
  expect(found.tools[0]).toMatchObject({ directory: 'parts/b', words: ['vitest', 'run', '--retry', '1'] });
});

test('a command that runs nothing, or that only a pipeline can fill in, is no command', async () => {
  const { conventions } = conventionsWith({
    'Cargo.toml': '[package]\nname = "x"\n',
    'src/lib.rs': '\n',
    '.travis.yml':
      'script:\n  - cargo test --no-run\n  - cargo test --target %TARGET%\n  - cargo test --target $TARGET\n',
  });
  const found = await conventions.tools.discover({ path: '', category: 'test_framework' });
  expect(found.tools[0]).toMatchObject({ name: 'cargo test', words: ['cargo', 'test'] });
});
