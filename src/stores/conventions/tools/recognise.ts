import type { ToolCategory } from './record.ts';
import { programName } from './shell-words.ts';

export interface ToolUse {
  tool: string;
  category: ToolCategory;
}

const use = (tool: string, ...categories: ToolCategory[]): ToolUse[] =>
  categories.map((category) => ({ tool, category }));

/** Programs that are one tool whatever their arguments say. */
const single: Record<string, ToolUse[]> = {
  eslint: use('eslint', 'linter'),
  eslint_d: use('eslint', 'linter'),
  oxlint: use('oxlint', 'linter'),
  oxfmt: use('oxfmt', 'formatter'),
  xo: use('xo', 'linter'),
  standard: use('standard', 'linter'),
  tslint: use('tslint', 'linter'),
  prettier: use('prettier', 'formatter'),
  dprint: use('dprint', 'formatter'),
  tsc: use('tsc', 'type_checker'),
  tsgo: use('tsc', 'type_checker'),
  'vue-tsc': use('vue-tsc', 'type_checker'),
  'svelte-check': use('svelte-check', 'type_checker'),
  flow: use('flow', 'type_checker'),
  vitest: use('vitest', 'test_framework'),
  jest: use('jest', 'test_framework'),
  'jest-cli': use('jest', 'test_framework'),
  mocha: use('mocha', 'test_framework'),
  _mocha: use('mocha', 'test_framework'),
  ava: use('ava', 'test_framework'),
  tap: use('tap', 'test_framework'),
  borp: use('borp', 'test_framework'),
  jasmine: use('jasmine', 'test_framework'),
  karma: use('karma', 'test_framework'),
  uvu: use('uvu', 'test_framework'),
  tape: use('tape', 'test_framework'),
  flake8: use('flake8', 'linter'),
  pylint: use('pylint', 'linter'),
  black: use('black', 'formatter'),
  isort: use('isort', 'formatter'),
  yapf: use('yapf', 'formatter'),
  mypy: use('mypy', 'type_checker'),
  dmypy: use('mypy', 'type_checker'),
  pyright: use('pyright', 'type_checker'),
  basedpyright: use('basedpyright', 'type_checker'),
  ty: use('ty', 'type_checker'),
  pyrefly: use('pyrefly', 'type_checker'),
  pytest: use('pytest', 'test_framework'),
  'py.test': use('pytest', 'test_framework'),
  unittest: use('unittest', 'test_framework'),
  nose2: use('nose2', 'test_framework'),
  gofmt: use('gofmt', 'formatter'),
  gofumpt: use('gofumpt', 'formatter'),
  goimports: use('goimports', 'formatter'),
  staticcheck: use('staticcheck', 'linter'),
  revive: use('revive', 'linter'),
  golint: use('golint', 'linter'),
  gotestsum: use('go test', 'test_framework'),
  richgo: use('go test', 'test_framework'),
  ginkgo: use('ginkgo', 'test_framework'),
  rustfmt: use('rustfmt', 'formatter'),
  rubocop: use('rubocop', 'linter'),
  standardrb: use('standard-ruby', 'linter', 'formatter'),
  srb: use('sorbet', 'type_checker'),
  steep: use('steep', 'type_checker'),
  rspec: use('rspec', 'test_framework'),
  minitest: use('minitest', 'test_framework'),
  phpstan: use('phpstan', 'linter', 'type_checker'),
  psalm: use('psalm', 'type_checker'),
  phpcs: use('phpcs', 'linter'),
  'php-cs-fixer': use('php-cs-fixer', 'formatter'),
  pint: use('pint', 'formatter'),
  phpunit: use('phpunit', 'test_framework'),
  'simple-phpunit': use('phpunit', 'test_framework'),
  paratest: use('phpunit', 'test_framework'),
  pest: use('pest', 'test_framework'),
  checkstyle: use('checkstyle', 'linter'),
  'google-java-format': use('google-java-format', 'formatter'),
  ktlint: use('ktlint', 'linter', 'formatter'),
  detekt: use('detekt', 'linter'),
  ktfmt: use('ktfmt', 'formatter'),
  'clang-tidy': use('clang-tidy', 'linter'),
  'run-clang-tidy': use('clang-tidy', 'linter'),
  cppcheck: use('cppcheck', 'linter'),
  'clang-format': use('clang-format', 'formatter'),
  ctest: use('ctest', 'test_framework'),
  csharpier: use('csharpier', 'formatter'),
  shellcheck: use('shellcheck', 'linter'),
  shfmt: use('shfmt', 'formatter'),
  bats: use('bats', 'test_framework'),
  urchin: use('urchin', 'test_framework'),
  swiftlint: use('swiftlint', 'linter'),
  swiftformat: use('swiftformat', 'formatter'),
  'swift-format': use('swift-format', 'formatter'),
  ocamlformat: use('ocamlformat', 'formatter'),
  tflint: use('tflint', 'linter'),
  statix: use('statix', 'linter'),
  deadnix: use('deadnix', 'linter'),
  nixfmt: use('nixfmt', 'formatter'),
  alejandra: use('alejandra', 'formatter'),
  treefmt: use('treefmt', 'formatter'),
};

type Reader = (args: string[], text: string) => ToolUse[];

const firstWord = (args: string[]): string =>
  args.find((word) => !word.startsWith('-') && !word.startsWith('+')) ?? '';

/** Programs whose first word decides. */
const bySubcommand: Record<string, Reader> = {
  biome: (args) =>
    ({
      lint: use('biome', 'linter'),
      format: use('biome', 'formatter'),
      check: use('biome', 'linter', 'formatter'),
      ci: use('biome', 'linter', 'formatter'),
    })[firstWord(args)] ?? [],
  ruff: (args) => (firstWord(args) === 'format' ? use('ruff', 'formatter') : use('ruff', 'linter')),
  deno: (args) =>
    ({
      lint: use('deno', 'linter'),
      fmt: use('deno', 'formatter'),
      check: use('deno', 'type_checker'),
      test: use('deno', 'test_framework'),
    })[firstWord(args)] ?? [],
  node: (args) => {
    if (args.some((word) => word === '--test' || word.startsWith('--test-')))
      return use('node:test', 'test_framework');
    const script = args.find((word) => !word.startsWith('-'));
    return script ? (single[programName(script)] ?? []) : [];
  },
  bun: (args) => (args[0] === 'test' ? use('bun test', 'test_framework') : []),
  playwright: (args) => (args[0] === 'test' ? use('playwright', 'test_framework') : []),
  cypress: (args) => (args[0] === 'run' ? use('cypress', 'test_framework') : []),
  'golangci-lint': (args) =>
    firstWord(args) === 'fmt' ? use('golangci-lint', 'formatter') : use('golangci-lint', 'linter'),
  go: (args) =>
    ({
      test: use('go test', 'test_framework'),
      vet: use('go vet', 'type_checker'),
      fmt: use('gofmt', 'formatter'),
    })[firstWord(args)] ?? [],
  cargo: (args) =>
    ({
      clippy: use('clippy', 'linter'),
      fmt: use('rustfmt', 'formatter'),
      check: use('cargo check', 'type_checker'),
      test: use('cargo test', 'test_framework'),
      nextest: use('nextest', 'test_framework'),
      hack: args.includes('test') ? use('cargo test', 'test_framework') : use('cargo check', 'type_checker'),
    })[firstWord(args)] ?? [],
  cross: (args) => bySubcommand.cargo!(args, ''),
  rails: (args) => (firstWord(args) === 'test' ? use('minitest', 'test_framework') : []),
  mvn: (_args, text) => maven(text),
  mvnw: (_args, text) => maven(text),
  gradle: (_args, text) => gradle(text),
  gradlew: (_args, text) => gradle(text),
  meson: (args) => (firstWord(args) === 'test' ? use('meson test', 'test_framework') : []),
  dotnet: (args) =>
    ({
      test: use('dotnet test', 'test_framework'),
      build: use('dotnet build', 'type_checker'),
      format: use('dotnet format', 'linter', 'formatter'),
      csharpier: use('csharpier', 'formatter'),
    })[firstWord(args)] ?? [],
  mix: (args) =>
    ({
      test: use('mix test', 'test_framework'),
      format: use('mix format', 'formatter'),
      credo: use('credo', 'linter'),
      dialyzer: use('dialyzer', 'type_checker'),
    })[firstWord(args)] ?? [],
  swift: (args) =>
    ({
      test: use('swift test', 'test_framework'),
      build: use('swiftc', 'type_checker'),
      format: use('swift-format', 'formatter'),
    })[firstWord(args)] ?? [],
  xcodebuild: (args) => (args.some((word) => /^test/.test(word)) ? use('xcodebuild', 'test_framework') : []),
  zig: (args) => {
    if (args[0] === 'fmt') return use('zig fmt', 'formatter');
    if (args[0] === 'test' || (args[0] === 'build' && args.includes('test')))
      return use('zig test', 'test_framework');
    return [];
  },
  dune: (args) => {
    if (args[0] === 'fmt' || args.includes('@fmt')) return use('ocamlformat', 'formatter');
    if (/^(runtest|test)$/.test(args[0] ?? '') || args.includes('@runtest'))
      return use('dune test', 'test_framework');
    return args[0] === 'build' ? use('ocaml', 'type_checker') : [];
  },
  dart: (args) =>
    ({
      analyze: use('dart analyze', 'linter', 'type_checker'),
      format: use('dart format', 'formatter'),
      test: use('dart test', 'test_framework'),
    })[firstWord(args)] ?? [],
  flutter: (args) =>
    ({ analyze: use('dart analyze', 'linter', 'type_checker'), test: use('flutter test', 'test_framework') })[
      firstWord(args)
    ] ?? [],
  terraform: (args) => terraform(args),
  tofu: (args) => terraform(args),
  nix: (args, text) => (args[0] === 'fmt' || /treefmt/.test(text) ? use('treefmt', 'formatter') : []),
  make: (args) => (args.includes('check') ? use('make check', 'test_framework') : []),
};

const terraform = (args: string[]): ToolUse[] =>
  ({
    fmt: use('terraform fmt', 'formatter'),
    validate: use('terraform validate', 'type_checker'),
    test: use('terraform test', 'test_framework'),
  })[firstWord(args)] ?? [];

function maven(text: string): ToolUse[] {
  if (/skipTests|maven\.test\.skip/.test(text)) return [];
  const goals = new Set(text.split(/\s+/));
  const runs = (...names: string[]) => names.some((name) => goals.has(name));
  return [
    ...(runs('test', 'verify', 'install', 'package') ? use('junit', 'test_framework') : []),
    ...(runs('spotless:check', 'verify') ? use('spotless', 'formatter') : []),
    ...(runs('checkstyle:check', 'verify') ? use('checkstyle', 'linter') : []),
  ];
}

function gradle(text: string): ToolUse[] {
  const all = /\s(build|check)\b/.test(text);
  return [
    ...(all || /\s(\S*:)?(test|allTests|jvmTest)\b/.test(text) ? use('junit', 'test_framework') : []),
    ...(all || /spotlessCheck/.test(text) ? use('spotless', 'formatter') : []),
    ...(all || /checkstyle/.test(text) ? use('checkstyle', 'linter') : []),
    ...(all || /ktlintCheck|lintKotlin/.test(text) ? use('ktlint', 'linter', 'formatter') : []),
    ...(all || /detekt/.test(text) ? use('detekt', 'linter') : []),
  ];
}

/** Which tools one command runs, judged by its words alone. */
export function recognise(parts: string[]): ToolUse[] {
  const program = programName(parts[0] ?? '');
  const args = parts.slice(1);
  if (args.length === 1 && /^(--?version|-V|--help|version)$/.test(args[0]!)) return [];
  return Object.hasOwn(bySubcommand, program)
    ? bySubcommand[program]!(args, parts.join(' '))
    : Object.hasOwn(single, program)
      ? single[program]!
      : [];
}

/** A build command that runs everything (`gradlew check`, `mvn verify`) proves only what the project also configures. */
export const provesOnlyConfigured = new Set(['spotless', 'checkstyle', 'ktlint', 'detekt']);
