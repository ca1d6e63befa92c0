import type { Guard } from './guard.ts';
import type { LinkContext, LoadedFile } from './link-context.ts';
import { mark, stemOf } from './lookup-words.ts';
import type { Modules } from './modules.ts';
import type { Trail } from './trail.ts';
import { family, type Value } from './value.ts';

/** What import resolution needs from its evaluator. */
export interface ImportContext {
  linkContext: LinkContext;
  modules: Modules;
  trail: Trail;
  guarded: Guard;
  key(file: LoadedFile, ordinal: number, name: string): number;
  visit(file: LoadedFile): void;
  is(file: LoadedFile, ordinal: number): Value;
  chosen(file: LoadedFile, ordinals: number[]): number;
  evaluate(file: LoadedFile, scope: number, path: string): Value[];
  member(value: Value, name: string): Value[];
  bindingValues(file: LoadedFile, scope: number, bound: Array<[string, string]>): Value[];
}

/** Names from other files: imports, exports and re-exports, packages. */
export function createImports(context: ImportContext) {
  const { linkContext, modules, trail, guarded, key, visit, is, chosen, evaluate, member, bindingValues } =
    context;

  function fromElsewhere(file: LoadedFile, name: string): Value[] {
    const named = file.importedNames.has(name) ? byName(file, name) : [];
    if (named.length > 0) return named;
    const neighbours = fromPackage(file, name);
    return neighbours.length > 0 ? neighbours : byWildcard(file, name);
  }

  /** The last import of a name wins. An unresolved import means that the name is external. */
  function byName(file: LoadedFile, name: string): Value[] {
    let outside = false;
    for (const [from, taken, as, reexport] of file.imports.toReversed()) {
      const isNamed = as === name && !reexport;
      // `import a.b.c` binds `a`.
      const isOuter = file.language === 'python' && taken === '*' && as.startsWith(`${name}.`);
      if (!isNamed && !isOuter) continue;
      const found = isNamed ? imported(file, from, taken) : imported(file, name, '*');
      if (found.length > 0) return found;
      outside ||= isNamed;
    }
    return outside ? [{ kind: 'outside', file, ordinal: -1 }] : [];
  }

  function byWildcard(file: LoadedFile, name: string): Value[] {
    for (const [from, taken, as, reexport] of file.imports) {
      if (taken !== '*' || as !== '' || (reexport && file.language !== 'rust')) continue;
      const { files, whole } = resolve(file, from);
      for (const target of files) {
        const found = exported(target, name, whole);
        if (found.length > 0) return found;
      }
    }
    return [];
  }

  /** Go, Java, Kotlin, C#, PHP: files of the same package see each other. */
  function fromPackage(file: LoadedFile, name: string): Value[] {
    let files: LoadedFile[] = [];
    if (file.language === 'go' || file.language === 'swift') {
      const directory = file.path.slice(0, Math.max(0, file.path.lastIndexOf('/')));
      trail.lookUp(`p:${mark(directory)}`);
      files = linkContext.inDirectory(directory, file.language);
    } else if (file.package) {
      trail.lookUp(`p:${mark(file.package)}`);
      files = linkContext.inPackage(file.package);
    }
    for (const other of files) {
      if (other.id === file.id) continue;
      const found = other.inside(-1, name);
      if (found) {
        visit(other);
        return [is(other, chosen(other, found))];
      }
    }
    if (files.length > 0) trail.lookUp(name);
    return [];
  }

  const marks = new Map<string, string>();
  function moduleMark(from: string): string {
    let found = marks.get(from);
    if (found === undefined) {
      found = `m:${stemOf(from)}`;
      marks.set(from, found);
    }
    return found;
  }

  function resolve(file: LoadedFile, from: string) {
    trail.lookUp(moduleMark(from));
    const found = modules.resolve(file, from);
    if (found.whole) trail.lookUp(`p:${mark(from)}`);
    for (const target of found.files) visit(target);
    return found;
  }

  function imported(file: LoadedFile, from: string, name: string): Value[] {
    const { files, whole } = resolve(file, from);
    const [first] = files;
    if (!first) return fromNested(file, from, name);
    if (name === '*') return whole ? [{ kind: 'package', file: first, ordinal: -1, files }] : [is(first, -1)];
    for (const target of files) {
      const found = exported(target, name, whole);
      if (found.length > 0) return found;
    }
    if (file.language === 'python') {
      const inner = resolve(file, from.endsWith('.') ? from + name : `${from}.${name}`).files[0];
      if (inner) return [is(inner, -1)];
    }
    if (file.language === 'rust') {
      const inner = resolve(file, `${from}::${name}`).files[0];
      if (inner && inner.id !== first.id) return [is(inner, -1)];
    }
    if (name === 'default') return [is(first, -1)];
    return [];
  }

  /** `import static a.b.C.d`, `use A\B\C` where the last part of `from` is itself a definition. */
  function fromNested(file: LoadedFile, from: string, name: string): Value[] {
    const separator = ['\\', '::'].find((each) => from.includes(each)) ?? '.';
    const at = from.lastIndexOf(separator);
    if (at < 0 || file.language === 'python' || family(file.language) === 'script') return [];
    const { files, whole } = resolve(file, from.slice(0, at));
    const outerName = from.slice(at + separator.length);
    const types = files.flatMap((target) => exported(target, outerName, whole));
    return name === '*' ? types : types.flatMap((value) => member(value, name));
  }

  function exported(file: LoadedFile, name: string, whole: boolean): Value[] {
    visit(file);
    return guarded('exported', key(file, -1, name), whole ? 1 : 0, () => {
      for (const [out, as] of file.exports) {
        if (out !== name) continue;
        const found = as === name ? direct(file, name) : evaluate(file, -1, as);
        if (found.length > 0) return found;
      }
      const own = direct(file, name);
      return own.length > 0 || whole ? own : reexported(file, name);
    });
  }

  function reexported(file: LoadedFile, name: string): Value[] {
    const passesOn = file.language === 'python' || file.language === 'rust';
    for (const [from, taken, as, reexport] of file.imports) {
      if (!reexport && !passesOn) continue;
      const found = as === name ? imported(file, from, taken) : [];
      if (found.length > 0) return found;
      for (const target of taken === '*' && as === '' ? resolve(file, from).files : []) {
        if (target.id === file.id) continue;
        const inside = exported(target, name, false);
        if (inside.length > 0) return inside;
      }
    }
    return [];
  }

  function direct(file: LoadedFile, name: string): Value[] {
    const own = file.inside(-1, name);
    if (own) return [is(file, chosen(file, own))];
    const bound = file.bindings(-1, name);
    return bound ? bindingValues(file, -1, bound) : [];
  }

  function moduleMember(file: LoadedFile, name: string): Value[] {
    const found = exported(file, name, false);
    if (found.length > 0) return found;
    if (file.language === 'python' && file.path.endsWith('__init__.py')) {
      const inner = resolve(file, `.${name}`).files[0];
      if (inner) return [is(inner, -1)];
    }
    // `require('./x').a` where x says `module.exports = y`.
    if (name !== 'default' && family(file.language) === 'script')
      return exported(file, 'default', false).flatMap((value) =>
        value.ordinal < 0 && value.file.id === file.id ? [] : member(value, name),
      );
    return [];
  }

  return { fromElsewhere, imported, exported, moduleMember };
}
