import type { ToolCategory } from './record.ts';

/** When the registry was last gone through; shown with every answer that rests on it. */
export const registryDate = '2026-11-15';

export interface LanguageDefaults {
  packageManager: string;
  /** Candidates in order; the first is the recommended one. One candidate is a clear best practice, none means there is no such tool. */
  tools: Record<ToolCategory, string[]>;
}

const defaults = (
  packageManager: string,
  linter: string[],
  formatter: string[],
  type_checker: string[],
  lsp: string[],
  test_framework: string[],
): LanguageDefaults => ({ packageManager, tools: { linter, formatter, type_checker, lsp, test_framework } });

/** Recommended tools of 22 languages. Where it departs from the first list, docs/decisions/conventions-tool-registry.md says why. */
export const languageDefaults: Record<string, LanguageDefaults> = {
  go: defaults('go mod', ['golangci-lint'], ['gofmt'], ['go vet'], ['gopls'], ['go test']),
  python: defaults('uv', ['ruff'], ['ruff'], ['pyright', 'mypy', 'ty'], ['pyright'], ['pytest']),
  javascript: defaults(
    'npm',
    ['oxlint', 'eslint', 'biome'],
    ['prettier', 'biome', 'oxfmt'],
    ['tsc'],
    ['typescript-language-server', 'tsc'],
    ['vitest', 'node:test', 'jest'],
  ),
  typescript: defaults(
    'npm',
    ['oxlint', 'eslint', 'biome'],
    ['prettier', 'biome', 'oxfmt'],
    ['tsc'],
    ['tsc', 'typescript-language-server'],
    ['vitest', 'node:test', 'jest'],
  ),
  rust: defaults('cargo', ['clippy'], ['rustfmt'], ['cargo check'], ['rust-analyzer'], ['cargo test']),
  ruby: defaults(
    'bundler',
    ['rubocop'],
    ['rubocop'],
    ['sorbet', 'steep'],
    ['ruby-lsp'],
    ['rspec', 'minitest'],
  ),
  java: defaults(
    'maven',
    ['checkstyle'],
    ['google-java-format', 'spotless'],
    ['javac'],
    ['jdtls'],
    ['junit'],
  ),
  kotlin: defaults(
    'gradle',
    ['ktlint', 'detekt'],
    ['ktlint', 'ktfmt'],
    ['kotlinc'],
    ['kotlin-lsp'],
    ['junit'],
  ),
  c: defaults('', ['clang-tidy'], ['clang-format'], ['clang'], ['clangd'], ['ctest']),
  cpp: defaults('', ['clang-tidy'], ['clang-format'], ['clang'], ['clangd'], ['gtest', 'catch2']),
  csharp: defaults(
    'dotnet',
    ['dotnet format'],
    ['dotnet format', 'csharpier'],
    ['dotnet build'],
    ['csharp-ls', 'omnisharp'],
    ['dotnet test'],
  ),
  elixir: defaults('mix', ['credo'], ['mix format'], ['dialyzer'], ['elixir-ls'], ['mix test']),
  bash: defaults('', ['shellcheck'], ['shfmt'], [], ['bash-language-server'], ['bats']),
  php: defaults(
    'composer',
    ['phpstan'],
    ['php-cs-fixer', 'pint'],
    ['phpstan'],
    ['intelephense'],
    ['phpunit', 'pest'],
  ),
  swift: defaults(
    'swift package',
    ['swiftlint'],
    ['swift-format'],
    ['swiftc'],
    ['sourcekit-lsp'],
    ['swift test'],
  ),
  zig: defaults('zig', ['zig'], ['zig fmt'], ['zig'], ['zls'], ['zig test']),
  ocaml: defaults('opam', [], ['ocamlformat'], ['ocaml'], ['ocaml-lsp'], ['alcotest']),
  dart: defaults('pub', ['dart analyze'], ['dart format'], ['dart analyze'], ['dart'], ['dart test']),
  terraform: defaults(
    '',
    ['tflint'],
    ['terraform fmt'],
    ['terraform validate'],
    ['terraform-ls'],
    ['terraform test', 'terratest'],
  ),
  nix: defaults('nix', ['statix'], ['nixfmt'], [], ['nixd'], []),
  vue: defaults('npm', ['eslint'], ['prettier'], ['vue-tsc'], ['vue-language-server'], ['vitest']),
  svelte: defaults('npm', ['eslint'], ['prettier'], ['svelte-check'], ['svelte-language-server'], ['vitest']),
};

/** What each candidate is good and bad at, for the question to a person. Kept to what its own documentation claims. */
export const tradeOffs: Record<string, { pros: string[]; cons: string[] }> = {
  oxlint: {
    pros: ['fast on large trees', 'works without configuration'],
    cons: ['fewer plugins than ESLint'],
  },
  eslint: {
    pros: ['most configurable', 'largest set of plugins'],
    cons: ['slower', 'needs a configuration file'],
  },
  biome: { pros: ['fast', 'linter and formatter in one program'], cons: ['its own rule set, few plugins'] },
  prettier: { pros: ['most widely used', 'many languages'], cons: ['slower than native formatters'] },
  oxfmt: { pros: ['fast', 'close to Prettier in style'], cons: ['young'] },
  vitest: { pros: ['TypeScript and ESM without set-up', 'fast watch mode'], cons: ['brings Vite along'] },
  'node:test': { pros: ['part of Node, nothing to install'], cons: ['fewer matchers and plugins'] },
  jest: { pros: ['mature', 'large ecosystem'], cons: ['ESM and TypeScript need set-up'] },
  tsc: {
    pros: ['language server inside the compiler from TypeScript 7 on'],
    cons: ['older TypeScript has none'],
  },
  'typescript-language-server': {
    pros: ['works with TypeScript up to 6'],
    cons: ['needs tsserver, which TypeScript 7 no longer ships'],
  },
  pyright: { pros: ['fast', 'also a language server'], cons: ['runs on Node'] },
  mypy: { pros: ['the reference checker', 'plugins for frameworks'], cons: ['slower without its daemon'] },
  ty: { pros: ['very fast'], cons: ['young'] },
  sorbet: { pros: ['fast, proven on large code bases'], cons: ['needs annotations in the code'] },
  steep: { pros: ['uses RBS, the signatures of Ruby itself'], cons: ['slower on large code bases'] },
  rspec: { pros: ['expressive, widely used'], cons: ['a language of its own'] },
  minitest: { pros: ['small, plain Ruby'], cons: ['fewer features'] },
  'google-java-format': { pros: ['one fixed style'], cons: ['not configurable'] },
  spotless: { pros: ['runs any formatter from Maven or Gradle'], cons: ['needs the build tool'] },
  ktlint: { pros: ['official Kotlin style without configuration'], cons: ['style only'] },
  detekt: { pros: ['finds code smells too'], cons: ['needs configuration'] },
  ktfmt: { pros: ['deterministic style'], cons: ['not configurable'] },
  gtest: { pros: ['widely used', 'mocking included'], cons: ['must be built'] },
  catch2: { pros: ['little to set up', 'readable assertions'], cons: ['slower to compile'] },
  'dotnet format': { pros: ['part of the SDK', 'follows .editorconfig'], cons: ['slow on large solutions'] },
  csharpier: { pros: ['fast', 'one fixed style'], cons: ['one more tool to install'] },
  'csharp-ls': { pros: ['small, uses Roslyn'], cons: ['community project'] },
  omnisharp: { pros: ['long established'], cons: ['no longer what the official extension uses'] },
  'php-cs-fixer': { pros: ['most configurable'], cons: ['needs a configuration file'] },
  pint: { pros: ['works without configuration'], cons: ['Laravel style by default'] },
  phpunit: { pros: ['the standard'], cons: ['more ceremony'] },
  pest: { pros: ['short tests'], cons: ['a layer over PHPUnit'] },
  'terraform test': { pros: ['part of Terraform since 1.6'], cons: ['tests modules only'] },
  terratest: { pros: ['tests what was really deployed'], cons: ['written in Go, needs real accounts'] },
};
