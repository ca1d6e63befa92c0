import ts from 'typescript-5';

export type AddedMembers = (type: ts.Type, name: string) => ts.PropertyAccessExpression | undefined;

/** Members that scripts add to a type from outside (`const pp = Parser.prototype; pp.next = function () {}`), which the checker does not follow. */
export function findAddedMembers(checker: ts.TypeChecker, files: Iterable<ts.SourceFile>): AddedMembers {
  const members = new Map<ts.Symbol, Map<string, ts.PropertyAccessExpression>>();
  for (const file of files)
    for (const statement of file.statements) {
      const target = assignedFunction(statement);
      const owner = target && checker.getTypeAtLocation(target.expression).symbol;
      if (!target || !owner) continue;
      const named = members.get(owner) ?? new Map<string, ts.PropertyAccessExpression>();
      if (!named.has(target.name.text)) named.set(target.name.text, target);
      members.set(owner, named);
    }
  const memberOf = (type: ts.Type, name: string): ts.PropertyAccessExpression | undefined => {
    const own = type.symbol && members.get(type.symbol)?.get(name);
    if (own || !type.isClassOrInterface()) return own;
    for (const base of checker.getBaseTypes(type)) {
      const inherited = memberOf(base, name);
      if (inherited) return inherited;
    }
    return undefined;
  };
  return members.size === 0 ? () => undefined : memberOf;
}

function assignedFunction(statement: ts.Statement): ts.PropertyAccessExpression | undefined {
  if (!ts.isExpressionStatement(statement) || !ts.isBinaryExpression(statement.expression)) return undefined;
  const { left, right, operatorToken } = statement.expression;
  const isFunction = ts.isFunctionExpression(right) || ts.isArrowFunction(right);
  return operatorToken.kind === ts.SyntaxKind.EqualsToken && isFunction && ts.isPropertyAccessExpression(left)
    ? left
    : undefined;
}
