import { readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join, relative, resolve } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import type { Bench } from './run-named.ts';

/**
 * Size and shape of TypeScript sources, by the same count for every tree given by `--from` (this one's `src` without
 * it): tests and declarations left out. A function counts by its own lines: those of functions inside it are theirs.
 */
const longFunction = 60;
const complexFunction = 15;

interface FunctionShape {
  name: string;
  lines: number;
  complexity: number;
}

interface FileShape {
  path: string;
  lines: number;
  tokens: number;
  functions: FunctionShape[];
  counts: Record<Counted, number>;
  imports: string[];
}

const counted = {
  nonNull: '`!` on values',
  casts: 'casts (`as`, not `as const`)',
  doubleCasts: '  of them `as unknown as`, `as never`, `as any`',
  literalSpreads: 'spreads of an object literal',
  conditionalSpreads: 'conditional spreads',
  nestedTernaries: 'nested ternaries',
} as const;
type Counted = keyof typeof counted;

function filesUnder(directory: string, matches: (name: string) => boolean): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'node_modules' || entry.name.startsWith('.')) return [];
    const path = join(directory, entry.name);
    if (entry.isDirectory()) return filesUnder(path, matches);
    return entry.isFile() && matches(entry.name) ? [path] : [];
  });
}

const isSource = (name: string): boolean =>
  /\.tsx?$/.test(name) && !/\.(test|spec|gen|d)\.tsx?$/.test(name) && !name.endsWith('.d.ts');
const isData = (name: string): boolean => /\.(json|toml|ya?ml|tsv|csv|scm)$/.test(name);

const token =
  /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`|[\w$]+|=>|[=!<>]=+|&&|\|\||\?\?|\?\.|\.{3}|[^\s\w]/g;
const comment = /\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm;

function shapeOf(path: string): FileShape {
  const text = readFileSync(path, 'utf8');
  const { program } = parseSync(path, text);
  const counts = Object.fromEntries(Object.keys(counted).map((key) => [key, 0])) as FileShape['counts'];
  const functions: FunctionShape[] = [];
  const imports: string[] = [];
  const open: Array<{ name: string; own: number; complexity: number }> = [];
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const lineOf = (offset: number): number => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  let name = '';
  const enter = (node: { start: number; end: number; id?: unknown }) => {
    const own = (node.id as { name?: string } | null | undefined)?.name ?? name;
    name = '';
    open.push({ name: own || '(anonymous)', own: lineOf(node.end) - lineOf(node.start) + 1, complexity: 1 });
  };
  const leave = () => {
    const ended = open.pop();
    if (!ended) return;
    functions.push({ name: ended.name, lines: ended.own, complexity: ended.complexity });
    const outer = open.at(-1);
    if (outer && ended.own > 1) outer.own -= ended.own - 1;
  };
  const branch = () => {
    const current = open.at(-1);
    if (current) current.complexity++;
  };
  const isTernary = (node: { type: string }): boolean => node.type === 'ConditionalExpression';
  const imported = (node: { source: { value: string } | null }) => {
    if (node.source?.value.startsWith('.')) imports.push(node.source.value);
  };
  new Visitor({
    FunctionDeclaration: enter,
    'FunctionDeclaration:exit': leave,
    FunctionExpression: enter,
    'FunctionExpression:exit': leave,
    ArrowFunctionExpression: enter,
    'ArrowFunctionExpression:exit': leave,
    VariableDeclarator: (node) => {
      name = node.id.type === 'Identifier' ? node.id.name : '';
    },
    Property: (node) => {
      name = node.key.type === 'Identifier' ? node.key.name : '';
    },
    IfStatement: branch,
    ForStatement: branch,
    ForInStatement: branch,
    ForOfStatement: branch,
    WhileStatement: branch,
    DoWhileStatement: branch,
    CatchClause: branch,
    LogicalExpression: branch,
    SwitchCase: (node) => {
      if (node.test) branch();
    },
    ConditionalExpression: (node) => {
      branch();
      if (isTernary(node.consequent) || isTernary(node.alternate)) counts.nestedTernaries++;
    },
    TSNonNullExpression: () => {
      counts.nonNull++;
    },
    TSAsExpression: (node) => {
      const type = text.slice(node.typeAnnotation.start, node.typeAnnotation.end);
      if (type === 'const') return;
      counts.casts++;
      if (type === 'unknown' || type === 'never' || type === 'any') counts.doubleCasts++;
    },
    SpreadElement: ({ argument }) => {
      const inner = argument.type === 'ParenthesizedExpression' ? argument.expression : argument;
      if (inner.type === 'ObjectExpression') counts.literalSpreads++;
      const branches = inner.type === 'ConditionalExpression' ? [inner.consequent, inner.alternate] : [];
      if (branches.some(({ type }) => type === 'ObjectExpression')) counts.conditionalSpreads++;
    },
    ImportDeclaration: imported,
    ExportNamedDeclaration: imported,
    ExportAllDeclaration: imported,
    ImportExpression: (node) => {
      if (node.source.type === 'Literal' && typeof node.source.value === 'string') {
        if (node.source.value.startsWith('.')) imports.push(node.source.value);
      }
    },
  }).visit(program);
  const code = text.replace(comment, '$1');
  return {
    path,
    lines: text.split('\n').length - 1,
    tokens: code.match(token)?.length ?? 0,
    functions,
    counts,
    imports,
  };
}

/** Files that exactly one other file imports. */
function withOneImporter(files: FileShape[]): number {
  const known = new Set(files.map(({ path }) => path));
  const importers = new Map<string, Set<string>>();
  for (const { path, imports } of files)
    for (const given of imports) {
      const at = resolve(dirname(path), given);
      const bare = at.slice(0, at.length - extname(at).length);
      const target = [at, `${at}.ts`, `${at}.tsx`, `${bare}.ts`, `${bare}.tsx`, join(at, 'index.ts')].find(
        (candidate) => known.has(candidate),
      );
      if (target) importers.set(target, (importers.get(target) ?? new Set()).add(path));
    }
  return [...importers.values()].filter(({ size }) => size === 1).length;
}

const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);

function describe(root: string): Array<[string, string | number]> {
  const files = filesUnder(root, isSource).map(shapeOf);
  const lines = files.map((file) => file.lines).sort((a, b) => a - b);
  const share = (part: number) => lines[Math.floor((lines.length - 1) * part)] ?? 0;
  const functions = files.flatMap((file) => file.functions);
  const data = filesUnder(root, isData).map((path) => readFileSync(path, 'utf8').split('\n').length - 1);
  const perThousand = (count: number) =>
    `${count} (${((count * 1000) / sum(lines)).toFixed(1)} per 1,000 lines)`;
  return [
    ['files', files.length],
    ['lines', sum(lines)],
    ['tokens', sum(files.map((file) => file.tokens))],
    ['lines of data files', sum(data)],
    ['lines per file: median / 90 % / most', `${share(0.5)} / ${share(0.9)} / ${share(1)}`],
    ['functions over 60 own lines', functions.filter((each) => each.lines > longFunction).length],
    ['functions of complexity over 15', functions.filter((each) => each.complexity > complexFunction).length],
    ...Object.entries(counted).map(([key, title]): [string, string] => [
      title,
      perThousand(sum(files.map((file) => file.counts[key as Counted]))),
    ]),
    ['files with one importer', withOneImporter(files)],
  ];
}

const run: Bench = async ({ from, words }) => {
  const roots =
    from.length > 0 ? from.map((path) => resolve(path)) : [resolve(import.meta.dirname, '../src')];
  for (const root of roots) {
    console.log(root);
    for (const [title, value] of describe(root)) console.log(`  ${title}: ${value}`);
    if (words.includes('list'))
      for (const file of filesUnder(root, isSource).map(shapeOf))
        for (const each of file.functions)
          if (each.lines > longFunction || each.complexity > complexFunction)
            console.log(
              `  ${relative(root, file.path)} ${each.name}: ${each.lines} lines, complexity ${each.complexity}`,
            );
  }
};

export default run;
