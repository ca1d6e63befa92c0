import type { Node, QueryMatch, Tree } from 'web-tree-sitter';
import { chain, typeNames } from './chain.ts';
import { finishDefinitions } from './definitions.ts';
import type { Draft, DraftDefinition } from './draft.ts';
import type { Facts, UseKind } from './facts.ts';
import type { LoadedGrammar } from './grammar.ts';
import { splitTop } from './heads.ts';
import { readImport } from './imports.ts';
import { type DefinitionKind, definitionKinds, type Language } from './languages.ts';

type DraftKind = DraftDefinition['kind'];
const isDefinitionKind = (name: string): name is DraftKind =>
  definitionKinds.some((kind) => kind === name) || name === 'impl' || name === 'prototype';
/** `@type` is a type that is mentioned, so one that is defined has another name. */
function kindOf(capture: string): DraftKind | undefined {
  if (capture === 'type_alias') return 'type';
  return capture !== 'type' && isDefinitionKind(capture) ? capture : undefined;
}

const useKinds = new Map(
  (['call', 'new', 'extends', 'implements', 'embeds', 'decorator', 'pointer'] as const).map((kind) => [
    kind as string,
    kind,
  ]),
);
const calls = new Set(['call', 'new', 'decorator']);
/** What a variable or field is whose value is a function. */
const ofFunction: Record<string, DefinitionKind> = { variable: 'function', field: 'method' };
const declaredFunction =
  /([\p{L}_][\p{L}\p{N}_]*(?:<[^>]*>)?::)*(~?[\p{L}_][\p{L}\p{N}_]*|operator\s*[^\s(]+(?:\(\))?)\s*\(/u;

const functionValue =
  /^(?:async\s*)?(?:function\b|\([^()]*(?:\([^()]*\)[^()]*)*\)\s*(?::[^=]+)?=>|[\w$]+\s*=>)/;
const lambdaValue = /^lambda\b/;
const required = /^(?:await\s+import|require)\(\s*["'`]([^"'`]+)["'`]\s*\)\s*(?:[;,)\n]|$)/;

/** Parameters that are fields of the class as well. */
const parameterFields = new Set(['required_parameter', 'property_promotion_parameter']);

/** Nodes of TypeScript that announce a function without its body. */
const signatures = new Set(['function_signature', 'method_signature', 'abstract_method_signature']);

const isBound = (kind: DraftKind, value: Node | undefined, type: Node | undefined): boolean =>
  kind === 'variable' ||
  (kind === 'constant' && value !== undefined) ||
  (kind === 'field' && (value ?? type) !== undefined);

/** Reads everything off a tree in one pass of the language's query. */
export function analyze(grammar: LoadedGrammar, tree: Tree, text: string): Facts {
  const draft: Draft = { definitions: [], uses: [], bindings: [], imports: [], exports: [], package: '' };
  const reader = createReader(grammar.language, text, draft);
  for (const match of grammar.query.matches(tree.rootNode)) reader(match);
  const facts = finishDefinitions(draft, text, grammar.language, tree.rootNode.hasError);
  facts.quiet = tree.rootNode.descendantsOfType(quietNodes).map((node) => [node.startIndex, node.endIndex]);
  return facts;
}

const quietNodes = [
  'import_statement',
  'import_from_statement',
  'import_declaration',
  'use_declaration',
  'export_clause',
  'regex',
  'jsx_text',
  'string_fragment',
];

function createReader(language: Language, text: string, draft: Draft): (match: QueryMatch) => void {
  const slice = (node: Node) => text.slice(node.startIndex, node.endIndex);
  const use = (kind: UseKind, node: Node, path: string | undefined) => {
    // A chain may go on for many lines: a call stands where its name stands.
    const [name = ''] = /[^.()[\]]+$/.exec(path ?? '') ?? [];
    const at = kind === 'call' && slice(node).endsWith(name) ? node.endIndex - name.length : node.startIndex;
    if (path) draft.uses.push({ at, item: { kind, path } });
  };
  const bind = (at: number, name: string, value: Node | undefined, type: Node | undefined) => {
    if (value || !type)
      draft.bindings.push({ at, item: { how: 'value', name, path: value ? valuePath(value) : '' } });
    if (type) {
      const path = typeNames(slice(type))[0];
      if (path) draft.bindings.push({ at, item: { how: 'type', name, path } });
    }
  };
  /** Captures that say all about a match, the first one that is there. */
  const readers: Array<[name: string, read: (node: Node, byName: Record<string, Node>) => void]> = [
    [
      'invocation',
      (node, { last = node }) => use('call', last, chain(text.slice(node.startIndex, last.endIndex))),
    ],
    ['import', (node) => void draft.imports.push(...readImport(language, slice(node)))],
    ['export', (node) => readExport(slice(node), draft)],
    [
      'package',
      (node) => {
        draft.package = slice(node);
      },
    ],
    [
      'result',
      (node) => {
        const path = chain(slice(node));
        if (path) draft.bindings.push({ at: node.startIndex, item: { how: 'result', name: '', path } });
      },
    ],
    ['pattern', (node, { value = node }) => readPattern(node, value)],
    ['target', (node, { value = node }) => readTarget(node, value)],
  ];
  const valuePath = (value: Node): string => {
    const end = Math.min(value.endIndex, value.startIndex + 700);
    // `a = b = c`: all of them are c.
    return chain(text.slice(value.startIndex, end).replace(/^(?:[\w$.]+\s*=\s*(?![=>]))+/, '')) ?? '';
  };

  return (match) => {
    const byName: Record<string, Node> = {};
    for (const capture of match.captures) byName[capture.name] = capture.node;
    const [first] = match.captures;
    const usedAs = first && !byName['name'] && !byName['receiver'] ? useKinds.get(first.name) : undefined;
    if (first && usedAs) {
      const source = slice(first.node);
      return use(usedAs, first.node, calls.has(first.name) ? chain(source) : typeNames(source)[0]);
    }
    const trait = byName['word'] && byName['implements'];
    if (trait) return use('implements', trait, chain(slice(trait)));
    for (const [name, read] of readers) {
      const node = byName[name];
      if (node) return read(node, byName);
    }
    for (const capture of match.captures) {
      const kind = kindOf(capture.name);
      if (kind) return define(kind, capture.node, byName);
    }
    const bound = byName['bind'];
    if (bound)
      bind(bound.startIndex, declaredName(slice(bound)) ?? slice(bound), byName['value'], byName['type']);
  };

  function define(kind: DraftKind, node: Node, byName: Record<string, Node>): void {
    const head = headOf(kind, byName);
    if (!head) return;
    const { container } = head;
    const { value, type } = byName;
    noteReceiver(kind, node, byName, container);
    if (kind !== 'impl' && head.name === '') return;
    const name = head.name.replace(/^["'`:]|["'`]$/g, '');
    const { startIndex: start, endIndex: end } = node;
    const from = value && required.exec(text.slice(value.startIndex, value.startIndex + 200))?.[1];
    if (from) {
      draft.imports.push({ from, name: '*', as: name });
      return;
    }
    if (isBound(kind, value, type)) bind(start, name, value, type);
    const placed = value && isFunction(value) ? (ofFunction[kind] ?? kind) : kind;
    const own = parameterFields.has(node.type) || undefined;
    const declaration = signatures.has(node.type);
    draft.definitions.push({ kind: placed, name, container, start, end, own, declaration });
  }

  /** The trait that an `impl` implements, and the name under which a method knows its type. */
  function noteReceiver(
    kind: DraftKind,
    node: Node,
    { implements: trait, bind: receiver }: Record<string, Node>,
    container: string,
  ): void {
    const implemented = kind === 'impl' && trait ? typeNames(slice(trait))[0] : undefined;
    if (implemented)
      draft.uses.push({ at: node.startIndex + 1, item: { kind: 'implements', path: implemented } });
    if (receiver && container)
      draft.bindings.push({
        at: receiver.startIndex,
        item: { how: 'type', name: slice(receiver), path: container },
      });
  }

  /** Name and type around a definition; undefined where a declarator of C names no function. */
  function headOf(kind: string, { name, declarator, receiver }: Record<string, Node>) {
    if (!declarator)
      return {
        name: name ? slice(name) : '',
        container: receiver ? containerOf(slice(receiver)) : '',
      };
    const source = slice(declarator);
    if (kind !== 'function' && kind !== 'prototype')
      return { name: declaredName(source) ?? '', container: '' };
    const declared = declaredFunction.exec(source);
    if (!declared) return undefined;
    const [whole, outer, own = ''] = declared;
    const container = outer ? whole.slice(0, whole.lastIndexOf('::')) : '';
    return { name: own, container: container.replaceAll('::', '.').replace(/<[^>]*>/g, '') };
  }

  function isFunction(value: Node): boolean {
    const source = text.slice(value.startIndex, value.startIndex + 400);
    return functionValue.test(source) || (language === 'python' && lambdaValue.test(source));
  }

  function readPattern(pattern: Node, value: Node): void {
    const source = slice(value);
    const from = required.exec(source)?.[1];
    if (pattern.type !== 'object_pattern' && pairUp(slice(pattern), source, pattern.startIndex)) return;
    const path = valuePath(value);
    for (const part of slice(pattern)
      .replace(/[{}[\]()]/g, ' ')
      .split(',')) {
      const [, key, name = key] = /^\s*([\w$]+)\s*(?::\s*([\w$]+))?/.exec(part) ?? [];
      if (key === undefined || name === undefined) continue;
      const inner = path && pattern.type === 'object_pattern' ? `${path}.${key}` : '';
      if (from) draft.imports.push({ from, name: key, as: name });
      else draft.bindings.push({ at: pattern.startIndex, item: { how: 'value', name, path: inner } });
    }
  }

  /** `a, (b, c) = x, (y, z)`: each name gets its own value. False where the two sides do not match. */
  function pairUp(names: string, values: string, at: number): boolean {
    const left = splitTop(unwrapped(names));
    const right = splitTop(unwrapped(values));
    if (left.length < 2 || left.length !== right.length || left.some((one) => one.includes('*')))
      return false;
    for (const [index, name] of left.entries()) {
      const value = (right[index] ?? '').trim();
      if (/^[\w$]+$/.test(name.trim()))
        draft.bindings.push({ at, item: { how: 'value', name: name.trim(), path: chain(value) ?? '' } });
      else pairUp(name.trim(), value, at);
    }
    return true;
  }

  function readTarget(target: Node, value: Node): void {
    const path = chain(slice(target));
    if (!path) return;
    const at = target.startIndex;
    const given = text.slice(value.startIndex, Math.min(value.endIndex, value.startIndex + 400));
    const isFunction = functionValue.test(given) || lambdaValue.test(given);
    const exported = /^(?:module\.)?exports(?:\.([\w$]+))?$/.exec(path);
    if (exported && language !== 'python') {
      readCommonExport(exported[1], value, given, isFunction);
      return;
    }
    const dot = path.lastIndexOf('.');
    const owner = path.slice(0, Math.max(0, dot)).replace(/\.prototype$/, '');
    const name = path.slice(dot + 1);
    if (dot < 0) bind(at, name, value, undefined);
    else if (isFunction)
      draft.definitions.push({
        kind: 'method',
        name,
        container: owner === 'self' ? '' : owner,
        start: at,
        end: value.endIndex,
        own: owner === 'self',
      });
    else if (owner === 'self')
      draft.definitions.push({
        kind: 'field',
        name,
        container: '',
        start: at,
        end: value.endIndex,
        own: true,
        path: valuePath(value),
      });
    else draft.bindings.push({ at, item: { how: 'value', name: path, path: valuePath(value) } });
  }

  function readCommonExport(name: string | undefined, value: Node, given: string, isFunction: boolean): void {
    const path = isFunction ? '' : (chain(given) ?? '');
    if (isFunction) {
      const own = /^(?:async\s*)?function\s*\*?\s*([\w$]+)/.exec(given)?.[1];
      const called = name ?? own ?? 'default';
      draft.definitions.push({
        kind: 'function',
        name: called,
        container: '',
        start: value.startIndex,
        end: value.endIndex,
        exported: true,
      });
      draft.exports.push({ name: name ?? 'default', as: called });
    } else if (given.startsWith('{') && !name) {
      for (const part of given.slice(1).split(/[,}]/)) {
        const [, name, as = name] = /^\s*([\w$]+)\s*(?::\s*([\w$]+)\s*)?$/.exec(part) ?? [];
        if (name && as) draft.exports.push({ name, as });
      }
    } else if (path) draft.exports.push({ name: name ?? 'default', as: path });
  }
}

/** `impl<T> Mutex<T>` belongs to Mutex, whatever else that type wraps elsewhere. */
function containerOf(receiver: string): string {
  const outer = /^[\p{L}_][\p{L}\p{N}_]*(?:::[\p{L}_][\p{L}\p{N}_]*)*(?=\s*<)/u.exec(receiver.trim())?.[0];
  return outer?.replaceAll('::', '.') ?? typeNames(receiver)[0] ?? '';
}

const unwrapped = (text: string): string => text.trim().replace(/^[([]([\s\S]*)[)\]]$/, '$1');

/** `*const name[10]` → name. */
function declaredName(declarator: string): string | undefined {
  return /([\p{L}_$][\p{L}\p{N}_$]*)\s*(?:\[[^\]]*\]\s*|:\s*\d+\s*)*$/u.exec(
    declarator.replace(/=[\s\S]*/, ''),
  )?.[1];
}

function readExport(statement: string, draft: Draft): void {
  if (/\bfrom\s*["'][^"']+["'];?\s*$/.test(statement)) {
    for (const one of readImport('javascript', statement)) draft.imports.push(one);
    return;
  }
  const braces = /^export\s+(?:type\s+)?\{([\s\S]*?)\}/.exec(statement);
  for (const part of braces?.[1]?.split(',') ?? []) {
    const [as, name] = part
      .trim()
      .replace(/^type\s+/, '')
      .split(/\s+as\s+/);
    if (as) draft.exports.push({ name: name ?? as, as });
  }
  const given =
    /^export\s+default\s+(?:(?:abstract\s+)?(?:async\s+)?(?:function\s*\*?|class)\s+)?([\w$.]+)/.exec(
      statement,
    )?.[1];
  if (given && !/^(?:function|class|async|new|await)$/.test(given))
    draft.exports.push({ name: 'default', as: given });
}
