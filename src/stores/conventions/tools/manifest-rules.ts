import type { Ecosystem } from '../dependencies/record.ts';
import type { ToolUse } from './recognise.ts';
import type { ToolCategory } from './record.ts';
import { knownTools, toolFacts } from './tool-facts.ts';

const ecosystemOf = { npm: 'npm', pypi: 'pypi', gem: 'gem', composer: 'composer' } as const;

/** Packages that are declared under another name than the tool they bring. */
const others: Array<[Ecosystem, RegExp, string, ToolCategory[]]> = [
  ['npm', /^biome$/, 'biome', ['linter', 'formatter']],
  ['npm', /^@playwright\/test$/, 'playwright', ['test_framework']],
  ['npm', /^neostandard$|^eslint-config-/, 'eslint', ['linter']],
  ['npm', /^@typescript\/native-preview$/, 'tsc', ['type_checker']],
  ['pypi', /^pytest-/, 'pytest', ['test_framework']],
  ['gem', /^rspec-(core|rails)$/, 'rspec', ['test_framework']],
  ['gem', /^(standard|standardrb)$/, 'standard-ruby', ['linter', 'formatter']],
  ['gem', /^minitest-/, 'minitest', ['test_framework']],
  ['composer', /^(larastan\/larastan|nunomaduro\/larastan)$/, 'phpstan', ['linter', 'type_checker']],
  ['composer', /^symfony\/phpunit-bridge$/, 'phpunit', ['test_framework']],
  ['hex', /^credo$/, 'credo', ['linter']],
  ['hex', /^dialyxir$/, 'dialyzer', ['type_checker']],
  ['pub', /^flutter_test$/, 'flutter test', ['test_framework']],
  ['pub', /^test$/, 'dart test', ['test_framework']],
  ['nuget', /^(xunit|NUnit|MSTest|TUnit)(\.|$)/i, 'dotnet test', ['test_framework']],
  ['nuget', /^CSharpier/i, 'csharpier', ['formatter']],
  ['maven', /^(junit:junit|org\.junit(\.\w+)*:.+)$/, 'junit', ['test_framework']],
  ['maven', /kotlin-test/, 'junit', ['test_framework']],
  ['maven', /^org\.testng:testng$/, 'testng', ['test_framework']],
  ['maven', /^io\.kotest:/, 'kotest', ['test_framework']],
  ['maven', /:ktfmt$/, 'ktfmt', ['formatter']],
  ['go', /onsi\/ginkgo/, 'ginkgo', ['test_framework']],
];

const direct = new Map<string, ToolUse[]>();
for (const name of knownTools()) {
  const tool = toolFacts(name)!;
  if (!tool.via || !tool.install) continue;
  const categories = (Object.keys(tool.uses) as ToolCategory[]).filter(
    (category) => category !== 'lsp' || Object.keys(tool.uses).length === 1,
  );
  direct.set(
    `${ecosystemOf[tool.via]}:${tool.install}`,
    categories.map((category) => ({ tool: name, category })),
  );
}

/** Tools that a declared dependency stands for. */
export function toolsOfPackage(ecosystem: Ecosystem, name: string): ToolUse[] {
  const found = direct.get(`${ecosystem}:${name}`);
  if (found) return found;
  const other = others.find(([at, pattern]) => at === ecosystem && pattern.test(name));
  return other ? other[3].map((category) => ({ tool: other[2], category })) : [];
}

/** Tools that come with the toolchain whose manifest lies in the project. */
export const toolchains: Array<[file: RegExp, uses: ToolUse[]]> = [
  [/^go\.mod$/, uses(['gofmt', 'formatter'], ['go vet', 'type_checker'], ['go test', 'test_framework'])],
  [
    /^Cargo\.toml$/,
    uses(
      ['clippy', 'linter'],
      ['rustfmt', 'formatter'],
      ['cargo check', 'type_checker'],
      ['cargo test', 'test_framework'],
    ),
  ],
  [/^Package\.swift$/, uses(['swiftc', 'type_checker'], ['swift test', 'test_framework'])],
  [/^mix\.exs$/, uses(['mix format', 'formatter'], ['mix test', 'test_framework'])],
  [
    /^pubspec\.yaml$/,
    uses(['dart analyze', 'linter'], ['dart analyze', 'type_checker'], ['dart format', 'formatter']),
  ],
  [
    /^build\.zig$/,
    uses(
      ['zig', 'linter'],
      ['zig', 'type_checker'],
      ['zig fmt', 'formatter'],
      ['zig test', 'test_framework'],
    ),
  ],
  [/^dune-project$/, uses(['ocaml', 'type_checker'], ['dune test', 'test_framework'])],
  [
    /\.(csproj|sln|slnx)$/,
    uses(
      ['dotnet format', 'linter'],
      ['dotnet format', 'formatter'],
      ['dotnet build', 'type_checker'],
      ['dotnet test', 'test_framework'],
    ),
  ],
  [/\.tf$/, uses(['terraform fmt', 'formatter'], ['terraform validate', 'type_checker'])],
];

function uses(...list: Array<[string, ToolCategory]>): ToolUse[] {
  return list.map(([tool, category]) => ({ tool, category }));
}
