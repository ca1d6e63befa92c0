import { parseSync } from 'oxc-parser';

/** One change of one place in one file. */
export interface Mutant {
  path: string;
  line: number;
  operator: string;
  start: number;
  end: number;
  before: string;
  after: string;
}

interface Node {
  type: string;
  start: number;
  end: number;
  [field: string]: unknown;
}

const negated: Record<string, string> = {
  '===': '!==',
  '!==': '===',
  '==': '!=',
  '!=': '==',
  '<': '>=',
  '>': '<=',
  '<=': '>',
  '>=': '<',
};
const boundary: Record<string, string> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' };
const arithmetic: Record<string, string> = { '+': '-', '-': '+', '*': '/', '/': '*', '%': '*' };
const logical: Record<string, string> = { '&&': '||', '||': '&&', '??': '&&' };
/** Types and imports decide nothing at run time. */
const skipped = /^(?:TS(?:Type|Interface|Enum|Declare)|Import|ExportAll)/;

/** Every mutant of a source, in the order of the text. */
export function mutantsOf(path: string, text: string): Mutant[] {
  const { program } = parseSync(path, text);
  const mutants: Mutant[] = [];
  const add = (operator: string, start: number, end: number, after: string) => {
    const before = text.slice(start, end);
    mutants.push({
      path,
      operator,
      start,
      end,
      before,
      after,
      line: text.slice(0, start).split('\n').length,
    });
  };
  /** The sign between two operands, and what takes its place. */
  const replaceSign = (node: Node, operator: string, after: string) => {
    const { end } = node['left'] as Node;
    const sign = String(node['operator']);
    const at = text.indexOf(sign, end);
    if (at >= 0 && at < (node['right'] as Node).start) add(operator, at, at + sign.length, after);
  };
  const visit = (node: Node): void => {
    if (skipped.test(node.type)) return;
    const sign = String(node['operator']);
    if (node.type === 'BinaryExpression') {
      for (const [operator, table] of Object.entries({ comparison: negated, boundary, arithmetic }))
        if (table[sign]) replaceSign(node, operator, table[sign]);
    } else if (node.type === 'LogicalExpression' && logical[sign])
      replaceSign(node, 'boolean', logical[sign]);
    else if (node.type === 'UnaryExpression' && sign === '!') add('boolean', node.start, node.start + 1, '');
    else if (node.type === 'Literal') addConstant(node);
    else if (node.type === 'ExpressionStatement' && isEffect(node['expression'] as Node))
      add('removed statement', node.start, node.end, ';');
    for (const value of Object.values(node)) {
      for (const child of Array.isArray(value) ? value : [value])
        if (child && typeof child === 'object' && typeof (child as Node).type === 'string')
          visit(child as Node);
    }
  };
  const addConstant = ({ value, start, end }: Node) => {
    if (typeof value === 'boolean') add('constant', start, end, String(!value));
    else if (typeof value === 'number')
      add('constant', start, end, String(value < 10 ? value + 1 : value * 2));
  };
  visit(program as unknown as Node);
  return mutants.sort((left, right) => left.start - right.start);
}

const isEffect = ({ type }: Node): boolean =>
  [
    'CallExpression',
    'AssignmentExpression',
    'UpdateExpression',
    'AwaitExpression',
    'ChainExpression',
  ].includes(type);

export const applied = (text: string, { start, end, after }: Mutant): string =>
  text.slice(0, start) + after + text.slice(end);
