import ts from 'typescript-5';
import type { EdgeKind } from '../edge.ts';
import type { AddedMembers } from './added-members.ts';
import type { CompiledFile, CompiledLink } from './protocol.ts';

/** Everything that the names of a file lead to, as the checker sees it. `pathOf` is undefined for files that are not ours. */
export function readLinks(
  checker: ts.TypeChecker,
  source: ts.SourceFile,
  { pathOf, addedMember }: { pathOf(name: string): string | undefined; addedMember: AddedMembers },
): Pick<CompiledFile, 'links' | 'unknown'> {
  const links: CompiledLink[] = [];
  const unknown: CompiledFile['unknown'] = [];

  const lineOf = (at: number): number => source.getLineAndCharacterOfPosition(at).line + 1;
  const add = (at: number, kind: EdgeKind, declaration: ts.Node) => {
    const name = ts.isPropertyAccessExpression(declaration)
      ? declaration.name
      : ts.getNameOfDeclaration(declaration as ts.Declaration);
    const file = declaration.getSourceFile();
    const path = pathOf(file.fileName);
    if (path === undefined) return;
    const target = name ?? declaration;
    links.push([at, lineOf(at), kind, path, name ? name.getText(file) : 'default', target.getStart(file)]);
  };

  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) follow(node);
    if (ts.isObjectLiteralExpression(node)) implementContext(node);
    if (ts.isClassLike(node)) implementHeritage(node);
    ts.forEachChild(node, visit);
  };

  function follow(node: ts.Identifier | ts.PrivateIdentifier): void {
    if (isDeclared(node)) return;
    const symbol = symbolOf(node);
    const declaration = (symbol && chosen(symbol)) ?? added(node);
    const at = node.getStart(source);
    const kind = kindOf(node);
    if (declaration) add(at, kind, declaration);
    else if (kind === 'calls' && (!symbol || symbol.flags & ts.SymbolFlags.Transient))
      unknown.push([at, lineOf(at), node.text]);
  }

  /** A member that a script added to the type of what stands before the dot. */
  function added({ parent, text }: ts.Identifier | ts.PrivateIdentifier): ts.Node | undefined {
    if (!ts.isPropertyAccessExpression(parent) || parent.name.text !== text) return undefined;
    const member = addedMember(checker.getTypeAtLocation(parent.expression), text);
    return member === parent ? undefined : member;
  }

  function symbolOf(node: ts.Identifier | ts.PrivateIdentifier): ts.Symbol | undefined {
    const { parent } = node;
    const found =
      ts.isShorthandPropertyAssignment(parent) && parent.name === node
        ? checker.getShorthandAssignmentValueSymbol(parent)
        : checker.getSymbolAtLocation(node);
    return found && found.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(found) : found;
  }

  /** A member of an object or class is related to the member of the interface or base class that it stands for. */
  function relate(member: ts.Node, type: ts.Type | undefined): void {
    if (!isFunctionMember(member)) return;
    const base = type && checker.getPropertyOfType(type, member.name.text);
    const declaration = base && chosen(base);
    if (declaration && declaration !== member) add(member.name.getStart(source), 'implements', declaration);
  }

  function implementContext(literal: ts.ObjectLiteralExpression): void {
    const context = checker.getContextualType(literal);
    if (!context) return;
    const type = checker.getApparentType(checker.getNonNullableType(context));
    for (const member of literal.properties) relate(member, type);
  }

  function implementHeritage(node: ts.ClassLikeDeclaration): void {
    for (const { types } of node.heritageClauses ?? [])
      for (const one of types) {
        const type = checker.getTypeAtLocation(one);
        for (const member of node.members) relate(member, type);
      }
  }

  visit(source);
  return { links, unknown };
}

/** Of several declarations the one with a body or a value; overloads and merged interfaces are one symbol. */
function chosen(symbol: ts.Symbol): ts.Declaration | undefined {
  const all = symbol.declarations ?? [];
  return all.find((one) => 'body' in one && one.body !== undefined) ?? symbol.valueDeclaration ?? all[0];
}

/** The name of what is declared here, not a use of it. */
function isDeclared(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isShorthandPropertyAssignment(parent)) return false;
  if (ts.isBindingElement(parent)) return parent.name === node;
  if (ts.isExportAssignment(parent)) return true;
  return ts.isLabeledStatement(parent) || ('name' in parent && parent.name === node && isDeclaration(parent));
}

const isDeclaration = (node: ts.Node): boolean =>
  !ts.isPropertyAccessExpression(node) && !ts.isMetaProperty(node) && !ts.isJsxAttribute(node);

interface FunctionMember extends ts.Declaration {
  name: ts.Identifier | ts.StringLiteral;
}

function isFunctionMember(node: ts.Node): node is FunctionMember {
  if (!('name' in node) || !node.name) return false;
  const { name } = node as { name: ts.Node };
  if (!ts.isIdentifier(name) && !ts.isStringLiteral(name)) return false;
  if (ts.isMethodDeclaration(node)) return true;
  if (!ts.isPropertyAssignment(node) && !ts.isPropertyDeclaration(node)) return false;
  const { initializer } = node;
  return (
    initializer !== undefined && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer))
  );
}

/** What the use of a name does with it. */
function kindOf(node: ts.Node): EdgeKind {
  let used = node;
  if (ts.isPropertyAccessExpression(used.parent) && used.parent.name === used) used = used.parent;
  while (ts.isParenthesizedExpression(used.parent) || ts.isNonNullExpression(used.parent)) used = used.parent;
  const { parent } = used;
  if ((ts.isCallExpression(parent) || ts.isNewExpression(parent)) && parent.expression === used)
    return 'calls';
  if (ts.isTaggedTemplateExpression(parent) && parent.tag === used) return 'calls';
  if (ts.isJsxOpeningElement(parent) || ts.isJsxSelfClosingElement(parent)) return 'calls';
  if (ts.isDecorator(parent)) return 'calls';
  if (ts.isExpressionWithTypeArguments(parent) && ts.isHeritageClause(parent.parent))
    return parent.parent.token === ts.SyntaxKind.ImplementsKeyword ? 'implements' : 'extends';
  return 'references';
}
