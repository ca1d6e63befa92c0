import { sql } from 'kysely';
import { SylkError } from '../../base/errors.ts';
import type { AtomRecord } from './area.ts';
import {
  type AreasContext,
  type Author,
  note,
  relatedList,
  requireAtom,
  requireMolecule,
  requireVersion,
  tablesOf,
} from './context.ts';
import { checkPatterns } from './patterns.ts';
import { atomOf } from './rows.ts';
import { type AreaChange, changedFields, type NewArea, newFields } from './shared-fields.ts';
import type { AtomRow } from './tables.ts';

type Related = Array<{ atomId: string; reason: string }>;

export interface NewAtom extends NewArea {
  paths: string[];
  moleculeId?: string | null | undefined;
  relatedAtoms?: Related | undefined;
}

export async function createAtom(context: AreasContext, by: Author, given: NewAtom): Promise<AtomRecord> {
  const paths = checkPatterns(given.paths);
  return context.library.write(async () => {
    const fields = await newFields(context, by, given);
    await requireHome(context, given.projectId, given.moleculeId);
    const row: AtomRow = {
      ...fields,
      molecule_id: given.moleculeId ?? null,
      paths: JSON.stringify(paths),
      related_atoms: JSON.stringify(relatedList(given.relatedAtoms ?? [], 'relatedAtoms')),
      generation: await nextGeneration(context, given.projectId),
    };
    await tablesOf(context).insertInto('graph_atoms').values(row).execute();
    await note(context, by, 'create', 'atom', row);
    return atomOf(row);
  });
}

export interface AtomChange extends AreaChange {
  paths?: string[] | undefined;
  /** null makes it an orphan. */
  moleculeId?: string | null | undefined;
  relatedAtoms?: Related | undefined;
}

export async function updateAtom(context: AreasContext, by: Author, change: AtomChange): Promise<AtomRecord> {
  const paths = change.paths && checkPatterns(change.paths);
  return context.library.write(async () => {
    const before = await requireAtom(context, change.id);
    const fields = await changedFields(context, by, before, change);
    await requireHome(context, before.project_id, change.moleculeId);
    const after: AtomRow = {
      ...before,
      ...fields,
      ...(paths === undefined
        ? {}
        : { paths: JSON.stringify(paths), generation: await nextGeneration(context, before.project_id) }),
      ...(change.moleculeId === undefined ? {} : { molecule_id: change.moleculeId }),
      ...(change.relatedAtoms === undefined
        ? {}
        : { related_atoms: JSON.stringify(relatedList(change.relatedAtoms, 'relatedAtoms')) }),
    };
    await tablesOf(context).updateTable('graph_atoms').set(after).where('id', '=', before.id).execute();
    await note(context, by, 'update', 'atom', after, { version: after.version });
    return atomOf(after);
  });
}

export async function deleteAtom(
  context: AreasContext,
  by: Author,
  request: { id: string; version: number },
): Promise<{ id: string }> {
  return context.library.write(async () => {
    const row = await requireAtom(context, request.id);
    requireVersion(row, request.version);
    await removeAtomRow(context, by, row);
    return { id: row.id };
  });
}

export async function removeAtomRow(context: AreasContext, by: Author, row: AtomRow): Promise<void> {
  const tables = tablesOf(context);
  await tables
    .deleteFrom('graph_changelog')
    .where('parent_type', '=', 'atom')
    .where('parent_id', '=', row.id)
    .execute();
  await tables.deleteFrom('graph_atoms').where('id', '=', row.id).execute();
  await sql`UPDATE graph_generations SET removals = removals + 1 WHERE project_id = ${row.project_id}`.execute(
    tables,
  );
  await note(context, by, 'delete', 'atom', row);
}

/** The molecule must be there, and in the same project. */
async function requireHome(
  context: AreasContext,
  projectId: string,
  moleculeId: string | null | undefined,
): Promise<void> {
  if (!moleculeId) return;
  const molecule = await requireMolecule(context, moleculeId);
  if (molecule.project_id === projectId) return;
  throw new SylkError(
    'INVARIANT_VIOLATION',
    `The molecule ${JSON.stringify(molecule.name)} belongs to another project.`,
    { hint: 'An atom and its molecule live in the same project.' },
  );
}

export async function nextGeneration(context: AreasContext, projectId: string): Promise<number> {
  const { rows } = await sql<{ generation: number }>`
    INSERT INTO graph_generations (project_id, generation, removals) VALUES (${projectId}, 1, 0)
    ON CONFLICT (project_id) DO UPDATE SET generation = graph_generations.generation + 1 RETURNING generation`.execute(
    tablesOf(context),
  );
  return rows[0]!.generation;
}
