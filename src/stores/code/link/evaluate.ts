import { createGuard, deepest, most } from './guard.ts';
import { createImports } from './imports.ts';
import type { LinkContext, LoadedFile } from './link-context.ts';
import type { Modules } from './modules.ts';
import { createTrail } from './trail.ts';
import { family, functionKinds, implicitSelf, kindOf, typeKinds, type Value } from './value.ts';

export type Evaluator = ReturnType<typeof createEvaluator>;

/** A path with its steps; numeric keys are cheaper than strings. */
interface Path {
  number: number;
  steps: string[];
}

const mostPaths = 20_000;
/** Larger than every path number, with room for those of the current file. */
const beyondPaths = 2 ** 22;

export function createEvaluator(linkContext: LinkContext, modules: Modules) {
  const trail = createTrail();
  const guarded = createGuard(trail);
  const paths = new Map<string, Path>();

  const pathOf = (text: string): Path => {
    const path = paths.get(text) ?? {
      number: paths.size,
      steps: text.match(/\(\)|\[\]|[^.()[\]]+/g) ?? [],
    };
    paths.set(text, path);
    return path;
  };
  const key = (file: LoadedFile, ordinal: number, name?: string): number =>
    file.idOf(ordinal) * beyondPaths + (name === undefined ? 0 : pathOf(name).number);

  const visit = (file: LoadedFile) => {
    trail.visit(file.id);
  };
  const is = (file: LoadedFile, ordinal: number): Value => ({ kind: 'is', file, ordinal });

  const { fromElsewhere, imported, exported, moduleMember } = createImports({
    linkContext,
    modules,
    trail,
    guarded,
    key,
    visit,
    is,
    chosen,
    evaluate,
    member,
    bindingValues,
  });

  /** What `path` in `scope` of `file` can refer to. Empty when it cannot be followed. */
  function evaluate(file: LoadedFile, scope: number, path: string): Value[] {
    if (path === '' || path.startsWith('?')) return [];
    const [first = '', ...steps] = pathOf(path).steps;
    return guarded('evaluate', key(file, scope, path), 0, () => {
      let values = head(file, scope, first);
      for (const [at, step] of steps.entries()) {
        if (values.length === 0 || step === '[]') return [];
        if (step !== '()') values = values.flatMap((value) => member(value, step));
        else if ((at === 0 ? first : steps[at - 1]) !== 'super') values = values.flatMap(call);
      }
      return values;
    });
  }

  function head(file: LoadedFile, scope: number, name: string): Value[] {
    if (name === 'self' || name === 'Self' || name === 'this') {
      const own = selfOf(file, scope);
      if (own.length > 0 || name !== 'self') return own;
    }
    if (name === 'super' || name === 'base' || name === 'parent') {
      const own = selfOf(file, scope).flatMap((value) => bases(value));
      if (own.length > 0) return own.map((value) => ({ ...value, kind: 'instance' as const }));
    }
    return lookup(file, scope, name);
  }

  /** The type that encloses the code in `scope`, as a value of it. */
  function selfOf(file: LoadedFile, scope: number): Value[] {
    for (let here = scope; here >= 0; here = file.definition(here)[2]) {
      const [kind, , parent, container] = file.definition(here);
      if (container)
        return typeNamed(file, container).map((value) => ({ ...value, kind: 'instance' as const }));
      if (typeKinds.has(kind)) return [{ ...is(file, here), kind: 'instance' }];
      // An object of functions is its own `this`; so is a constructor function.
      if (!functionKinds.has(kind)) return [is(file, here)];
      if (parent < 0 && kind === 'function' && hasOwnMembers(file, here))
        return [{ ...is(file, here), kind: 'instance' }];
    }
    return [];
  }

  const hasOwnMembers = (file: LoadedFile, ordinal: number): boolean =>
    family(file.language) === 'script' &&
    file.definitions.some((one) => one[3] === file.definition(ordinal)[1]);

  function typeNamed(file: LoadedFile, path: string): Value[] {
    const found = evaluate(file, -1, path);
    return found.length > 0 ? found : everywhere(file, path.slice(path.lastIndexOf('.') + 1), true);
  }

  function lookup(file: LoadedFile, scope: number, name: string): Value[] {
    for (let here = scope; ; here = file.definition(here)[2]) {
      const [kind] = file.definition(here);
      const isType = typeKinds.has(kind) && kind !== 'module';
      const implied = implicitSelf.has(file.language) ? ownType(file, here, isType) : [];
      const found = implied.flatMap((value) => member(value, name));
      if (found.length > 0) return found;
      // A module cannot bind the name of an import again: such a binding is inside of a nameless function.
      const isImported = here < 0 && family(file.language) === 'script' && file.importedNames.has(name);
      if (!isImported && (!isType || here === scope)) {
        const own = file.inside(here, name);
        if (own) return [is(file, chosen(file, own))];
        const bound = file.bindings(here, name);
        if (bound) return bindingValues(file, here, bound);
      }
      if (here < 0) break;
      const reopened = typeKinds.has(kind) ? fromReopened(file, here, name) : [];
      if (reopened.length > 0) return reopened;
    }
    return fromElsewhere(file, name);
  }

  /** A module of Ruby is written in many files: what is in it elsewhere is in reach here. */
  function fromReopened(file: LoadedFile, module: number, name: string): Value[] {
    if (file.language !== 'ruby' || !/^\p{Lu}/u.test(name)) return [];
    trail.lookUp(name);
    const key = `${file.definition(module)[4]}.${name}`;
    const found = linkContext
      .named(name, 40)
      .find(({ file: other, ordinal }) => other.language === 'ruby' && other.definition(ordinal)[4] === key);
    if (!found) return [];
    visit(found.file);
    return [is(found.file, found.ordinal)];
  }

  /** The type whose members code in `here` reaches without a qualifier. */
  function ownType(file: LoadedFile, here: number, isType: boolean): Value[] {
    if (isType) return [{ ...is(file, here), kind: 'instance' }];
    const definition = file.definitions[here];
    return definition && functionKinds.has(definition[0]) && definition[3] ? selfOf(file, here) : [];
  }

  /** Of several definitions of one name the last one wins, but a declaration never wins over a definition. */
  function chosen(file: LoadedFile, ordinals: number[]): number {
    return ordinals.findLast((ordinal) => !file.definition(ordinal)[5]) ?? ordinals.at(-1) ?? -1;
  }

  function bindingValues(file: LoadedFile, scope: number, bound: Array<[string, string]>): Value[] {
    const found: Value[] = [];
    for (const [how, path] of bound.slice(-most)) {
      if (path === '') continue;
      if (how === 'value') found.push(...evaluate(file, scope, path));
      else found.push(...instances(evaluate(file, how === 'param' ? outer(file, scope) : scope, path)));
    }
    return found;
  }

  const outer = (file: LoadedFile, scope: number): number => file.definition(scope)[2];

  const instances = (values: Value[]): Value[] =>
    values
      .flatMap((value) => (kindOf(value) === 'type' ? [value, ...aliased(value)] : [value]))
      .map((value) => (value.kind === 'is' ? { ...value, kind: 'instance' as const } : value));

  const aliased = (value: Value): Value[] => {
    const [, name, parent] = value.file.definition(value.ordinal);
    return (value.file.bindings(parent, name) ?? []).flatMap(([, path]) =>
      evaluate(value.file, parent, path),
    );
  };

  function member(value: Value, name: string): Value[] {
    if (value.kind === 'outside') return [value];
    if (value.kind === 'package')
      return (value.files ?? []).flatMap((file) => exported(file, name, true)).slice(0, 1);
    const { file, ordinal } = value;
    if (ordinal < 0) return moduleMember(file, name);
    return guarded(value.kind, key(file, ordinal, name), Number(value.byName ?? false), () => {
      visit(file);
      const found = memberOf(value, name);
      return value.byName ? found.map((one) => ({ ...one, byName: true as const })) : found;
    });
  }

  function memberOf(value: Value, name: string): Value[] {
    const own = ownMember(value, name);
    if (own.length > 0) return own;
    for (const base of ancestors(value)) {
      visit(base.file);
      const found = ownMember({ ...base, kind: value.kind }, name);
      if (found.length > 0) return found;
    }
    const kind = kindOf(value);
    if (typeKinds.has(kind) || functionKinds.has(kind)) return [];
    return held(value).flatMap((one) => member(one, name));
  }

  function ownMember(value: Value, name: string): Value[] {
    const { file, ordinal } = value;
    const own = file.inside(ordinal, name);
    const inside = own && chosen(file, own);
    if (inside !== undefined && !file.definition(inside)[5]) return [is(file, inside)];
    const typeName = file.definition(ordinal)[1];
    const here = file.contained(typeName, name);
    if (here) return [is(file, chosen(file, here))];
    const elsewhere = memberElsewhere(file, typeName, name);
    if (elsewhere.length > 0) return elsewhere;
    if (inside !== undefined) return [is(file, inside)];
    const bound = typeKinds.has(kindOf(value)) ? file.bindings(ordinal, name) : undefined;
    return bound ? bindingValues(file, ordinal, bound) : [];
  }

  /** Methods in other files than their type. */
  function memberElsewhere(file: LoadedFile, typeName: string, name: string): Value[] {
    const { language } = file;
    if (!membersApart.has(language)) return [];
    trail.lookUp(name);
    for (const { file: other, ordinal } of linkContext.named(name, 40)) {
      if (family(other.language) !== family(language) || other.id === file.id) continue;
      const container = other.definition(ordinal)[3];
      if (container.slice(container.lastIndexOf('.') + 1) !== typeName || other.definition(ordinal)[5])
        continue;
      if (language === 'go' && directoryOf(other.path) !== directoryOf(file.path)) continue;
      visit(other);
      return [is(other, ordinal)];
    }
    return [];
  }

  function bases(value: Value): Value[] {
    const { file, ordinal } = value;
    if (value.kind === 'outside' || value.kind === 'package' || ordinal < 0) return [];
    return file.heritage
      .filter(([scope]) => scope === ordinal)
      .flatMap(([, path]) => evaluate(file, outer(file, ordinal), path))
      .filter((one) => one.kind !== 'outside' && one.ordinal >= 0);
  }

  /** Every supertype, nearest first; one reached twice counts at its last position, as in Python. */
  function ancestors(value: Value): Value[] {
    const found: Value[] = [];
    const climb = (from: Value, above: number) => {
      if (above > deepest || found.length > 200) return;
      for (const base of bases(from)) {
        found.push(base);
        climb(base, above + 1);
      }
    };
    climb(value, 0);
    const last = new Map(found.map((one, index) => [`${one.file.id} ${one.ordinal}`, index]));
    return found.filter(
      (one, index) =>
        last.get(`${one.file.id} ${one.ordinal}`) === index &&
        !(one.ordinal === value.ordinal && one.file.id === value.file.id),
    );
  }

  /** The value of a variable, constant or field. */
  function held(value: Value): Value[] {
    const { file, ordinal } = value;
    const [, name, parent] = file.definition(ordinal);
    const bound = file.bindings(parent, name) ?? file.bindings(ordinal, name);
    return bound ? guarded('held', key(file, ordinal), 0, () => bindingValues(file, parent, bound)) : [];
  }

  function call(value: Value): Value[] {
    if (value.kind === 'outside') return [value];
    if (value.kind === 'package') return [];
    const { file, ordinal } = value;
    if (ordinal < 0)
      return exported(file, 'default', false).flatMap((one) => (one.ordinal < 0 ? [] : call(one)));
    const kind = kindOf(value);
    if (value.kind === 'instance') return member(value, '__call__').flatMap((one) => call(one));
    if (typeKinds.has(kind)) return [{ ...value, kind: 'instance' }];
    if (!functionKinds.has(kind))
      return guarded('call', key(file, ordinal), 0, () => held(value).flatMap((one) => call(one)));
    if (kind === 'constructor') return selfOf(file, ordinal);
    return guarded('results', key(file, ordinal), 0, () => resultsOf(file, ordinal));
  }

  function resultsOf(file: LoadedFile, ordinal: number): Value[] {
    visit(file);
    const found: Value[] = [];
    const results = file.results(ordinal) ?? [];
    for (const [name, path] of results.slice(0, most)) {
      if (name === ':') {
        const types =
          path === 'Self' || path === 'self'
            ? selfOf(file, ordinal)
            : instances(evaluate(file, outer(file, ordinal), path));
        found.push(...types);
        if (types.length > 0) break;
      } else found.push(...evaluate(file, ordinal, path));
    }
    if (found.length === 0 && hasOwnMembers(file, ordinal))
      return [{ ...is(file, ordinal), kind: 'instance' }];
    return found;
  }

  /** By name alone, when there is exactly one such definition. */
  function everywhere(file: LoadedFile, name: string, types: boolean): Value[] {
    trail.lookUp(name);
    const found = linkContext
      .named(name, 8)
      .filter(
        (one) =>
          family(one.file.language) === family(file.language) &&
          typeKinds.has(one.file.definition(one.ordinal)[0]) === types,
      );
    const [only, ...more] = found;
    if (!only || more.length > 0) return [];
    visit(only.file);
    return [{ ...is(only.file, only.ordinal), byName: true }];
  }

  /** Starts another file; keeps the cached results that hold for all files. */
  const startFile = () => {
    guarded.startFile();
    if (paths.size < mostPaths) return;
    paths.clear();
    guarded.forget();
  };
  return { evaluate, imported, member, trail, startFile };
}

/** Languages whose methods may be in other files than their type. */
const membersApart = new Set<string>(['go', 'rust', 'cpp', 'c', 'swift']);

const directoryOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
