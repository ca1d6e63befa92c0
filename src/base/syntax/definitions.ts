import { typeNames } from './chain.ts';
import type { Draft, DraftDefinition, Placed } from './draft.ts';
import type { Binding, Definition, Facts, Use } from './facts.ts';
import { docOf, isExported, parametersOf, resultType, signatureOf } from './heads.ts';
import type { DefinitionKind, Language } from './languages.ts';

const typeLike = new Set(['class', 'struct', 'interface', 'trait', 'enum', 'impl']);
const functionLike = new Set(['function', 'method', 'constructor', 'macro']);
const headersOnly = new Set<Language>(['c', 'cpp']);

/** Nests, names and describes the definitions, and puts uses and bindings into their scopes. */
export function finishDefinitions(draft: Draft, text: string, language: Language, broken: boolean): Facts {
  const nested = nest(draft.definitions, language);
  const lineOf = lineCounter(text);
  const facts: Facts = {
    definitions: [],
    uses: [],
    bindings: [],
    imports: draft.imports,
    exports: draft.exports,
    quiet: [],
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
      const index = (target && indexOf.get(target)) ?? scope;
      indexOf.set(one, index);
      scopes.push({ start: one.start, end: one.end, index });
      continue;
    }
    const index = facts.definitions.length;
    facts.definitions.push(describe(one, scope, text, language, lineOf, facts.definitions));
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
  // A name that is given on is a function of elsewhere, unless something here is called so.
  const bound = new Set(facts.bindings.map(({ scope, name }) => `${scope} ${name}`));
  const isBound = (name: string, scope: number): boolean =>
    bound.has(`${scope} ${name}`) || (scope >= 0 && isBound(name, facts.definitions[scope]?.parent ?? -1));
  const isValue = ({ kind, path, scope }: Use) =>
    kind === 'pointer' && (path === path.toUpperCase() || isBound(path, scope));
  if (facts.uses.some(isValue)) facts.uses = facts.uses.filter((use) => !isValue(use));
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
    for (let top = stack.at(-1); top && top.end <= one.start; top = stack.at(-1)) stack.pop();
    if (last?.start === one.start && isSeenAgain(last, one, stack)) continue;
    one.parent = one.own ? outsideFunctions(stack.at(-1)) : stack.at(-1);
    one.local = one.own ? isDeclaredAgain(one) : isData(one.kind) && insideFunction(one.parent);
    if (isMereCall(one, language)) continue;
    if (language === 'python' && one.kind === 'variable' && one.parent?.kind === 'class') one.kind = 'field';
    kept.push(one);
    last = one;
    if (!one.local && one.end > one.start) stack.push(one);
  }
  return kept;

  function isDeclaredAgain(one: Nested): boolean {
    if (one.kind !== 'field') return false;
    const key = `${one.parent ? kept.indexOf(one.parent) : -1}.${one.name}`;
    const before = declared.size;
    return declared.add(key).size === before;
  }
}

/** Two definitions at one place: the same thing by two patterns, or two names of one statement. */
function isSeenAgain(last: Nested, one: Nested, stack: Nested[]): boolean {
  if (last.name === one.name) {
    // What is more than a variable wins.
    if (isData(last.kind)) last.kind = one.kind;
    return true;
  }
  // `var a, b = 1, 2` is one node for both names.
  if (stack.at(-1) === last && last.end === one.end) stack.pop();
  return false;
}

/** What looks like a prototype is one in C and C++ only, and never in a body. */
const isMereCall = ({ kind, parent }: Nested, language: Language): boolean =>
  kind === 'prototype' && (!headersOnly.has(language) || insideFunction(parent));

function outsideFunctions(scope: Nested | undefined): Nested | undefined {
  let here = scope;
  while (here?.parent && functionLike.has(here.kind)) here = here.parent;
  return here;
}

const isData = (kind: string): boolean => kind === 'variable' || kind === 'constant';

function insideFunction(scope: Nested | undefined): boolean {
  for (let here = scope; here; here = here.parent) {
    if (functionLike.has(here.kind)) return true;
    if (typeLike.has(here.kind)) return false;
  }
  return false;
}

function describe(
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
    declaration: one.kind === 'prototype' || one.declaration === true || isOverload(text, start, language),
  };
}

/** Python writes the signatures of one function apart, each under `@overload`. */
const isOverload = (text: string, start: number, language: Language): boolean =>
  language === 'python' &&
  /@(?:\w+\.)*overload[ \t]*\r?\n[ \t]*$/.test(text.slice(Math.max(0, start - 80), start));

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
  const { kind } = one;
  const inType = contained || (parent !== undefined && typeLike.has(parent.kind));
  if (kind === 'function' || kind === 'method' || kind === 'prototype') {
    if (inType) return isConstructor(one, parent, language) ? 'constructor' : 'method';
    return kind === 'method' && isMethodOutside(parent, language) ? 'method' : 'function';
  }
  if (kind === 'variable') {
    if (inType) return 'field';
    return isConstant(one.name, signature, language) ? 'constant' : 'variable';
  }
  if (kind === 'field') return finalFields.has(language) && finalField.test(signature) ? 'constant' : 'field';
  // What an `impl` holds belongs to its type; it is never placed itself.
  return kind === 'impl' ? 'struct' : kind;
}

/** Languages whose grammar calls a function outside of a class a method. */
const freeMethods = new Set<Language>(['ruby', 'php']);
const isMethodOutside = (parent: Nested | undefined, language: Language): boolean =>
  !freeMethods.has(language) || parent?.kind === 'module';
const finalFields = new Set<Language>(['java', 'csharp']);
const finalField = /\b(?:static\s+final|final\s+static|const|static\s+readonly)\b/;
const constructors = new Set(['__init__', 'constructor', '__construct']);

const isConstructor = (one: Nested, parent: Nested | undefined, language: Language): boolean =>
  constructors.has(one.name) ||
  (language === 'ruby' && one.name === 'initialize') ||
  (language === 'cpp' && (parent?.name === one.name || one.container.endsWith(one.name)));

const isConstant = (name: string, signature: string, language: Language): boolean =>
  (constantHeads[language] ?? /^(?:export\s+)?const\b/).test(signature) ||
  ((language === 'python' || language === 'bash') && /^[A-Z][A-Z0-9_]*$/.test(name));

/** Parameters and the result type of a head become bindings of the function's own scope. */
function addHead(facts: Facts, index: number, language: Language): void {
  const one = facts.definitions[index];
  if (!one || !functionLike.has(one.kind) || one.kind === 'macro') return;
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
  const scopeAt = createScopeFinder(scopes);
  items.sort((a, b) => a.at - b.at);
  for (const { at, item } of items) put(item, scopeAt(at)?.index ?? -1, at);
}

/** Finds the innermost span around a place. Places have to be asked in order. */
export function createScopeFinder<Span extends { start: number; end: number }>(
  spans: Iterable<Span>,
): (at: number) => Span | undefined {
  const order = [...spans].sort((a, b) => a.start - b.start || b.end - a.end);
  const open: Span[] = [];
  let next = 0;
  const closeBefore = (at: number) => {
    for (let last = open.at(-1); last && last.end <= at; last = open.at(-1)) open.pop();
  };
  return (at) => {
    for (let span = order[next]; span && span.start <= at; span = order[++next]) {
      closeBefore(span.start);
      open.push(span);
    }
    closeBefore(at);
    return open.at(-1);
  };
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
      if ((starts[middle] ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
}
