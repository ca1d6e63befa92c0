import { sql } from 'kysely';
import { SylkError } from '../../base/errors.ts';
import { newUuid } from '../../base/ids.ts';
import type { ContainerKind, ContainerRecord, Priority } from './container.ts';
import {
  type Author,
  all,
  findContainer,
  note,
  nowOf,
  refuseHeld,
  requireContainer,
  requireVersion,
  type StoredContainer,
  tablesOf,
  touch,
  type WorkContext,
} from './context.ts';
import { descriptionText, nameText, priorityRank, summaryText, tagList } from './fields.ts';
import { type Dependent, releaseDependents, replaceRelations } from './links.ts';
import { freshRecord, oneRecord } from './rows.ts';
import { isTerminal } from './workflow-states.ts';
import { activeWorkflows, lockWorkflows } from './workflows.ts';

export interface NewContainer {
  kind: ContainerKind;
  /** The caller's own UUID, so that a retry is recognized; otherwise a new one. */
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
    const home = await homeOf(context, by, given);
    if (given.kind !== 'project') await lockWorkflows(context);
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
      held_by: null,
      version: 1,
      created_at: now,
      modified_at: now,
      modified_by: by.actor,
    };
    await tablesOf(context).insertInto('work_containers').values(row).execute();
    await putTags(context, row, tags);
    await note(context, by, 'create', row);
    return freshRecord(context, { ...row, seq: 0 }, tags);
  });
}

function checkNew(given: NewContainer) {
  const need = (field: string) => {
    throw new SylkError('VALIDATION_ERROR', `Missing ${field} for a new ${given.kind}.`, {
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
    priority: staged && given.priority ? priorityRank(given.priority) : null,
    complexity: given.kind === 'task' ? (given.complexity ?? null) : null,
  };
}

function checkComplexity(complexity: number): void {
  if (Number.isInteger(complexity) && complexity >= 1 && complexity <= 10) return;
  throw new SylkError(
    'VALIDATION_ERROR',
    `Invalid complexity ${complexity}: it must be a whole number from 1 to 10.`,
    {
      hint: '1 is a few lines, 10 is days of work.',
    },
  );
}

const exists = (id: string) =>
  new SylkError('CONFLICT', `${id} already exists.`, { hint: 'Omit id for a new one.', data: { id } });

/** Its parent. A task takes the project of its feature; nothing new is added to finished work. */
async function homeOf(
  context: WorkContext,
  by: Author,
  given: Pick<NewContainer, 'kind' | 'projectId' | 'featureId'>,
): Promise<{ project_id: string | null; feature_id: string | null }> {
  if (given.kind === 'project') return { project_id: null, feature_id: null };
  if (given.kind === 'task' && given.featureId) {
    const feature = await requireContainer(context, given.featureId, 'feature');
    refuseHeld(by, feature);
    const workflows = await activeWorkflows(context);
    if (isTerminal(workflows.feature, feature.status)) {
      throw new SylkError(
        'INVALID_OPERATION',
        `The feature ${JSON.stringify(feature.name)} is ${feature.status}: no task can be added to it.`,
        { hint: 'Create a new feature for the remaining work.' },
      );
    }
    if (given.projectId && feature.project_id !== given.projectId) {
      throw new SylkError('INVARIANT_VIOLATION', 'The feature belongs to another project.', {
        hint: 'Omit projectId: a task takes it from its feature.',
      });
    }
    return { project_id: feature.project_id, feature_id: feature.id };
  }
  if (given.projectId) await requireContainer(context, given.projectId, 'project');
  return { project_id: given.projectId ?? null, feature_id: null };
}

export interface ContainerChange extends Partial<Omit<NewContainer, 'kind' | 'id'>> {
  kind: ContainerKind;
  id: string;
  version: number;
  relatedTo?: string[] | undefined;
}

export async function updateContainer(
  context: WorkContext,
  by: Author,
  change: ContainerChange,
): Promise<ContainerRecord> {
  if (change.complexity !== undefined) checkComplexity(change.complexity);
  const staged = change.kind !== 'project';
  const given = <T, U>(value: T | undefined, read: (value: T) => U): U | undefined =>
    value === undefined ? undefined : read(value);
  const values = {
    name: given(change.name, (name) => nameText(name, nameField(change.kind))),
    summary: given(change.summary, summaryText),
    description: given(change.description, descriptionText),
    priority: staged ? given(change.priority, priorityRank) : undefined,
    complexity: change.kind === 'task' ? change.complexity : undefined,
  };
  const tags = change.tags && tagList(change.tags);
  return context.library.write(async () => {
    const before = await requireContainer(context, change.id, change.kind);
    requireVersion(before, change.version);
    const moves = staged && (change.projectId !== undefined || change.featureId !== undefined);
    const home = moves ? await homeOf(context, by, change) : {};
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
  const tasks = sql<{ id: string }>`SELECT id FROM work_containers WHERE feature_id = ${feature.id}`;
  for (const task of await all(context, tasks))
    await touch(context, by, task.id, { project_id: feature.project_id });
}

export async function putTags(
  context: WorkContext,
  row: Pick<StoredContainer, 'id' | 'kind'>,
  tags: string[],
  { replace = false } = {},
): Promise<void> {
  if (replace) await all(context, sql`DELETE FROM work_tags WHERE entity_id = ${row.id}`);
  for (const tag of tags)
    await all(
      context,
      sql`INSERT INTO work_tags (entity_id, kind, tag) VALUES (${row.id}, ${row.kind}, ${tag})`,
    );
}

/** Deletes a container. Children are only deleted with cascade; otherwise their number is reported and nothing happens. */
export async function removeContainer(
  context: WorkContext,
  by: Author,
  request: { kind: ContainerKind; id: string; version?: number | undefined; cascade: boolean },
) {
  return context.library.write(async () => {
    const row = await requireContainer(context, request.id, request.kind);
    if (request.version !== undefined) requireVersion(row, request.version);
    const children = await childrenOf(context, row.id);
    const count = (kind: ContainerKind) => children.filter((child) => child.kind === kind).length;
    if (children.length > 0 && !request.cascade) {
      throw new SylkError(
        'INVALID_OPERATION',
        `The ${row.kind} ${JSON.stringify(row.name)} has ${count('feature')} feature(s) and ${count('task')} task(s).`,
        {
          hint: 'Pass cascade: true to delete them, too. Nothing was deleted.',
          data: { features: count('feature'), tasks: count('task') },
        },
      );
    }
    for (const child of children) refuseHeld(by, child);
    const gone = [...children.map((child) => child.id), row.id];
    const unblocked: Dependent[] = [];
    for (const id of gone) unblocked.push(...(await forget(context, by, id)));
    await note(context, by, 'delete', row, { children: children.length });
    const total = (kind: ContainerKind) => count(kind) + (row.kind === kind ? 1 : 0);
    return {
      id: row.id,
      deleted: { projects: total('project'), features: total('feature'), tasks: total('task') },
      unblockedEntities: unblocked.filter((entity) => !gone.includes(entity.id)),
    };
  });
}

/** Tasks first, so that nothing is deleted before its children. */
async function childrenOf(context: WorkContext, id: string) {
  return all(
    context,
    sql<StoredContainer>`SELECT * FROM work_containers
      WHERE project_id = ${id} OR feature_id = ${id} ORDER BY kind DESC`,
  );
}

async function forget(context: WorkContext, by: Author, id: string): Promise<Dependent[]> {
  const released = await releaseDependents(context, by, id);
  await all(context, sql`DELETE FROM work_relations WHERE from_id = ${id} OR to_id = ${id}`);
  await all(context, sql`DELETE FROM work_tags WHERE entity_id = ${id}`);
  await all(context, sql`DELETE FROM work_containers WHERE id = ${id}`);
  return released;
}
