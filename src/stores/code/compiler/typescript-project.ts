import { join } from 'node:path/posix';
import ts from 'typescript-5';
import { product, tree } from '../../../base/files/index.ts';
import { createScriptResolver } from '../link/script-modules.ts';
import { contentHash } from '../parse-file.ts';
import { type AddedMembers, findAddedMembers } from './added-members.ts';
import type { CompiledFile, CompileRequest } from './protocol.ts';
import { readLinks } from './typescript-links.ts';

const options: ts.CompilerOptions = {
  allowJs: true,
  checkJs: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
  jsx: ts.JsxEmit.Preserve,
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  allowImportingTsExtensions: true,
  resolveJsonModule: false,
  experimentalDecorators: true,
};
const largest = 512_000;
/** Files are named as if the repository were a file system of its own. */
const root = '/repository';
const inside = (path: string): string => join(root, path);
const outside = (name: string): string => name.slice(root.length + 1);

interface Source {
  file: ts.SourceFile;
  hash: string;
}

/** One program over all scripts of a repository, made anew for each request from what did not change. */
export function createTypeScriptProject() {
  const sources = new Map<string, Source>();
  let known = new Set<string>();
  let program: ts.Program | undefined;
  let addedMember: AddedMembers | undefined;
  let place = '';
  let resolve: ReturnType<typeof createScriptResolver> = () => [];

  const read = (path: string): Source | undefined => {
    const bytes = tree.read(place, path, { limit: largest });
    const hash = contentHash(bytes);
    const before = sources.get(path);
    if (before?.hash === hash) return before;
    const text = bytes.toString('utf8').replace(/^\ufeff/, '');
    const file = ts.createSourceFile(inside(path), text, options.target ?? ts.ScriptTarget.ESNext, true);
    // What a program compares to find out whether a file changed.
    Object.assign(file, { version: hash });
    return { file, hash };
  };
  const libraries = new Map<string, ts.SourceFile>();
  const library = (name: string): ts.SourceFile => {
    const there = libraries.get(name);
    if (there) return there;
    const file = ts.createSourceFile(name, product.read(name).toString(), ts.ScriptTarget.ESNext, true);
    libraries.set(name, file);
    return file;
  };

  const host: ts.CompilerHost = {
    getSourceFile: (name) =>
      sources.get(outside(name))?.file ?? (name.startsWith(root) ? undefined : library(name)),
    getDefaultLibFileName: (given) => ts.getDefaultLibFilePath(given),
    getCurrentDirectory: () => root,
    getCanonicalFileName: (name) => name,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => '\n',
    fileExists: (name) => known.has(outside(name)),
    readFile: (name) => sources.get(outside(name))?.file.text,
    writeFile: () => {},
    directoryExists: () => false,
    getDirectories: () => [],
    resolveModuleNameLiterals: (literals, from) =>
      literals.map(({ text }) => {
        const [path] = resolve(outside(from), text);
        const extension = path && /(?:\.d)?\.[cm]?[jt]sx?$/.exec(path)?.[0];
        if (!path || !extension) return { resolvedModule: undefined };
        return {
          resolvedModule: { resolvedFileName: inside(path), extension, isExternalLibraryImport: false },
        };
      }),
    resolveTypeReferenceDirectiveReferences: (references) =>
      references.map(() => ({ resolvedTypeReferenceDirective: undefined })),
  };

  return {
    load: (request: CompileRequest): void => {
      place = request.root;
      known = new Set(request.files);
      resolve = createScriptResolver(
        { aliases: request.aliases, packages: new Map(request.packages) },
        (path) => known.has(path),
      );
      for (const path of [...sources.keys()]) if (!known.has(path)) sources.delete(path);
      for (const path of request.files) {
        try {
          const source = read(path);
          if (source) sources.set(path, source);
        } catch {
          // Gone, a link, or too large: the program does without it.
          sources.delete(path);
        }
      }
      program = ts.createProgram([...sources.keys()].map(inside), options, host, program);
      addedMember = undefined;
    },
    linksOf: (path: string): CompiledFile | undefined => {
      const source = sources.get(path);
      if (!source || !program) return undefined;
      const checker = program.getTypeChecker();
      addedMember ??= findAddedMembers(
        checker,
        [...sources.values()].map(({ file }) => file),
      );
      const pathOf = (name: string) => (sources.has(outside(name)) ? outside(name) : undefined);
      const { links, unknown } = readLinks(checker, source.file, { pathOf, addedMember });
      return { path, hash: source.hash, links, unknown };
    },
  };
}
