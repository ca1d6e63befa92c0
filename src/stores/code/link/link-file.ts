import { type Edge, type EdgeKind, edgeKinds, packEdges } from '../edge.ts';
import type { LinkUse } from '../parse-file.ts';
import type { Evaluator } from './evaluate.ts';
import type { LinkContext, LoadedFile } from './link-context.ts';
import { lookupWord } from './lookup-words.ts';
import type { Modules } from './modules.ts';
import { family, functionKinds, kindOf, typeKinds, type Value } from './value.ts';

export interface LinkedFile {
  edges: Uint8Array;
  /** `[source, kind, line, path]` of what could not be followed. */
  unresolved: string;
  consulted: number[];
  lookups: string;
}

/** Names of so many built-in methods and functions that a match says nothing about a definition of that name. */
const everyday = new Set(
  `add all any append apply assign bind call catch clear clone close concat connect constructor contains copy count create
   decode delete describe destroy dump each emit encode end entries equals error every exec execute exists exit expect extend
   fetch fill filter find finish first flush forEach format from get getattr group has hash head includes index indexOf info
   init insert is isEmpty it items iter join json key keys last len length list load lock log lower main map match max merge
   message min name new next now of on once open parse pop post print println process push put query raise range read ready
   reduce release remove render replace require reset resolve resolve result return reverse run save search send set setup
   size slice sort split start status step stop str strip submit sum super test text then throw title toString trim type
   unlock update upper use value valueOf values wait walk warn warning with write zip`.split(/\s+/),
);

const inheritance = new Set(['extends', 'implements', 'embeds']);
const calls = new Set(['call', 'new', 'decorator']);

const bitOf = (kind: EdgeKind): number => 1 << edgeKinds.indexOf(kind);

export function linkFile(
  linkContext: LinkContext,
  modules: Modules,
  evaluator: Evaluator,
  file: LoadedFile,
): LinkedFile {
  const { trail } = evaluator;
  evaluator.startFile();
  const edges: Edge[] = [];
  /** `source target line` → the kinds of link there are, one bit each: every site counts, and each one once. */
  const seen = new Map<string, number>();
  const unresolved: Array<[number, string, number, string]> = [];

  const add = (source: number, kind: Edge['kind'], line: number, value: Value) => {
    const target = value.file.idOf(value.ordinal);
    if (target < 0 || (target === source && kind !== 'calls')) return;
    const site = `${source} ${target} ${line}`;
    const before = seen.get(site) ?? 0;
    const bit = bitOf(kind);
    if ((before & bit) !== 0) return;
    // A mention says nothing new where the same line or the head of the function has a closer link already.
    const inHead = (seen.get(`${source} ${target} 0`) ?? 0) & (bitOf('returns') | bitOf('receives'));
    if (kind === 'references' && (before | inHead) !== 0) return;
    seen.set(site, before | bit);
    trail.files.add(value.file.id);
    edges.push({ source, target, kind, line, known: value.byName ? 'name' : 'imports' });
  };

  const source = file.idOf(-1);
  for (const [from, name] of file.imports) {
    const values = evaluator.imported(file, from, name).filter((value) => value.kind !== 'outside');
    if (values.length === 0 && modules.resolve(file, from).files.length === 0)
      unresolved.push([source, 'imports', 0, name === '*' ? from : `${from}#${name}`]);
    for (const value of values) add(source, 'imports', 0, value);
    for (const target of modules.resolve(file, from).files.slice(0, 50))
      add(source, 'imports', 0, { kind: 'is', file: target, ordinal: -1 });
  }

  const uses = linkContext.uses(file.id);
  for (const use of uses) if (use[0] !== 'reference') linkUse(use);
  for (const [ordinal, [kind]] of file.definitions.entries())
    if (functionKinds.has(kind)) returnEdges(ordinal);
  for (const [ordinal, path] of file.parameters) typeEdges(ordinal, 'receives', path);
  for (const use of uses) if (use[0] === 'reference') linkUse(use);

  function returnEdges(ordinal: number): void {
    for (const [name, path] of file.results(ordinal) ?? [])
      if (name === ':') typeEdges(ordinal, 'returns', path);
  }

  function typeEdges(ordinal: number, kind: 'returns' | 'receives', path: string): void {
    for (const value of evaluator.evaluate(file, file.definition(ordinal)[2], path))
      if (value.kind !== 'outside' && value.ordinal >= 0) add(file.idOf(ordinal), kind, 0, value);
  }

  function linkUse([kind, path, scope, line]: LinkUse): void {
    const source = file.idOf(scope);
    const from = inheritance.has(kind) ? file.definition(scope)[2] : scope;
    let values = evaluator.evaluate(file, from, path);
    const outside = values.some((value) => value.kind === 'outside');
    values = values.filter((value) => value.kind !== 'outside' && value.kind !== 'package');
    if (values.length === 0 && !outside && kind !== 'reference') values = byUniqueName(path, kind, scope);
    if (kind === 'pointer') values = values.filter((value) => functionKinds.has(kindOf(value)));
    if (values.length === 0) {
      if (kind !== 'reference' && kind !== 'pointer') unresolved.push([source, edgeOf(kind), line, path]);
      return;
    }
    for (const value of values) {
      if (calls.has(kind)) addCall(source, line, value);
      else if (kind === 'reference') {
        if (value.kind === 'is') add(source, 'references', line, value);
      } else add(source, edgeOf(kind), line, value);
    }
  }

  /** Calling a class calls its constructor; calling a variable calls its value. */
  function addCall(source: number, line: number, value: Value): void {
    const kind = kindOf(value);
    if (value.ordinal < 0) {
      const main = evaluator
        .member(value, 'default')
        .filter((one) => one.ordinal >= 0 && functionKinds.has(kindOf(one)));
      for (const one of main) add(source, 'calls', line, one);
      return;
    }
    if (typeKinds.has(kind)) {
      if (value.kind === 'instance') {
        for (const one of evaluator.member(value, '__call__')) add(source, 'calls', line, one);
        return;
      }
      const constructors = constructorsOf(value);
      for (const one of constructors) add(source, 'calls', line, one);
      add(source, constructors.length > 0 ? 'references' : 'calls', line, value);
    } else if (functionKinds.has(kind)) add(source, 'calls', line, value);
    else {
      const { file: holder, ordinal } = value;
      const [, name, parent] = holder.definition(ordinal);
      const held = (holder.bindings(parent, name) ?? []).flatMap(([, path]) =>
        evaluator.evaluate(holder, parent, path),
      );
      const callable = held.filter(
        (one) =>
          one.ordinal >= 0 &&
          one.kind === 'is' &&
          (functionKinds.has(kindOf(one)) || typeKinds.has(kindOf(one))),
      );
      for (const one of callable) addCall(source, line, one);
      if (callable.length === 0) add(source, 'references', line, value);
    }
  }

  function constructorsOf(value: Value): Value[] {
    const own = value.file.definition(value.ordinal)[1];
    for (const name of ['constructor', '__init__', own, 'initialize', '__construct', 'init']) {
      const found = evaluator.member(value, name).filter((one) => kindOf(one) === 'constructor');
      if (found.length > 0) return found;
    }
    return [];
  }

  function byUniqueName(path: string, kind: string, scope: number): Value[] {
    const wantsType = inheritance.has(kind) || kind === 'new';
    const name = /([^.()[\]]+)$/.exec(path)?.[1];
    if (!name || name.length < 3 || everyday.has(name)) return [];
    // A member of something unknown is only possible; a bare name may stand for a parameter or a local value.
    if (path !== name ? !wantsType : isLocal(name, scope)) return [];
    trail.lookups.add(name);
    const found = linkContext.named(name, 12).filter(({ file: other, ordinal }) => {
      const definition = other.definition(ordinal);
      if (family(other.language) !== family(file.language) || definition[5]) return false;
      if (wantsType) return typeKinds.has(definition[0]);
      return definition[0] === 'function' || typeKinds.has(definition[0]) || definition[0] === 'macro';
    });
    const [only, ...more] = found;
    if (!only || more.length > 0) return [];
    // Module names are private: a bare name of another file needs an import.
    if (!wantsType && strict.has(family(file.language)) && only.file.id !== file.id) return [];
    trail.files.add(only.file.id);
    return [{ kind: 'is', ...only, byName: true }];
  }

  function isLocal(name: string, scope: number): boolean {
    for (let here = scope; here >= 0; here = file.definition(here)[2])
      if (file.bindings(here, name)) return true;
    return file.bindings(-1, name) !== undefined;
  }

  trail.settle();
  trail.files.delete(file.id);
  return {
    edges: packEdges(edges),
    unresolved: unresolved.length > 0 ? JSON.stringify(unresolved) : '',
    consulted: [...trail.files],
    lookups: [...trail.lookups].map(lookupWord).join(' '),
  };
}

const strict = new Set(['script', 'python', 'go', 'rust']);

/** The link created by a use of a name. */
function edgeOf(kind: string): EdgeKind {
  if (calls.has(kind)) return 'calls';
  return edgeKinds.find((each) => each === kind) ?? 'references';
}
