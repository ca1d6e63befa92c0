import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { testRepository } from '../../../../tests/support/repository.ts';
import { temporaryDirectory } from '../../../../tests/support/temporary.ts';
import { createGit, findRepository } from '../../../base/git/index.ts';
import { openSqlite } from '../../../base/sqlite/index.ts';
import { coresForBackground } from '../../../base/turns.ts';
import { type CodeOptions, openCode } from '../index.ts';

function openCompiled(path: string, compiler?: CodeOptions['compiler'], served?: CodeOptions['served']) {
  const sqlite = openSqlite(join(temporaryDirectory('code'), 'index.db'), { durability: 'normal' });
  const code = openCode({
    sqlite: () => sqlite,
    git: createGit(path),
    repository: findRepository(path),
    settings: { exclude: [], max_file_bytes: 1_000_000, workers: 1 },
    compiler,
    ...(served ? { served } : {}),
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

/** A language server that knows one place: the definition of `save` in the first line of the file that it is told. */
const languageServer = (definitions: string, checks: string) => `#!${process.execPath}
import { readFileSync, readdirSync } from 'node:fs';
const send = (message) => {
  const text = JSON.stringify({ jsonrpc: '2.0', ...message });
  process.stdout.write('Content-Length: ' + Buffer.byteLength(text) + '\\r\\n\\r\\n' + text);
};
${checks}
let held = '';
const opened = new Set();
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
    if (method === 'textDocument/didOpen') {
      opened.add(params.textDocument.uri);
      send({ method: '$/progress', params: { token: 'index', value: { kind: 'end' } } });
    }
    if (method === 'textDocument/didClose') opened.delete(params.textDocument.uri);
    const { uri } = params.textDocument ?? {};
    const at = (file, line, character) => ({ uri: uri.replace(/[^/]+$/, file), range: { start: { line, character } } });
    const line = () => readFileSync(new URL(uri), 'utf8').split('\\n')[params.position.line];
    ${definitions}
  }
});
`;

const startedServer = (name: string, definitions: string, checks = '') => {
  const program = join(temporaryDirectory('server'), `${name}.mjs`);
  writeFileSync(program, languageServer(definitions, checks), { mode: 0o755 });
  return { programs: { [name]: program } };
};

test('calls of Python that imports cannot follow are followed by the language server, without a PATH', async () => {
  const repository = testRepository();
  repository.commit('one', {
    'models.py': 'class Model:\n    def save(self):\n        pass\n',
    'use.py': 'def go(items, unknown, lib):\n    items[0].save()\n    unknown.save()\n    lib.save()\n',
  });
  const served = startedServer(
    'pyright',
    `if (method === 'textDocument/definition') {
      const outside = { ...at('', 0, 0), uri: 'file:///elsewhere/lib.py' };
      send({ id, result: line().includes('unknown') ? null : [line().includes('lib') ? outside : at('models.py', 1, 8)] });
    }`,
    'if (process.env.PATH) process.exit(1);',
  );
  const { code, uses } = openCompiled(repository.path, undefined, served);
  await code.update();
  expect(code.possibleUses(code.symbols('Model.save')[0]!)).toHaveLength(3);
  expect(await code.compile()).toMatchObject({ served: [{ files: 2, read: 2, links: 1 }] });
  expect(uses('Model.save')).toEqual(['use.py:2 calls compiler']);
  // What leads elsewhere is not possible any more; what is unknown stays so.
  expect(code.possibleUses(code.symbols('Model.save')[0]!).map(({ line }) => line)).toEqual([3]);
  // Nothing is asked twice; an edited file is.
  expect((await code.compile()).served).toBeUndefined();
  repository.write('use.py', 'def go(items):\n\n    items[0].save()\n');
  await code.update();
  expect(uses('Model.save')).toEqual([]);
  expect((await code.compile()).served).toMatchObject([{ read: 1, links: 1 }]);
  expect(uses('Model.save')).toEqual(['use.py:3 calls compiler']);
});

test('a call of Go through an interface counts for what implements it; the server finds no program but go', async () => {
  const repository = testRepository();
  repository.commit('one', {
    'go.mod': 'module broken\n',
    'gate.go': 'package shop\n\ntype Gate interface {\n\tOpen(n int)\n}\n',
    'card.go': 'package shop\n\ntype Card struct{}\n\nfunc (c Card) Open(n int) {}\n',
    'use.go': 'package shop\n\nfunc use(all map[string]Gate) {\n\tall["a"].Open(1)\n}\n',
  });
  const served = startedServer(
    'gopls',
    // It knows nothing while the module is broken.
    `const error = { code: 0, message: 'no package metadata' };
    const isBroken = uri && readFileSync(new URL('go.mod', uri), 'utf8').includes('broken');
    if (method === 'textDocument/definition') send(isBroken ? { id, error } : { id, result: [at('gate.go', 3, 1)] });
    if (method === 'textDocument/implementation') send({ id, result: [at('card.go', 4, 14)] });`,
    `const { PATH, GOFLAGS, GOTOOLCHAIN, GOPROXY, GOENV, CGO_ENABLED } = process.env;
    const programs = readdirSync(PATH).filter((name) => name !== 'go');
    const isTame = [GOTOOLCHAIN, GOPROXY, GOENV, CGO_ENABLED].join() === 'local,off,off,0' && GOFLAGS.includes('-mod=readonly');
    if (programs.length > 0 || !isTame) process.exit(1);`,
  );
  const { code, uses } = openCompiled(repository.path, undefined, served);
  await code.update();
  expect(uses('Card.Open')).toEqual([]);
  expect(await code.compile()).toMatchObject({ served: [{ by: 'gopls', read: 0, links: 0 }] });
  repository.write('go.mod', 'module shop\n');
  expect(await code.compile()).toMatchObject({ served: [{ by: 'gopls', read: 3, links: 2 }] });
  for (const symbol of ['Card.Open', 'Gate.Open']) expect(uses(symbol)).toEqual(['use.go:4 calls compiler']);
});

test('C++ is read by commands of our own: those of the repository, its settings and its compiler do not count', async () => {
  const repository = testRepository();
  repository.commit('one', {
    'compile_commands.json':
      '[{ "file": "use.cpp", "arguments": ["./cc", "-fplugin=./evil.so", "use.cpp"] }]',
    '.clangd': 'CompileFlags:\n  Add: [-fplugin=./evil.so]\n',
    'store.hpp': 'struct Store { void save(); };\n',
    'store.cpp': '#include "store.hpp"\n\nvoid Store::save() {}\n',
    'use.cpp': '#include "store.hpp"\n\nvoid go() {\n  (*made()).save();\n}\n',
  });
  const served = startedServer(
    'clangd',
    `if (method === 'textDocument/definition') send({ id, result: opened.has(uri) ? [at('store.cpp', 2, 12)] : null });`,
    `const [, directory] = /--compile-commands-dir=(\\S+)/.exec(process.argv.join(' ')) ?? [];
    const commands = readFileSync(directory + '/compile_commands.json', 'utf8');
    const isTame = process.argv.includes('--enable-config=0') && !/plugin|evil|\\.\\/cc/.test(commands) && commands.includes('use.cpp');
    if (process.env.PATH || !isTame || process.argv.join().includes('query-driver')) process.exit(1);`,
  );
  const { code, uses } = openCompiled(repository.path, undefined, served);
  await code.update();
  expect(await code.compile()).toMatchObject({ served: [{ by: 'clangd', links: 1 }] });
  expect(uses('Store.save')).toContain('use.cpp:4 calls compiler');
});

test('of many repositories in one process only so many compilers are kept as there are cores for them', async () => {
  const started = join(temporaryDirectory('program'), 'started');
  const program = join(temporaryDirectory('program'), 'waits.mjs');
  writeFileSync(
    program,
    `import { appendFileSync } from 'node:fs';
    appendFileSync(${JSON.stringify(started)}, process.pid + '\\n');
    process.stdin.on('data', () => console.log('{"done":true}'));`,
  );
  const count = coresForBackground + 3;
  for (let at = 0; at < count; at++) {
    const repository = testRepository();
    repository.commit('one', { 'a.ts': 'export const a = 1;\n' });
    const { code } = openCompiled(repository.path, { program: pathToFileURL(program) });
    await code.update();
    await code.compile();
  }
  const pids = readFileSync(started, 'utf8').trim().split('\n').map(Number);
  expect(pids).toHaveLength(count);
  const kept = pids.slice(-coresForBackground);
  await expect.poll(() => pids.filter(isAlive), { timeout: 20_000 }).toEqual(kept);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
