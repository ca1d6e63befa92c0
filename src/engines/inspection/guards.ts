import { containsSecret } from '../../base/redact.ts';
import { isTestPath } from '../../base/text/index.ts';
import { declaredNames, isLockFile } from '../../stores/conventions/index.ts';
import type { ChangedFile } from './change.ts';

/** A change to what judges changes, or to what a person wants to see before it goes in. */
export interface GuardFinding {
  guard: 'test' | 'judge' | 'suppression' | 'dependency' | 'secret' | 'agent_rules';
  file: string;
  line?: number;
  message: string;
}

/** Files that decide how a project is judged, by what they are. */
const judges: Array<[RegExp, string]> = [
  [/\.snap$|(^|\/)(__snapshots__|__image_snapshots__|snapshots)\//, 'a stored snapshot'],
  [
    /(^|\/)(\.?eslint(rc|\.config|ignore)|biome\.jsonc?|\.?oxlintrc|\.?prettier(rc|\.config|ignore)|\.?stylelint|\.?rubocop|\.?golangci|\.?ruff\.toml|\.flake8|\.pylintrc|pylintrc|\.?clippy\.toml|\.?rustfmt\.toml|\.clang-(tidy|format)|checkstyle|detekt|phpstan|psalm|phpcs|\.php-cs-fixer|\.swiftlint|\.?ktlint|\.credo|\.shellcheckrc|\.editorconfig|\.tflint|analysis_options)/i,
    'the configuration of a linter or formatter',
  ],
  [
    /(^|\/)((tsconfig|jsconfig)[^/]*\.json|mypy\.ini|pyrightconfig\.json|\.?sorbet\/|babel\.config|\.swcrc)/,
    'the configuration of a compiler or type checker',
  ],
  [
    /(^|\/)((vitest|jest|playwright|karma|cypress|ava|wdio)\.(config|workspace)|\.mocharc|pytest\.ini|tox\.ini|noxfile\.py|conftest\.py|\.rspec|phpunit\.xml|\.nycrc|\.c8rc|\.coveragerc|codecov\.ya?ml)/,
    'the configuration of tests',
  ],
  [
    /^(\.github\/(workflows|actions)\/|\.gitlab-ci|\.circleci\/|azure-pipelines|Jenkinsfile|\.travis|\.drone|\.buildkite\/|bitbucket-pipelines|\.ci\/|\.pre-commit-config|lefthook\.ya?ml|\.husky\/)/,
    'a pipeline or a hook',
  ],
  [
    /(^|\/)(Makefile|GNUmakefile|justfile|Justfile|Rakefile|Taskfile\.ya?ml|build\.gradle(\.kts)?|pom\.xml|CMakeLists\.txt)$/,
    'a build or test command',
  ],
];
const agentRules =
  /(^|\/)(\.sylk\/|\.claude\/|\.cursor\/|\.mcp\.json$|AGENTS\.md$|CLAUDE\.md$|GEMINI\.md$|\.github\/copilot-instructions\.md$)/;

const testStart =
  /^\s*(?:(?:export\s+)?(?:it|test|specify|scenario|Deno\.test|bench)(?:\.\w+)*\s*(?:\(|`)|(?:async\s+)?def\s+test\w*|func\s+(?:\([^)]*\)\s*)?Test\w+|#\[(?:\w+::)?test\b|@(?:Parameterized)?Test\b|\[(?:Fact|Theory|Test|TestMethod|TestCase)\b|(?:public\s+)?function\s+test\w+|(?:it|test|specify|scenario)\s+["'(]|@test\s+["']|TEST(?:_[FP])?\s*\(|test\s+["'].*\bdo\b)/;
const assertion =
  /\b(?:expect|assert\w*|should|must|require|EXPECT_\w+|ASSERT_\w+|XCTAssert\w*|refute\w*|verify)\b\s*[.!(]/g;
const skipped =
  /\b(?:it|test|describe|context|suite|specify)\.(?:skip|only|todo|fails|failing|concurrent\.skip|concurrent\.only|skipIf|runIf)\b|\b(?:xit|xdescribe|xtest|fit|fdescribe|xcontext|xspecify)\s*\(|@(?:pytest\.mark\.(?:skip|skipif|xfail)|unittest\.(?:skip|expectedFailure)\w*|Disabled|Ignore)\b|\bpytest\.(?:skip|xfail)\(|\bself\.skipTest\(|\bt\.Skip(?:f|Now)?\(|#\[ignore\b|\b(?:pending|skip)\s+(?:["'(]|do\b)|\bthis\.skip\(|\$this->markTest(?:Skipped|Incomplete)|@tag\s+:skip|\[Ignore\b|\bSkip\s*=\s*"|\bXCTSkip/;
const weak =
  /\.(?:toBeTruthy|toBeDefined|not\.toThrow|toBeFalsy|not\.toBeNull|not\.toBeUndefined)\(|expect\(true\)|assert\s+True\b|assert\(true\)|assertTrue\(true\)|expect\.anything\(\)/;
const suppression =
  /eslint-disable|biome-ignore|oxlint-disable|@ts-(?:ignore|nocheck|expect-error)|prettier-ignore|stylelint-disable|#\s*noqa|#\s*type:\s*ignore|#\s*pyright:\s*ignore|pylint:\s*disable|#\s*nosec|pragma:\s*no\s*cover|\bnolint\b|#!?\[allow\(|rubocop:(?:disable|todo)|@SuppressWarnings|@Suppress\b|NOSONAR|@phpstan-ignore|phpcs:(?:ignore|disable)|@psalm-suppress|shellcheck\s+disable|swiftlint:disable|ktlint-disable|(?:istanbul|c8|v8)\s+ignore|credo:disable|NOLINT|#pragma\s+(?:warning\s+disable|GCC diagnostic ignored|clang diagnostic ignored)|tflint-ignore|as any\b|\bas never\b/;

/** Settings and commands by which a project is judged; stored snapshots belong to the tests. */
export const isJudgeFile = (path: string): boolean => judges.slice(1).some(([pattern]) => pattern.test(path));

export function guardChange(files: ChangedFile[]): GuardFinding[] {
  return files.flatMap((file) => [
    ...guardPath(file),
    ...(isTestPath(file.path) ? guardTests(file) : []),
    ...guardLines(file),
    ...guardDependencies(file),
    ...guardScripts(file),
  ]);
}

function guardPath({ path, from, status }: ChangedFile): GuardFinding[] {
  const name = from ?? path;
  const verb = from ? 'moved' : status;
  if (agentRules.test(name) || agentRules.test(path))
    return [{ guard: 'agent_rules', file: path, message: `${verb}: a file that tells agents what to do` }];
  if (isLockFile(name))
    return [{ guard: 'dependency', file: path, message: `${verb}: the lock file of the packages` }];
  const judge = judges.find(([pattern]) => pattern.test(name) || pattern.test(path));
  if (judge) return [{ guard: 'judge', file: path, message: `${verb}: ${judge[1]}` }];
  if (!isTestPath(name) || status === 'added') return [];
  const gone = status === 'deleted' || (from !== undefined && !isTestPath(path));
  return [
    { guard: 'test', file: path, message: gone ? 'a test file is gone' : 'an existing test file changed' },
  ];
}

/** Fewer tests or assertions, or weaker ones, than there were. */
function guardTests({ path, before, after }: ChangedFile): GuardFinding[] {
  if (before === undefined || after === undefined) return [];
  const fewer = (what: string, count: (text: string) => number): GuardFinding[] => {
    const [old, now] = [count(before), count(after)];
    return now < old
      ? [{ guard: 'test', file: path, message: `${old - now} fewer ${what} (${old} → ${now})` }]
      : [];
  };
  const linesLike = (pattern: RegExp) => (text: string) =>
    text.split('\n').filter((line) => pattern.test(line)).length;
  const weaker = linesLike(weak)(after) - linesLike(weak)(before);
  return [
    ...fewer('tests', linesLike(testStart)),
    ...fewer('assertions', (text) => text.match(assertion)?.length ?? 0),
    ...(weaker > 0
      ? [
          {
            guard: 'test' as const,
            file: path,
            message: `${weaker} more assertions that hardly anything fails`,
          },
        ]
      : []),
  ];
}

function guardLines({ path, before, after, lines }: ChangedFile): GuardFinding[] {
  if (after === undefined) return [];
  const earlier = new Set(before?.split('\n').map((line) => line.trim()));
  return after.split('\n').flatMap((text, at): GuardFinding[] => {
    const line = at + 1;
    if (!lines.has(line) || earlier.has(text.trim())) return [];
    const found: GuardFinding[] = [];
    const add = (guard: GuardFinding['guard'], message: string) =>
      found.push({ guard, file: path, line, message });
    if (skipped.test(text) && isTestPath(path)) add('test', 'a test that is skipped, or runs alone');
    if (suppression.test(text)) add('suppression', 'a finding is switched off here');
    if (text.length < 4000 && containsSecret(text)) add('secret', 'looks like a secret');
    return found;
  });
}

function guardDependencies({ path, before, after }: ChangedFile): GuardFinding[] {
  if (after === undefined) return [];
  const earlier = new Set(before === undefined ? [] : declaredNames(path, before));
  const fresh = declaredNames(path, after).filter((name) => !earlier.has(name));
  return fresh.length === 0
    ? []
    : [{ guard: 'dependency', file: path, message: `new packages: ${fresh.slice(0, 20).join(', ')}` }];
}

/** Scripts of package.json are how a project is built and tested. */
function guardScripts({ path, before, after }: ChangedFile): GuardFinding[] {
  if (!/(^|\/)package\.json$/.test(path) || before === undefined || after === undefined) return [];
  const scripts = (text: string): string => {
    try {
      return JSON.stringify((JSON.parse(text) as { scripts?: unknown }).scripts ?? {});
    } catch {
      return 'unreadable';
    }
  };
  return scripts(before) === scripts(after)
    ? []
    : [{ guard: 'judge', file: path, message: 'modified: a build or test command' }];
}
