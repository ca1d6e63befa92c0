import { z } from 'zod';
import { looseList } from '../../base/loose-input.ts';
import { envelopeOperation } from '../envelope.ts';
import { looseId, optionalId, priority, uuid, whole, words } from '../work-inputs.ts';
import { newSection } from './sections.ts';
import { shortId } from './text.ts';

const node = {
  ref: z.string().min(1).max(100).optional().describe('your own name for it within this call'),
  id: uuid.optional(),
  summary: z.string(),
  description: z.string().optional(),
  tags: words.optional(),
  template: z.string().optional().describe('id or name'),
  sections: looseList(newSection).optional(),
};
const staged = { ...node, priority, blockedBy: words.optional().describe('refs of this call, or ids') };
const task = z.object({ ...staged, title: z.string(), complexity: whole });
const feature = z.object({ ...staged, name: z.string(), tasks: looseList(task).optional() });

const named = ({ title, ...rest }: z.output<typeof task>) => ({ ...rest, name: title });

const createWorkTree = envelopeOperation({
  name: 'create_work_tree',
  summary:
    'Create a whole plan in one call: project, features, tasks, sections and dependencies, by your own refs. All or nothing.',
  effect: 'write',
  input: z.object({
    project_id: looseId.optional().describe('an existing project'),
    project: z
      .object({ ...node, name: z.string() })
      .optional()
      .describe('a new project'),
    features: looseList(feature).optional(),
    tasks: looseList(task.extend({ featureId: looseId.optional() })).optional(),
    dependencies: looseList(
      z.object({
        from: z.string(),
        to: z.string(),
        type: z.enum(['BLOCKS', 'RELATES_TO']).optional().default('BLOCKS'),
      }),
    ).optional(),
  }),
  data: z.object({
    created: z.array(
      z.object({
        ref: z.string().nullable(),
        id: z.string(),
        kind: z.enum(['project', 'feature', 'task']),
        name: z.string(),
      }),
    ),
    ids: z.record(z.string(), z.string()),
  }),
  examples: [
    {
      actor: 'ada',
      project: { ref: 'p', id: 'a1000000-0000-4000-8000-000000000001', name: 'Shop', summary: 'The shop.' },
      features: [
        {
          ref: 'f',
          id: 'a1000000-0000-4000-8000-000000000002',
          name: 'Public API',
          summary: 'What partners call.',
          priority: 'HIGH',
          tasks: [
            {
              ref: 'limit',
              id: 'a1000000-0000-4000-8000-000000000003',
              title: 'Add rate limiting',
              summary: 'Requests beyond the quota get 429.',
              priority: 'HIGH',
              complexity: 4,
              tags: 'api',
              template: 'Standard Task',
            },
            {
              id: 'a1000000-0000-4000-8000-000000000004',
              title: 'Document the limits',
              summary: 'Quota and headers.',
              priority: 'LOW',
              complexity: 1,
              blockedBy: ['limit'],
            },
          ],
        },
      ],
    },
  ],
  text: (data) => data.created.map((one) => `${shortId(one.id)}  ${one.kind}  ${one.name}`).join('\n'),
  run: async (input, { app }, by) => {
    const store = await app.work();
    const loose: Array<ReturnType<typeof named> & { featureId?: string | undefined }> = [];
    for (const { featureId, ...rest } of input.tasks ?? [])
      loose.push({ ...named(rest), featureId: await optionalId(store, featureId, 'feature') });
    const created = await store.plantTree(by, {
      projectId: await optionalId(store, input.projectId, 'project'),
      project: input.project,
      features: input.features?.map((one) => ({ ...one, tasks: one.tasks?.map(named) })),
      tasks: loose,
      dependencies: input.dependencies,
    });
    const ids = Object.fromEntries(created.flatMap((one) => (one.ref === null ? [] : [[one.ref, one.id]])));
    return { message: `${created.length} created.`, data: { created, ids } };
  },
});

export const operations = [createWorkTree];
