import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTestCode } from '../../../tests/support/code.ts';
import { dumpCode } from '../../../tests/support/code-dump.ts';
import { random, randomSource, randomStep } from '../../../tests/support/random-code.ts';
import { testRepository } from '../../../tests/support/repository.ts';
import { temporaryDirectory } from '../../../tests/support/temporary.ts';

const callersOf = (code: ReturnType<typeof openTestCode>['code'], name: string) =>
  code
    .linked(code.symbols(name)[0]!, { direction: 'in', kinds: new Set(['calls']), depth: 1, limit: 50 })
    .map((one) => one.ref);

test('three worktrees on different branches share one base, and each answers for its own files', async () => {
  const repository = testRepository();
  repository.commit('one', {
    'a.ts': "import { b } from './b.ts';\nexport function a() { b(); }\n",
    'b.ts': 'export function b() {}\n',
    'same.ts': 'export function same() {}\n',
  });
  const places = temporaryDirectory('worktrees');
  const index = join(places, 'index.db');
  const main = openTestCode(repository.path, {}, { index });
  await main.code.update();
  for (const name of ['two', 'three'])
    repository.git('worktree', 'add', '-q', '-b', name, join(places, name));
  writeFileSync(join(places, 'two', 'b.ts'), 'export function renamed() {}\n');
  writeFileSync(
    join(places, 'two', 'c.ts'),
    "import { renamed } from './b.ts';\nexport function c() { renamed(); }\n",
  );
  rmSync(join(places, 'three', 'a.ts'));
  const second = openTestCode(join(places, 'two'), {}, { index });
  const third = openTestCode(join(places, 'three'), {}, { index });
  await second.code.update();
  await third.code.update();

  expect(callersOf(main.code, 'b')).toEqual(['symbol:a.ts#a']);
  expect(callersOf(second.code, 'renamed')).toEqual(['symbol:c.ts#c']);
  expect(second.code.unresolved(second.code.symbols('a.a')[0]!).map((one) => one.name)).toEqual(['b']);
  expect(third.code.files().map((one) => one.path)).toEqual(['b.ts', 'same.ts']);
  expect(callersOf(third.code, 'b')).toEqual([]);
  expect(main.code.files().map((one) => one.path)).toEqual(['a.ts', 'b.ts', 'same.ts']);
  const own = main.sqlite.all<{ path: string }>(
    "SELECT path FROM code_files WHERE view > 0 AND hash <> '' ORDER BY path",
  );
  expect(own.map((row) => row.path)).toEqual(['b.ts', 'c.ts']);
});

test('when the base moves on, a worktree says that it is stale and keeps its own content after an update', async () => {
  const repository = testRepository();
  repository.commit('one', { 'a.ts': 'export function a() {}\n' });
  const places = temporaryDirectory('worktrees');
  const index = join(places, 'index.db');
  repository.git('worktree', 'add', '-q', '-b', 'two', join(places, 'two'));
  const main = openTestCode(repository.path, {}, { index });
  const second = openTestCode(join(places, 'two'), {}, { index });
  await second.code.update();
  expect((await second.code.freshness()).state).toBe('fresh');
  repository.write('a.ts', 'export function other() {}\n');
  await main.code.update();
  expect((await second.code.freshness()).state).toBe('stale');
  await second.code.update();
  expect(second.code.symbols('a')[0]!.ref).toBe('symbol:a.ts#a');
  expect(second.code.find('other')).toEqual([]);
  expect((await second.code.freshness()).state).toBe('fresh');
});

test.each([11, 12])(
  'a worktree over a base answers as an index of that worktree alone (seed %i)',
  async (seed) => {
    const pick = random(seed);
    const repository = testRepository();
    const present = new Set<string>();
    for (const path of ['a.ts', 'b.py', 'lib/c.ts', 'lib/d.py', 'lib/deep/e.ts']) {
      repository.write(path, randomSource(path, ['a.ts', 'b.py', 'lib/c.ts', 'lib/d.py'], pick));
      present.add(path);
    }
    repository.commit('one');
    const places = temporaryDirectory('worktrees');
    const index = join(places, 'index.db');
    repository.git('worktree', 'add', '-q', '-b', 'two', join(places, 'two'));
    const other = { ...repository, ...inside(join(places, 'two')) };
    const own = new Set(present);
    const { code } = openTestCode(other.path, {}, { index });
    for (let step = 0; step < 14; step++) {
      const inBase = pick(3) === 0;
      randomStep(inBase ? repository : other, inBase ? present : own, pick);
      if (step % 3 !== 2) continue;
      await code.update();
      const alone = openTestCode(other.path, {}, { alone: true }).code;
      await alone.update();
      expect(dumpCode(code), `seed ${seed}, step ${step}`).toEqual(dumpCode(alone));
    }
  },
);

function inside(path: string): Pick<ReturnType<typeof testRepository>, 'path' | 'write' | 'remove'> {
  return {
    path,
    write: (name, content) => {
      mkdirSync(join(path, name, '..'), { recursive: true });
      writeFileSync(join(path, name), content);
    },
    remove: (name) => rmSync(join(path, name), { force: true }),
  };
}
