import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { testRepository } from '../../../../tests/support/repository.ts';
import { temporaryDirectory } from '../../../../tests/support/temporary.ts';
import { createGit, findRepository } from '../../../base/git/index.ts';
import { openSqlite } from '../../../base/sqlite/index.ts';
import { type CodeOptions, openCode } from '../index.ts';

function openCompiled(path: string, compiler?: CodeOptions['compiler']) {
  const sqlite = openSqlite(join(temporaryDirectory('code'), 'index.db'), { durability: 'normal' });
  const code = openCode({
    sqlite: () => sqlite,
    git: createGit(path),
    repository: findRepository(path),
    settings: { exclude: [], max_file_bytes: 1_000_000, workers: 1 },
    compiler,
  });
  onTestFinished(() => {
    code.close();
    sqlite.close();
  });
  return {
    code,
    uses: (symbol: string) =>
      code
        .linked(code.symbols(symbol)[0]!, { direction: 'in', depth: 1, limit: 100 })
        .filter((one) => one.edge !== 'imports')
        .map((one) => `${one.path}:${one.at_line} ${one.edge} ${one.known}`)
        .sort(),
  };
}

const files = {
  'package.json': '{ "name": "shop", "exports": "./src/index.ts" }',
  'src/index.ts':
    "export { charge as pay, type Gate } from './gate.ts';\nexport { Card } from './card.ts';\n",
  'src/gate.ts':
    'export interface Gate {\n  open(amount: number): void;\n}\nexport function charge(gate: Gate) {\n  gate.open(1);\n}\n',
  'src/card.ts':
    "import type { Gate } from './gate.ts';\nexport class Card implements Gate {\n  open(amount: number) {}\n}\n",
  'test/use.ts':
    "import { pay, Card } from 'shop';\n\nfunction made() {\n  return [new Card()];\n}\nfor (const one of made()) {\n  one.open(2);\n  pay(one);\n}\nexport function any(thing: any) {\n  thing.open(3);\n}\nexport const all = [Card];\n",
};

test('the compiler follows types, renamed re-exports and implementations, and replaces weaker links', async () => {
  const repository = testRepository();
  repository.commit('one', files);
  const { code, uses } = openCompiled(repository.path);
  await code.update();
  expect(await code.compile()).toMatchObject({ scripts: 4, covered: 4, read: 4 });
  expect(uses('charge')).toEqual(['test/use.ts:8 calls compiler']);
  // At the top of a file as well, where the file imports it.
  expect(uses('Card')).toContain('test/use.ts:13 references compiler');
  // A call through the interface may be a call of each implementation, and the other way round.
  for (const symbol of ['Card.open', 'Gate.open'])
    expect(uses(symbol)).toEqual(
      expect.arrayContaining(['src/gate.ts:5 calls compiler', 'test/use.ts:7 calls compiler']),
    );
  // That one stands for the other is no use of it.
  expect(uses('Card.open').join()).not.toContain('implements');
  expect(code.possibleUses(code.symbols('Card.open')[0]!)).toMatchObject([{ path: 'test/use.ts', line: 11 }]);
});

test('an edited file falls back to its own links until the compiler has read it and its users again', async () => {
  const repository = testRepository();
  repository.commit('one', files);
  const { code, uses } = openCompiled(repository.path);
  await code.update();
  await code.compile();
  repository.write('src/gate.ts', files['src/gate.ts'].replace('charge(gate', 'charge(more: string, gate'));
  await code.update();
  expect(uses('Gate.open')).toContain('src/gate.ts:5 calls imports');
  const report = await code.compile();
  expect(report.covered).toBe(4);
  expect(report.read).toBeLessThanOrEqual(4);
  expect(uses('Gate.open')).toContain('src/gate.ts:5 calls compiler');
  expect(uses('charge')).toEqual(['test/use.ts:8 calls compiler']);
  expect(await code.compile()).toMatchObject({ read: 0, covered: 4 });
});

test('a compiler that dies is named, and links through imports stay', async () => {
  const repository = testRepository();
  repository.commit('one', files);
  const program = join(temporaryDirectory('program'), 'dies.mjs');
  const { code, uses } = openCompiled(repository.path, { program: pathToFileURL(program) });
  await code.update();
  const report = await code.compile();
  expect(report).toMatchObject({ covered: 0, read: 0 });
  expect(report.problem).toMatch(/compiler ended/);
  expect(uses('charge')).toEqual(['test/use.ts:8 calls imports']);
});

test('a plugin that a tsconfig names is not executed', async () => {
  const repository = testRepository();
  const canary = join(temporaryDirectory('canary'), 'executed');
  repository.commit('one', {
    ...files,
    'tsconfig.json': '{ "compilerOptions": { "plugins": [{ "name": "./plugin" }] } }',
    'plugin/index.js': `require('node:fs').writeFileSync(${JSON.stringify(canary)}, '');\nmodule.exports = () => ({});\n`,
    'node_modules/plugin/index.js': `require('node:fs').writeFileSync(${JSON.stringify(canary)}, '');\n`,
  });
  const { code } = openCompiled(repository.path);
  await code.update();
  expect((await code.compile()).problem).toBeUndefined();
  expect(existsSync(canary)).toBe(false);
});

test('a file keeps the packages that it imports from outside when the compiler has read it', async () => {
  const repository = testRepository();
  repository.commit('one', { 'a.ts': "import { z } from 'zod';\nexport const schema = z.object({});\n" });
  const { code } = openCompiled(repository.path);
  await code.update();
  expect(await code.compile()).toMatchObject({ covered: 1 });
  expect([...code.imports().outside]).toEqual([['zod', ['a.ts']]]);
});
