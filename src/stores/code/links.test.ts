import { expect, test } from 'vitest';
import { openTestCode } from '../../../tests/support/code.ts';
import { testRepository } from '../../../tests/support/repository.ts';

/** `path:line edge` of everything that uses a symbol, imports left out. */
async function usesOf(files: Record<string, string>, symbol: string): Promise<string[]> {
  const repository = testRepository();
  repository.commit('one', files);
  const { code } = openTestCode(repository.path);
  await code.update();
  return code
    .linked(code.symbols(symbol)[0]!, { direction: 'in', depth: 1, limit: 100 })
    .filter((one) => one.edge !== 'imports')
    .map((one) => `${one.path}:${one.at_line} ${one.edge}`)
    .sort();
}

test('every line that calls or mentions a function counts, and a line of imports is none', async () => {
  const found = await usesOf(
    {
      'a.ts': 'export function once() {}\n',
      'b.ts':
        "import { once } from './a.ts';\n\nexport function go() {\n  once();\n  list.map(once);\n  once();\n}\nexport { once };\nconst text = `once ${once()}`;\nconst other = { once: 1 };\nx.once;\n",
    },
    'once',
  );
  expect(found).toEqual(['b.ts:4 calls', 'b.ts:5 references', 'b.ts:6 calls', 'b.ts:9 calls']);
});

test('a function that calls itself is one of its callers', async () => {
  const found = await usesOf({ 'a.ts': 'export function deep(n) {\n  return deep(n - 1);\n}\n' }, 'deep');
  expect(found).toEqual(['a.ts:2 calls']);
});

test('what a function does with functions inside of it is no use of it', async () => {
  const found = await usesOf(
    { 'a.ts': 'export function outer() {\n  function inner() {}\n  inner();\n  return inner;\n}\n' },
    'outer',
  );
  expect(found).toEqual([]);
});

test('overloads are one symbol, and a name leads to the one with a body', async () => {
  const files = {
    'a.ts':
      'export function over(a: string): void;\nexport function over(a: number): void;\nexport function over(a: any) {}\n',
    'b.ts': "import { over } from './a.ts';\nover(1);\n",
  };
  expect(await usesOf(files, 'over')).toEqual(['b.ts:2 calls']);
  expect(await usesOf(files, 'symbol:a.ts#over')).toEqual(['b.ts:2 calls']);
  const repository = testRepository();
  repository.commit('one', files);
  const { code } = openTestCode(repository.path);
  await code.update();
  expect(code.symbols('over')[0]!.line).toBe(3);
});

test('paths of a tsconfig with a star in the middle hold for the files below it', async () => {
  const files = {
    'tsconfig.json': '{ "compilerOptions": { "paths": { "@vue/*": ["packages/*/src"] } } }',
    'packages/shared/package.json': '{ "name": "@vue/shared", "main": "index.js" }',
    'packages/shared/index.js': "module.exports = require('./dist/shared.js');\n",
    'packages/shared/src/index.ts': "export * from './general.ts';\n",
    'packages/shared/src/general.ts': 'export function hasOwn() {}\n',
    'packages/core/src/use.ts': "import { hasOwn } from '@vue/shared';\nhasOwn();\n",
  };
  expect(await usesOf(files, 'hasOwn')).toEqual(['packages/core/src/use.ts:2 calls']);
  const { 'tsconfig.json': _, ...withoutPaths } = files;
  expect(await usesOf(withoutPaths, 'hasOwn')).toEqual(['packages/core/src/use.ts:2 calls']);
});

test('a package is read from its source, not from what only declares its types', async () => {
  const found = await usesOf(
    {
      'package.json':
        '{ "name": "preact", "types": "src/index.d.ts", "main": "dist/preact.js", "exports": { ".": { "types": "./src/index.d.ts" }, "./hooks": { "types": "./hooks/src/index.d.ts" } } }',
      'src/index.d.ts': 'export function createElement(type: string): void;\nexport interface VNode {}\n',
      'src/index.js': "export { createElement, createElement as h } from './create-element';\n",
      'src/create-element.js': 'export function createElement(type) {}\n',
      'hooks/src/index.d.ts': 'export function useState(): void;\n',
      'hooks/src/index.js': 'export function useState() {}\n',
      'demo/one.js': "import { createElement } from 'preact';\ncreateElement('p');\n",
      'demo/two.ts':
        "import { h, type VNode } from 'preact';\nimport { useState } from 'preact/hooks';\nexport function two(): VNode {\n  useState();\n  return h('p');\n}\n",
    },
    'createElement',
  );
  expect(found).toEqual(['demo/one.js:2 calls', 'demo/two.ts:5 calls']);
});

test('a binding inside of a nameless function does not hide an import from the rest of the file', async () => {
  const found = await usesOf(
    {
      'a.ts': 'export function stop() {}\n',
      'a.test.ts':
        "import { stop } from './a.ts';\ntest('one', () => {\n  stop();\n});\ntest('two', () => {\n  const { stop: other } = start();\n  let stop = other;\n});\n",
    },
    'stop',
  );
  expect(found).toContain('a.test.ts:3 calls');
});

test('a method on something unknown is possible, and listed apart', async () => {
  const repository = testRepository();
  repository.commit('one', {
    'a.ts': 'export class Store {\n  flushAll() {}\n}\n',
    'b.ts':
      "import { Store } from './a.ts';\nexport function sure() {\n  const store = new Store();\n  store.flushAll();\n}\n",
    'c.ts': 'export function unsure(thing) {\n  thing.flushAll();\n}\n',
  });
  const { code } = openTestCode(repository.path);
  await code.update();
  const [symbol] = code.symbols('flushAll');
  expect(
    code.linked(symbol!, { direction: 'in', depth: 1, limit: 10 }).map((one) => `${one.path} ${one.known}`),
  ).toEqual(['b.ts imports']);
  expect(code.possibleUses(symbol!)).toMatchObject([{ path: 'c.ts', line: 2, name: 'unsure' }]);
});

test('items inside of Rust macros and methods of generic types are symbols with callers', async () => {
  const repository = testRepository();
  repository.commit('one', {
    'src/lib.rs':
      'cfg_io! {\n    pub fn write_u16() {}\n\n    impl<T: ?Sized> Mutex<T> {\n        cfg_more! {\n            pub fn blocking_lock(&self) { write_u16(); }\n        }\n    }\n}\n\npub struct Mutex<T> { value: T }\n\nprintln! { "fn no() {}" }\n',
  });
  const { code } = openTestCode(repository.path);
  await code.update();
  const names = code.fileSymbols('src/lib.rs').map((one) => one.qualified);
  expect(names).toContain('write_u16');
  expect(names).toContain('Mutex.blocking_lock');
  expect(names).not.toContain('no');
  const [symbol] = code.symbols('write_u16');
  expect(
    code
      .linked(symbol!, { direction: 'in', depth: 1, limit: 10 })
      .map((one) => `${one.qualified} ${one.at_line}`),
  ).toEqual(['Mutex.blocking_lock 6']);
});

test('a module of Ruby that is written in several files is one', async () => {
  const found = await usesOf(
    {
      'lib/utils.rb': 'module Rack\n  module Utils\n    def self.best(list)\n    end\n  end\nend\n',
      'lib/other.rb': 'module Other\n  module Utils\n    def self.best(list)\n    end\n  end\nend\n',
      'lib/deflater.rb':
        'module Rack\n  class Deflater\n    def call(env)\n      Utils.best(env)\n    end\n  end\nend\n',
    },
    'symbol:lib/utils.rb#Rack.Utils.best',
  );
  expect(found).toEqual(['lib/deflater.rb:4 calls']);
});

test('an argument by its name is no mention, and overloads of Python are one function', async () => {
  const files = {
    'a.py':
      'import typing as t\n\n@t.overload\ndef retry(f: int) -> int: ...\n@t.overload\ndef retry(f: str) -> str: ...\ndef retry(f):\n    return f\n',
    'b.py': 'from a import retry\n\nretry(1)\nmake(\n    retry=2, other=retry,\n)\n',
  };
  expect(await usesOf(files, 'symbol:a.py#retry')).toEqual(['b.py:3 calls', 'b.py:5 references']);
  const named = { ...files, 'b.py': 'from a import retry\n\nmake(\n    retry=2,\n)\n' };
  expect(await usesOf(named, 'symbol:a.py#retry')).toEqual([]);
});

test('a name in Go leads to the method with a body before the one that an interface promises', async () => {
  const repository = testRepository();
  repository.commit('one', {
    'chi.go': 'package chi\n\ntype Router interface {\n\tPatch(pattern string)\n}\n',
    'mux.go': 'package chi\n\ntype Mux struct{}\n\nfunc (mx *Mux) Patch(pattern string) {}\n',
  });
  const { code } = openTestCode(repository.path);
  await code.update();
  expect(code.symbols('Patch').map(({ path }) => path)).toEqual(['mux.go', 'chi.go']);
});

test('a function of C and its prototype in a header are one symbol', async () => {
  const files = {
    'h.h': 'typedef void (pushFn)(void *, void *);\nint format(char *text);\n',
    'h.c': '#include "h.h"\nint format(char *text) {\n  return 1;\n}\n',
    'use.c': '#include "h.h"\nint main(void) {\n  return format("a");\n}\n',
  };
  for (const symbol of ['symbol:h.c#format', 'symbol:h.h#format'])
    expect(await usesOf(files, symbol)).toEqual(['use.c:3 calls']);
  const repository = testRepository();
  repository.commit('one', files);
  const { code } = openTestCode(repository.path);
  await code.update();
  expect(code.symbols('pushFn')[0]).toMatchObject({ path: 'h.h', line: 1 });
});

test('a function of C that is given on as a value is used there', async () => {
  const files = {
    'net.h': 'void net_close(int fd);\nint compare(const void *a, const void *b);\n',
    'net.c':
      '#include "net.h"\n\nvoid net_close(int fd) {}\nint compare(const void *a, const void *b) { return 0; }\n',
    'use.c':
      '#include "net.h"\n\nstatic struct calls defaults = {\n    .close = net_close,\n    .fd = NULL,\n};\nvoid run(int compare_all, int *all) {\n    qsort(all, 2, 4, compare);\n    hook(all, compare_all);\n    defaults.close = &net_close;\n}\nvoid hidden(int net_close) {\n    qsort(net_close);\n}\n',
  };
  expect(await usesOf(files, 'symbol:net.c#net_close')).toEqual([
    'use.c:10 references',
    'use.c:4 references',
  ]);
  expect(await usesOf(files, 'symbol:net.c#compare')).toEqual(['use.c:8 references']);
});

test('a header with classes is C++', async () => {
  const files = {
    'store.h':
      '#pragma once\nnamespace shop {\nclass Store {\n public:\n  void save() {}\n  void all() {\n    save();\n  }\n};\n}\n',
    'plain.h': '/* a class of things */\nint plain(void);\n#ifdef __cplusplus\nextern "C" {\n#endif\n',
  };
  expect(await usesOf(files, 'save')).toEqual(['store.h:7 calls']);
  const repository = testRepository();
  repository.commit('one', files);
  const { code } = openTestCode(repository.path);
  await code.update();
  expect(code.symbols('plain')[0]!.language).toBe('c');
});
