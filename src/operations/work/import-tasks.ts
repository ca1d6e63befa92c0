import { z } from 'zod';
import { codeOf, SylkError } from '../../base/errors.ts';
import { tree } from '../../base/files/index.ts';
import { taskFormats } from '../../engines/work-areas/index.ts';
import { envelopeOperation } from '../envelope.ts';
import { flag, looseId, projectOf } from '../work-inputs.ts';
import { shortId } from './text.ts';

const importTasks = envelopeOperation({
  name: 'import_tasks',
  summary:
    'Import tasks from another tool: GitHub issues as JSON, a TodoWrite list, beads (issues.jsonl), or any JSON list with titles. A repeated import adds only new tasks.',
  effect: 'write',
  keyed: false,
  idempotent: true,
  input: z.object({
    path: z.string().optional().describe('a file in the repository'),
    text: z.string().max(8_000_000).optional().describe('the JSON text, instead of a file'),
    format: z.enum(taskFormats).optional().describe('detected from the content'),
    project_id: looseId.optional(),
    done: flag(false).describe('include finished tasks'),
    dry_run: flag(false).describe('only report what would happen'),
  }),
  data: z.object({
    format: z.enum(taskFormats),
    created: z.array(
      z.object({ key: z.string(), id: z.string(), kind: z.enum(['feature', 'task']), title: z.string() }),
    ),
    known: z.number(),
    finished: z.number(),
    ignored: z.number(),
    problems: z.array(z.object({ item: z.string(), message: z.string() })),
    dryRun: z.boolean(),
  }),
  examples: [
    {
      actor: 'ada',
      project_id: 'a1000000-0000-4000-8000-000000000001',
      text: '[{"content": "Answer 429 with a Retry-After header", "status": "in_progress"}]',
      dry_run: true,
    },
  ],
  command: { positionals: ['path'] },
  text: (data) =>
    [
      `${data.format}: ${data.created.length} ${data.dryRun ? 'would be created' : 'created'}, ${data.known} already imported, ${data.finished} finished and skipped`,
      ...data.created.map((one) => `${shortId(one.id)}  ${one.kind}  ${one.title}`),
      ...data.problems.map((one) => `problem  ${one.item}: ${one.message}`),
    ].join('\n'),
  run: async (input, { app }, by) => {
    const engine = await app.workAreas();
    const projectId = await projectOf(app, input.projectId);
    const text = input.text ?? readTaskFile(app.repository.root, input.path);
    const { format, done, dryRun } = input;
    const data = await engine.importTasks(by, { text, format, projectId, done, dryRun });
    return { message: `${data.created.length} created, ${data.problems.length} problem(s)`, data };
  },
});

function readTaskFile(root: string, file: string | undefined): string {
  if (file === undefined)
    throw new SylkError('VALIDATION_ERROR', 'Nothing to import.', {
      hint: 'Give a path or text. Example: gh issue list --json number,title,body,labels,state,url > issues.json && sylk work import-tasks issues.json',
    });
  try {
    return tree.read(root, file).toString('utf8');
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    throw new SylkError('NOT_FOUND', `File not found in this repository: ${file}`, {
      hint: 'Paths are relative to the repository.',
    });
  }
}

export const operations = [importTasks];
