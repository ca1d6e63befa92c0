import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import ts from 'typescript-5';
import { randomNumbers, shuffled } from '../random.ts';

// A process of its own: `node typescript-judge.ts ROOT COUNT SEED` writes what TypeScript's language service says about
// the references of functions it draws at random. It shares no code with the product.

export interface JudgedFunction {
  path: string;
  name: string;
  line: number;
  /** `path:line` of every use; imports, re-exports and the declarations themselves are none. */
  uses: string[];
}

const [root = '.', count = '40', seed = '1'] = process.argv.slice(2);
const script = /\.[cm]?[jt]sx?$/;
const tracked = execFileSync('git', ['-C', root, 'ls-files', '-z'], { encoding: 'utf8', maxBuffer: 1 << 28 })
  .split('\0')
  .filter((path) => path !== '' && existsSync(join(root, path)));
const isShadowed = (path: string) =>
  path.endsWith('.d.ts') &&
  ['.ts', '.tsx', '.js', '.jsx', '.mjs'].some((end) => trackedPaths.has(path.replace(/\.d\.ts$/, end)));
const trackedPaths = new Set(tracked);
const files = tracked.filter(
  (path) => script.test(path) && !isShadowed(path) && statSync(join(root, path)).size < 512_000,
);
const known = new Set(files.map((path) => join(root, path)));

/** Names of packages of this repository → the file that a person would open to read them. */
function packagePaths(): Record<string, string[]> {
  const paths: Record<string, string[]> = {};
  for (const manifest of tracked.filter((path) => posix.basename(path) === 'package.json')) {
    const { name } = JSON.parse(readFileSync(join(root, manifest), 'utf8')) as { name?: string };
    const directory = posix.dirname(manifest);
    const entry = ['src/index', 'index', 'lib/index', 'src/main'].find((base) =>
      ['.ts', '.tsx', '.js', '.mjs', '.jsx'].some((end) => known.has(join(root, directory, base + end))),
    );
    if (!name || !entry) continue;
    paths[name] = [posix.join(directory, entry)];
    paths[`${name}/*`] = ['', 'src/', 'dist/../src/'].flatMap((inside) => [
      posix.join(directory, `${inside}*`),
      posix.join(directory, `${inside}*/src`),
    ]);
  }
  return paths;
}

const options: ts.CompilerOptions = {
  allowJs: true,
  checkJs: true,
  noEmit: true,
  types: [],
  jsx: ts.JsxEmit.Preserve,
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  allowImportingTsExtensions: true,
  baseUrl: root,
  paths: { ...packagePaths(), ...ownPaths() },
};

/** `paths` of the root tsconfig, read as data. */
function ownPaths(): Record<string, string[]> {
  const path = join(root, 'tsconfig.json');
  if (!existsSync(path)) return {};
  const { config } = ts.readConfigFile(path, ts.sys.readFile);
  return (config as { compilerOptions?: { paths?: Record<string, string[]> } })?.compilerOptions?.paths ?? {};
}

const service = ts.createLanguageService({
  getCompilationSettings: () => options,
  getScriptFileNames: () => [...known],
  getScriptVersion: () => '1',
  getScriptSnapshot: (path) =>
    known.has(path) || path.includes('/typescript-5/')
      ? ts.ScriptSnapshot.fromString(readFileSync(path, 'utf8'))
      : undefined,
  getCurrentDirectory: () => root,
  getDefaultLibFileName: (given) => ts.getDefaultLibFilePath(given),
  fileExists: (path) => known.has(path) || (path.includes('/typescript-5/') && existsSync(path)),
  readFile: (path) => readFileSync(path, 'utf8'),
  directoryExists: (path) => existsSync(path),
});
const program = service.getProgram();
if (!program) throw new Error('no program');

const isTest =
  /(?:^|[/._-])(?:tests?|specs?|__tests__|fixtures?|bench|benchmarks?|examples?|demo|www)(?:[/._-]|$)/i;
const drawn: Array<{ path: string; name: ts.Node; text: string }> = [];
for (const path of files) {
  const source = program.getSourceFile(join(root, path));
  if (!source || isTest.test(path) || source.isDeclarationFile) continue;
  const visit = (node: ts.Node): void => {
    const name = functionName(node);
    if (name) drawn.push({ path, name, text: name.getText(source) });
    ts.forEachChild(node, visit);
  };
  visit(source);
}

function functionName(node: ts.Node): ts.Node | undefined {
  if (ts.isFunctionDeclaration(node)) return node.name;
  if (ts.isMethodDeclaration(node) && ts.isIdentifier(node.name)) return node.name;
  if (!ts.isVariableDeclaration(node) || !ts.isIdentifier(node.name) || !node.initializer) return undefined;
  return ts.isArrowFunction(node.initializer) || ts.isFunctionExpression(node.initializer)
    ? node.name
    : undefined;
}

/** A mention that only brings the name in or hands it on. */
const isPassage = ({ parent }: ts.Node): boolean =>
  ts.isImportSpecifier(parent) ||
  ts.isImportClause(parent) ||
  ts.isNamespaceImport(parent) ||
  ts.isExportSpecifier(parent) ||
  ts.isExportAssignment(parent);

/** References, also by the names that imports give it: `import { createElement as h }`. */
function referencesOf(path: string, at: number): ts.ReferencedSymbol[] {
  const found = service.findReferences(path, at) ?? [];
  const renamed = found
    .flatMap((one) => one.references)
    .flatMap(({ fileName, textSpan }) => {
      const target = program?.getSourceFile(fileName);
      const parent = target && nodeAt(target, textSpan.start).parent;
      const isRenamed =
        target &&
        parent &&
        (ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent)) &&
        parent.propertyName?.getStart(target) === textSpan.start;
      return isRenamed ? (service.findReferences(fileName, parent.name.getStart(target)) ?? []) : [];
    });
  return [...found, ...renamed];
}

const judged: JudgedFunction[] = [];
const once = new Set<string>();
for (const { path, name, text } of shuffled(drawn, randomNumbers(Number(seed)))) {
  if (judged.length >= Number(count)) break;
  const source = name.getSourceFile();
  const uses = new Set<string>();
  const found = referencesOf(join(root, path), name.getStart(source));
  const definitions = new Set(
    found.map(({ definition }) => `${definition.fileName} ${definition.textSpan.start}`),
  );
  const key = [...definitions].sort().join();
  if (once.has(key)) continue;
  once.add(key);
  for (const { fileName, textSpan, isDefinition } of found.flatMap((one) => one.references)) {
    const target = program.getSourceFile(fileName);
    if (!target || isDefinition || definitions.has(`${fileName} ${textSpan.start}`) || !known.has(fileName))
      continue;
    const node = nodeAt(target, textSpan.start);
    // A comment for documentation mentions it.
    if (ts.isSourceFile(node)) continue;
    if (isPassage(node) || isDeclarationName(node)) continue;
    const { line } = target.getLineAndCharacterOfPosition(textSpan.start);
    uses.add(`${posix.relative(root, fileName)}:${line + 1}`);
  }
  const { line } = source.getLineAndCharacterOfPosition(name.getStart(source));
  judged.push({ path, name: text, line: line + 1, uses: [...uses] });
}
process.stdout.write(JSON.stringify(judged));

function nodeAt(source: ts.SourceFile, at: number): ts.Node {
  let found: ts.Node = source;
  const visit = (node: ts.Node): void => {
    if (node.getStart(source) > at || node.end <= at) return;
    found = node;
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The name of a declaration (overloads, interface members that an object implements). */
function isDeclarationName(node: ts.Node): boolean {
  const { parent } = node;
  return (
    parent !== undefined &&
    'name' in parent &&
    parent.name === node &&
    (ts.isFunctionLike(parent) ||
      ts.isPropertySignature(parent) ||
      ts.isVariableDeclaration(parent) ||
      ts.isPropertyAssignment(parent) ||
      ts.isPropertyDeclaration(parent))
  );
}
