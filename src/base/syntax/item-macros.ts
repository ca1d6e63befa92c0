import type { Node, Tree } from 'web-tree-sitter';
import type { LoadedGrammar } from './grammar.ts';

/** Macros inside macros: so many levels are unwrapped. */
const mostRounds = 4;
const itemPlaces = new Set(['source_file', 'declaration_list']);
const items = new Set([
  'function_item',
  'function_signature_item',
  'struct_item',
  'enum_item',
  'trait_item',
  'impl_item',
  'mod_item',
  'const_item',
  'static_item',
  'type_item',
  'use_declaration',
]);

/**
 * `cfg_io! { pub fn read() … }`: a parser sees nothing in it but tokens. Where what is inside reads as items, the macro
 * around it is blanked, so that every offset stays as it was.
 */
export function unwrapItemMacros(grammar: LoadedGrammar, text: string, timeoutMs?: number): string {
  if (!/!\s*\{/.test(text)) return text;
  let unwrapped = text;
  for (let round = 0; round < mostRounds; round++) {
    const tree = grammar.parse(unwrapped, timeoutMs);
    const next = unwrapOnce(grammar, tree, unwrapped, timeoutMs);
    tree.delete();
    if (next === unwrapped) break;
    unwrapped = next;
  }
  return unwrapped;
}

function unwrapOnce(grammar: LoadedGrammar, tree: Tree, text: string, timeoutMs: number | undefined): string {
  const blanks: Array<[start: number, end: number]> = [];
  for (const node of tree.rootNode.descendantsOfType('macro_invocation')) {
    if (!isInItemPlace(node)) continue;
    const body = node.namedChildren.find((child) => child.type === 'token_tree');
    if (text[body?.startIndex ?? -1] !== '{' || !body) continue;
    const [from, to] = [body.startIndex + 1, body.endIndex - 1];
    if (readsAsItems(grammar, text.slice(from, to), timeoutMs))
      blanks.push([node.startIndex, from], [to, body.endIndex]);
  }
  let blanked = '';
  let at = 0;
  for (const [start, end] of blanks.sort((a, b) => a[0] - b[0])) {
    blanked += text.slice(at, start) + text.slice(start, end).replace(/[^\n]/g, ' ');
    at = end;
  }
  return blanked + text.slice(at);
}

function isInItemPlace(node: Node): boolean {
  const parent = node.parent?.type === 'expression_statement' ? node.parent.parent : node.parent;
  return parent !== null && itemPlaces.has(parent.type);
}

function readsAsItems(grammar: LoadedGrammar, body: string, timeoutMs: number | undefined): boolean {
  if (!/\b(?:fn|struct|enum|trait|impl|mod|const|static|type|use)\b/.test(body)) return false;
  const tree = grammar.parse(body, timeoutMs);
  const { rootNode } = tree;
  const reads = !rootNode.hasError && rootNode.namedChildren.some((child) => items.has(child.type));
  tree.delete();
  return reads;
}
