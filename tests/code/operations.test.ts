import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type App, openApp } from '../../src/app.ts';
import { runOperation } from '../../src/operations/run.ts';
import { addSkippedFiles, codeWorld } from '../support/code-world.ts';

const root = mkdtempSync(join(tmpdir(), 'sylk-code-operations-'));
let app: App;

beforeAll(() => {
  addSkippedFiles(codeWorld(root));
  app = openApp({ directory: root });
});

afterAll(async () => {
  await app.close();
  rmSync(root, { recursive: true, force: true, maxRetries: 3 });
});

interface Linked {
  name: string;
  path: string;
  edge: string;
  depth: number;
  at_line: number;
}
interface Named {
  name: string;
  qualified: string;
  path: string;
  kind: string;
}

type Caller = { kind: 'person' | 'agent'; name: string };
const person: Caller = { kind: 'person', name: 'test' };
const writer: Caller = { kind: 'agent', name: 'writer' };

async function call<T>(name: string, input: unknown, caller = person): Promise<T> {
  const outcome = await runOperation(app, { name, input, caller });
  if (!outcome.ok) throw outcome.error;
  return outcome.output as T;
}

const linked = async (name: string, input: unknown): Promise<string[]> =>
  (await call<{ results: Linked[] }>(name, input)).results.map((one) => `${one.edge} ${one.name}`).sort();

describe('get_dependencies and get_dependents', () => {
  test.each([
    ['calls', ['calls grow']],
    ['extends', ['extends Shape']],
    ['references', ['references unit']],
  ])('edge_type %s follows links of that kind only', async (edge_type, expected) => {
    expect(await linked('get_dependencies', { symbol_id: 'Square', edge_type })).toEqual(expected);
  });

  test('edge_type implements finds the interface, and the class from the other side', async () => {
    expect(await linked('get_dependencies', { symbol_id: 'Shape', edge_type: 'implements' })).toEqual([
      'implements Named',
    ]);
    expect(await linked('get_dependents', { symbol_id: 'Named', edge_type: 'implements' })).toEqual([
      'implements Shape',
    ]);
  });

  test('edge_type references takes in what a function receives and returns', async () => {
    expect(await linked('get_dependencies', { symbol_id: 'grow', edge_type: 'references' })).toEqual([
      'receives Size',
      'references unit',
      'returns Size',
    ]);
    expect(await linked('get_dependents', { symbol_id: 'unit', edge_type: 'references' })).toContain(
      'references grow',
    );
  });

  test('an edge_type that does not exist is refused with the ones that do', async () => {
    await expect(call('get_dependencies', { symbol_id: 'grow', edge_type: 'likes' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining('edge_type'),
    });
  });

  test('depth takes in as many steps as asked, each marked with its distance', async () => {
    const callers = async (depth: number | string) =>
      (
        await call<{ results: Linked[] }>('get_dependents', { symbol_id: 'grow', edge_type: 'calls', depth })
      ).results.map((one) => `${one.depth} ${one.name}`);
    expect((await callers(1)).sort()).toEqual(['1 area', '1 draw', '1 growsTwice']);
    expect(await callers('2')).toContain('2 main');
    expect(await callers(1)).not.toContain('2 main');
  });

  test.each([
    ['imports', ['shape.ts']],
    ['imported_by', ['draw.ts', 'square.test.ts']],
    ['both', ['draw.ts', 'shape.ts', 'square.test.ts']],
  ])('direction %s of a file', async (direction, expected) => {
    const { results } = await call<{ results: Linked[] }>('get_dependencies', {
      path: './src/square.ts',
      direction,
    });
    const files = results.filter((one) => one.edge === 'imports').map((one) => one.path.split('/').at(-1));
    expect([...new Set(files)].sort()).toEqual(expected);
    expect(results.every((one) => one.edge === 'imports')).toBe(true);
  });

  test('what is not of the repository is told as unresolved, and only by the one who uses it', async () => {
    const main = await call<{ unresolved: Named[] }>('get_dependencies', { symbol_id: 'main' });
    expect(main.unresolved.map((one) => one.name)).toEqual(['missing']);
    const none = await call<{ unresolved: Named[] }>('get_dependents', { symbol_id: 'main' });
    expect(none.unresolved).toEqual([]);
  });

  test('neither symbol nor path is an error that says what is needed', async () => {
    await expect(call('get_dependencies', {})).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: 'Missing SYMBOL or --path.',
    });
  });
});

describe('get_symbol, get_file_symbols and get_context', () => {
  test('include_source gives the lines of the symbol, and is off when not asked for', async () => {
    const plain = await call<{ source?: string; callers: Linked[] }>('get_symbol', { symbol_id: 'draw' });
    expect(plain.source).toBeUndefined();
    expect(plain.callers.map((one) => [one.name, one.at_line])).toEqual([['main', 5]]);
    const whole = await call<{ source?: string }>('get_symbol', {
      symbol_id: 'draw',
      include_source: 'true',
    });
    expect(whole.source).toBe('export function draw() {\n  return grow(z.parse({ width: 2 }));\n}');
  });

  test('the outline of a file stands in the order of its lines and can be narrowed by type', async () => {
    const outline = async (more: object) =>
      (
        await call<{ symbols: Named[] }>('get_file_symbols', { file_path: 'src/shape.ts', ...more })
      ).symbols.map((one) => one.qualified);
    expect(await outline({})).toEqual([
      'Named',
      'Named.name',
      'Shape',
      'Shape.name',
      'Shape.area',
      'Size',
      'Size.width',
      'unit',
      'counter',
    ]);
    expect(await outline({ symbol_type: 'method' })).toEqual(['Shape.area']);
  });

  test('the outline of a file that was left out says why', async () => {
    await expect(call('get_file_symbols', { file_path: 'made.ts' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'made.ts is not indexed: generated.',
    });
  });

  test('get_context gives source, siblings, imports and both directions at once, by name or by words', async () => {
    const context = await call<{
      symbol: Named;
      source: string;
      siblings: string[];
      imports: Linked[];
      dependents: Linked[];
      dependencies: Linked[];
    }>('get_context', { query: 'Square' });
    expect(context.source).toMatch(/^export class Square[\s\S]*\}$/);
    expect(context.siblings).toEqual(['grow']);
    expect(context.imports.map((one) => one.path)).toContain('src/shape.ts');
    expect(context.dependencies.map((one) => one.name)).toEqual(expect.arrayContaining(['grow', 'Shape']));
    const byWords = await call<{ symbol: Named }>('get_context', { query: 'four equal sides' });
    expect(byWords.symbol.qualified).toBe('Square');
  });

  test('get_context of words that nothing has is an error with a next step', async () => {
    await expect(call('get_context', { query: 'zyzzyva' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      hint: expect.stringContaining('sylk code'),
    });
  });
});

describe('search_code', () => {
  test.each([
    ['function', 'grow', 'function'],
    ['method', 'area', 'method'],
    ['class', 'Square', 'class'],
    ['struct', 'Point', 'struct'],
    ['interface', 'Named', 'interface'],
    ['variable', 'counter', 'variable'],
    ['constant', 'unit', 'constant'],
    ['type', 'Size', 'type'],
    ['any', 'grow', 'function'],
    ['const', 'unit', 'constant'],
    ['var', 'counter', 'variable'],
    ['all', 'Point', 'struct'],
  ])('symbol_type %s finds %s', async (symbol_type, query, kind) => {
    const { results } = await call<{ results: Named[] }>('search_code', { query, symbol_type });
    expect(results[0]).toMatchObject({ name: query, kind });
    const other = symbol_type === 'class' ? 'function' : 'class';
    const elsewhere = await call<{ results: Named[] }>('search_code', { query, symbol_type: other });
    expect(elsewhere.results.map((one) => one.name)).not.toContain(query);
  });

  test.each(['file_pattern', 'file_glob'])('%s narrows to files of the glob', async (parameter) => {
    const search = async (glob: string) =>
      (await call<{ results: Named[] }>('search_code', { query: 'grow', [parameter]: glob })).results;
    expect((await search('*.test.ts')).map((one) => one.path)).toEqual(
      expect.arrayContaining(['tests/square.test.ts']),
    );
    expect((await search('*.test.ts')).every((one) => one.path.endsWith('.test.ts'))).toBe(true);
    expect((await search('src/*.ts')).every((one) => one.path.startsWith('src/'))).toBe(true);
    expect(await search('*.py')).toEqual([]);
  });
});

describe('get_impact', () => {
  interface Impact {
    files: Array<{ path: string; depth: number; symbols: string[]; lines: number[]; test: boolean }>;
    tests: string[];
    total: number;
  }

  test('files that reach a symbol stand nearest first, with the tests among them', async () => {
    const impact = await call<Impact>('get_impact', { symbol_id: 'grow', depth: 3 });
    const order = impact.files.map((one) => `${one.depth} ${one.path}`);
    expect(order.indexOf('1 src/draw.ts')).toBeLessThan(order.indexOf('2 src/main.ts'));
    expect(order).toContain('1 tests/square.test.ts');
    expect(impact.tests).toEqual(['tests/square.test.ts']);
    // Lines that use it directly; what is reached in steps has none.
    expect(impact.files.map(({ depth, lines }) => [depth, lines.length > 0])).toEqual(
      impact.files.map(({ depth }) => [depth, depth === 1]),
    );
    expect(impact.total).toBe(impact.files.length);
  });

  test('depth and limit bound it, the total does not hide what was left out', async () => {
    const near = await call<Impact>('get_impact', { symbol_id: 'grow', depth: 1 });
    expect(near.files.map((one) => one.path)).not.toContain('src/main.ts');
    const one = await call<Impact>('get_impact', { symbol_id: 'grow', depth: 1, limit: 1 });
    expect(one.files).toHaveLength(1);
    expect(one.total).toBe(near.total);
  });
});

describe('the whole code base', () => {
  test('analyze_dependencies counts importers, finds circles and names outside packages with a user', async () => {
    const all = await call<{
      most_imported: Array<{ path: string; importers: number }>;
      cycles: string[][];
      packages: unknown[];
    }>('analyze_dependencies', {});
    expect(all.most_imported[0]).toEqual({ path: 'src/square.ts', importers: 2 });
    expect(all.cycles).toEqual([['loop/a.ts', 'loop/b.ts']]);
    expect(all.packages).toEqual([{ name: 'zod', files: 1, example: 'src/draw.ts' }]);
    const below = await call<{ cycles: string[][]; links: number }>('analyze_dependencies', { path: 'src/' });
    expect(below.cycles).toEqual([]);
    expect(below.links).toBe(3);
  });

  test('detect_patterns counts names that recur, below a path when one is given', async () => {
    interface Patterns {
      patterns: Array<{ kind: string; name: string; count: number; examples: Array<{ ref: string }> }>;
    }
    const { patterns } = await call<Patterns>('detect_patterns', { path: 'habits' });
    expect(patterns.map((one) => `${one.kind} ${one.name} ${one.count}`).sort()).toEqual([
      'prefix make* 3',
      'suffix *Handler 3',
    ]);
    expect(patterns[0]!.examples).toHaveLength(3);
    expect((await call<Patterns>('detect_patterns', { path: 'loop' })).patterns).toEqual([]);
  });

  test('get_structure starts at a path and goes as deep as asked', async () => {
    interface Structure {
      structure: { path: string; files: number; entries: string[]; directories: Structure['structure'][] };
    }
    const shallow = await call<Structure>('get_structure', { path: 'pkg', depth: 1 });
    expect(shallow.structure).toMatchObject({ path: 'pkg', files: 2, entries: ['point.go'] });
    expect(shallow.structure.directories.map((one) => one.path)).toEqual(['pkg/deep']);
    expect(shallow.structure.directories[0]!.directories).toEqual([]);
    const deep = await call<Structure>('get_structure', { path: 'pkg/', depth: 2 });
    expect(deep.structure.directories[0]!.directories[0]).toMatchObject({
      path: 'pkg/deep/er',
      entries: ['leaf.go'],
    });
    await expect(call('get_structure', { path: 'nowhere' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('list_files --skipped names every file that was left out, with its reason', async () => {
    interface Files {
      files: Array<{ path: string; reason?: string; language?: string }>;
    }
    const { files } = await call<Files>('list_files', { skipped: true });
    const reasons = Object.fromEntries(files.map((one) => [one.path, one.reason]));
    expect(reasons).toEqual({
      inner: 'submodule',
      'linked.ts': 'link',
      'raw.ts': 'binary',
      'picture.png': 'binary',
      '.env': 'secrets',
      'package-lock.json': 'lock file',
      'lib.min.js': 'minified',
      'made.ts': 'generated',
      'private/plan.ts': 'excluded by .sylkignore',
      'bad-\ufffd.ts': 'name is not UTF-8',
    });
    const some = await call<Files>('list_files', { skipped: true, pattern: '*.png' });
    expect(some.files).toEqual([{ path: 'picture.png', reason: 'binary' }]);
    const go = await call<Files>('list_files', { language: 'go', file_pattern: 'pkg/*.go' });
    expect(go.files.map((one) => one.path)).toEqual(['pkg/point.go']);
  });
});

describe('get_history_for_code', () => {
  interface Story {
    history: Array<{ kind: string; ref: string; message: string; category?: string; content?: string }>;
  }
  const tell = (symbol_id: string, caller: Caller, limit = 10) =>
    call<Story>('get_history_for_code', { symbol_id, limit }, caller);
  const kindsOf = (story: Story) => story.history.map((one) => `${one.kind} ${one.message}`);

  beforeAll(async () => {
    await call('create_session', { name: 'private' }, writer);
    const remember = (content: string, title: string, code_references: string[]) =>
      call('store_entry', { content, title, category: 'decision', code_references }, writer);
    await remember('Three steps, since two were too coarse.', 'steps of growing', [
      'symbol:src/square.ts#grow',
    ]);
    await remember('Squares know their sides only.', 'what squares know', ['src/square.ts']);
    await remember('Elsewhere.', 'about drawing', ['src/draw.ts']);
  });

  test('answers commits that touched the lines and entries about the symbol or its file, each with its kind', async () => {
    const story = await tell('grow', writer);
    expect(kindsOf(story).sort()).toEqual([
      'commit feat: shapes',
      'commit fix: growing is two steps',
      'entry steps of growing',
      'entry what squares know',
    ]);
    expect(story.history.find((one) => one.message === 'steps of growing')).toMatchObject({
      ref: expect.stringMatching(/^entry:/),
      category: 'decision',
      content: 'Three steps, since two were too coarse.',
    });
  });

  test("a commit that did not touch the symbol is not part of its story; an entry of its members is part of a file's", async () => {
    expect(kindsOf(await tell('Square', writer))).not.toContain('commit fix: growing is two steps');
    expect(kindsOf(await tell('Square', writer))).not.toContain('entry steps of growing');
    expect(kindsOf(await tell('src/square.ts', writer))).toContain('entry steps of growing');
  });

  test('an agent does not see what another session has not shared; a person sees all', async () => {
    const stranger: Caller = { kind: 'agent', name: 'another' };
    expect((await tell('grow', stranger)).history.every((one) => one.kind === 'commit')).toBe(true);
    expect(kindsOf(await tell('grow', person))).toContain('entry steps of growing');
  });

  test('limit holds for both together, and commits do not push out what was remembered', async () => {
    const { history } = await tell('grow', writer, 2);
    expect(history.map((one) => one.kind).sort()).toEqual(['commit', 'entry']);
  });
});
