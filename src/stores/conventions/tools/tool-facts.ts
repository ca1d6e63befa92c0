import type { ToolCategory } from './record.ts';

/**
 * What is known about a tool wherever it is met: the family of languages it serves, the command that checks without
 * changing files, how it is installed. Commands are bare; the runner of the project's package manager is put before them.
 */
export interface ToolFacts {
  name: string;
  /** A language of the registry or a family of them; `*` serves every language. */
  family: string;
  uses: Partial<Record<ToolCategory, string>>;
  /** Which package manager brings it; decides the runner that is put before the command. */
  via?: 'npm' | 'pypi' | 'gem' | 'composer';
  install?: string;
  /** Name of the program when it is not the name of the tool. */
  program?: string;
}

const facts: ToolFacts[] = [];
const add = (
  family: string,
  name: string,
  uses: ToolFacts['uses'],
  more: Omit<ToolFacts, 'name' | 'family' | 'uses'> = {},
) => facts.push({ name, family, uses, ...more });

const npm = (name: string, uses: ToolFacts['uses'], install = name) =>
  add('javascript', name, uses, { via: 'npm', install });
npm('eslint', { linter: 'eslint .' });
npm('oxlint', { linter: 'oxlint' });
npm('oxfmt', { formatter: 'oxfmt --check .' });
npm('biome', { linter: 'biome lint .', formatter: 'biome format .' }, '@biomejs/biome');
npm('xo', { linter: 'xo', formatter: 'xo' });
npm('standard', { linter: 'standard' });
npm('tslint', { linter: 'tslint --project .' });
npm('prettier', { formatter: 'prettier --check .' });
npm('dprint', { formatter: 'dprint check' });
npm('tsc', { type_checker: 'tsc --noEmit', lsp: 'tsc --lsp --stdio' }, 'typescript');
npm('vue-tsc', { type_checker: 'vue-tsc --noEmit' });
npm('svelte-check', { type_checker: 'svelte-check' });
npm('flow', { type_checker: 'flow check' }, 'flow-bin');
npm('vitest', { test_framework: 'vitest run' });
npm('jest', { test_framework: 'jest' });
npm('mocha', { test_framework: 'mocha' });
npm('ava', { test_framework: 'ava' });
npm('tap', { test_framework: 'tap' });
npm('borp', { test_framework: 'borp' });
npm('jasmine', { test_framework: 'jasmine' });
npm('karma', { test_framework: 'karma start --single-run' });
npm('playwright', { test_framework: 'playwright test' }, '@playwright/test');
npm('cypress', { test_framework: 'cypress run' });
npm('uvu', { test_framework: 'uvu' });
npm('tape', { test_framework: 'tape test/**/*.js' });
npm('typescript-language-server', { lsp: 'typescript-language-server --stdio' });
npm('vue-language-server', { lsp: 'vue-language-server --stdio' }, '@vue/language-server');
npm('svelte-language-server', { lsp: 'svelteserver --stdio' });
add('javascript', 'node:test', { test_framework: 'node --test' }, { program: 'node' });
add('javascript', 'bun test', { test_framework: 'bun test' }, { program: 'bun' });
add('javascript', 'deno', {
  linter: 'deno lint',
  formatter: 'deno fmt --check',
  type_checker: 'deno check .',
  test_framework: 'deno test',
  lsp: 'deno lsp',
});

const pypi = (name: string, uses: ToolFacts['uses'], install = name) =>
  add('python', name, uses, { via: 'pypi', install });
pypi('ruff', { linter: 'ruff check', formatter: 'ruff format --check', lsp: 'ruff server' });
pypi('flake8', { linter: 'flake8' });
pypi('pylint', { linter: 'pylint .' });
pypi('black', { formatter: 'black --check .' });
pypi('isort', { formatter: 'isort --check .' });
pypi('yapf', { formatter: 'yapf --diff --recursive .' });
pypi('mypy', { type_checker: 'mypy .' });
pypi('pyright', { type_checker: 'pyright', lsp: 'pyright-langserver --stdio' });
pypi('basedpyright', { type_checker: 'basedpyright', lsp: 'basedpyright-langserver --stdio' });
pypi('ty', { type_checker: 'ty check', lsp: 'ty server' });
pypi('pyrefly', { type_checker: 'pyrefly check', lsp: 'pyrefly lsp' });
pypi('pytest', { test_framework: 'pytest' });
pypi('unittest', { test_framework: 'python -m unittest' }, '');
pypi('nose2', { test_framework: 'nose2' });

add(
  'go',
  'golangci-lint',
  { linter: 'golangci-lint run', formatter: 'golangci-lint fmt --diff' },
  {
    install: 'go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@latest',
  },
);
add(
  'go',
  'staticcheck',
  { linter: 'staticcheck ./...' },
  {
    install: 'go install honnef.co/go/tools/cmd/staticcheck@latest',
  },
);
add('go', 'revive', { linter: 'revive ./...' }, { install: 'go install github.com/mgechev/revive@latest' });
add('go', 'golint', { linter: 'golint ./...' });
add('go', 'gofmt', { formatter: 'gofmt -l .' });
add('go', 'gofumpt', { formatter: 'gofumpt -l .' }, { install: 'go install mvdan.cc/gofumpt@latest' });
add('go', 'goimports', { formatter: 'goimports -l .' });
add('go', 'go vet', { type_checker: 'go vet ./...' }, { program: 'go' });
add('go', 'go test', { test_framework: 'go test ./...' }, { program: 'go' });
add('go', 'ginkgo', { test_framework: 'ginkgo ./...' });
add('go', 'gopls', { lsp: 'gopls' }, { install: 'go install golang.org/x/tools/gopls@latest' });

add(
  'rust',
  'clippy',
  { linter: 'cargo clippy' },
  { program: 'cargo-clippy', install: 'rustup component add clippy' },
);
add('rust', 'rustfmt', { formatter: 'cargo fmt --check' }, { install: 'rustup component add rustfmt' });
add('rust', 'cargo check', { type_checker: 'cargo check' }, { program: 'cargo' });
add('rust', 'cargo test', { test_framework: 'cargo test' }, { program: 'cargo' });
add(
  'rust',
  'nextest',
  { test_framework: 'cargo nextest run' },
  {
    program: 'cargo-nextest',
    install: 'cargo install --locked cargo-nextest',
  },
);
add('rust', 'rust-analyzer', { lsp: 'rust-analyzer' }, { install: 'rustup component add rust-analyzer' });

const gem = (name: string, uses: ToolFacts['uses'], install = name) =>
  add('ruby', name, uses, { via: 'gem', install });
gem('rubocop', { linter: 'rubocop', formatter: 'rubocop --only Layout' });
gem('standard-ruby', { linter: 'standardrb', formatter: 'standardrb' }, 'standard');
gem('sorbet', { type_checker: 'srb tc' });
gem('steep', { type_checker: 'steep check' });
gem('rspec', { test_framework: 'rspec' });
gem('minitest', { test_framework: 'rake test' });
gem('test-unit', { test_framework: 'rake test' });
gem('ruby-lsp', { lsp: 'ruby-lsp' });

const composer = (name: string, uses: ToolFacts['uses'], install: string) =>
  add('php', name, uses, { via: 'composer', install });
composer('phpstan', { linter: 'phpstan analyse', type_checker: 'phpstan analyse' }, 'phpstan/phpstan');
composer('psalm', { type_checker: 'psalm' }, 'vimeo/psalm');
composer('phpcs', { linter: 'phpcs' }, 'squizlabs/php_codesniffer');
composer('php-cs-fixer', { formatter: 'php-cs-fixer fix --dry-run --diff' }, 'friendsofphp/php-cs-fixer');
composer('pint', { formatter: 'pint --test' }, 'laravel/pint');
composer('phpunit', { test_framework: 'phpunit' }, 'phpunit/phpunit');
composer('pest', { test_framework: 'pest' }, 'pestphp/pest');
add('php', 'intelephense', { lsp: 'intelephense --stdio' }, { install: 'npm install -g intelephense' });

add('jvm', 'checkstyle', { linter: 'checkstyle -c checkstyle.xml .' });
add('jvm', 'spotless', { formatter: 'spotlessCheck' });
add('jvm', 'google-java-format', { formatter: 'google-java-format --dry-run --set-exit-if-changed' });
add('jvm', 'pmd', { linter: 'pmd check' });
add('java', 'javac', { type_checker: 'javac' });
add('java', 'jdtls', { lsp: 'jdtls' });
add('jvm', 'junit', { test_framework: 'test' });
add('jvm', 'testng', { test_framework: 'test' });
add('kotlin', 'ktlint', { linter: 'ktlint', formatter: 'ktlint' }, { install: 'brew install ktlint' });
add('kotlin', 'detekt', { linter: 'detekt' });
add('kotlin', 'ktfmt', { formatter: 'ktfmt --dry-run --set-exit-if-changed .' });
add('kotlin', 'kotlinc', { type_checker: 'kotlinc' });
add('kotlin', 'kotest', { test_framework: 'test' });
add(
  'kotlin',
  'kotlin-lsp',
  { lsp: 'kotlin-lsp --stdio' },
  { install: 'brew install JetBrains/utils/kotlin-lsp' },
);

add('cpp', 'clang-tidy', { linter: 'clang-tidy -p build' });
add('cpp', 'cppcheck', { linter: 'cppcheck .' });
add('cpp', 'clang-format', { formatter: 'clang-format --dry-run --Werror' });
add('cpp', 'clang', { type_checker: 'clang -fsyntax-only' });
add('cpp', 'ctest', { test_framework: 'ctest --test-dir build' });
add('cpp', 'gtest', { test_framework: 'ctest --test-dir build' }, { program: 'ctest' });
add('cpp', 'catch2', { test_framework: 'ctest --test-dir build' }, { program: 'ctest' });
add('cpp', 'meson test', { test_framework: 'meson test -C build' }, { program: 'meson' });
add('cpp', 'make check', { test_framework: 'make check' }, { program: 'make' });
add('cpp', 'clangd', { lsp: 'clangd' });

add(
  'csharp',
  'dotnet format',
  { linter: 'dotnet format analyzers --verify-no-changes', formatter: 'dotnet format --verify-no-changes' },
  { program: 'dotnet' },
);
add(
  'csharp',
  'csharpier',
  { formatter: 'dotnet csharpier check .' },
  { install: 'dotnet tool install csharpier' },
);
add('csharp', 'dotnet build', { type_checker: 'dotnet build' }, { program: 'dotnet' });
add('csharp', 'dotnet test', { test_framework: 'dotnet test' }, { program: 'dotnet' });
add('csharp', 'csharp-ls', { lsp: 'csharp-ls' }, { install: 'dotnet tool install --global csharp-ls' });
add('csharp', 'omnisharp', { lsp: 'omnisharp -lsp' });

add('elixir', 'credo', { linter: 'mix credo' }, { program: 'mix', install: 'mix deps.get' });
add('elixir', 'mix format', { formatter: 'mix format --check-formatted' }, { program: 'mix' });
add('elixir', 'dialyzer', { type_checker: 'mix dialyzer' }, { program: 'mix' });
add('elixir', 'mix test', { test_framework: 'mix test' }, { program: 'mix' });
add('elixir', 'elixir-ls', { lsp: 'elixir-ls' });

add('bash', 'shellcheck', { linter: 'shellcheck **/*.sh' });
add('bash', 'shfmt', { formatter: 'shfmt -d .' }, { install: 'go install mvdan.cc/sh/v3/cmd/shfmt@latest' });
add('bash', 'bats', { test_framework: 'bats test' });
add('bash', 'urchin', { test_framework: 'urchin test' }, { via: 'npm', install: 'urchin' });
add(
  'bash',
  'bash-language-server',
  { lsp: 'bash-language-server start' },
  {
    install: 'npm install -g bash-language-server',
  },
);

add('swift', 'swiftlint', { linter: 'swiftlint' }, { install: 'brew install swiftlint' });
add('swift', 'swift-format', { formatter: 'swift format lint --recursive .' }, { program: 'swift' });
add('swift', 'swiftformat', { formatter: 'swiftformat --lint .' }, { install: 'brew install swiftformat' });
add('swift', 'swiftc', { type_checker: 'swift build' }, { program: 'swift' });
add('swift', 'swift test', { test_framework: 'swift test' }, { program: 'swift' });
add('swift', 'xcodebuild', { test_framework: 'xcodebuild test' });
add('swift', 'sourcekit-lsp', { lsp: 'sourcekit-lsp' });

add('zig', 'zig', { linter: 'zig build', type_checker: 'zig build' });
add('zig', 'zig fmt', { formatter: 'zig fmt --check .' }, { program: 'zig' });
add('zig', 'zig test', { test_framework: 'zig build test' }, { program: 'zig' });
add('zig', 'zls', { lsp: 'zls' });

add('ocaml', 'ocamlformat', { formatter: 'dune build @fmt' }, { install: 'opam install ocamlformat' });
add('ocaml', 'ocaml', { type_checker: 'dune build @check' }, { program: 'dune' });
add('ocaml', 'dune test', { test_framework: 'dune test' }, { program: 'dune' });
add(
  'ocaml',
  'alcotest',
  { test_framework: 'dune test' },
  { program: 'dune', install: 'opam install alcotest' },
);
add(
  'ocaml',
  'ocaml-lsp',
  { lsp: 'ocamllsp' },
  { program: 'ocamllsp', install: 'opam install ocaml-lsp-server' },
);

add('dart', 'dart analyze', { linter: 'dart analyze', type_checker: 'dart analyze' }, { program: 'dart' });
add(
  'dart',
  'dart format',
  { formatter: 'dart format --output=none --set-exit-if-changed .' },
  { program: 'dart' },
);
add('dart', 'dart test', { test_framework: 'dart test' }, { program: 'dart' });
add('dart', 'flutter test', { test_framework: 'flutter test' }, { program: 'flutter' });
add('dart', 'dart', { lsp: 'dart language-server' });

add('terraform', 'tflint', { linter: 'tflint --recursive' }, { install: 'brew install tflint' });
add('terraform', 'terraform fmt', { formatter: 'terraform fmt -check -recursive' }, { program: 'terraform' });
add('terraform', 'terraform validate', { type_checker: 'terraform validate' }, { program: 'terraform' });
add('terraform', 'terraform test', { test_framework: 'terraform test' }, { program: 'terraform' });
add('terraform', 'terratest', { test_framework: 'go test ./test/...' }, { program: 'go' });
add(
  'terraform',
  'terraform-ls',
  { lsp: 'terraform-ls serve' },
  { install: 'brew install hashicorp/tap/terraform-ls' },
);

add('nix', 'statix', { linter: 'statix check' }, { install: 'nix profile install nixpkgs#statix' });
add('nix', 'deadnix', { linter: 'deadnix --fail' });
add('nix', 'nixfmt', { formatter: 'nixfmt --check .' }, { install: 'nix profile install nixpkgs#nixfmt' });
add('nix', 'alejandra', { formatter: 'alejandra --check .' });
add('nix', 'nixd', { lsp: 'nixd' }, { install: 'nix profile install nixpkgs#nixd' });
add('*', 'treefmt', { formatter: 'treefmt --fail-on-change' });
add('*', 'editorconfig', { formatter: 'editorconfig-checker' }, { program: 'editorconfig-checker' });

const byName = new Map(facts.map((tool) => [tool.name, tool]));

export const toolFacts = (name: string): ToolFacts | undefined => byName.get(name);
export const knownTools = (): string[] => [...byName.keys()];
