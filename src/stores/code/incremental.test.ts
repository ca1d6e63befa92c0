import { expect, test } from 'vitest';
import { openTestCode } from '../../../tests/support/code.ts';
import { dumpCode } from '../../../tests/support/code-dump.ts';
import { random, randomStep } from '../../../tests/support/random-code.ts';
import { testRepository } from '../../../tests/support/repository.ts';

test.each([1, 2, 3])('an index brought up step by step answers as one built anew (seed %i)', async (seed) => {
  const pick = random(seed);
  const repository = testRepository();
  const present = new Set<string>();
  const { code } = openTestCode(repository.path);
  for (let step = 0; step < 18; step++) {
    const touched = randomStep(repository, present, pick);
    await code.update(touched && pick(3) > 0 ? { paths: touched } : {});
    if (step % 3 !== 2) continue;
    const anew = openTestCode(repository.path).code;
    await anew.update();
    expect(dumpCode(code), `seed ${seed}, step ${step}`).toEqual(dumpCode(anew));
  }
  expect(code.files().length).toBeGreaterThan(2);
});

test('a branch switch re-reads what differs and answers as an index built anew', async () => {
  const repository = testRepository();
  repository.commit('one', {
    'a.ts': "import { b } from './b.ts';\nexport function a() { b(); }\n",
    'b.ts': 'export function b() {}\n',
  });
  repository.git('checkout', '-q', '-b', 'other');
  repository.commit('two', {
    'b.ts': 'export function c() {}\n',
    'c.ts': "import { c } from './b.ts';\nc();\n",
  });
  const { code } = openTestCode(repository.path);
  await code.update();
  repository.git('checkout', '-q', 'main');
  const report = await code.update();
  expect([...report.changed].sort()).toEqual(['b.ts', 'c.ts']);
  const anew = openTestCode(repository.path).code;
  await anew.update();
  expect(dumpCode(code)).toEqual(dumpCode(anew));
});

test('an edit inside a function links that file alone; a new name links those that looked for it', async () => {
  const repository = testRepository();
  repository.commit('one', {
    'a.ts': "import { b } from './b.ts';\nexport function a() { b(); }\n",
    'b.ts': 'export function b() { return 1; }\n',
    'c.ts': 'export function c() {}\n',
  });
  const { code } = openTestCode(repository.path);
  await code.update();
  repository.write('b.ts', 'export function b() { return 1 + 1; }\n');
  expect((await code.update()).linked).toBe(1);
  repository.write('b.ts', 'export function renamed() { return 1 + 1; }\n');
  expect((await code.update()).linked).toBe(2);
  expect(code.unresolved(code.symbols('a.a')[0]!).map((one) => one.name)).toEqual(['b']);
});

test('a name that stops being a class links those that found two classes of that name', async () => {
  const repository = testRepository();
  repository.commit('one', {
    'a.ts': 'export class Part extends Base {}\n',
    'b.ts': 'export class Base {}\n',
    'c.ts': 'export class Base {}\n',
  });
  const { code } = openTestCode(repository.path);
  await code.update();
  expect(code.unresolved(code.symbols('a.Part')[0]!).map((one) => one.name)).toEqual(['Base']);
  repository.write('c.ts', 'export function Base() {}\n');
  await code.update({ paths: ['c.ts'] });
  expect(code.unresolved(code.symbols('a.Part')[0]!)).toEqual([]);
});

test('the same bytes with a new time are not linked again', async () => {
  const repository = testRepository();
  repository.commit('one', { 'a.ts': 'export function a() {}\n' });
  const { code } = openTestCode(repository.path);
  await code.update();
  const before = code.generation();
  repository.write('a.ts', 'export function a() {}\n');
  const report = await code.update();
  expect([report.parsed, report.linked, code.generation()]).toEqual([0, 0, before]);
});

test('an update that was cut short is finished by the next one, and freshness says so in between', async () => {
  const repository = testRepository();
  const files: Record<string, string> = {};
  for (let index = 0; index < 60; index++)
    files[`f${index}.ts`] =
      `import { f${index + 1} } from './f${index + 1}.ts';\nexport function f${index}() { f${index + 1}(); }\n`;
  repository.commit('one', files);
  const { code } = openTestCode(repository.path, { workers: 1 });
  expect((await code.freshness()).state).toBe('empty');
  const abort = new AbortController();
  await expect(
    code.update({ signal: abort.signal, progress: () => abort.abort(new Error('enough')) }),
  ).rejects.toThrow('enough');
  expect((await code.freshness()).state).toBe('empty');
  await code.update();
  expect((await code.freshness()).state).toBe('fresh');
  const anew = openTestCode(repository.path).code;
  await anew.update();
  expect(dumpCode(code)).toEqual(dumpCode(anew));
  repository.write('f1.ts', 'export const changed = 1;\n');
  repository.write('new.ts', 'export const added = 1;\n');
  expect(await code.freshness()).toMatchObject({ state: 'stale', changed: 2, examples: ['f1.ts', 'new.ts'] });
});

test('a file that was linked by what another one had found is linked again when that changes', async () => {
  const repository = testRepository();
  const user = (name: string) => `from mid import Mid\n\ndef ${name}(mid: Mid):\n    mid.run()\n`;
  repository.commit('one', {
    'base.py': 'class Base:\n    def run(self):\n        pass\n',
    'between.py': 'from base import Base\n\nclass Between(Base):\n    pass\n',
    'mid.py': 'from between import Between\n\nclass Mid(Between):\n    pass\n',
    'first.py': user('first'),
    'second.py': user('second'),
  });
  const { code } = openTestCode(repository.path);
  await code.update();
  const lost = () =>
    ['first', 'second'].map((name) =>
      code.unresolved(code.symbols(`${name}.${name}`)[0]!).map((one) => one.name),
    );
  expect(lost()).toEqual([[], []]);
  repository.write('between.py', 'class Between:\n    pass\n');
  await code.update();
  expect(lost()).toEqual([['mid.run'], ['mid.run']]);
});
