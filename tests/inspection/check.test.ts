import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type App, openApp } from '../../src/app.ts';
import type { CheckReport, CheckRequest } from '../../src/engines/inspection/index.ts';
import { runOperation } from '../../src/operations/run.ts';
import { pathsBelow } from '../support/paths-below.ts';
import { testRepository } from '../support/repository.ts';
import { sylk } from '../support/sylk.ts';

const packages = resolve(import.meta.dirname, '../../node_modules');

/** A project with a real linter, formatter, type checker and tests, committed and green. */
function project() {
  const repository = testRepository();
  mkdirSync(join(repository.path, 'node_modules/.bin'), { recursive: true });
  for (const name of ['@biomejs', 'typescript', '@typescript'])
    symlinkSync(join(packages, name), join(repository.path, 'node_modules', name));
  for (const name of ['biome', 'tsc'])
    symlinkSync(join(packages, '.bin', name), join(repository.path, 'node_modules/.bin', name));
  repository.commit('feat: start', {
    '.gitignore': 'node_modules\n',
    'package.json': JSON.stringify({
      name: 'shop',
      type: 'module',
      scripts: {
        lint: 'biome lint .',
        'format:check': 'biome format .',
        types: 'tsc --noEmit',
        test: 'node --test',
      },
      devDependencies: { '@biomejs/biome': '^2.0.0', typescript: '^5.0.0' },
    }),
    'biome.json': JSON.stringify({
      formatter: { indentStyle: 'space' },
      linter: { rules: { suspicious: { noDebugger: 'error' } } },
    }),
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        noEmit: true,
        strict: true,
        module: 'nodenext',
        allowJs: true,
        checkJs: true,
        types: [],
      },
      include: ['src'],
    }),
    'src/price.js': '/** @param {number} count */\nexport const price = (count) => count * 2;\n',
    'src/cart.js':
      "import { price } from './price.js';\n\n/** @param {number} count @returns {number} */\nexport const total = (count) => price(count) + 1;\n",
    'test/cart.test.js':
      "import assert from 'node:assert';\nimport test from 'node:test';\nimport { total } from '../src/cart.js';\n\ntest('a cart costs its prices', () => assert.equal(total(2), 5));\n",
  });
  const app = opened(repository.path);
  return { repository, check: (input: Record<string, unknown> = {}) => checkWith(app, input), app };
}

function opened(directory: string): App {
  const app = openApp({ directory });
  onTestFinished(() => app.close());
  return app;
}

async function checkWith(app: App, input: Record<string, unknown>): Promise<CheckReport> {
  const outcome = await runOperation(app, {
    name: 'check_changes',
    input: { unconfined: true, ...input },
    caller: { kind: 'person', name: 'ada' },
  });
  if (!outcome.ok) throw new Error(outcome.error.message);
  return outcome.output as CheckReport;
}

test('a pipe in place of a file is named, with the way to put the file back', async () => {
  const { repository, app } = project();
  rmSync(join(repository.path, 'src/cart.js'));
  execFileSync('mkfifo', [join(repository.path, 'src/cart.js')]);
  const outcome = await runOperation(app, {
    name: 'check_changes',
    input: {},
    caller: { kind: 'person', name: 'ada' },
  });
  expect(outcome).toMatchObject({
    error: {
      code: 'DENIED',
      message: expect.stringMatching(/^src\/cart\.js is a pipe/),
      hint: expect.stringMatching(/git restore/),
    },
  });
});

test('a change is judged by linter, formatter, type checker and tests, and the working tree stays as it was', async () => {
  const { repository, check } = project();
  repository.write(
    'src/price.js',
    '/** @param {number} count */\nexport const price = (count) => {\n  debugger;\n    return String(count);\n};\n',
  );
  const before = pathsBelow(repository.path).filter((path) => !path.includes('/.git/'));
  const report = await check();
  expect(report.verdict).toBe('failed');
  expect(report.findings).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        tool: 'biome',
        category: 'linter',
        file: 'src/price.js',
        line: 3,
        severity: 'error',
      }),
      expect.objectContaining({ tool: 'biome', category: 'formatter', file: 'src/price.js' }),
      expect.objectContaining({ tool: 'tsc', file: 'src/cart.js', line: 4, rule: 'TS2322' }),
    ]),
  );
  expect(report.broken_tests.map(({ id }) => id)).toEqual([
    expect.stringContaining('a cart costs its prices'),
  ]);
  expect(pathsBelow(repository.path).filter((path) => !path.includes('/.git/'))).toEqual(before);
  expect(readFileSync(join(repository.path, 'src/price.js'), 'utf8')).toContain('debugger');
});

test('what was broken before the change is counted, not charged to it', async () => {
  const { repository, check } = project();
  repository.commit('chore: leave it broken', {
    'src/old.js': 'export function stop() {\n  debugger;\n  return 1;\n}\n',
    'test/old.test.js':
      "import test from 'node:test';\n\ntest('never was green', () => {\n  throw new Error('old');\n});\n",
  });
  repository.write('src/old.js', '/** Stops. */\nexport function stop() {\n  debugger;\n  return 2;\n}\n');
  const report = await check({ only: ['linter', 'test_framework'] });
  expect(report).toMatchObject({ verdict: 'passed', findings: [], broken_tests: [] });
  expect(report.gates).toEqual([
    expect.objectContaining({ tool: 'biome', category: 'linter', new: 0, before: 1 }),
    expect.objectContaining({ category: 'test_framework', new: 0, before: 1 }),
  ]);
});

test('a tool that crashes or is missing is told as such: no pass and no finding', async () => {
  const { repository, check } = project();
  repository.write('biome.json', '{ broken');
  repository.write(
    'src/price.js',
    '/** @param {number} count */\nexport const price = (count) => count * 3;\n',
  );
  const report = await check({ only: ['linter'] });
  expect(report).toMatchObject({ verdict: 'unsure', findings: [] });
  expect(report.gates).toEqual([
    expect.objectContaining({
      tool: 'biome',
      status: 'failed',
      problem: expect.stringMatching(/Next: run it by hand/),
    }),
  ]);
});

/** A project whose build tool is a script of its own, which speaks as Gradle does. */
function builtProject(source: string) {
  const repository = testRepository();
  repository.write(
    'gradlew',
    `#!/bin/sh
if grep -q BROKEN src/main/java/Price.java; then
  echo "> Task :compileJava FAILED"
  echo "$PWD/src/main/java/Price.java:1: error: class, interface, enum, or record expected" >&2
  echo "FAILURE: Build failed with an exception." >&2
  exit 1
fi
mkdir -p build/test-results/test
echo '<testsuite name="PriceTest" tests="1"><testcase name="isTwo" classname="PriceTest"/></testsuite>' > build/test-results/test/TEST-PriceTest.xml
`,
  );
  chmodSync(join(repository.path, 'gradlew'), 0o755);
  repository.commit('feat: start', {
    '.gitignore': 'build\n',
    'build.gradle': 'dependencies { testImplementation("junit:junit:4.13.2") }\n',
    Makefile: 'test:\n\t./gradlew test\n',
    'src/main/java/Price.java': source,
    'src/test/java/PriceTest.java': 'class PriceTest { @Test void isTwo() {} }\n',
  });
  return repository;
}

test('tests that a change keeps from being built are its failure, and no pass where the base was not built either', async () => {
  const whole = builtProject('class Price {}\n');
  whole.write('src/main/java/Price.java', 'class BROKEN Price {}\n');
  const broken = await checkWith(opened(whole.path), { only: ['test_framework'] });
  expect(broken.gates).toEqual([expect.objectContaining({ status: 'findings', new: 1, tests_run: 0 })]);
  expect(broken.findings).toEqual([
    expect.objectContaining({
      category: 'test_framework',
      file: 'src/main/java/Price.java',
      severity: 'error',
    }),
  ]);
  expect(broken.verdict).toBe('failed');

  const never = builtProject('class BROKEN Price {}\n');
  never.write('src/test/java/PriceTest.java', 'class PriceTest { @Test void isThree() {} }\n');
  const unsure = await checkWith(opened(never.path), { only: ['test_framework'] });
  expect(unsure.gates).toEqual([
    expect.objectContaining({ status: 'failed', problem: expect.stringContaining('does not build') }),
  ]);
  expect(unsure.verdict).toBe('unsure');
});

test('a test that is red once and green again is named as wavering, and remembered', async () => {
  const { repository, check } = project();
  repository.write(
    'src/price.js',
    '/** @param {number} count */\nexport const price = (count) => 2 * count;\n',
  );
  repository.write(
    'test/flaky.test.js',
    "import { existsSync, writeFileSync } from 'node:fs';\nimport test from 'node:test';\n\ntest('wavers', () => {\n  const seen = existsSync('seen.txt');\n  writeFileSync('seen.txt', '');\n  if (!seen) throw new Error('first time');\n});\n",
  );
  const report = await check({ only: ['test_framework'] });
  expect(report).toMatchObject({
    verdict: 'passed',
    broken_tests: [],
    flaky_tests: [{ id: expect.stringContaining('wavers'), seen: 1 }],
  });
  expect(await check({ only: ['test_framework'] })).toMatchObject({ verdict: 'passed', tool_seconds: 0 });
});

test('a new test that is green without the change is named; one that proves the change is not', async () => {
  const { repository, check } = project();
  repository.write(
    'src/price.js',
    '/** @param {number} count */\nexport const price = (count) => count * 2;\n/** @param {number} count */\nexport const half = (count) => count / 2;\n',
  );
  repository.write(
    'test/half.test.js',
    "import assert from 'node:assert';\nimport test from 'node:test';\nimport * as prices from '../src/price.js';\n\ntest('half of four is two', () => assert.equal(prices.half(4), 2));\ntest('one is one', () => assert.equal(1, 1));\n",
  );
  const report = await check({ only: ['test_framework'] });
  expect(report.unproven_tests).toEqual([expect.stringContaining('one is one')]);
});

test('tests of the base that do not run any more, or are red with the changed code, are named', async () => {
  const { repository, check } = project();
  repository.commit('test: add cases', {
    'test/cases.json': '[[1, 2], [2, 4], [3, 6]]\n',
    'test/price.test.js':
      "import assert from 'node:assert';\nimport { readFileSync } from 'node:fs';\nimport test from 'node:test';\nimport { price } from '../src/price.js';\n\nfor (const [count, cost] of JSON.parse(readFileSync('test/cases.json', 'utf8')))\n  test(`the price of ${count}`, () => assert.equal(price(count), cost));\n",
  });
  const review = async () => {
    const { verdict, review } = await check({ only: ['test_framework'] });
    expect(verdict).toBe('passed');
    return review.map(({ file, message }) => `${file}: ${message}`);
  };
  const cart = readFileSync(join(repository.path, 'test/cart.test.js'), 'utf8');
  const price = readFileSync(join(repository.path, 'src/price.js'), 'utf8');
  repository.write('test/cart.test.js', `${cart}test('more', () => assert.equal(total(0), 1));\n`);
  repository.write('src/price.js', price.replace('count * 2', '2 * count'));
  expect(await review()).toEqual(['test/cart.test.js: an existing test file changed']);
  repository.write('test/cart.test.js', cart.replace("prices', ", "prices', { skip: true }, "));
  repository.write('test/cases.json', '[[1, 2], [2, 4]]\n');
  expect(await review()).toContainEqual(
    expect.stringMatching(/4 tests ran before, 2 now\. Gone: .*costs its prices.*price of 3/),
  );
  repository.write('src/price.js', price.replace('count * 2', 'count > 2 ? 0 : count * 2 + 1'));
  repository.write('test/cart.test.js', cart.replace('total(2), 5', 'total(2), 6'));
  repository.write('test/cases.json', '[[1, 3], [2, 5], [3, 0]]\n');
  expect(await review()).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/with the tests of the base, a cart costs .* fails: .*6/),
      expect.stringMatching(/with the tests of the base, the price of 3 fails/),
    ]),
  );
});

test('a change deep in a project is judged with paths below the root', async () => {
  const { repository, check } = project();
  repository.commit('feat: a part', {
    'parts/a/package.json': JSON.stringify({ type: 'module', scripts: { test: 'node --test' } }),
    'parts/a/src/one.js': 'export const one = 1;\n',
    'parts/a/test/one.test.js':
      "import assert from 'node:assert';\nimport test from 'node:test';\nimport { one } from '../src/one.js';\n\ntest('one is one', () => assert.equal(one, 1));\n",
  });
  repository.write('parts/a/src/one.js', 'debugger;\nexport const one = 2;\n');
  const report = await check({ only: ['linter', 'test_framework'] });
  expect(report.verdict).toBe('failed');
  expect(report.findings).toEqual([expect.objectContaining({ file: 'parts/a/src/one.js', line: 1 })]);
  expect(report.broken_tests).toEqual([
    expect.objectContaining({ id: expect.stringContaining('one is one') }),
  ]);
});

test('a file that no tool names is judged by the type checker and all tests of its project', async () => {
  const { repository, check } = project();
  const manifest = readFileSync(join(repository.path, 'package.json'), 'utf8');
  repository.write('package.json', manifest.replace('"module"', '"commonjs"'));
  repository.write('src/price.txt', 'two\n');
  const report = await check();
  expect(report.gates).toEqual([
    expect.objectContaining({ tool: 'tsc', category: 'type_checker' }),
    expect.objectContaining({ category: 'test_framework', status: 'findings', new: 1 }),
  ]);
  expect(report.verdict).toBe('failed');
});

test('prose runs tests only where code reads it, and a tool that is missing comes with its next step', async () => {
  const { repository, check } = project();
  repository.write('docs/guide.md', '# Guide\n');
  repository.write('README.md', '# Shop\n');
  const prose = await check();
  expect(prose).toMatchObject({ verdict: 'passed', gates: [], review: [] });
  expect(prose.notes).toEqual([expect.stringContaining('docs/guide.md')]);
  repository.write(
    'test/guide.test.js',
    "import { readFileSync } from 'node:fs';\nimport test from 'node:test';\n\ntest('the guide is short', () => {\n  if (readFileSync('docs/guide.md', 'utf8').length > 5) throw new Error('long');\n});\n",
  );
  const read = await check({ only: ['test_framework'] });
  expect(read).toMatchObject({
    verdict: 'failed',
    broken_tests: [{ message: expect.stringContaining('long') }],
  });
  rmSync(join(repository.path, 'node_modules'), { recursive: true });
  const manifest = readFileSync(join(repository.path, 'package.json'), 'utf8');
  repository.write(
    'package.json',
    manifest.replaceAll('biome lint', 'eslint').replaceAll('@biomejs/biome', 'eslint'),
  );
  rmSync(join(repository.path, 'biome.json'));
  const missing = await check({ only: ['linter'] });
  expect(missing.verdict).toBe('unsure');
  expect(missing.gates.find(({ tool }) => tool === 'eslint')?.problem).toBe(
    'eslint is named in package.json, but node_modules is missing. Next: npm install --no-audit --no-fund --no-package-lock',
  );
});

test('a commit or a linked working tree is judged without touching the one that was opened', async () => {
  const { repository, app } = project();
  repository.git('worktree', 'add', '-q', '-b', 'side', `${repository.path}-side`);
  const side = join(`${repository.path}-side`, 'src/price.js');
  writeFileSync(
    side,
    '/** @param {number} count */\nexport const price = (count) => {\n  debugger;\n  return count * 2;\n};\n',
  );
  const inspection = await app.inspection();
  const messages: string[] = [];
  const check = (subject: CheckRequest['subject']) =>
    inspection.check({
      subject,
      base: 'main',
      only: ['linter'],
      unconfined: true,
      timeoutMs: 60_000,
      signal: AbortSignal.timeout(120_000),
      progress: (message) => messages.push(message),
    });
  const found = { verdict: 'failed', findings: [expect.objectContaining({ file: 'src/price.js', line: 3 })] };
  expect(await check({ worktree: `${repository.path}-side` })).toMatchObject(found);
  repository.git('-C', `${repository.path}-side`, 'commit', '-qam', 'stop here');
  expect(await check({ commit: 'side' })).toMatchObject(found);
  expect(messages).toContain('biome: 1 files');
  expect(repository.git('status', '--porcelain')).toBe('');
  await expect(check({ worktree: testRepository().path })).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('a formatter that no file of the project names, and that it does not follow, only warns', async () => {
  const { repository, check } = project();
  repository.commit('chore: no formatter is named', {
    'package.json': JSON.stringify({ type: 'module', devDependencies: { '@biomejs/biome': '^2.0.0' } }),
    'biome.json': null,
    'src/odd.js': 'export const   odd=1\n',
  });
  repository.write('src/odd.js', 'export const   odd=1\nexport const   even=2\n');
  const report = await check({ only: ['formatter'] });
  expect(report.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  repository.write('src/odd.js', 'export const odd = 1;\n');
  repository.git('commit', '-qam', 'style: format');
  repository.write('src/odd.js', 'export const   odd=1\n');
  expect((await check({ only: ['formatter'] })).verdict).toBe('passed');
  repository.write('src/odd.js', 'export const odd = 1;\n');
  const biome = join(import.meta.dirname, '../../node_modules/.bin/biome');
  expect(spawnSync(biome, ['format', '--write', '.'], { cwd: repository.path }).status).toBe(0);
  repository.git('commit', '-qam', 'style: format all');
  repository.write('src/odd.js', 'export const   odd=1\n');
  expect((await check({ only: ['formatter'] })).verdict).toBe('failed');
  repository.git('commit', '-qam', 'style: do not format');
  repository.write('src/new.js', 'export const   fresh=1\n');
  expect(await check({ only: ['formatter'] })).toMatchObject({
    verdict: 'passed',
    findings: [{ file: 'src/new.js', severity: 'warning' }],
  });
});

test('a formatter judges only the folders that the project gives it', async () => {
  const { repository, check } = project();
  repository.commit('chore: format sources', {
    'package.json': JSON.stringify({
      type: 'module',
      scripts: { format: 'biome format src' },
      devDependencies: { '@biomejs/biome': '^2.0.0' },
    }),
    'built/a.js': 'export const a = 1;\n',
    'src/a.js': 'export const a = 1;\n',
  });
  repository.write('built/a.js', 'export const   a=2\n');
  expect((await check({ only: ['formatter'] })).findings).toEqual([]);
  repository.write('src/a.js', 'export const   a=2\n');
  expect((await check({ only: ['formatter'] })).findings).toMatchObject([{ file: 'src/a.js' }]);
});

test('a change that takes back the last commit is named for a person', async () => {
  const { repository, check } = project();
  const before = readFileSync(join(repository.path, 'src/price.js'), 'utf8');
  repository.commit('fix: price', { 'src/price.js': before.replace('* 2', '* 2 + 0') });
  repository.write('src/price.js', before);
  expect((await check({ only: ['linter'] })).review).toEqual([
    expect.objectContaining({
      file: 'src/price.js',
      message: expect.stringContaining('before the last commit'),
    }),
  ]);
});

test('a change is judged by the settings of its base where that is asked for', async () => {
  const { repository, check } = project();
  repository.write(
    'biome.json',
    JSON.stringify({ linter: { enabled: false }, formatter: { indentStyle: 'space' } }),
  );
  repository.write(
    'package.json',
    JSON.stringify({ name: 'shop', type: 'module', scripts: { lint: 'true', test: 'node --test' } }),
  );
  repository.write('src/price.js', 'debugger;\nexport const price = (count) => count * 2;\n');
  expect((await check({ only: ['linter'] })).findings).toEqual([]);
  const report = await check({ only: ['linter'], by_base: true });
  expect(report.findings).toEqual([expect.objectContaining({ file: 'src/price.js', line: 1 })]);
  expect(report.notes.join()).toContain('biome.json');
});

test('tests of unittest are run with Python itself, as the project starts them', async () => {
  const repository = testRepository();
  repository.commit('feat: start', {
    Makefile: 'test:\n\tpython3 -m unittest discover -s tests -t .\n',
    'shop/__init__.py': '',
    'shop/cart.py': 'def total(count):\n    return count * 2\n',
    'tests/__init__.py': '',
    'tests/test_cart.py':
      'import unittest\n\nfrom shop.cart import total\n\n\nclass CartTest(unittest.TestCase):\n    def test_total(self):\n        self.assertEqual(total(2), 4)\n\n    def test_nothing(self):\n        self.assertEqual(total(0), 0)\n',
  });
  const app = opened(repository.path);
  repository.write('shop/cart.py', 'def total(count):\n    return 2 * count\n');
  expect((await checkWith(app, {})).gates).toEqual([
    expect.objectContaining({ tool: 'unittest', status: 'clean', tests_run: 2 }),
  ]);
  repository.write('shop/cart.py', 'def total(count):\n    return 3 * count\n');
  expect((await checkWith(app, {})).broken_tests).toEqual([
    expect.objectContaining({ id: expect.stringContaining('test_total') }),
  ]);
});

test('with --strict, what a person should look at fails the command in every format', () => {
  const { repository } = project();
  repository.write('test/cart.test.js', "import test from 'node:test';\n\ntest('nothing', () => {});\n");
  const check = (...more: string[]) =>
    sylk(repository.path, ['check', '--unconfined', '--only', 'test_framework', ...more]);
  const [plain, strict] = [check(), check('--strict')];
  expect(plain).toMatchObject({ code: 0, out: expect.stringMatching(/^Passed, and \d+ things need review/) });
  expect(strict).toMatchObject({ code: 5, out: expect.stringMatching(/^Needs review/) });
  const { code, out } = check('--strict', '--format', 'sarif');
  expect(code).toBe(5);
  expect(JSON.parse(out).runs.at(-1).results[0]).toMatchObject({ level: 'error', ruleId: 'test' });
});

test('the text says how many tests newly fail, and that nothing changed', () => {
  const { repository } = project();
  const check = () =>
    sylk(repository.path, ['check', '--base', 'HEAD', '--unconfined', '--only', 'test_framework']).out;
  expect(check()).toContain('Nothing changed, compared with HEAD: no tool ran.');
  repository.write('src/price.js', 'export const price = () => 0;\n');
  expect(check()).toContain('1 test, 1 newly failing');
});

test('documents for pipelines are printed as they are: JSON and XML that parsers take', () => {
  const { repository } = project();
  repository.write('src/price.js', 'export const price = () => 0;\n');
  const printed = (format: string) =>
    sylk(repository.path, ['check', '--unconfined', '--only', 'test_framework', '--format', format]);
  const { runs } = JSON.parse(printed('sarif').out);
  expect(runs[0].results).toEqual([expect.objectContaining({ ruleId: 'broken-test', level: 'error' })]);
  const junit = join(repository.path, 'junit.xml');
  writeFileSync(junit, printed('junit').out);
  const read =
    'import sys, xml.etree.ElementTree as e; print(len(e.parse(sys.argv[1]).getroot().findall(".//failure")))';
  expect(execFileSync('python3', ['-c', read, junit], { encoding: 'utf8' })).toBe('1\n');
});

test('an agent can not switch the sandbox off', async () => {
  const { app } = project();
  const outcome = await runOperation(app, {
    name: 'check_changes',
    input: { unconfined: true },
    caller: { kind: 'agent', name: 'client' },
  });
  expect(outcome).toMatchObject({ ok: false, error: { code: 'DENIED' } });
});
