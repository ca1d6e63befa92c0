import { typeNames } from './chain.ts';
import type { Draft, DraftDefinition, Placed } from './draft.ts';
import type { Binding, Definition, Facts, Use } from './facts.ts';
import { docOf, isExported, parametersOf, resultType, signatureOf } from './heads.ts';
import type { DefinitionKind, Language } from './languages.ts';

const typeLike = new Set(['class', 'struct', 'interface', 'trait', 'enum', 'impl']);
const functionLike = new Set(['function', 'method', 'constructor', 'macro']);
const headersOnly = new Set<Language>(['c', 'cpp']);

/** Nests, names and dresses the definitions, and puts uses and bindings into their scopes. */
export function finishDefinitions(draft: Draft, text: string, language: Language, broken: boolean): Facts {
  const nested = nest(draft.definitions, language);
  const lineOf = lineCounter(text);
  const facts: Facts = {
    definitions: [],
    uses: [],
    bindings: [],
    imports: draft.imports,
    exports: draft.exports,
    package: draft.package,
    broken,
  };
  const indexOf = new Map<Nested, number>();
  const scopes: Array<{ start: number; end: number; index: number }> = [];
  for (const one of nested) {
    const scope = one.parent ? (indexOf.get(one.parent) ?? -1) : -1;
    if (one.local) {
      if (one.own) facts.bindings.push({ how: 'value', scope, name: one.name, path: one.path ?? '' });
      continue;
    }
    if (one.kind === 'impl') {
      const target = nested.find((other) => other.name === one.container && typeLike.has(other.kind));
      indexOf.set(one, (target && indexOf.get(target)) ?? scope);
      scopes.push({ start: one.start, end: one.end, index: (target && indexOf.get(target)) ?? scope });
      continue;
    }
    const index = facts.definitions.length;
    facts.definitions.push(dress(one, scope, text, language, lineOf, facts.definitions));
    indexOf.set(one, index);
    if (one.end > one.start && !one.own) scopes.push({ start: one.start, end: one.end, index });
    if (one.own && one.path !== undefined)
      facts.bindings.push({ how: 'value', scope, name: one.name, path: one.path });
    addHead(facts, index, language);
  }
  place(draft.uses, scopes, (item, scope, at) =>
    facts.uses.push({ ...item, scope, line: lineOf(at) } as Use),
  );
  place(draft.bindings, scopes, (item, scope) => facts.bindings.push(scopeBinding(item, scope, facts)));
  return facts;
}

/** A binding made where a definition stands belongs to the scope around that definition. */
function scopeBinding(item: Omit<Binding, 'scope'>, scope: number, facts: Facts): Binding {
  const around = facts.definitions[scope];
  const isOwn =
    around && around.name === item.name && item.how !== 'result' && !functionLike.has(around.kind);
  return { ...item, scope: isOwn ? around.parent : scope };
}

interface Nested extends DraftDefinition {
  parent?: Nested;
  local: boolean;
}

function nest(drafts: DraftDefinition[], language: Language): Nested[] {
  const sorted = (drafts as Nested[]).sort((a, b) => a.start - b.start || b.end - a.end);
  const stack: Nested[] = [];
  const kept: Nested[] = [];
  const declared = new Set<string>();
  let last: Nested | undefined;
  for (const one of sorted) {
    while (stack.length > 0 && stack.at(-1)!.end <= one.start) stack.pop();
    if (last && last.start === one.start && last.name === one.name) {
      // Two patterns saw the same thing: what is more than a variable wins.
      if (last.kind === 'variable' || last.kind === 'constant') last.kind = one.kind;
      continue;
    }
    // `var a, b = 1, 2` is one node for both names.
    if (last && stack.at(-1) === last && last.start === one.start && last.end === one.end) stack.pop();
    let parent = stack.at(-1);
    if (one.own) {
      while (parent && functionLike.has(parent.kind) && parent.parent) parent = parent.parent;
      const key = `${kept.indexOf(parent!)}.${one.name}`;
      one.local = one.kind === 'field' && declared.has(key);
      if (one.kind === 'field') declared.add(key);
    } else one.local = false;
    one.parent = parent;
    if (one.kind === 'prototype' && !keepPrototype(one, parent, language)) continue;
    if (isData(one.kind) && insideFunction(parent) && !one.own) one.local = true;
    if (language === 'python' && one.kind === 'variable' && parent && parent.kind === 'class')
      one.kind = 'field';
    kept.push(one);
    last = one;
    if (!one.local && one.end > one.start) stack.push(one);
  }
  return kept;
}

const isData = (kind: string): boolean => kind === 'variable' || kind === 'constant';

function insideFunction(scope: Nested | undefined): boolean {
  for (let here = scope; here; here = here.parent) {
    if (functionLike.has(here.kind)) return true;
    if (typeLike.has(here.kind)) return false;
  }
  return false;
}

function keepPrototype(_one: Nested, parent: Nested | undefined, language: Language): boolean {
  return headersOnly.has(language) && !insideFunction(parent);
}

function dress(
  one: Nested,
  parent: number,
  text: string,
  language: Language,
  lineOf: (at: number) => number,
  before: Definition[],
): Definition {
  const outer = before[parent];
  const start = statementStart(text, one, language);
  const signature = signatureOf(text, start, one.end, language);
  const container = one.container || (one.parent?.kind === 'impl' ? one.parent.container : '');
  const prefix = container || outer?.qualified || '';
  const kind = placedKind(one, one.parent, signature, language, container !== '');
  return {
    kind,
    name: one.name,
    qualified: prefix ? `${prefix}.${one.name}` : one.name,
    parent,
    container,
    start,
    end: one.end,
    line: lineOf(start),
    endLine: lineOf(Math.max(start, one.end - 1)),
    signature,
    doc: docOf(text, start, one.end, language),
    exported:
      one.exported ??
      isExported(one.name, kind, signature, text.slice(Math.max(0, start - 40), start), language),
    declaration: one.kind === 'prototype',
  };
}

/** `export const a = …`: the declarator is only `a = …`, but the definition reads from `const`. */
function statementStart(text: string, one: Nested, language: Language): number {
  if (language !== 'typescript' && language !== 'tsx' && language !== 'javascript') return one.start;
  const before = text.slice(Math.max(0, one.start - 24), one.start);
  const lead = /(?:const|let|var)\s+$/.exec(before);
  return lead ? one.start - lead[0].length : one.start;
}

/** Languages whose constants do not begin with `const`. A `let` is one in Swift only. */
const constantHeads: Partial<Record<Language, RegExp>> = {
  kotlin: /^(?:\w+\s+)*const val\b/,
  swift: /^(?:\w+\s+)*let\b(?!.*\bvar\b)/,
};

function placedKind(
  one: Nested,
  parent: Nested | undefined,
  signature: string,
  language: Language,
  contained: boolean,
): DefinitionKind {
  const kind = one.kind;
  const inType = contained || (parent !== undefined && typeLike.has(parent.kind));
  if (kind === 'function' || kind === 'prototype' || kind === 'method') {
    if (!inType)
      return kind === 'method' && (language === 'ruby' || language === 'php') && parent?.kind !== 'module'
        ? 'function'
        : kind === 'prototype'
          ? 'function'
          : kind;
    if (
      one.name === '__init__' ||
      one.name === 'constructor' ||
      one.name === '__construct' ||
      (language === 'ruby' && one.name === 'initialize')
    )
      return 'constructor';
    if (language === 'cpp' && (parent?.name === one.name || one.container.endsWith(one.name)))
      return 'constructor';
    return 'method';
  }
  if (kind === 'variable') {
    if (inType) return 'field';
    if (constantHeads[language]?.test(signature) ?? /^(?:export\s+)?const\b/.test(signature))
      return 'constant';
    if ((language === 'python' || language === 'bash') && /^[A-Z][A-Z0-9_]*$/.test(one.name))
      return 'constant';
    return 'variable';
  }
  if (
    kind === 'field' &&
    /\b(?:static\s+final|final\s+static|const|static\s+readonly)\b/.test(signature) &&
    (language === 'java' || language === 'csharp')
  )
    return 'constant';
  return kind as DefinitionKind;
}

/** Parameters and the result type of a head become bindings of the function's own scope. */
function addHead(facts: Facts, index: number, language: Language): void {
  const one = facts.definitions[index]!;
  if (!functionLike.has(one.kind) || one.kind === 'macro') return;
  for (const { name, type } of parametersOf(one.signature, language)) {
    const path = type ? typeNames(type)[0] : undefined;
    facts.bindings.push({ how: 'param', scope: index, name, path: path ?? '' });
  }
  const result = resultType(one.signature, one.name, language);
  for (const path of result ? typeNames(result) : [])
    facts.bindings.push({ how: 'result', scope: index, name: ':', path });
}

function place<T>(
  items: Array<Placed<T>>,
  scopes: Array<{ start: number; end: number; index: number }>,
  put: (item: T, scope: number, at: number) => void,
): void {
  scopes.sort((a, b) => a.start - b.start || b.end - a.end);
  items.sort((a, b) => a.at - b.at);
  const stack: typeof scopes = [];
  let next = 0;
  for (const { at, item } of items) {
    while (next < scopes.length && scopes[next]!.start <= at) {
      while (stack.length > 0 && stack.at(-1)!.end <= scopes[next]!.start) stack.pop();
      stack.push(scopes[next++]!);
    }
    while (stack.length > 0 && stack.at(-1)!.end <= at) stack.pop();
    put(item, stack.at(-1)?.index ?? -1, at);
  }
}

/** Line of an offset, from 1; made for offsets that mostly grow. */
function lineCounter(text: string): (at: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (at) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= at) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
}
