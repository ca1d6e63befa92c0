import { describe, expect, test } from 'vitest';
import { openTestCode } from '../../../tests/support/code.ts';
import { testRepository } from '../../../tests/support/repository.ts';

const files = {
  'src/auth/login.ts':
    "import { hash } from './hash.ts';\nimport { User } from '../user.ts';\n\n/** Logs a user in. */\nexport function login(user: User): string {\n  user.touch();\n  return hash(user.name);\n}\n",
  'src/auth/hash.ts': 'export function hash(text: string): string {\n  return text.length.toString();\n}\n',
  'src/user.ts':
    'export class Base {\n  touch() {\n    this.seen();\n  }\n  seen() {}\n}\nexport class User extends Base {\n  name = "";\n}\n',
  'src/main.ts':
    "import * as auth from './auth/login.ts';\nimport { User } from './user.ts';\n\nexport function main() {\n  const user = new User();\n  missing();\n  return auth.login(user);\n}\n",
  'docs/guide.md': '# Guide\n\nHow logging in works.\n',
};

const linkedNames = (list: Array<{ qualified: string; edge: string }>) =>
  list.map((one) => `${one.edge} ${one.qualified}`).sort();

describe('symbols', () => {
  test('a symbol is found by ref, by qualified name, by package path and by bare name', async () => {
    const repository = testRepository();
    repository.commit('one', files);
    const { code } = openTestCode(repository.path);
    await code.update();
    const ref = 'symbol:src/auth/login.ts#login';
    for (const asked of [ref, 'src/auth/login.ts#login', 'auth/login.login', 'login'])
      expect(code.symbols(asked)[0]!.ref).toBe(ref);
    expect(code.symbols('User.name')[0]!.ref).toBe('symbol:src/user.ts#User.name');
    expect(code.symbols(ref)[0]).toMatchObject({
      line: 5,
      end_line: 8,
      doc: 'Logs a user in.',
      exported: true,
    });
    expect(() => code.symbols('logn')).toThrow(/Unknown symbol/);
  });

  test('the same name twice in a file is told apart by ~n, and # or ~ in a path is escaped', async () => {
    const repository = testRepository();
    repository.commit('one', {
      'a#b~c.ts':
        'export function over(a: string): void;\nexport function over(a: number): void;\nexport function over(a: any) {}\n',
    });
    const { code } = openTestCode(repository.path);
    await code.update();
    const refs = code.fileSymbols('a#b~c.ts').map((one) => one.ref);
    expect(refs).toEqual([
      'symbol:a%23b%7ec.ts#over',
      'symbol:a%23b%7ec.ts#over~2',
      'symbol:a%23b%7ec.ts#over~3',
    ]);
    expect(code.symbols(refs[1]!)[0]!.line).toBe(2);
  });

  test('of equal names the one that most places use comes first', async () => {
    const repository = testRepository();
    repository.commit('one', {
      'compat/part.ts': 'export class Part {}\n',
      'src/part.ts': 'export class Part {}\n',
      'src/use.ts': "import { Part } from './part.ts';\nexport const made = [new Part(), new Part()];\n",
    });
    const { code } = openTestCode(repository.path);
    await code.update();
    expect(code.symbols('Part').map((one) => one.path)).toEqual(['src/part.ts', 'compat/part.ts']);
  });

  test('words find symbols by name, comment and body, narrowed by type and glob', async () => {
    const repository = testRepository();
    repository.commit('one', files);
    const { code } = openTestCode(repository.path);
    await code.update();
    expect(code.search({ query: 'login', limit: 3 })[0]!.ref).toBe('symbol:src/auth/login.ts#login');
    expect(code.search({ query: 'logs a user', limit: 3 })[0]!.name).toBe('login');
    expect(code.search({ query: 'user', limit: 20, type: 'class' }).map((one) => one.name)).toEqual(['User']);
    const inDocs = code.search({ query: 'logging works', limit: 20, filePattern: '*.md' });
    expect(inDocs.map((one) => one.path)).toEqual(['docs/guide.md']);
    expect(code.search({ query: '" OR * NEAR(', limit: 5 })).toEqual([]);
  });
});

describe('links', () => {
  test('calls are followed through imports, namespaces, types and base classes; unknown ones are kept as such', async () => {
    const repository = testRepository();
    repository.commit('one', files);
    const { code } = openTestCode(repository.path);
    await code.update();
    const main = code.symbols('main.main')[0]!;
    expect(
      linkedNames(code.linked(main, { direction: 'out', kinds: new Set(['calls']), depth: 1, limit: 50 })),
    ).toEqual(['calls User', 'calls login']);
    expect(code.unresolved(main).map((one) => one.name)).toEqual(['missing']);
    const login = code.symbols('login')[0]!;
    expect(linkedNames(code.linked(login, { direction: 'out', depth: 1, limit: 50 }))).toEqual([
      'calls Base.touch',
      'calls hash',
      'receives User',
    ]);
    const touch = code.symbols('Base.touch')[0]!;
    const callers = code.linked(touch, { direction: 'in', depth: 3, limit: 50 });
    expect(callers.map((one) => `${one.depth} ${one.edge} ${one.qualified}`)).toEqual([
      '1 calls login',
      '2 calls main',
    ]);
    expect(callers[0]!.confidence).toBeGreaterThan(0.6);
  });

  test('extends, implements, returns, receives, references and imports are edges of their own', async () => {
    const repository = testRepository();
    repository.commit('one', {
      'a.ts':
        'export interface Shape { area(): number }\nexport class Square implements Shape { area() { return 1; } }\nexport const table = { a: 1 };\n',
      'b.ts':
        "import { Shape, Square, table } from './a.ts';\nexport class Tile extends Square {}\nexport function make(from: Shape): Square { return new Square(table); }\n",
    });
    const { code } = openTestCode(repository.path);
    await code.update();
    const of = (name: string) =>
      linkedNames(code.linked(code.symbols(name)[0]!, { direction: 'out', depth: 1, limit: 50 }));
    expect(of('a.Square')).toEqual(['implements Shape']);
    expect(of('b.Tile')).toEqual(['extends Square']);
    expect(of('b.make')).toEqual(['calls Square', 'receives Shape', 'references table', 'returns Square']);
    expect(
      linkedNames(
        code.linked(code.symbols('a.ts')[0]!, {
          direction: 'in',
          kinds: new Set(['imports']),
          depth: 1,
          limit: 50,
        }),
      ),
    ).toEqual(['imports b.ts']);
  });

  test('a function with members of its own is a constructor; what is nested in another function is no member of it', async () => {
    const repository = testRepository();
    repository.commit('one', {
      'view.js': [
        'function View() {}',
        'View.prototype.render = function () { return this.path(); };',
        'View.prototype.path = function () {};',
        'function plain() {\n  function inner() {}\n  return 1;\n}',
        'function use() {\n  const one = plain();\n  one.inner();\n  new View().render();\n}',
      ].join('\n'),
    });
    const { code } = openTestCode(repository.path);
    await code.update();
    const callsOf = (name: string) =>
      linkedNames(
        code.linked(code.symbols(name)[0]!, {
          direction: 'out',
          kinds: new Set(['calls']),
          depth: 1,
          limit: 9,
        }),
      );
    expect(callsOf('View.render')).toEqual(['calls View.path']);
    expect(callsOf('use')).toEqual(['calls View', 'calls View.render', 'calls plain']);
    expect(code.unresolved(code.symbols('use')[0]!).map((one) => one.name)).toEqual(['one.inner']);
  });

  test('an import that names the compiled file, or a folder, leads to the source', async () => {
    const repository = testRepository();
    repository.commit('one', {
      'src/main.ts': "import './hash.js';\nimport './page.jsx';\nimport './tools';\nimport './near';\n",
      'src/hash.ts': 'export const hash = 1;\n',
      'src/page.tsx': 'export const page = 1;\n',
      'src/tools/index.ts': 'export const tool = 1;\n',
      'src/near.ts': 'export const near = 1;\n',
    });
    const { code } = openTestCode(repository.path);
    await code.update();
    const targets = code.imports().links.map(({ to }) => to);
    expect(targets.sort()).toEqual(['src/hash.ts', 'src/near.ts', 'src/page.tsx', 'src/tools/index.ts']);
  });

  test('a circle of bindings or of inheritance ends', async () => {
    const repository = testRepository();
    repository.commit('one', {
      'a.py':
        'from b import y\nx = y\nclass A(B): pass\nclass B(A):\n    def m(self):\n        self.n()\n\ndef f():\n    x()\n    return f()\n',
      'b.py': 'from a import x\ny = x\n',
    });
    const { code } = openTestCode(repository.path);
    await code.update();
    expect(code.symbols('a.f')[0]!.name).toBe('f');
  });
});

describe('what is left out', () => {
  test('minified, generated, binary, huge, endless-line, vendored and secret files are skipped and reported', async () => {
    const repository = testRepository();
    repository.commit('one', {
      'ok.ts': 'export const ok = 1;\n',
      'lib.min.js': 'var a=1;',
      'packed.js': `var a=${'1+'.repeat(6000)}1;`,
      'made.ts': '// @generated by a tool\nexport const x = 1;\n',
      'picture.ts': Buffer.from([0x65, 0, 1, 2]),
      'huge.ts': `${'// filler line of some length\n'.repeat(400_000)}`,
      'endless.json': `{"a": "${'x'.repeat(30_000)}"}`,
      'vendor/dep.go': 'package dep\n',
      '.env': 'TOKEN=abc\n',
      'key.pem': 'x',
      'package-lock.json': '{}',
      'notes.xyz': 'what is this',
      'local/out.ts': 'export const hidden = 1;\n',
      '.sylkignore': 'local/\n',
      'excluded/a.ts': 'export const b = 1;\n',
      '.agents/skills/x/SKILL.md': '# X\n',
      '.sylk/config.yaml': 'code: {}\n',
    });
    repository.git(
      'update-index',
      '--add',
      '--cacheinfo',
      `160000,${repository.git('rev-parse', 'HEAD')},sub`,
    );
    const { code } = openTestCode(repository.path, { exclude: ['excluded/**'] });
    const report = await code.update();
    const reasons = Object.fromEntries(code.skipped().map((one) => [one.path, one.reason]));
    expect(reasons).toEqual({
      '.agents/skills/x/SKILL.md': 'instructions or settings for agents',
      '.env': 'secrets',
      '.sylk/config.yaml': 'instructions or settings for agents',
      'endless.json': 'overlong lines',
      'excluded/a.ts': 'excluded by configuration',
      'huge.ts': 'too large',
      'key.pem': 'secrets',
      'lib.min.js': 'minified',
      'local/out.ts': 'excluded by .sylkignore',
      'made.ts': 'generated',
      'package-lock.json': 'lock file',
      'packed.js': 'minified',
      'picture.ts': 'binary',
      'vendor/dep.go': 'vendored',
    });
    expect(code.files().map((one) => one.path)).toEqual(['.sylkignore', 'notes.xyz', 'ok.ts']);
    expect(report.files).toBe(3);
  });

  test('what .gitignore names is not even listed, and files not yet committed are indexed', async () => {
    const repository = testRepository();
    repository.commit('one', { '.gitignore': 'build/\n', 'a.ts': 'export const a = 1;\n' });
    repository.write('build/out.ts', 'export const out = 1;\n');
    repository.write('fresh.ts', 'export const fresh = 1;\n');
    const { code } = openTestCode(repository.path);
    await code.update();
    expect(code.files().map((one) => one.path)).toEqual(['.gitignore', 'a.ts', 'fresh.ts']);
    expect(code.skipped()).toEqual([]);
  });

  test('a secret in a signature never reaches the index', async () => {
    const repository = testRepository();
    const secret = ['ghp', 'a1b2c3d4e5f6g7h8i9j0k1l2m3n4'].join('_');
    repository.commit('one', { 'a.ts': `export const token = "${secret}";\n` });
    const { code, sqlite } = openTestCode(repository.path);
    await code.update();
    expect(code.symbols('token')[0]!.signature).toContain('xxxxxxxx');
    expect(
      JSON.stringify(sqlite.all('SELECT * FROM code_symbols')) +
        JSON.stringify(sqlite.all('SELECT facts, uses FROM code_facts')),
    ).not.toContain(secret);
  });
});
