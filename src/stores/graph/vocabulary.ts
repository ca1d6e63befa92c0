import { closest } from '../../base/closest.ts';
import { SylkError } from '../../base/errors.ts';
import { parseRef, type Side } from '../../base/ref.ts';

/** The kind of an item, finer than its ref: a symbol is a function or a class, a topic a paper or a standard. */
export const nodeKinds = [
  ...(['file', 'package', 'function', 'method', 'struct', 'class', 'interface', 'type'] as const),
  ...(['variable', 'constant', 'import'] as const),
  ...(['entry', 'session', 'workflow', 'outcome', 'decision', 'pattern', 'failure', 'commit'] as const),
  ...(['paper', 'documentation', 'best_practice', 'rfc', 'question_and_answer', 'blog_post'] as const),
  ...(['tutorial', 'library', 'area', 'skill', 'task', 'answer'] as const),
] as const;
export type NodeKind = (typeof nodeKinds)[number];

interface Meaning {
  /** The stored code: numbers keep the index small. */
  code: number;
  from: readonly Side[];
  to: readonly Side[];
  /** "source … target" reads as a sentence. */
  reads: string;
  /** The reverse reading of the link. */
  reversed: string;
}

const code = ['code'] as const;
const history = ['history'] as const;
const knowledge = ['knowledge'] as const;
const any = ['code', 'history', 'knowledge'] as const;
const told = ['history', 'knowledge'] as const;
const edge = (
  number: number,
  from: readonly Side[],
  reads: string,
  to: readonly Side[],
  reversed: string,
): Meaning => ({ code: number, from, to, reads, reversed });

/** The only table of directions: every link has one, and is read from both ends. */
export const edgeTable = {
  calls: edge(0, code, 'calls', code, 'called by'),
  imports: edge(2, code, 'imports', code, 'imported by'),
  implements: edge(4, code, 'implements', code, 'implemented by'),
  embeds: edge(6, code, 'embeds', code, 'embedded in'),
  has_field: edge(7, code, 'has a field of', code, 'field type of'),
  has_method: edge(8, code, 'has the method', code, 'method of'),
  defines: edge(9, code, 'defines', code, 'defined in'),
  returns: edge(11, code, 'returns', code, 'returned by'),
  receives: edge(12, code, 'receives', code, 'received by'),
  extends: edge(13, code, 'extends', code, 'extended by'),
  produced_by: edge(50, any, 'was produced by', history, 'produced'),
  resulted_in: edge(51, history, 'resulted in', history, 'result of'),
  similar_to: edge(52, any, 'is similar to', any, 'similar to'),
  followed_by: edge(53, history, 'was followed by', history, 'followed'),
  supersedes: edge(54, any, 'supersedes', any, 'superseded by'),
  modified: edge(100, history, 'modified', code, 'modified by'),
  created: edge(101, history, 'created', code, 'created by'),
  deleted: edge(102, history, 'deleted', code, 'deleted by'),
  based_on: edge(103, told, 'is based on', any, 'basis of'),
  references: edge(104, any, 'references', any, 'referenced by'),
  validated_by: edge(105, any, 'is validated by', any, 'validates'),
  documents: edge(106, told, 'documents', code, 'documented by'),
  uses_library: edge(107, code, 'uses the library', knowledge, 'used by'),
  implements_pattern: edge(108, code, 'implements the pattern', told, 'pattern of'),
  referenced_in: edge(109, history, 'is about', code, 'mentioned in'),
  inspired_by: edge(110, told, 'was inspired by', knowledge, 'inspired'),
  cites: edge(150, knowledge, 'cites', knowledge, 'cited by'),
  related_to: edge(151, any, 'is related to', any, 'related to'),
} as const satisfies Record<string, Meaning>;

export type EdgeType = keyof typeof edgeTable;
export const edgeTypes = Object.keys(edgeTable) as [EdgeType, ...EdgeType[]];

/** Reverse names of links. They are stored the other way round, so that nothing is stored twice. */
const backwards: Record<string, EdgeType> = {
  called_by: 'calls',
  imported_by: 'imports',
  implemented_by: 'implements',
  defined_in: 'defines',
};
export const edgeNames = [...edgeTypes, ...Object.keys(backwards)];

/** How an entry relates to code: what it did to it, or that it is about it. */
export const codeEdges = ['modified', 'created', 'deleted', 'referenced_in'] as const;

/** What a decision or an entry is based on. */
export const groundEdges = ['based_on', 'references', 'validated_by', 'inspired_by'] as const;

const byCode = new Map(edgeTypes.map((name) => [edgeTable[name].code, name]));
export const typeOfCode = (number: number): EdgeType => byCode.get(number) ?? 'related_to';
export const codesOf = (types: readonly EdgeType[]): number[] => types.map((type) => edgeTable[type].code);

export function edgeType(name: string): { type: EdgeType; backwards: boolean } {
  const type = edgeTypes.find((each) => each === name);
  if (type) return { type, backwards: false };
  const turned = Object.hasOwn(backwards, name) ? backwards[name] : undefined;
  if (turned) return { type: turned, backwards: true };
  const near = closest(name, edgeNames);
  throw new SylkError('VALIDATION_ERROR', `Unknown link type ${JSON.stringify(name.slice(0, 60))}.`, {
    hint: near ? `Did you mean ${near}?` : `Types are ${edgeTypes.join(', ')}.`,
  });
}

/** Puts the ends in the order of the table, and refuses an invalid combination. */
export function orderedEnds(given: { source: string; target: string; type: string }): {
  source: string;
  target: string;
  type: EdgeType;
} {
  const named = edgeType(given.type);
  const [first, second] = named.backwards ? [given.target, given.source] : [given.source, given.target];
  const source = parseRef(first);
  const target = parseRef(second);
  const { from, to, reads } = edgeTable[named.type];
  const ends = { source: `${source.kind}:${source.id}`, target: `${target.kind}:${target.id}` };
  if (ends.source === ends.target) {
    throw new SylkError('VALIDATION_ERROR', `${ends.source} cannot be linked to itself.`, {
      hint: 'Give two different refs.',
    });
  }
  const fits = (sides: readonly Side[], side: Side) => sides.includes(side);
  if (fits(from, source.side) && fits(to, target.side)) return { ...ends, type: named.type };
  const turned = fits(from, target.side) && fits(to, source.side);
  throw new SylkError(
    'VALIDATION_ERROR',
    `${named.type} goes from ${from.join(' or ')} to ${to.join(' or ')}: "${ends.source} ${reads} ${ends.target}" does not.`,
    {
      hint: turned
        ? `Swap the ends: source ${ends.target}, target ${ends.source}.`
        : 'related_to links anything.',
    },
  );
}
