import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { testRepository } from '../../../../tests/support/repository.ts';
import { temporaryDirectory } from '../../../../tests/support/temporary.ts';
import { createGit, findRepository } from '../../../base/git/index.ts';
import { openSqlite } from '../../../base/sqlite/index.ts';
import { type CodeOptions, openCode } from '../index.ts';

function openCompiled(path: string, compiler?: CodeOptions['compiler'], python?: CodeOptions['python']) {
  const sqlite = openSqlite(join(temporaryDirectory('code'), 'index.db'), { durability: 'normal' });
  const code = openCode({
    sqlite: () => sqlite,
    git: createGit(path),
    repository: findRepository(path),
    settings: { exclude: [], max_file_bytes: 1_000_000, workers: 1 },
    compiler,
    ...(python ? { python } : {}),
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

test('members that scripts add to a prototype under another name are followed, also through a base class', async () => {
  const repository = testRepository();
  repository.commit('one', {
    'parser.js':
      'export class Parser {}\nexport class Loose extends Parser {}\nconst pp = Parser.prototype;\npp.start = function () {\n  return this.next();\n};\n',
    'tokens.js':
      "import { Parser, Loose } from './parser.js';\nconst pp = Parser.prototype;\npp.next = function () {\n  this.nowhere();\n};\nnew Loose().next();\n",
  });
  const { code, uses } = openCompiled(repository.path);
  await code.update();
  await code.compile();
  expect(uses('pp.next')).toEqual(['parser.js:5 calls compiler', 'tokens.js:6 calls compiler']);
});

test('a call of a member that a known type does not declare is possible, not absent', async () => {
  const repository = testRepository();
  repository.commit('one', {
    'a.js': 'export class Store {}\nexport function save(store = new Store()) {\n  store.write();\n}\n',
    'b.js': 'export class Disk {\n  write() {}\n}\n',
  });
  const { code, uses } = openCompiled(repository.path);
  await code.update();
  await code.compile();
  expect(uses('Disk.write')).toEqual([]);
  expect(code.possibleUses(code.symbols('Disk.write')[0]!)).toMatchObject([{ path: 'a.js', line: 3 }]);
});

test('what instances of a function hold has uses of its own, which are no uses of the function', async () => {
  const repository = testRepository();
  repository.commit('one', {
    'a.js':
      'export function Base(props) {\n  this.props = props;\n}\nBase.prototype.draw = function () {\n  return this.props;\n};\n',
    'b.js':
      "import { Base } from './a.js';\n\nexport const made = new Base(1);\nmade.draw();\nexport const held = made.props;\n",
  });
  const { code, uses } = openCompiled(repository.path);
  await code.update();
  await code.compile();
  expect(uses('Base')).toContain('b.js:3 calls compiler');
  expect(uses('Base').join()).not.toMatch(/b\.js:[45]/);
});

/** A language server that knows one place: the definition of `save` in models.py. */
const languageServer = `
import { readFileSync } from 'node:fs';
const send = (message) => {
  const text = JSON.stringify({ jsonrpc: '2.0', ...message });
  process.stdout.write('Content-Length: ' + Buffer.byteLength(text) + '\\r\\n\\r\\n' + text);
};
if (process.env.PATH) process.exit(1);
let held = '';
process.stdin.on('data', (chunk) => {
  held += chunk;
  for (;;) {
    const [, length] = /^Content-Length: (\\d+)\\r\\n\\r\\n/.exec(held) ?? [];
    const from = held.indexOf('\\r\\n\\r\\n') + 4;
    if (!length || held.length < from + Number(length)) return;
    const { id, method, params } = JSON.parse(held.slice(from, from + Number(length)));
    held = held.slice(from + Number(length));
    if (method === 'initialize') send({ id, result: {} });
    if (method === 'initialized') send({ method: 'window/logMessage', params: { message: 'Found 2 source files' } });
    if (method === 'textDocument/definition') {
      const { uri } = params.textDocument;
      const line = readFileSync(new URL(uri), 'utf8').split('\\n')[params.position.line];
      const place = { uri: uri.replace(/[^/]+$/, 'models.py'), range: { start: { line: 1, character: 8 } } };
      const outside = { ...place, uri: 'file:///elsewhere/lib.py' };
      send({ id, result: line.includes('unknown') ? null : line.includes('lib') ? [outside] : [place] });
    }
  }
});
`;

test('calls of Python that imports cannot follow are followed by the language server, without a PATH', async () => {
  const repository = testRepository();
  repository.commit('one', {
    'models.py': 'class Model:\n    def save(self):\n        pass\n',
    'use.py': 'def go(items, unknown, lib):\n    items[0].save()\n    unknown.save()\n    lib.save()\n',
  });
  const directory = temporaryDirectory('server');
  const program = join(directory, 'server.mjs');
  writeFileSync(program, languageServer);
  const { code, uses } = openCompiled(repository.path, undefined, { program });
  await code.update();
  expect(code.possibleUses(code.symbols('Model.save')[0]!)).toHaveLength(3);
  expect(await code.compile()).toMatchObject({ python: { files: 2, read: 2, links: 1 } });
  expect(uses('Model.save')).toEqual(['use.py:2 calls compiler']);
  // What leads elsewhere is not possible any more; what is unknown stays so.
  expect(code.possibleUses(code.symbols('Model.save')[0]!).map(({ line }) => line)).toEqual([3]);
  // Nothing is asked twice; an edited file is.
  expect((await code.compile()).python).toBeUndefined();
  repository.write('use.py', 'def go(items):\n\n    items[0].save()\n');
  await code.update();
  expect(uses('Model.save')).toEqual([]);
  expect((await code.compile()).python).toMatchObject({ read: 1, links: 1 });
  expect(uses('Model.save')).toEqual(['use.py:3 calls compiler']);
});
