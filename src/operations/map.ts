import { z } from 'zod';
import { looseList } from '../base/loose-input.ts';
import { fileRef } from '../base/ref.ts';
import { kindOf, linkRecord, nodeKinds, nodeRecord } from '../engines/neighbourhood/index.ts';
import { coupledPairs } from '../stores/history/index.ts';
import { reading, sessionInput } from './memory/shared.ts';
import { openCode, openHistoryView } from './open-index.ts';
import { operation } from './operation.ts';

const getNeighbourhood = operation({
  name: 'get_neighbourhood',
  summary:
    'Everything related to one thing, from all stores: files that change with it or import it, areas, decisions, tasks, references, each with its trust, source and freshness.',
  effect: 'read',
  input: z.object({
    ref: z
      .string()
      .min(1)
      .max(4096)
      .describe('a path, or a ref such as symbol:src/a.ts#login, entry:…, task:…'),
    depth: z.coerce.number().int().min(1).max(4).default(1).describe('number of steps'),
    kinds: looseList(z.enum(nodeKinds))
      .optional()
      .describe('only these kinds; symbols and commits only if named'),
    types: looseList(z.string().max(60)).optional().describe('only links of these types'),
    min_trust: z.coerce.number().min(0).max(100).default(0).describe('omit links with less confidence'),
    limit: z.coerce.number().int().min(2).max(2000).default(60).describe('maximum number of items'),
    ...sessionInput,
  }),
  output: z.object({
    ref: z.string(),
    nodes: z.array(nodeRecord.extend({ depth: z.number() })),
    links: z.array(linkRecord),
    left_out: z.number().describe('neighbors that did not fit within limit'),
  }),
  examples: [{ ref: 'README.md' }, { ref: 'file:README.md', depth: 2, kinds: ['commit'] }],
  command: { positionals: ['ref'] },
  render: ({ nodes, left_out }) =>
    [
      ...nodes.map(
        (node) =>
          `${'  '.repeat(node.depth)}${node.kind}  ${node.title}  (trust ${node.trust}${node.state === 'current' ? '' : `, ${node.state}: ${node.state_reason}`})`,
      ),
      ...(left_out > 0 ? [`${left_out} more: raise --limit`] : []),
    ].join('\n'),
  run: async (input, context) => {
    await Promise.all([openCode(context), openHistoryView(context)]);
    const { viewer } = await reading(context, input);
    const ref = kindOf(input.ref) ? input.ref : fileRef(input.ref.replace(/^\.\//, ''));
    const engine = await context.app.neighbourhood();
    const found = await engine.around({
      ...input,
      ref,
      minTrust: input.min_trust,
      viewer,
    });
    return { ref, ...found };
  },
});

/** Agents get a smaller map: their context is expensive. */
const mostForAgents = 400;

const getRepositoryMap = operation({
  name: 'get_repository_map',
  summary: 'All files as a graph: imports, pairs that change together most, and how often each file changed.',
  effect: 'read',
  input: z.object({
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(60_000)
      .default(mostForAgents)
      .describe('only the most changed files'),
    links: z.coerce
      .number()
      .int()
      .min(0)
      .max(200_000)
      .default(1000)
      .describe('maximum number of links, strongest first'),
  }),
  output: z.object({
    files: z.array(z.object({ path: z.string(), commits: z.number() })),
    imports: z.array(z.tuple([z.number(), z.number()])).describe('indexes into files: from, to'),
    together: z
      .array(z.tuple([z.number(), z.number(), z.number()]))
      .describe('indexes into files, and the Jaccard index'),
    total: z.number(),
  }),
  examples: [{}, { limit: 2, links: 1 }],
  render: ({ files, imports, together, total }) =>
    [
      `${files.length} of ${total} files, ${imports.length} imports, ${together.length} pairs that change together`,
      ...together
        .slice(0, 20)
        .map(
          ([left, right, weight]) =>
            `  ${Math.round(weight * 100)} %  ${files[left]!.path}  ${files[right]!.path}`,
        ),
    ].join('\n'),
  run: async (input, context) => {
    const [{ code }, { view }] = await Promise.all([openCode(context), openHistoryView(context)]);
    const limit = context.caller.kind === 'person' ? input.limit : Math.min(input.limit, mostForAgents);
    const most = context.caller.kind === 'person' ? input.links : Math.min(input.links, 2 * mostForAgents);
    const totals = view.sizes().count;
    const all = view
      .alive()
      .map((id) => ({ path: view.name(id), commits: totals[view.currentPath(id)] ?? 0 }));
    const files = all.toSorted((a, b) => b.commits - a.commits).slice(0, limit);
    const place = new Map(files.map(({ path }, at) => [path, at]));
    const ends = (left: string, right: string): [number, number] | undefined => {
      const [a, b] = [place.get(left), place.get(right)];
      return a === undefined || b === undefined ? undefined : [a, b];
    };
    return {
      files,
      imports: code
        .imports()
        .links.flatMap(({ from, to }) => [ends(from, to)].filter((pair) => pair !== undefined))
        .slice(0, most),
      together: coupledPairs(view, { minCount: 2, limit: most }).flatMap(
        (pair): Array<[number, number, number]> => {
          const pairEnds = ends(pair.left, pair.right);
          return pairEnds ? [[...pairEnds, Number(pair.jaccard.toFixed(3))]] : [];
        },
      ),
      total: all.length,
    };
  },
});

export const operations = [getNeighbourhood, getRepositoryMap];
