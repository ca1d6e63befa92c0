import { z } from 'zod';
import { envelopeOperation } from '../envelope.ts';
import { looseId, optionalId } from '../work-inputs.ts';

const work = envelopeOperation('work');

const getWorkGraph = work({
  name: 'get_work_graph',
  summary: 'Features and tasks as a graph: what waits for what, what relates to what, who works on which.',
  effect: 'read',
  input: z.object({ projectId: looseId.optional() }),
  data: z.object({
    nodes: z.array(
      z.object({
        id: z.string(),
        kind: z.enum(['feature', 'task']),
        name: z.string(),
        status: z.string(),
        priority: z.string(),
        featureId: z.string().nullable(),
        blocked: z.boolean(),
        claimedBy: z.string().nullable(),
      }),
    ),
    edges: z.array(z.object({ from: z.string(), to: z.string(), type: z.enum(['BLOCKS', 'RELATES_TO']) })),
    total: z.number(),
  }),
  examples: [{}],
  command: { positionals: ['projectId'] },
  text: (data) => {
    const name = new Map(data.nodes.map((node) => [node.id, node.name]));
    return (
      data.edges
        .map(({ from, to, type }) => `${name.get(from)}  ${type === 'BLOCKS' ? '→' : '—'}  ${name.get(to)}`)
        .join('\n') || 'Nothing waits for anything.'
    );
  },
  run: async (input, { app }) => {
    const engine = await app.workAreas();
    const tree = await engine.tree(
      await engine.projectOrDefault(await optionalId(await app.work(), input.projectId, 'project')),
    );
    const nodes = [
      ...tree.features.map((one) => ({ ...one, kind: 'feature' as const, featureId: null, claim: null })),
      ...tree.tasks.map(({ title, ...one }) => ({ ...one, kind: 'task' as const, name: title })),
    ];
    const here = new Set(nodes.map((node) => node.id));
    const edges = nodes.flatMap((node) => [
      ...node.blockedBy
        .filter((id) => here.has(id))
        .map((from) => ({ from, to: node.id, type: 'BLOCKS' as const })),
      ...node.relatedTo
        .filter((id) => here.has(id) && node.id < id)
        .map((to) => ({ from: node.id, to, type: 'RELATES_TO' as const })),
    ]);
    return {
      message: `${nodes.length} item(s), ${edges.length} link(s)`,
      data: {
        nodes: nodes.map((node) => ({
          id: node.id,
          kind: node.kind,
          name: node.name,
          status: node.status,
          priority: node.priority,
          featureId: node.featureId,
          blocked: node.blockedBy.length > 0,
          claimedBy: node.claim?.live ? node.claim.by : null,
        })),
        edges,
        total: nodes.length,
      },
    };
  },
});

export const operations = [getWorkGraph];
