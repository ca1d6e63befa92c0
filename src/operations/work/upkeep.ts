import { z } from 'zod';
import { SylkError } from '../../base/errors.ts';
import { changeSchema } from '../../base/library/index.ts';
import { pagingInput } from '../../base/paging.ts';
import { quoted } from '../../base/terminal-text.ts';
import { takeWithinTokens } from '../../base/tokens.ts';
import { envelopeOperation } from '../envelope.ts';
import { flag, listWindow, looseId, optionalId, whole, words } from '../work-inputs.ts';

const pipelines = z.object({ feature: z.array(z.string()), task: z.array(z.string()) });

const sync = envelopeOperation({
  name: 'sync_pipelines',
  summary:
    'Compare the active workflows of states with the configured ones. override adopts the configured ones: removed states need a mapping, and the library is backed up first.',
  effect: 'write',
  keyed: false,
  input: z.object({
    override: flag(false),
    mapping: z
      .preprocess(
        (given) => (typeof given === 'string' ? parseObject(given) : given),
        z.record(z.string(), z.string()),
      )
      .optional()
      .default({})
      .describe('old state → new state, such as {"TO_BE_TESTED": "ACTIVE"}'),
  }),
  data: z.object({
    pipelines,
    configured: pipelines,
    inSync: z.boolean(),
    orphaned: z.array(z.object({ kind: z.string(), status: z.string(), count: z.number() })),
    mapped: z.number(),
    backup: z.string().optional(),
  }),
  examples: [{}],
  run: async (input, { app }, by) => {
    const data = await (await app.work()).syncWorkflows(by, input);
    return {
      message: data.inSync
        ? 'The configured workflows are active.'
        : 'The configured workflows differ from the active ones. Repeat with override: true to adopt them.',
      data,
    };
  },
});

function parseObject(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const changesSince = envelopeOperation({
  name: 'changes_since',
  summary:
    'Changes in work and areas since your last call: pass the cursor of the last reply. Without one, the newest changes.',
  effect: 'read',
  input: z.object({
    cursor: z.string().optional().describe('cursor of the last reply'),
    project_id: looseId.optional(),
    limit: whole.min(1).max(500).optional().default(50),
    max_tokens: pagingInput.max_tokens,
  }),
  data: z.object({ changes: z.array(changeSchema), cursor: z.string(), more: z.boolean() }),
  examples: [{}],
  command: { positionals: ['cursor'] },
  text: (data) =>
    [
      ...data.changes.map(
        (one) => `${one.at}  ${one.actor}  ${one.action}  ${one.ref}  ${String(one.detail.name ?? '')}`,
      ),
      `cursor ${data.cursor}`,
    ].join('\n'),
  run: async (input, { app }) => {
    const { journal } = await app.library();
    const project = await optionalId(await app.work(), input.projectId, 'project');
    const after = input.cursor === undefined ? undefined : readCursor(input.cursor);
    const found =
      after === undefined
        ? await journal.newest({ project, limit: input.limit })
        : await journal.since({ after, project, limit: input.limit });
    const changes = after === undefined ? found : await takeWithinTokens(found, input.maxTokens ?? 4000);
    const last = changes.at(-1)?.seq ?? after ?? (await journal.latest());
    const more = (await journal.since({ after: last, project, limit: 1 })).length > 0;
    return {
      message: `${changes.length} change(s)${more ? ', more available' : ''}`,
      data: { changes, cursor: `c${last}`, more },
    };
  },
});

function readCursor(cursor: string): number {
  const digits = /^c(\d{1,15})$/.exec(cursor.trim())?.[1];
  if (digits !== undefined) return Number(digits);
  throw new SylkError('VALIDATION_ERROR', `Invalid cursor ${JSON.stringify(cursor.slice(0, 40))}.`, {
    hint: 'Pass the cursor of the last reply, or none for the newest changes.',
  });
}

const searchWork = envelopeOperation({
  name: 'search_work',
  summary:
    'Search projects, features, tasks, their sections, molecules and atoms by words and by meaning, best first.',
  effect: 'read',
  input: z.object({
    query: z.string().min(1).max(1000),
    kinds: words.optional().describe('project, feature, task, section, molecule, atom'),
    project_id: looseId.optional(),
    limit: listWindow.limit,
    max_tokens: pagingInput.max_tokens,
  }),
  data: z.object({
    results: z.array(
      z.object({
        ref: z.string(),
        kind: z.string(),
        id: z.string(),
        title: z.string(),
        snippet: z.string(),
        parent: z.string().optional(),
        score: z.number(),
      }),
    ),
    count: z.number(),
  }),
  examples: [{ query: 'rate limiting' }],
  command: { positionals: ['query'], rest: true },
  text: (data) =>
    data.results
      .map(
        (hit) => `${hit.kind.padEnd(8)}  ${hit.id.slice(0, 8)}  ${hit.title}\n${quoted(hit.snippet, '    ')}`,
      )
      .join('\n') || 'no results',
  run: async (input, { app }) => {
    const projectId = await optionalId(await app.work(), input.projectId, 'project');
    const found = await (await app.workAreas()).search({ ...input, projectId });
    const results = await takeWithinTokens(found, input.maxTokens ?? 4000);
    return { message: `${results.length} result(s)`, data: { results, count: results.length } };
  },
});

const conflict = z.object({ ref: z.string(), path: z.string(), reason: z.string() });
const problem = z.object({ path: z.string(), message: z.string(), hint: z.string().optional() });

const exportKnowledge = envelopeOperation({
  name: 'export_knowledge',
  summary:
    'Export work and areas as readable Markdown files (.sylk/knowledge), to review and share through git. Never overwrites a file with edits that were not imported.',
  effect: 'write',
  keyed: false,
  idempotent: true,
  input: z.object({ dir: z.string().optional().describe('path in the repository; default .sylk/knowledge') }),
  data: z.object({
    directory: z.string(),
    written: z.number(),
    unchanged: z.number(),
    removed: z.number(),
    conflicts: z.array(conflict),
    problems: z.array(problem),
  }),
  examples: [{}],
  text: (data) =>
    [
      `${data.directory}: ${data.written} written, ${data.unchanged} unchanged, ${data.removed} removed`,
      ...data.conflicts.map((one) => `conflict  ${one.path}: ${one.reason}`),
      ...data.problems.map((one) => `problem  ${one.path}: ${one.message}`),
    ].join('\n'),
  isFailure: ({ problems }) => problems.length > 0,
  run: async (input, { app }) => {
    const data = await (await app.workAreas()).exportFiles(input.dir);
    const [problem] = data.problems;
    if (problem && data.written + data.unchanged + data.removed === 0)
      throw new SylkError('DENIED', `Nothing was exported: ${problem.message}`, { hint: problem.hint });
    return { message: `${data.written} written, ${data.conflicts.length} conflict(s)`, data };
  },
});

const importKnowledge = envelopeOperation({
  name: 'import_knowledge',
  summary:
    'Import the Markdown files of export_knowledge: new ones are created, edits are applied. If both file and library changed, the conflict is reported and nothing is overwritten.',
  effect: 'write',
  keyed: false,
  idempotent: true,
  input: z.object({
    dir: z.string().optional().describe('path in the repository; default .sylk/knowledge'),
    dry_run: flag(false).describe('only report what would happen'),
  }),
  data: z.object({
    directory: z.string(),
    created: z.array(z.string()),
    updated: z.array(z.string()),
    unchanged: z.number(),
    kept: z.number(),
    conflicts: z.array(conflict),
    problems: z.array(problem),
    dryRun: z.boolean(),
  }),
  examples: [{ actor: 'ada', dry_run: true }],
  text: (data) =>
    [
      `${data.directory}: ${data.created.length} created, ${data.updated.length} updated, ${data.unchanged} unchanged, ${data.kept} newer in the library`,
      ...data.conflicts.map((one) => `conflict  ${one.path}: ${one.reason}`),
      ...data.problems.map((one) => `problem  ${one.path}: ${one.message}`),
    ].join('\n'),
  isFailure: ({ problems }) => problems.length > 0,
  run: async (input, { app }, by) => {
    const data = await (await app.workAreas()).importFiles(by, input);
    return {
      message: `${data.created.length} created, ${data.updated.length} updated, ${data.conflicts.length} conflict(s), ${data.problems.length} problem(s)`,
      data,
    };
  },
});

export const operations = [sync, changesSince, searchWork, exportKnowledge, importKnowledge];
