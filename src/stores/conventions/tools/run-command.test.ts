import { expect, test } from 'vitest';
import { conventionsWith } from '../../../../tests/support/conventions.ts';
import type { ToolCategory } from './record.ts';

const workflow = (...lines: string[]) =>
  `on: [push]\njobs:\n  check:\n    steps:\n${lines.map((line) => (line.startsWith('uses') ? `      - ${line}\n` : `      - run: ${line}\n`)).join('')}`;

/** Each layout is cut from a public project and holds one way of saying what to run. */
const layouts: Array<{
  title: string;
  files: Record<string, string>;
  expected: Array<[language: string, category: ToolCategory, tool: string, run: string]>;
}> = [
  {
    title: 'scripts that the pipeline runs by name',
    files: {
      'package.json': JSON.stringify({
        packageManager: 'bun@1.2.0',
        scripts: {
          test: 'tsc -p tsconfig.spec.json && vitest --run',
          'test:node': 'vitest --run --project node',
          lint: 'eslint src',
          'lint:fix': 'eslint src --fix',
          format: 'prettier --check src',
        },
      }),
      '.github/workflows/ci.yml': workflow(
        'bun run format',
        'bun run lint',
        'bun run test',
        'bun run test:node',
      ),
      'src/a.ts': 'x\n',
    },
    expected: [
      ['typescript', 'linter', 'eslint', 'bun run lint'],
      ['typescript', 'formatter', 'prettier', 'bun run format'],
      ['typescript', 'test_framework', 'vitest', 'bun run test'],
    ],
  },
  {
    title: 'tests under a counter of lines, and benches that are run as tests',
    files: {
      '.github/workflows/test.yml': workflow(
        'coverage run -m pytest --doctest-modules toolz/',
        'pytest bench/',
      ),
      'toolz/a.py': 'x = 1\n',
    },
    expected: [['python', 'test_framework', 'pytest', 'coverage run -m pytest --doctest-modules toolz/']],
  },
  {
    title: 'a test script that starts a program of the project, called by `node --run`',
    files: {
      'package.json': JSON.stringify({
        scripts: { build: 'node build.js', test: 'npm run build && node test/run.js', lint: 'eslint .' },
      }),
      '.github/workflows/ci.yml': workflow('node --run test'),
      'a.js': 'x\n',
    },
    expected: [['javascript', 'test_framework', 'test script', 'npm test']],
  },
  {
    title: 'a pipeline that runs one test again, writes reports, and several goals of make',
    files: {
      'go.mod': 'module x\n',
      Makefile: 'test:\n\tgo test ./...\nci-test: test\n',
      '.github/workflows/ci.yml': workflow(
        'go test -v -run ^TestOne$',
        'go test -coverprofile=c.out ./...',
        'make ci-test deps build',
      ),
      'a.go': 'x\n',
    },
    expected: [['go', 'test_framework', 'go test', 'make test']],
  },
  {
    title: 'tests in a folder that the pipeline changes to, and a statement with an if around it',
    files: {
      'core/Cargo.toml': '[package]\n',
      '.github/workflows/ci.yml': workflow(
        'if ! cargo fmt --check; then exit 1; fi',
        'cd core && cargo test',
      ),
      'core/a.rs': 'x\n',
    },
    expected: [
      ['rust', 'test_framework', 'cargo test', 'cd core && cargo test'],
      ['rust', 'formatter', 'rustfmt', 'cargo fmt --check'],
    ],
  },
  {
    title: 'environments of tox with factors, chosen by a part of their name',
    files: {
      'tox.ini':
        '[testenv]\ncommands =\n    tests: pytest {posargs:-n auto}\n    mypy: mypy src\n[testenv:speed]\ncommands = pytest --codspeed bench\n[testenv:lint]\ncommands = ruff check\n',
      '.github/workflows/ci.yml': workflow('uv run tox run -f lint', 'uv run tox run -e $PYTHON-tests'),
      'a.py': 'x\n',
    },
    expected: [['python', 'test_framework', 'pytest', 'tox run']],
  },
  {
    title: 'a section of tox that stands for several environments has a name that can be typed',
    files: {
      'tox.ini': '[testenv:3.1{0,3}-tests{,-be}]\ncommands = pytest {posargs}\n',
      'a.py': 'x\n',
    },
    expected: [['python', 'test_framework', 'pytest', 'tox run -e 3.10-tests']],
  },
  {
    title: 'scripts behind scripts behind scripts',
    files: {
      'package.json': JSON.stringify({
        scripts: {
          test: 'npm run lint && npm run unit',
          'test:ci': 'npm run lint && npm run coverage',
          coverage: 'c8 npm run unit',
          unit: 'node check.js && npm run unit:old || npm run unit:new',
          'unit:old': 'node --test',
          'unit:new': 'node --test test/*.js',
          lint: 'eslint .',
        },
      }),
      '.github/workflows/ci.yml': workflow('npm run test:ci'),
      'a.js': 'x\n',
    },
    expected: [['javascript', 'test_framework', 'node:test', 'npm run unit']],
  },
  {
    title: 'names that say something else than what they run',
    files: {
      'package.json': JSON.stringify({
        scripts: {
          'test:app': 'vitest',
          'test:code': 'eslint --max-warnings=0 .',
          'test:other': 'yarn prettier --list-different',
          'test:typecheck': 'tsc',
          prettier: 'prettier "**/*.ts"',
        },
      }),
      'yarn.lock': '',
      '.github/workflows/lint.yml': workflow('yarn test:other', 'yarn test:code', 'yarn test:typecheck'),
      '.github/workflows/test.yml': workflow('yarn test:app'),
      'a.ts': 'x\n',
    },
    expected: [
      ['typescript', 'linter', 'eslint', 'yarn test:code'],
      ['typescript', 'formatter', 'prettier', 'yarn test:other'],
      ['typescript', 'type_checker', 'tsc', 'yarn test:typecheck'],
      ['typescript', 'test_framework', 'vitest', 'yarn test:app'],
    ],
  },
  {
    title: 'a Makefile with variables, and a published step',
    files: {
      'go.mod': 'module x\n',
      Makefile:
        'GO ?= go\nGOFMT ?= gofmt "-s"\n\n.PHONY: test\ntest:\n\tfor d in a b; do \\\n\t\t$(GO) test -v $$d; \\\n\tdone\n\nfmt-check:\n\t@diff=$$($(GOFMT) -d .); test -z "$$diff"\n\nlint:\n\tgolint ./...\n',
      '.github/workflows/go.yml': workflow('make test', 'uses: golangci/golangci-lint-action@v9'),
      'a.go': 'package x\n',
    },
    expected: [
      ['go', 'linter', 'golangci-lint', 'golangci-lint run'],
      ['go', 'test_framework', 'go test', 'make test'],
    ],
  },
  {
    title: 'tox environments and pre-commit hooks behind uv',
    files: {
      'pyproject.toml':
        '[project]\nname = "x"\n[tool.ruff]\nsrc = ["src"]\n[tool.tox.env_run_base]\ncommands = [["pytest", "-v"]]\n[tool.tox.env.typing]\ncommands = [["mypy"], ["pyright"]]\n',
      'uv.lock': '[[package]]\nname = "ruff"\nversion = "0.14.1"\n',
      '.pre-commit-config.yaml':
        'repos:\n  - repo: https://github.com/astral-sh/ruff-pre-commit\n    rev: v0.14.4\n    hooks:\n      - id: ruff-check\n      - id: ruff-format\n',
      '.github/workflows/ci.yml': workflow(
        'uv run --locked --group pre-commit pre-commit run --all-files',
        'uv run --locked tox run',
        'uv run --locked tox run -e typing',
      ),
      'a.py': 'x\n',
    },
    expected: [
      ['python', 'linter', 'ruff', 'uv run --locked --group pre-commit pre-commit run --all-files'],
      ['python', 'type_checker', 'mypy', 'tox run -e typing'],
      ['python', 'test_framework', 'pytest', 'uv run --locked tox run'],
    ],
  },
  {
    title: 'a shell file that runs several tools',
    files: {
      'scripts/check':
        '#!/bin/sh -e\nexport PREFIX=""\n${PREFIX}ruff format src --diff\n${PREFIX}mypy src\n${PREFIX}ruff check src\n',
      'scripts/test': '#!/bin/sh\n${PREFIX}coverage run -m pytest "$@"\n',
      '.github/workflows/ci.yml': workflow('"scripts/check"', '"scripts/test"'),
      'a.py': 'x\n',
    },
    expected: [
      ['python', 'linter', 'ruff', 'scripts/check'],
      ['python', 'formatter', 'ruff', 'scripts/check'],
      ['python', 'type_checker', 'mypy', 'scripts/check'],
      ['python', 'test_framework', 'pytest', 'scripts/test'],
    ],
  },
  {
    title: 'rake tasks',
    files: {
      Gemfile: "gem 'rake'\n",
      Rakefile: "require 'minitest/test_task'\n\ntask default: :test\n\nMinitest::TestTask.create\n",
      '.rubocop.yml': 'AllCops:\n',
      '.github/workflows/test.yml': workflow('bundle exec rake'),
      'lib/a.rb': 'x\n',
    },
    expected: [
      ['ruby', 'linter', 'rubocop', 'bundle exec rubocop'],
      ['ruby', 'test_framework', 'minitest', 'bundle exec rake test'],
    ],
  },
  {
    title: 'composer scripts and vendor binaries',
    files: {
      'composer.json': JSON.stringify({
        'require-dev': { 'phpstan/phpstan': '^2' },
        scripts: { test: '@php vendor/bin/phpunit', phpstan: '@php vendor/bin/phpstan analyse' },
      }),
      '.github/workflows/ci.yml': workflow(
        'vendor/bin/phpunit',
        'composer phpstan',
        'vendor/bin/php-cs-fixer fix --diff --dry-run',
      ),
      'src/a.php': '<?php\n',
    },
    expected: [
      ['php', 'linter', 'phpstan', 'composer phpstan'],
      ['php', 'formatter', 'php-cs-fixer', 'vendor/bin/php-cs-fixer fix --diff --dry-run'],
      ['php', 'test_framework', 'phpunit', 'vendor/bin/phpunit'],
    ],
  },
  {
    title: 'a build that checks everything proves only what is configured',
    files: {
      'build.gradle.kts':
        'spotless {\n  kotlin { ktfmt() }\n}\ndependencies { testImplementation("junit:junit:4.13.2") }\n',
      gradlew: '#!/bin/sh\n',
      '.github/workflows/build.yml': workflow('./gradlew build check --stacktrace'),
      'src/a.kt': 'x\n',
    },
    expected: [
      ['kotlin', 'formatter', 'spotless', './gradlew build check --stacktrace'],
      ['kotlin', 'test_framework', 'junit', './gradlew build check --stacktrace'],
    ],
  },
  {
    title: 'the environment of a workflow, and steps that only release',
    files: {
      'Cargo.toml': '[package]\nname = "x"\n',
      '.github/workflows/ci.yml':
        'env:\n  CARGO: cargo\njobs:\n  t:\n    steps:\n      - run: ${{ env.CARGO }} test --workspace\n      - run: cargo fmt --all --check\n',
      '.github/workflows/release.yml': workflow('cargo test --release --target x86_64-unknown-linux-musl'),
      'src/lib.rs': 'x\n',
    },
    expected: [
      ['rust', 'formatter', 'rustfmt', 'cargo fmt --all --check'],
      ['rust', 'test_framework', 'cargo test', 'cargo test --workspace'],
    ],
  },
  {
    title: 'GitLab, and workspaces behind turbo',
    files: {
      'package.json': JSON.stringify({ scripts: { lint: 'turbo run lint', test: 'pnpm -r test' } }),
      'pnpm-lock.yaml': '',
      'packages/a/package.json': JSON.stringify({ scripts: { lint: 'oxlint', test: 'jest' } }),
      '.gitlab-ci.yml': 'check:\n  script:\n    - pnpm lint\n    - pnpm test\n',
      'packages/a/x.ts': 'x\n',
    },
    expected: [
      ['typescript', 'linter', 'oxlint', 'pnpm run lint'],
      ['typescript', 'test_framework', 'jest', 'pnpm run test'],
    ],
  },
  {
    title: 'a script named after another category, with options that look like those of a shell',
    files: {
      'package.json': JSON.stringify({
        packageManager: 'pnpm@9.4.0',
        scripts: {
          lint: 'prettier -c --parser typescript "src/**/*.[jt]s?(x)"',
          unit: 'vitest',
          test: 'eslint . && pnpm unit',
        },
      }),
      '.github/workflows/ci.yml': workflow(
        'pnpm run lint',
        'pnpm unit',
        'pnpm test',
        'pnpm --filter=one test',
      ),
      'src/a.ts': 'x\n',
    },
    expected: [
      ['typescript', 'formatter', 'prettier', 'pnpm run lint'],
      ['typescript', 'test_framework', 'vitest', 'pnpm run unit'],
    ],
  },
  {
    title: 'goals of Maven are whole words, and prek stands in for pre-commit',
    files: {
      'pom.xml': '<dependency><groupId>junit</groupId><artifactId>junit</artifactId></dependency>',
      'pyproject.toml': '[dependency-groups]\ndev = ["prek"]\n',
      '.pre-commit-config.yaml':
        'repos:\n  - repo: local\n    hooks:\n      - id: types\n        entry: mypy src\n',
      '.github/workflows/build.yml': workflow(
        "mvn artifact:check --projects '!test-jpms,!test-shrinker'",
        'mvn verify javadoc:jar',
      ),
      'src/A.java': 'class A {}\n',
      'a.py': 'x\n',
    },
    expected: [
      ['java', 'test_framework', 'junit', 'mvn verify javadoc:jar'],
      ['python', 'type_checker', 'mypy', 'prek run types --all-files'],
    ],
  },
  {
    title: 'targets that a matrix completes',
    files: {
      'Cargo.toml': '[workspace]\n',
      Makefile:
        'test-minimal:\n\tcargo test --no-default-features\n\ntest-full:\n\tcargo test --all-features\n',
      '.github/workflows/ci.yml': workflow('make test-${{matrix.features}}'),
      'src/lib.rs': 'x\n',
    },
    expected: [['rust', 'test_framework', 'cargo test', 'make test-full']],
  },
];

test.each(layouts)('Discovery Escalation Chain, run commands: $title', async ({ files, expected }) => {
  const { conventions } = conventionsWith(files);
  for (const [language, category, tool, run] of expected) {
    const found = await conventions.tools.discover({ path: '', category, languages: [language] });
    expect(found.tools[0], category).toMatchObject({ name: tool, run_command: run });
    expect(found.tier).toBe(1);
  }
});

test.each([
  ['prints only', 'echo "Error: no test specified" && exit 1'],
  ['lints only', 'eslint .'],
  ['builds only', 'rm -rf dist && npm run build'],
])('a test script that %s is no test command', async (_title, script) => {
  const { conventions } = conventionsWith({
    'package.json': JSON.stringify({ scripts: { test: script, build: 'rollup -c' } }),
    'a.js': 'x\n',
  });
  const { tools } = await conventions.tools.discover({ path: '', category: 'test_framework' });
  expect(tools.filter(({ source }) => source !== 'registry')).toEqual([]);
});

test('commands for one kind of tests and for a single test come from documents, scripts and the pipeline', async () => {
  const { conventions } = conventionsWith({
    'Cargo.toml': '[package]\n',
    'CONTRIBUTING.md':
      '# Contributing\n\n## Loom tests\n\nRun them so:\n\n```sh\n$ cargo test --lib --release --features loom\n```\n\n## Tests\n\nTo run a single test:\n\n```\ncargo test --test NAME\n```\nor `cargo test`. Loom needs memory.\n',
    '.github/workflows/ci.yml': workflow('cargo test --features integration', 'cargo build'),
    'a.rs': 'x\n',
  });
  const commandsFor = async (which: string) =>
    (await conventions.tools.testCommands(which)).map(
      ({ command, file, line }) => `${file}:${line} ${command}`,
    );
  expect(await commandsFor('loom')).toEqual(['CONTRIBUTING.md:8 cargo test --lib --release --features loom']);
  expect(await commandsFor('integration')).toEqual([
    '.github/workflows/ci.yml:5 cargo test --features integration',
  ]);
  expect((await commandsFor('one'))[0]).toBe('CONTRIBUTING.md:16 cargo test --test NAME');
  expect(await commandsFor('browser')).toEqual([]);
  const { tools } = await conventions.tools.discover({ path: '', category: 'test_framework' });
  expect(tools[0]?.one_test).toBe('cargo test NAME');
});
