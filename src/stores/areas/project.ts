import { removeAtomRow } from './atoms.ts';
import { type AreasContext, type Author, tablesOf } from './context.ts';
import { removeMoleculeRow } from './molecules.ts';

/** Everything that is known about a project goes with it. */
export async function removeProjectAreas(
  context: AreasContext,
  by: Author,
  projectId: string,
): Promise<{ atoms: number; molecules: number }> {
  return context.library.write(async () => {
    const tables = tablesOf(context);
    const atoms = await tables
      .selectFrom('graph_atoms')
      .selectAll()
      .where('project_id', '=', projectId)
      .execute();
    for (const atom of atoms) await removeAtomRow(context, by, atom);
    const molecules = await tables
      .selectFrom('graph_molecules')
      .selectAll()
      .where('project_id', '=', projectId)
      .execute();
    for (const molecule of molecules) await removeMoleculeRow(context, by, molecule);
    return { atoms: atoms.length, molecules: molecules.length };
  });
}

export async function countAreas(
  context: AreasContext,
  projectId: string,
): Promise<{ atoms: number; molecules: number }> {
  const count = async (table: 'graph_atoms' | 'graph_molecules') =>
    Number(
      (
        await tablesOf(context)
          .selectFrom(table)
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('project_id', '=', projectId)
          .executeTakeFirstOrThrow()
      ).count,
    );
  return { atoms: await count('graph_atoms'), molecules: await count('graph_molecules') };
}
