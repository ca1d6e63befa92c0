import { sql } from 'kysely';
import { SylkError } from '../../base/errors.ts';
import { newUuid } from '../../base/ids.ts';
import type { ContainerKind, ContainerRecord, Priority } from './container.ts';
import {
  type Author,
  findContainer,
  note,
  nowOf,
  requireContainer,
  requireVersion,
  type StoredContainer,
  tablesOf,
  touch,
  type WorkContext,
} from './context.ts';
import { descriptionText, nameText, priorityRank, summaryText, tagList } from './fields.ts';
import { isTerminal } from './pipeline.ts';
import { lockPipelines, pipelinesInForce } from './pipelines.ts';
import { replaceRelations } from './relations.ts';
import { freshRecord, oneRecord } from './rows.ts';

export interface NewContainer {
  kind: ContainerKind;
  /** The caller's own UUID, so that a retry is recognised; else a fresh one. */
  id?: string | undefined;
  name: string;
  summary: string;
  description?: string | undefined;
  priority?: Priority | undefined;
  complexity?: number | undefined;
  projectId?: string | undefined;
  featureId?: string | undefined;
  tags?: string[] | undefined;
}

export const nameField = (kind: ContainerKind) => (kind === 'task' ? 'title' : 'name');

export async function createContainer(
  context: WorkContext,
  by: Author,
  given: NewContainer,
): Promise<ContainerRecord> {
  const values = checkNew(given);
  const tags = tagList(given.tags ?? []);
  return context.library.write(async () => {
    const id = given.id ?? newUuid();
    if (given.id && (await findContainer(context, id))) throw exists(id);
    const home = await homeOf(context, given);
    if (given.kind !== 'project') await lockPipelines(context);
    const now = nowOf(context);
    const row = {
      ...values,
      ...home,
      id,
      kind: given.kind,
      status: given.kind === 'project' ? null : 'NEW',
      blockers: 0,
      blocked_reason: null,
      claimed_by: null,
      claim_token: null,
      claim_expires_at: null,
      version: 1,
      created_at: now,
      modified_at: now,
      modified_by: by.actor,
    };
    await sql`${insertion} (${sql.join(columns.map((column) => row[column]))})`.execute(tablesOf(context));
    await putTags(context, row, tags);
    await note(context, by, 'create', row);
    return freshRecord(context, { ...row, seq: 0 }, tags);
  });
}

const columns = [
  ...([
    'id',
    'kind',
    'project_id',
    'feature_id',
    'name',
    'summary',
    'description',
    'status',
    'priority',
  ] as const),
  ...(['complexity', 'version', 'created_at', 'modified_at', 'modified_by'] as const),
];
const insertion = sql.raw(`INSERT INTO work_containers (${columns.join(', ')}) VALUES`);

function checkNew(given: NewContainer) {
  const need = (field: string) => {
    throw new SylkError('VALIDATION_ERROR', `${field} is required to create a ${given.kind}.`, {
      hint: `Give ${field}.`,
    });
  };
  const staged = given.kind !== 'project';
  if (staged && given.priority === undefined) need('priority (HIGH, MEDIUM or LOW)');
  if (given.kind === 'task' && given.complexity === undefined) need('complexity (1 to 10)');
  if (given.complexity !== undefined) checkComplexity(given.complexity);
  return {
    name: nameText(given.name, nameField(given.kind)),
    summary: summaryText(given.summary),
    description: descriptionText(given.description ?? ''),
    priority: staged ? priorityRank(given.priority!) : null,
    complexity: given.kind === 'task' ? given.complexity! : null,
  };
}

function checkComplexity(complexity: number): void {
  if (Number.isInteger(complexity) && complexity >= 1 && complexity <= 10) return;
  throw new SylkError(
    'VALIDATION_ERROR',
    `complexity is ${complexity}; it must be a whole number from 1 to 10.`,
    {
      hint: '1 is a few lines, 10 is days of work.',
    },
  );
}

const exists = (id: string) =>
  new SylkError('CONFLICT', `${id} already exists.`, { hint: 'Leave id out for a new one.', data: { id } });

/** Where it hangs. A task takes the project of its feature; nothing new goes under finished work. */
async function homeOf(
  context: WorkContext,
  given: Pick<NewContainer, 'kind' | 'projectId' | 'featureId'>,
): Promise<{ project_id: string | null; feature_id: string | null }> {
  if (given.kind === 'project') return { project_id: null, feature_id: null };
  if (given.kind === 'task' && given.featureId) {
    const feature = await requireContainer(context, given.featureId, 'feature');
    const pipelines = await pipelinesInForce(context);
    if (isTerminal(pipelines.feature, feature.status!)) {
      throw new SylkError(
        'INVALID_OPERATION',
        `The feature ${JSON.stringify(feature.name)} is ${feature.status}: no task can be added to it.`,
        { hint: 'Create a new feature for the work that is left.' },
      );
    }
    if (given.projectId && feature.project_id !== given.projectId) {
      throw new SylkError('INVARIANT_VIOLATION', 'The feature belongs to another project.', {
        hint: 'Leave projectId out: a task takes it from its feature.',
      });
    }
    return { project_id: feature.project_id, feature_id: feature.id };
  }
  if (given.projectId) await requireContainer(context, given.projectId, 'project');
  return { project_id: given.projectId ?? null, feature_id: null };
}

export interface ContainerChange {
  kind: ContainerKind;
  id: string;
  version: number;
  name?: string | undefined;
  summary?: string | undefined;
  description?: string | undefined;
  priority?: Priority | undefined;
  complexity?: number | undefined;
  projectId?: string | undefined;
  featureId?: string | undefined;
  tags?: string[] | undefined;
  relatedTo?: string[] | undefined;
}

export async function updateContainer(
  context: WorkContext,
  by: Author,
  change: ContainerChange,
): Promise<ContainerRecord> {
  if (change.complexity !== undefined) checkComplexity(change.complexity);
  const staged = change.kind !== 'project';
  const values = {
    ...(change.name === undefined ? {} : { name: nameText(change.name, nameField(change.kind)) }),
    ...(change.summary === undefined ? {} : { summary: summaryText(change.summary) }),
    ...(change.description === undefined ? {} : { description: descriptionText(change.description) }),
    ...(change.priority === undefined || !staged ? {} : { priority: priorityRank(change.priority) }),
    ...(change.complexity === undefined || change.kind !== 'task' ? {} : { complexity: change.complexity }),
  };
  const tags = change.tags && tagList(change.tags);
  return context.library.write(async () => {
    const before = await requireContainer(context, change.id, change.kind);
    requireVersion(before, change.version);
    const moves = staged && (change.projectId !== undefined || change.featureId !== undefined);
    const home = moves ? await homeOf(context, change) : {};
    await touch(context, by, change.id, { ...values, ...home });
    const after = await requireContainer(context, change.id);
    if (moves && change.kind === 'feature') await moveTasks(context, by, after);
    if (tags) await putTags(context, after, tags, { replace: true });
    if (change.relatedTo && staged) await replaceRelations(context, by, after, change.relatedTo);
    const fields = Object.keys(change).filter((key) => !['kind', 'id', 'version'].includes(key));
    await note(context, by, 'update', after, { fields, version: after.version });
    return oneRecord(context, after);
  });
}

async function moveTasks(context: WorkContext, by: Author, feature: StoredContainer): Promise<void> {
  const tasks = await tablesOf(context)
    .selectFrom('work_containers')
    .select('id')
    .where('feature_id', '=', feature.id)
    .execute();
  for (const task of tasks) await touch(context, by, task.id, { project_id: feature.project_id });
}

export async function putTags(
  context: WorkContext,
  row: Pick<StoredContainer, 'id' | 'kind'>,
  tags: string[],
  { replace = false } = {},
): Promise<void> {
  if (replace) await tablesOf(context).deleteFrom('work_tags').where('entity_id', '=', row.id).execute();
  for (const tag of tags)
    await sql`INSERT INTO work_tags (entity_id, kind, tag) VALUES (${row.id}, ${row.kind}, ${tag})`.execute(
      tablesOf(context),
    );
}
