import { expect, test } from 'vitest';
import { isProseOrSettings } from '../text/index.ts';
import { isParsed, type Language, languageOf, loadGrammar, outline, readFacts } from './index.ts';
import { languages } from './languages.ts';

const shown = async (language: Language, text: string) =>
  (await outline(text, language)).map((one) => `${one.kind} ${one.qualified}`);

const samples: Array<[Language, string, string[]]> = [
  [
    'typescript',
    'export class A extends B { private z = 1; constructor(readonly q: Q, private p: P) {} get v() { return 1; } on = () => {}; }\ninterface I { a: A; f(): void }\ntype U = A | B;\nenum E { One }\nnamespace N { export function g() {} }\nconst o = { m() {} };\nexport const f = async (x: A) => x;\nconst K = 1;\n',
    'class A,field A.z,constructor A.constructor,field A.p,method A.v,method A.on,interface I,field I.a,method I.f,type U,enum E,constant E.One,module N,function N.g,constant o,method o.m,function f,constant K'.split(
      ',',
    ),
  ],
  ['tsx', 'export function C() { return <D a={1} />; }', ['function C']],
  [
    'javascript',
    'class A { m() {} }\nB.prototype.n = function () {};\nexports.go = function () {};\nfunction* g() {}\nlet v = 1;\n',
    ['class A', 'method A.m', 'method B.n', 'function go', 'function g', 'variable v'],
  ],
  [
    'python',
    'X = 1\nclass A(B):\n    attr: int = 3\n    def __init__(self):\n        self.z = 1\n    async def m(self):\n        def inner(): pass\n        local = 1\nf = lambda: 1\n',
    'constant X,class A,field A.attr,constructor A.__init__,field A.z,method A.m,function A.m.inner,function f'.split(
      ',',
    ),
  ],
  [
    'go',
    'package p\ntype T struct { A int }\ntype I interface { Do() }\ntype M map[string]int\nconst K = 1\nvar V, W = 1, 2\nfunc (t *T) Do() {}\nfunc New() *T { return nil }\n',
    'struct T,field T.A,interface I,method I.Do,type M,constant K,variable V,variable W,method T.Do,function New'.split(
      ',',
    ),
  ],
  [
    'rust',
    'pub struct S { a: A }\nenum E { X }\ntrait T { fn go(&self); }\nimpl T for S { fn go(&self) {} }\nimpl<X> Other<X> { fn n() {} }\nconst C: i32 = 1;\nmacro_rules! mm { () => {} }\nmod m { fn inner() {} }\ntype Al = S;\n',
    'struct S,field S.a,enum E,constant E.X,trait T,method T.go,method S.go,method Other.n,constant C,macro mm,module m,function m.inner,type Al'.split(
      ',',
    ),
  ],
  [
    'java',
    'class A extends B { static final int K = 1; int f; A() {} void m() { int local; } enum E { ONE } }\ninterface I { void x(); }\nrecord R(int a) {}\n',
    'class A,constant A.K,field A.f,constructor A.A,method A.m,enum A.E,constant A.E.ONE,interface I,method I.x,class R'.split(
      ',',
    ),
  ],
  [
    'c',
    '#define MAX 3\n#define SQ(x) (x)\nstruct P { int x; char *y; };\ntypedef struct P P_t;\nenum C { RED };\nint glob = 1;\nstatic char *name(struct P *p) { int local = 1; return 0; }\nint proto(int a);\n',
    'constant MAX,macro SQ,struct P,field P.x,field P.y,type P_t,enum C,constant C.RED,variable glob,function name,function proto'.split(
      ',',
    ),
  ],
  [
    'cpp',
    'namespace ns { class A : public B { public: A(); int m(int x) const; void inl() {} int f_; }; }\nint ns::A::m(int x) const { return 1; }\ntemplate<typename T> T mx(T a) { return a; }\n',
    'module ns,class ns.A,constructor ns.A.A,method ns.A.m,method ns.A.inl,field ns.A.f_,method ns.A.m,function mx'.split(
      ',',
    ),
  ],
  [
    'csharp',
    'namespace N { public class A : B { const int K = 1; Z _z; public int P { get; set; } public A() {} void M() {} enum E { One } } interface I { void X(); } struct S {} }\n',
    'module N,class N.A,constant N.A.K,field N.A._z,field N.A.P,constructor N.A.A,method N.A.M,enum N.A.E,constant N.A.E.One,interface N.I,method N.I.X,struct N.S'.split(
      ',',
    ),
  ],
  [
    'ruby',
    'module M\n  class A < B\n    attr_reader :p\n    K = 1\n    def initialize; end\n    def self.s; end\n    def ok?; end\n  end\nend\ndef top; end\n',
    'module M,class M.A,field M.A.p,constant M.A.K,constructor M.A.initialize,method M.A.s,method M.A.ok?,function top'.split(
      ',',
    ),
  ],
  [
    'php',
    '<?php\nnamespace A\\B;\nclass K extends L { const Q = 1; private $p; public function __construct(private Foo $f) {} function m() {} }\nfunction fn1() {}\ninterface M {}\ntrait Tr {}\nenum S { case One; }\n',
    'class K,constant K.Q,field K.p,constructor K.__construct,field K.f,method K.m,function fn1,interface M,trait Tr,enum S,constant S.One'.split(
      ',',
    ),
  ],
  [
    'bash',
    '#!/bin/bash\nLIMIT=1\nfoo() { bar; }\nfunction bar { echo hi; }\n',
    ['constant LIMIT', 'function foo', 'function bar'],
  ],
  [
    'kotlin',
    'package a\ninterface I { fun x(): Int }\nclass A(val p: P) : B(), I {\n  val z = Z()\n  override fun x(): Int { return 1 }\n}\nenum class E { ONE }\nobject O { fun f() {} }\nfun top(a: Int): Int = a\nconst val K = 1\ntypealias T = A\n',
    'interface I,method I.x,class A,field A.p,field A.z,method A.x,enum E,constant E.ONE,class O,method O.f,function top,constant K,type T'.split(
      ',',
    ),
  ],
  [
    'swift',
    'protocol P { func x() -> Int }\nclass A: B { let k = 1\n init(a: Int) {}\n func x() -> Int { return 1 } }\nstruct S { var a: Int }\nenum E { case one }\nextension S { func ext() {} }\nfunc top() {}\ntypealias T = A\n',
    'interface P,method P.x,class A,field A.k,constructor A.init,method A.x,struct S,field S.a,enum E,constant E.one,method S.ext,function top,type T'.split(
      ',',
    ),
  ],
];

test.each(samples)('every kind of definition is found in %s', async (language, text, expected) => {
  expect(await shown(language, text)).toEqual(expected);
});

test('a definition carries its lines, its head without the body, and the first sentence of its comment', async () => {
  const [add] = await outline(
    '/** Adds two. Then more. */\nexport function add(\n  x: Foo,\n): Promise<Bar> {\n  return c(x);\n}\n',
    'typescript',
  );
  expect(add).toMatchObject({
    line: 2,
    endLine: 6,
    signature: 'function add( x: Foo, ): Promise<Bar>',
    doc: 'Adds two.',
    exported: true,
  });
  const [read] = await outline(
    'def read(a: int = 1) -> str:\n    """Reads it. Well."""\n    return ""\n',
    'python',
  );
  expect(read).toMatchObject({ signature: 'def read(a: int = 1) -> str', doc: 'Reads it.' });
});

test('uses are followed to the scope they stand in and written as a path', async () => {
  const facts = await readFacts(
    'class A { m(b: B) { return this.n(b?.x[0].go(1, 2)); } }\nnew ns.C<T>(1).run();\n',
    'typescript',
  );
  const uses = facts.uses.map(
    (use) => `${use.kind} ${use.path} in ${facts.definitions[use.scope]?.qualified}`,
  );
  expect(uses.sort()).toEqual([
    'call b.x[].go in A.m',
    'call ns.C().run in undefined',
    'call self.n in A.m',
    'new ns.C in undefined',
  ]);
});

test('a call of a chain stands where its name stands', async () => {
  const linesIn = async (language: Language, text: string) =>
    (await readFacts(text, language)).uses
      .filter(({ kind }) => kind === 'call')
      .map(({ path, line }) => `${line} ${path}`);
  const chained = '(1).\n    two(() => {\n      inner();\n    }).\n    three();\n';
  expect(await linesIn('typescript', `one${chained}`)).toEqual([
    '1 one',
    '2 one().two',
    '3 inner',
    '5 one().two().three',
  ]);
  expect(await linesIn('go', 'package a\nfunc f() {\n  r.\n    Path("/").\n    Schemes()\n}\n')).toEqual([
    '4 r.Path',
    '5 r.Path().Schemes',
  ]);
});

test('imports of every style are read as what is taken, from where, under which name', async () => {
  const of = async (language: Language, text: string) =>
    (await readFacts(text, language)).imports.map((one) => `${one.from} ${one.name} ${one.as}`);
  expect(
    await of(
      'typescript',
      "import d, { a as b } from './x';\nimport * as n from 'y';\nimport './s';\nexport * from './z';\nconst { q } = require('./w');\n",
    ),
  ).toEqual(['./x a b', './x default d', 'y * n', './s * ', './z * ', './w q q']);
  expect(
    await of('python', 'import os.path as p, sys\nfrom .y import (a as b,\n  c)\nfrom z import *\n'),
  ).toEqual(['os.path * p', 'sys * sys', '.y a b', '.y c c', 'z * ']);
  expect(await of('rust', 'use a::{b, c::{d as e, self}, f::*};\n')).toEqual([
    'a b b',
    'a::c d e',
    'a c c',
    'a::f * ',
  ]);
  expect(await of('go', 'package p\nimport (\n f "fmt"\n "a/b/v2"\n)\n')).toEqual(['fmt * f', 'a/b/v2 * b']);
  expect(await of('java', 'import x.y.Z;\nimport static q.R.*;\nclass A {}\n')).toEqual([
    'x.y Z Z',
    'q.R * ',
  ]);
  expect(await of('php', '<?php\nuse C\\D as E;\nuse H\\{I, J};\n')).toEqual(['C D E', 'H I I', 'H J J']);
});

test('a file that does not parse still gives what can be read', async () => {
  const facts = await readFacts('function a() {}\n)]}{{ class\nfunction b() {}\n', 'typescript');
  expect(facts.broken).toBe(true);
  expect(facts.definitions.map((one) => one.name)).toContain('a');
});

test('parsing that takes too long is given up and the parser stays usable', async () => {
  const grammar = await loadGrammar('javascript');
  expect(() => grammar.parse(`x=${'['.repeat(200_000)}`, -1)).toThrow(/longer/);
  const tree = grammar.parse('function a() {}');
  expect(tree.rootNode.hasError).toBe(false);
  tree.delete();
});

test('a language is known by extension, by name, and by the first line of a script', () => {
  expect(languageOf('src/a.test.tsx')).toBe('tsx');
  expect(languageOf('Makefile')).toBe('build');
  expect(languageOf('bin/run', '#!/usr/bin/env python3')).toBe('python');
  expect(languageOf('bin/run')).toBeUndefined();
  expect(languageOf('photo.png')).toBeUndefined();
});

const programs = new Set(['sql', 'css', 'build']);
const exceptions: Record<string, boolean> = {
  vue: false,
  svelte: false,
  astro: false,
  xml: true,
  'go.mod': true,
  'CMakeLists.txt': false,
};

test('every language is either program code or prose and settings, by the names of its files', () => {
  for (const [language, shape] of Object.entries(languages) as Array<[Language, typeof languages.go]>)
    for (const name of [...shape.extensions, ...(shape.names ?? [])])
      expect([
        name,
        isProseOrSettings(shape.names?.includes(name) ? `docs/${name}` : `docs/a.${name}`),
      ]).toEqual([name, exceptions[name] ?? (!isParsed(language) && !programs.has(language))]);
});
