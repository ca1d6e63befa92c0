import { SylkError } from '../../base/errors.ts';
import { newUuid } from '../../base/ids.ts';
import type { MoleculeRecord } from './area.ts';
import { removeAtomRow } from './atoms.ts';
import {
  type AreasContext,
  type Author,
  knowledgeText,
  nameText,
  nextKnowledge,
  note,
  nowOf,
  relatedList,
  requireMolecule,
  requireProject,
  requireTask,
  requireVersion,
  tablesOf,
} from './context.ts';
import { moleculeOf } from './rows.ts';
import type { MoleculeRow } from './tables.ts';

type Related = Array<{ moleculeId: string; reason: string }>;

export interface NewMolecule {
  id?: string | undefined;
  projectId: string;
  name: string;
  knowledge?: string | undefined;
  relatedMolecules?: Related | undefined;
  createdByTaskId?: string | undefined;
}

export async function createMolecule(
  context: AreasContext,
  by: Author,
  given: NewMolecule,
): Promise<MoleculeRecord> {
  return context.library.write(async () => {
    await requireProject(context, given.projectId);
    const task = await requireTask(context, by, given.createdByTaskId, 'createdByTaskId');
    const now = nowOf(context);
    const row: MoleculeRow = {
      id: given.id ?? newUuid(),
      project_id: given.projectId,
      name: nameText(given.name),
      knowledge: knowledgeText(given.knowledge ?? ''),
      related_molecules: JSON.stringify(relatedList(given.relatedMolecules ?? [], 'relatedMolecules')),
      created_by_task_id: task,
      last_task_id: task,
      version: 1,
      created_at: now,
      updated_at: now,
    };
    if (given.id) await refuseTaken(context, given.id);
    await tablesOf(context).insertInto('graph_molecules').values(row).execute();
    await indexMolecule(context, row);
    await note(context, by, 'create', 'molecule', row);
    return moleculeOf(row);
  });
}

async function refuseTaken(context: AreasContext, id: string): Promise<void> {
  const tables = tablesOf(context);
  const there =
    (await tables.selectFrom('graph_molecules').select('id').where('id', '=', id).executeTakeFirst()) ??
    (await tables.selectFrom('graph_atoms').select('id').where('id', '=', id).executeTakeFirst());
  if (there)
    throw new SylkError('CONFLICT', `${id} already exists.`, { hint: 'Leave id out for a new one.' });
}

export interface MoleculeChange {
  id: string;
  version: number;
  projectId?: string | undefined;
  name?: string | undefined;
  knowledge?: string | undefined;
  knowledgeMode: 'overwrite' | 'append';
  relatedMolecules?: Related | undefined;
  lastTaskId?: string | undefined;
}

export async function updateMolecule(
  context: AreasContext,
  by: Author,
  change: MoleculeChange,
): Promise<MoleculeRecord> {
  return context.library.write(async () => {
    const before = await requireMolecule(context, change.id);
    requireVersion(before, change.version);
    refuseOtherProject(before, change.projectId);
    const task = change.lastTaskId
      ? await requireTask(context, by, change.lastTaskId, 'lastTaskId')
      : undefined;
    const after: MoleculeRow = {
      ...before,
      ...(change.name === undefined ? {} : { name: nameText(change.name) }),
      ...(change.knowledge === undefined
        ? {}
        : {
            knowledge: nextKnowledge(
              context,
              before.knowledge,
              change.knowledge,
              change.knowledgeMode,
              task ?? '',
            ),
          }),
      ...(change.relatedMolecules === undefined
        ? {}
        : { related_molecules: JSON.stringify(relatedList(change.relatedMolecules, 'relatedMolecules')) }),
      ...(task === undefined ? {} : { last_task_id: task }),
      version: before.version + 1,
      updated_at: nowOf(context),
    };
    await tablesOf(context).updateTable('graph_molecules').set(after).where('id', '=', before.id).execute();
    await indexMolecule(context, after);
    await note(context, by, 'update', 'molecule', after, { version: after.version });
    return moleculeOf(after);
  });
}

export function refuseOtherProject(row: { project_id: string }, projectId: string | undefined): void {
  if (projectId === undefined || projectId === row.project_id) return;
  throw new SylkError('VALIDATION_ERROR', 'projectId cannot be changed.', {
    hint: 'Create a new one in the other project.',
  });
}

/** Members become orphans, or go with it when `cascade` says so. Its changelog goes in both cases. */
export async function deleteMolecule(
  context: AreasContext,
  by: Author,
  request: { id: string; version: number; cascade: boolean; lastTaskId?: string | undefined },
): Promise<{ id: string; deletedAtoms: number; orphanedAtoms: number }> {
  return context.library.write(async () => {
    const row = await requireMolecule(context, request.id);
    requireVersion(row, request.version);
    const task = request.lastTaskId
      ? await requireTask(context, by, request.lastTaskId, 'lastTaskId')
      : row.last_task_id;
    const members = await tablesOf(context)
      .selectFrom('graph_atoms')
      .selectAll()
      .where('molecule_id', '=', row.id)
      .execute();
    for (const atom of members) {
      if (request.cascade) await removeAtomRow(context, by, atom);
      else
        await tablesOf(context)
          .updateTable('graph_atoms')
          .set({
            molecule_id: null,
            last_task_id: task,
            updated_at: nowOf(context),
            version: atom.version + 1,
          })
          .where('id', '=', atom.id)
          .execute();
    }
    await removeMoleculeRow(context, by, row);
    return {
      id: row.id,
      deletedAtoms: request.cascade ? members.length : 0,
      orphanedAtoms: request.cascade ? 0 : members.length,
    };
  });
}

export async function removeMoleculeRow(context: AreasContext, by: Author, row: MoleculeRow): Promise<void> {
  const tables = tablesOf(context);
  await tables
    .deleteFrom('graph_changelog')
    .where('parent_type', '=', 'molecule')
    .where('parent_id', '=', row.id)
    .execute();
  await tables.deleteFrom('graph_molecules').where('id', '=', row.id).execute();
  await context.text.remove(`molecule:${row.id}`);
  await note(context, by, 'delete', 'molecule', row);
}

export const indexMolecule = (context: AreasContext, row: MoleculeRow): Promise<void> =>
  context.text.put(`molecule:${row.id}`, row.project_id, row.name, row.knowledge);
