import { expect, test } from 'vitest';
import type { ChangedFile } from './change.ts';
import { guardChange } from './guards.ts';

const changed = (path: string, before: string | undefined, after: string | undefined): ChangedFile => {
  const old = new Set(before?.split('\n'));
  const lines = new Set<number>();
  after?.split('\n').forEach((text, at) => {
    if (!old.has(text)) lines.add(at + 1);
  });
  const status = before === undefined ? 'added' : after === undefined ? 'deleted' : 'modified';
  return { path, status, before, after, lines };
};

const messagesOf = (...file: Parameters<typeof changed>) =>
  guardChange([changed(...file)]).map(({ message }) => message);

test.each<[string, string, string | undefined, string | undefined, RegExp]>([
  ['a deleted test file', 'test/a.test.ts', "test('a', () => {});", undefined, /gone/],
  [
    'a test taken out',
    'test/a.test.ts',
    "test('a', () => {});\ntest('b', () => {});",
    "test('a', () => {});",
    /1 fewer tests/,
  ],
  [
    'an assertion taken out',
    'a_test.go',
    'func TestA(t *testing.T) {\n  require.Equal(t, 1, f())\n}',
    'func TestA(t *testing.T) {\n  f()\n}',
    /fewer assertions/,
  ],
  [
    'a weaker assertion',
    'a.spec.ts',
    'expect(a).toBe(3);',
    'expect(a).toBeDefined();',
    /hardly anything fails/,
  ],
  [
    'a skipped test',
    'test_a.py',
    'def test_a():\n    assert f() == 1',
    '@pytest.mark.skip\ndef test_a():\n    assert f() == 1',
    /skipped/,
  ],
  ['a test that runs alone', 'a.test.js', "it('a', f);", "it.only('a', f);", /skipped, or runs alone/],
  ['a new suppression', 'src/a.ts', 'f(x);', '// @ts-ignore\nf(x);', /switched off/],
  ['the configuration of a linter', 'eslint.config.js', 'a', 'b', /linter/],
  ['the configuration of a compiler', 'packages/a/tsconfig.json', '{}', '{ }', /compiler/],
  ['a pipeline', '.github/workflows/ci.yml', 'a: 1', 'a: 2', /pipeline/],
  ['a snapshot', 'src/__snapshots__/a.test.ts.snap', 'a', 'b', /snapshot/],
  ['a new package', 'package.json', '{"dependencies":{}}', '{"dependencies":{"left-pad":"1"}}', /left-pad/],
  ['a lock file', 'package-lock.json', '{}', '{ }', /lock file/],
  [
    'a test command',
    'package.json',
    '{"scripts":{"test":"vitest"}}',
    '{"scripts":{"test":"true"}}',
    /test command/,
  ],
  ['rules for agents', 'AGENTS.md', 'a', 'b', /agents/],
])('%s is a finding of its own', (_title, path, before, after, expected) => {
  expect(messagesOf(path, before, after)).toContainEqual(expect.stringMatching(expected));
});

test.each(
  [
    'conftest.py tests/conftest.py sitecustomize.py lib/own.pth pytest.ini setup.py Makefile build.rs Rakefile gulpfile.js gradlew',
    'vitest.config.ts jest.config.js .mocharc.cjs eslint.config.mjs .npmrc spec/spec_helper.rb unittest.py mix.exs tools.bzl',
  ]
    .join(' ')
    .split(' '),
)('%s, which tools run by themselves, is a finding when it is new', (path) => {
  expect(guardChange([changed(path, undefined, 'x = 1\n')])).toContainEqual(
    expect.objectContaining({ file: path, guard: expect.stringMatching(/judge|dependency/) }),
  );
});

test('a new manifest is a finding where it has commands', () => {
  const manifest = (fields: object) => messagesOf('app/package.json', undefined, JSON.stringify(fields));
  expect(manifest({ name: 'app', scripts: { preinstall: 'x' } })).toEqual(['added: a build or test command']);
  expect(manifest({ name: 'app', version: '1.0.0' })).toEqual([]);
});

test('what a test catches and looks at, and a comparison of values, are no weakening', () => {
  const before = "test('a', () => {\n  assert.equal(f(), 1);\n});\n";
  const after =
    "test('a', () => {\n  assert.equal(f(), 1);\n  try {\n    assert.equal(g(), 2);\n  } catch (error) {\n    throw new Error('g', { cause: error });\n  }\n  const page = { skip: 10, take: 5 };\n});\n";
  expect(messagesOf('a.test.js', before, after)).toEqual(['an existing test file changed']);
  const compared =
    'class A:\n    def __eq__(self, other):\n        return isinstance(other, A) and (self.a == other.a)\n';
  expect(messagesOf('shop/a.py', 'class A:\n', compared)).toEqual([]);
});

test('an ordinary change of code with a new test is no finding', () => {
  expect(messagesOf('src/a.ts', 'export const a = 1;', 'export const a = 2;')).toEqual([]);
  expect(messagesOf('src/a.test.ts', undefined, "test('a', () => expect(a).toBe(2));")).toEqual([]);
});
