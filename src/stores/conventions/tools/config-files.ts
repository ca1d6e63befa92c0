import type { ToolCategory } from './record.ts';

/** A file whose presence says that a tool is configured. With `section`, only if the file has it. */
export interface ConfigRule {
  file: RegExp;
  tool: string;
  categories: ToolCategory[];
  section?: RegExp;
}

const exactly = (...names: string[]): RegExp =>
  new RegExp(
    `^(?:${names.map((name) => name.replace(/[.+?]/g, '\\$&').replaceAll('*', '[^/]*')).join('|')})$`,
  );

const rule = (tool: string, categories: ToolCategory[], file: RegExp, section?: RegExp): ConfigRule => ({
  file,
  tool,
  categories,
  ...(section ? { section } : {}),
});

/**
 * Base names of configuration files. The first block holds the 23 names of the design's table (a test keeps them) and
 * the other spellings that the same tools read today; gone through on 2026-11-15.
 */
export const configRules: ConfigRule[] = [
  rule('eslint', ['linter'], /^(\.eslintrc(\.(js|cjs|mjs|json|ya?ml))?|eslint\.config\.[cm]?[jt]s)$/),
  rule('golangci-lint', ['linter'], /^\.golangci\.(ya?ml|toml|json)$/),
  rule('golangci-lint', ['formatter'], /^\.golangci\.(ya?ml|toml|json)$/, /^"?\[?formatters"?\]?\s*:?/m),
  rule('ruff', ['linter'], /^\.?ruff\.toml$/),
  rule('ruff', ['formatter'], /^\.?ruff\.toml$/, /^\[format\]/m),
  rule('clippy', ['linter'], /^\.?clippy\.toml$/),
  rule(
    'prettier',
    ['formatter'],
    /^(\.prettierrc(\.(js|cjs|mjs|ts|json|json5|ya?ml|toml))?|prettier\.config\.[cm]?[jt]s)$/,
  ),
  rule('rustfmt', ['formatter'], /^\.?rustfmt\.toml$/),
  rule('editorconfig', ['formatter'], exactly('.editorconfig')),
  rule('tsc', ['type_checker'], exactly('tsconfig.json')),
  rule('pyright', ['type_checker'], exactly('pyrightconfig.json')),
  rule('mypy', ['type_checker'], /^\.?mypy\.ini$/),
  rule('jest', ['test_framework'], /^jest\.config\.([cm]?[jt]s|json)$/),
  rule('vitest', ['test_framework'], /^vitest\.(config|workspace|projects)\.([cm]?[jt]s|json)$/),
  rule('pytest', ['test_framework'], /^\.?pytest\.(ini|toml)$/),
  rule('pytest', ['test_framework'], exactly('setup.cfg'), /^\[tool:pytest\]/m),
  rule('mocha', ['test_framework'], /^\.mocharc\.(js|cjs|mjs|json|jsonc|ya?ml)$/),

  rule('biome', ['linter', 'formatter'], /^\.?biome\.jsonc?$/),
  rule('oxlint', ['linter'], /^(\.oxlintrc\.jsonc?|oxlint\.config\.ts)$/),
  rule('oxfmt', ['formatter'], /^(\.oxfmtrc\.jsonc?|oxfmt\.config\.ts)$/),
  rule('dprint', ['formatter'], /^\.?dprint\.jsonc?$/),
  rule('xo', ['linter', 'formatter'], /^(\.xo-config(\.[cm]?js|\.json)?|xo\.config\.[cm]?[jt]s)$/),
  rule('deno', ['linter', 'formatter', 'type_checker', 'test_framework'], /^deno\.jsonc?$/),
  rule('ava', ['test_framework'], /^ava\.config\.[cm]?js$/),
  rule('borp', ['test_framework'], /^\.borp\.ya?ml$/),
  rule('playwright', ['test_framework'], /^playwright(-[\w-]+)?\.config\.[cm]?[jt]s$/),
  rule('cypress', ['test_framework'], /^(cypress\.config\.[cm]?[jt]s|cypress\.json)$/),
  rule('karma', ['test_framework'], /^karma\.conf\.[cm]?[jt]s$/),
  rule('flow', ['type_checker'], exactly('.flowconfig')),
  rule('vitest', ['test_framework'], /^vite\.config\.[cm]?[jt]s$/, /^\s*test\s*:\s*\{/m),

  rule('flake8', ['linter'], exactly('.flake8')),
  rule('flake8', ['linter'], /^(setup\.cfg|tox\.ini)$/, /^\[flake8\]/m),
  rule('pylint', ['linter'], /^\.?pylintrc$/),
  rule('isort', ['formatter'], exactly('.isort.cfg')),
  rule('mypy', ['type_checker'], exactly('setup.cfg'), /^\[mypy\]/m),
  rule('pytest', ['test_framework'], exactly('tox.ini'), /^\[pytest\]/m),
  rule('ty', ['type_checker'], exactly('ty.toml')),
  rule('pyrefly', ['type_checker'], exactly('pyrefly.toml')),
  rule('ruff', ['linter'], exactly('pyproject.toml'), /^\[tool\.ruff(?!\.format)(\.lint)?[\].]/m),
  rule('ruff', ['formatter'], exactly('pyproject.toml'), /^\[tool\.ruff\.format\]/m),
  rule('black', ['formatter'], exactly('pyproject.toml'), /^\[tool\.black\]/m),
  rule('isort', ['formatter'], exactly('pyproject.toml'), /^\[tool\.isort\]/m),
  rule('mypy', ['type_checker'], exactly('pyproject.toml'), /^\[tool\.mypy\]/m),
  rule('pyright', ['type_checker'], exactly('pyproject.toml'), /^\[tool\.pyright\]/m),
  rule('basedpyright', ['type_checker'], exactly('pyproject.toml'), /^\[tool\.basedpyright\]/m),
  rule('ty', ['type_checker'], exactly('pyproject.toml'), /^\[tool\.ty[\].]/m),
  rule('pytest', ['test_framework'], exactly('pyproject.toml'), /^\[tool\.pytest(\.ini_options)?\]/m),
  rule('pylint', ['linter'], exactly('pyproject.toml'), /^\[tool\.pylint/m),

  rule('rubocop', ['linter', 'formatter'], exactly('.rubocop.yml')),
  rule('standard-ruby', ['linter', 'formatter'], exactly('.standard.yml')),
  rule('rspec', ['test_framework'], exactly('.rspec')),
  rule('steep', ['type_checker'], exactly('Steepfile')),
  rule('phpstan', ['linter', 'type_checker'], /^phpstan([\w.-]*)\.neon(\.dist)?$/),
  rule('psalm', ['type_checker'], /^psalm\.xml(\.dist)?$/),
  rule('php-cs-fixer', ['formatter'], /^\.php-cs-fixer(\.dist)?\.php$|^\.php_cs(\.dist)?$/),
  rule('phpcs', ['linter'], /^\.?phpcs\.xml(\.dist)?$/),
  rule('pint', ['formatter'], exactly('pint.json')),
  rule('phpunit', ['test_framework'], /^phpunit\.xml(\.dist)?$/),
  rule('pest', ['test_framework'], exactly('Pest.php')),
  rule('checkstyle', ['linter'], /^checkstyle[\w-]*\.xml$/),
  rule('detekt', ['linter'], /^detekt([\w-]*)\.ya?ml$/),
  rule(
    'spotless',
    ['formatter'],
    /^(build\.gradle(\.kts)?|pom\.xml)$/,
    /spotless\s*\{|spotless-maven-plugin/,
  ),
  rule(
    'checkstyle',
    ['linter'],
    /^(build\.gradle(\.kts)?|pom\.xml)$/,
    /checkstyle-maven-plugin|^\s*(id\(?\s*)?["'`]?checkstyle["'`]?\)?\s*(\{|$)/m,
  ),
  rule(
    'ktlint',
    ['linter', 'formatter'],
    /^build\.gradle(\.kts)?$/,
    /org\.jlleitschuh\.gradle\.ktlint|org\.jmailen\.kotlinter/,
  ),
  rule('detekt', ['linter'], /^build\.gradle(\.kts)?$/, /io\.gitlab\.arturbosch\.detekt|dev\.detekt/),
  rule('clang-tidy', ['linter'], exactly('.clang-tidy')),
  rule('clang-format', ['formatter'], /^\.clang-format$|^_clang-format$/),
  rule('ctest', ['test_framework'], exactly('CMakeLists.txt'), /enable_testing\s*\(|include\s*\(\s*CTest/i),
  rule('make check', ['test_framework'], exactly('Makefile.am'), /^(TESTS|check_PROGRAMS)\s*[+:]?=/m),
  rule('meson test', ['test_framework'], exactly('meson.build'), /^\s*test\s*\(|subdir\(\s*['"]tests?['"]/m),
  rule('csharpier', ['formatter'], /^\.csharpierrc(\.(json|ya?ml))?$/),
  rule('credo', ['linter'], exactly('.credo.exs')),
  rule('mix format', ['formatter'], exactly('.formatter.exs')),
  rule('dialyzer', ['type_checker'], exactly('.dialyzer_ignore.exs')),
  rule('shellcheck', ['linter'], exactly('.shellcheckrc')),
  rule('swiftlint', ['linter'], /^\.swiftlint\.ya?ml$/),
  rule('swift-format', ['formatter'], exactly('.swift-format')),
  rule('swiftformat', ['formatter'], exactly('.swiftformat')),
  rule('ocamlformat', ['formatter'], exactly('.ocamlformat')),
  rule('dart analyze', ['linter', 'type_checker'], exactly('analysis_options.yaml')),
  rule('tflint', ['linter'], exactly('.tflint.hcl')),
  rule('statix', ['linter'], exactly('statix.toml')),
  rule('treefmt', ['formatter'], /^\.?treefmt\.(toml|nix)$/),
  rule('treefmt', ['formatter'], exactly('flake.nix'), /treefmt-nix/),
];
