import { z } from 'zod';
import { looseList } from '../../base/loose-input.ts';
import { taskRecord } from '../../stores/work/index.ts';
import { envelopeOperation } from '../envelope.ts';
import { looseId, optionalId, priority, uuid, whole, words } from '../work-inputs.ts';
import { newSection } from './sections.ts';
import { containerLine, shortId } from './text.ts';

const work = envelopeOperation('work');

const node = {
  ref: z.string().min(1).max(100).optional().describe('your word for it within this call'),
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

const createWorkTree = work({
  name: 'create_work_tree',
  summary:
    'Create a whole plan at once: project, features, tasks, sections and dependencies, by your own refs. All of it, or nothing.',
  effect: 'write',
  input: z.object({
    projectId: looseId.optional().describe('an existing project'),
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

const getWorkTree = work({
  name: 'get_work_tree',
  summary: 'A project as a tree: features, their tasks, states, and what blocks what.',
  effect: 'read',
  input: z.object({ projectId: looseId.optional() }),
  data: z.object({ text: z.string(), features: z.number(), tasks: z.number() }),
  examples: [{}],
  command: { positionals: ['projectId'] },
  text: (data) => data.text,
  run: async (input, { app }) => {
    const engine = await app.workAreas();
    const tree = await engine.tree(
      await engine.projectOrDefault(await optionalId(await app.work(), input.projectId, 'project')),
    );
    const lines = [tree.project.name];
    for (const one of tree.features) {
      lines.push(`├─ ${containerLine(one)}`);
      for (const child of tree.tasks.filter((candidate) => candidate.featureId === one.id))
        lines.push(`│  ├─ ${containerLine(child)}`);
    }
    for (const child of tree.tasks.filter((candidate) => candidate.featureId === null))
      lines.push(`├─ ${containerLine(child)}`);
    return {
      message: `${tree.features.length} feature(s), ${tree.tasks.length} task(s)`,
      data: { text: lines.join('\n'), features: tree.features.length, tasks: tree.tasks.length },
    };
  },
});

const getWorkBoard = work({
  name: 'get_work_board',
  summary: 'The board: for each state how many tasks there are, and the first of them in the order of work.',
  effect: 'read',
  input: z.object({ projectId: looseId.optional(), limit: whole.min(1).max(100).optional().default(10) }),
  data: z.object({
    columns: z.array(z.object({ status: z.string(), total: z.number(), tasks: z.array(taskRecord) })),
  }),
  examples: [{}],
  text: (data) =>
    data.columns
      .map((column) =>
        [`${column.status} (${column.total})`, ...column.tasks.map((one) => `  ${containerLine(one)}`)].join(
          '\n',
        ),
      )
      .join('\n\n'),
  run: async (input, { app }) => {
    const store = await app.work();
    const projectId = await optionalId(store, input.projectId, 'project');
    const columns = await (await app.workAreas()).board({ projectId, limit: input.limit });
    return {
      message: columns.map((column) => `${column.status} ${column.total}`).join(', '),
      data: { columns },
    };
  },
});

export const operations = [createWorkTree, getWorkTree, getWorkBoard];
