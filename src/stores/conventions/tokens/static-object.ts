import { type Language, loadGrammar } from '../../../base/syntax/index.ts';

/** A literal value in a source file. Computed values are skipped. */
export type StaticValue = string | number | StaticValue[] | StaticObject;
export interface StaticObject {
  [key: string]: StaticValue;
}

interface SyntaxNode {
  type: string;
  text: string;
  namedChildren: Array<SyntaxNode | null>;
  childForFieldName(name: string): SyntaxNode | null;
}

export interface StaticModule {
  /** Constants at the top of the file. */
  constants: Record<string, StaticValue>;
  /** The default export or `module.exports`. */
  exported?: StaticValue;
}

/** Reads constants and the default export of a JavaScript or TypeScript file without running it. */
export async function readStaticModule(text: string, language: Language): Promise<StaticModule> {
  const grammar = await loadGrammar(language);
  const tree = grammar.parse(text, 3000);
  try {
    const constants: Record<string, StaticValue> = Object.create(null);
    let exported: StaticValue | undefined;
    for (const node of children(tree.rootNode)) {
      const statement =
        node.type === 'export_statement' ? (node.childForFieldName('declaration') ?? node) : node;
      if (/^(lexical|variable)_declaration$/.test(statement.type)) {
        for (const declarator of children(statement)) {
          const name = declarator.childForFieldName('name')?.text;
          const value = evaluate(declarator.childForFieldName('value'), constants);
          if (name && value !== undefined) constants[name] = value;
        }
      }
      const value = exportedNode(node);
      if (value) exported = evaluate(value, constants) ?? exported;
    }
    return { constants, exported };
  } finally {
    tree.delete();
  }
}

const children = (node: SyntaxNode): SyntaxNode[] => node.namedChildren.filter((child) => child !== null);

function exportedNode(node: SyntaxNode): SyntaxNode | null {
  if (node.type === 'export_statement') return node.childForFieldName('value');
  const assignment = node.type === 'expression_statement' ? children(node)[0] : undefined;
  if (assignment?.type !== 'assignment_expression') return null;
  return /^(module\.)?exports(\.default)?$/.test(assignment.childForFieldName('left')?.text ?? '')
    ? assignment.childForFieldName('right')
    : null;
}

function evaluate(
  node: SyntaxNode | null | undefined,
  constants: Record<string, StaticValue>,
  depth = 0,
): StaticValue | undefined {
  if (!node || depth > 20) return undefined;
  const inner = (child: SyntaxNode | null | undefined) => evaluate(child, constants, depth + 1);
  switch (node.type) {
    case 'array':
      return children(node).flatMap((child) => inner(child) ?? []);
    case 'object':
      return objectOf(node, inner, constants);
    case 'identifier':
      return Object.hasOwn(constants, node.text) ? constants[node.text] : undefined;
    case 'member_expression':
    case 'subscript_expression':
      return memberOf(node, inner);
    case 'call_expression':
      return inner(onlyObject(node.childForFieldName('arguments')));
    default:
      return transparent.has(node.type) ? inner(children(node)[0]) : literalOf(node);
  }
}

function literalOf({ type, text }: SyntaxNode): string | number | undefined {
  if (type === 'string') return unquote(text);
  if (type === 'template_string') return text.includes('${') ? undefined : text.slice(1, -1);
  if (type === 'number') return Number(text.replaceAll('_', ''));
  return type === 'unary_expression' && /^-[\d.]+$/.test(text) ? Number(text) : undefined;
}

const transparent = new Set([
  'as_expression',
  'satisfies_expression',
  'non_null_expression',
  'parenthesized_expression',
]);

/** `defineConfig({…})`, `withX({…})`, `Object.freeze({…})`: the object is what is meant. */
function onlyObject(given: SyntaxNode | null): SyntaxNode | undefined {
  const objects = given ? children(given).filter((child) => /^(object|identifier)$/.test(child.type)) : [];
  return objects.length === 1 ? objects[0] : undefined;
}

function objectOf(
  node: SyntaxNode,
  inner: (child: SyntaxNode | null | undefined) => StaticValue | undefined,
  constants: Record<string, StaticValue>,
): StaticObject {
  const found: StaticObject = Object.create(null);
  for (const child of children(node)) {
    if (child.type === 'pair') {
      const key = child.childForFieldName('key');
      const value = inner(child.childForFieldName('value'));
      if (key && value !== undefined && key.type !== 'computed_property_name')
        found[unquote(key.text)] = value;
    } else if (child.type === 'spread_element') {
      const spread = inner(children(child)[0]);
      if (spread !== undefined && typeof spread === 'object' && !Array.isArray(spread))
        Object.assign(found, spread);
    } else if (child.type === 'shorthand_property_identifier') {
      const value = constants[child.text];
      if (value !== undefined) found[child.text] = value;
    }
  }
  return found;
}

function memberOf(
  node: SyntaxNode,
  inner: (child: SyntaxNode | null | undefined) => StaticValue | undefined,
): StaticValue | undefined {
  const object = inner(node.childForFieldName('object'));
  const property = node.childForFieldName('property');
  const index = node.childForFieldName('index');
  const key = property?.text ?? (index ? inner(index) : undefined);
  if (object === undefined || typeof object !== 'object' || Array.isArray(object) || key === undefined)
    return undefined;
  return Object.hasOwn(object, String(key)) ? object[String(key)] : undefined;
}

const unquote = (text: string): string => text.replace(/^(["'`])([\s\S]*)\1$/, '$2');
