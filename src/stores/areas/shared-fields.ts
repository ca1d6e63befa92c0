import { SylkError } from '../../base/errors.ts';
import { newUuid } from '../../base/ids.ts';
import {
  type AreasContext,
  type Author,
  knowledgeText,
  nameText,
  nextKnowledge,
  nowOf,
  requireProject,
  requireTask,
  requireVersion,
  tablesOf,
} from './context.ts';

/** What molecules and atoms have in common when they are made and changed. */
export interface NewArea {
  id?: string | undefined;
  projectId: string;
  name: string;
  knowledge?: string | undefined;
  createdByTaskId?: string | undefined;
}

export interface AreaChange {
  id: string;
  version: number;
  projectId?: string | undefined;
  name?: string | undefined;
  knowledge?: string | undefined;
  knowledgeMode: 'overwrite' | 'append';
  lastTaskId?: string | undefined;
}

export async function newFields(context: AreasContext, by: Author, given: NewArea) {
  await requireProject(context, given.projectId);
  if (given.id) await refuseTaken(context, given.id);
  const task = await requireTask(context, by, given.createdByTaskId, 'createdByTaskId');
  const now = nowOf(context);
  return {
    id: given.id ?? newUuid(),
    project_id: given.projectId,
    name: nameText(given.name),
    knowledge: knowledgeText(given.knowledge ?? ''),
    created_by_task_id: task,
    last_task_id: task,
    version: 1,
    created_at: now,
    updated_at: now,
  };
}

/** Refuses what is out of date or in another project; answers the fields that change. */
export async function changedFields(
  context: AreasContext,
  by: Author,
  before: { project_id: string; version: number; knowledge: string; id: string },
  change: AreaChange,
) {
  requireVersion(before, change.version);
  if (change.projectId !== undefined && change.projectId !== before.project_id)
    throw new SylkError('VALIDATION_ERROR', 'projectId cannot be changed.', {
      hint: 'Create a new one in the other project.',
    });
  const task = change.lastTaskId
    ? await requireTask(context, by, change.lastTaskId, 'lastTaskId')
    : undefined;
  const { knowledge, knowledgeMode } = change;
  return {
    ...(change.name === undefined ? {} : { name: nameText(change.name) }),
    ...(knowledge === undefined
      ? {}
      : { knowledge: nextKnowledge(context, before.knowledge, knowledge, knowledgeMode, task ?? '') }),
    ...(task === undefined ? {} : { last_task_id: task }),
    version: before.version + 1,
    updated_at: nowOf(context),
  };
}

/** One id names one thing, be it a molecule or an atom. */
async function refuseTaken(context: AreasContext, id: string): Promise<void> {
  const tables = tablesOf(context);
  for (const table of ['graph_molecules', 'graph_atoms'] as const)
    if (await tables.selectFrom(table).select('id').where('id', '=', id).executeTakeFirst())
      throw new SylkError('CONFLICT', `${id} already exists.`, { hint: 'Leave id out for a new one.' });
}
