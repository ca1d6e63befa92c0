import type { MoleculeRecord } from './area.ts';
import { removeAtomRow } from './atoms.ts';
import {
  type AreasContext,
  type Author,
  note,
  nowOf,
  relatedList,
  requireMolecule,
  requireTask,
  requireVersion,
  tablesOf,
} from './context.ts';
import { moleculeOf } from './rows.ts';
import { type AreaChange, changedFields, type NewArea, newFields } from './shared-fields.ts';
import type { MoleculeRow } from './tables.ts';

type Related = Array<{ moleculeId: string; reason: string }>;

export interface NewMolecule extends NewArea {
  relatedMolecules?: Related | undefined;
}

export async function createMolecule(
  context: AreasContext,
  by: Author,
  given: NewMolecule,
): Promise<MoleculeRecord> {
  return context.library.write(async () => {
    const row: MoleculeRow = {
      ...(await newFields(context, by, given)),
      related_molecules: JSON.stringify(relatedList(given.relatedMolecules ?? [], 'relatedMolecules')),
    };
    await tablesOf(context).insertInto('graph_molecules').values(row).execute();
    await note(context, by, 'create', 'molecule', row);
    return moleculeOf(row);
  });
}

export interface MoleculeChange extends AreaChange {
  relatedMolecules?: Related | undefined;
}

export async function updateMolecule(
  context: AreasContext,
  by: Author,
  change: MoleculeChange,
): Promise<MoleculeRecord> {
  return context.library.write(async () => {
    const before = await requireMolecule(context, change.id);
    const after: MoleculeRow = {
      ...before,
      ...(await changedFields(context, by, before, change)),
      ...(change.relatedMolecules === undefined
        ? {}
        : { related_molecules: JSON.stringify(relatedList(change.relatedMolecules, 'relatedMolecules')) }),
    };
    await tablesOf(context).updateTable('graph_molecules').set(after).where('id', '=', before.id).execute();
    await note(context, by, 'update', 'molecule', after, { version: after.version });
    return moleculeOf(after);
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
  await note(context, by, 'delete', 'molecule', row);
}
