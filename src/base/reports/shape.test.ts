import { expect, test } from 'vitest';
import { type GateCategory, readableTools, type ShapedCommand, shapeCommand } from './index.ts';

const reportFile = '/report/out';
const shaped = (
  tool: string,
  category: GateCategory,
  line: string,
  files?: string[],
): ShapedCommand['words'][0] | undefined =>
  shapeCommand(tool, category, line.split(' '), { files, reportFile })?.words.join(' ');

test.each([
  ['eslint', 'linter', 'npx eslint src --ext ts --fix', ['a.ts'], 'npx eslint --ext ts --format json a.ts'],
  ['eslint', 'linter', 'npx eslint src --format stylish', undefined, 'npx eslint --format json src'],
  [
    'rubocop',
    'linter',
    'bundle exec rubocop -A',
    ['a.rb'],
    'bundle exec rubocop --format json --force-exclusion a.rb',
  ],
  ['prettier', 'formatter', 'prettier --write .', undefined, 'prettier --check --no-color .'],
  [
    'biome',
    'linter',
    'npx biome check --write src',
    ['b.ts'],
    'npx biome lint --reporter=github --max-diagnostics=none b.ts',
  ],
  ['ruff', 'formatter', 'uv run ruff format .', ['a.py'], 'uv run ruff format --check --force-exclude a.py'],
  ['gofmt', 'formatter', 'gofmt -w .', undefined, 'gofmt -l .'],
  [
    'go test',
    'test_framework',
    'go test -v ./...',
    ['pkg/a_test.go', 'b_test.go'],
    'go test -json -count=1 ./pkg .',
  ],
  [
    'clippy',
    'linter',
    'cargo clippy -- -D warnings',
    ['src/a.rs'],
    'cargo clippy --message-format=json -- -D warnings',
  ],
  [
    'rustfmt',
    'formatter',
    'cargo +nightly fmt --all -- --check',
    undefined,
    'cargo +nightly fmt --all --check --',
  ],
  [
    'vitest',
    'test_framework',
    'vitest --watch',
    ['a.test.ts'],
    'vitest run --reporter=json --outputFile=/report/out a.test.ts',
  ],
  [
    'pytest',
    'test_framework',
    'python -m pytest -x tests',
    ['tests/test_a.py'],
    'python -m pytest -o junit_family=xunit1 --junitxml=/report/out -p no:cacheprovider tests/test_a.py',
  ],
  [
    'tsc',
    'type_checker',
    'tsc -p tsconfig.json --watch',
    ['a.ts'],
    'tsc -p tsconfig.json --pretty false --noEmit',
  ],
  [
    'nextest',
    'test_framework',
    'cargo nextest run -p a',
    undefined,
    'cargo nextest run -p a --no-fail-fast --color=never --status-level=all --final-status-level=none',
  ],
  ['ocamlformat', 'formatter', 'dune fmt', undefined, 'dune build @fmt'],
  ['ocamlformat', 'formatter', 'dune build @fmt', undefined, 'dune build @fmt'],
  [
    'minitest',
    'test_framework',
    'bin/rails test test/models',
    ['test/a_test.rb'],
    'bin/rails test test/a_test.rb -v',
  ],
  [
    'junit',
    'test_framework',
    './mvnw -q verify',
    ['src/test/java/ATest.java'],
    './mvnw -B -Dstyle.color=never --fail-at-end verify',
  ],
  [
    'dotnet format',
    'formatter',
    'dotnet format App.sln',
    ['a.cs'],
    'dotnet format --verify-no-changes App.sln --include a.cs',
  ],
] as const)('a %s call as %s only checks and reports: %s', (tool, category, line, files, expected) => {
  expect(shaped(tool, category, line, files?.slice())).toBe(expected);
});

test('a call through a script is not shaped, because the script would still write', () => {
  expect(shaped('prettier', 'formatter', 'npm run format')).toBeUndefined();
  expect(shaped('node:test', 'test_framework', 'node build.js')).toBeUndefined();
});

test('a tool that is not in the table is not shaped', () => {
  expect(shaped('nobody', 'linter', 'nobody .')).toBeUndefined();
  expect(readableTools()).toContainEqual({ tool: 'eslint', category: 'linter' });
});

test("a file's name is never taken for an option", () => {
  expect(shaped('eslint', 'linter', 'eslint .', ['--fix', '@a'])).toBe('eslint --format json ./--fix ./@a');
});

test('files are left out of a run only where the tool adds that to what the project leaves out', () => {
  const without = (tool: string, line: string, files: string[]) =>
    shapeCommand(tool, 'test_framework', line.split(' '), { without: files, reportFile })?.words.join(' ');
  expect(without('pytest', 'pytest -q tests', ['tests/test_a.py'])).toContain(
    '--ignore=tests/test_a.py tests',
  );
  expect(without('vitest', 'vitest', ['a.test.ts', 'b.test.ts'])).toMatch(
    / --exclude=a\.test\.ts --exclude=b\.test\.ts$/,
  );
  expect(without('vitest', 'vitest', ['[id].test.ts'])).toBeUndefined();
  expect(without('jest', 'jest', ['a.test.js'])).toBeUndefined();
});
