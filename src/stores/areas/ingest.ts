import { sql } from 'kysely';
import { SylkError } from '../../base/errors.ts';
import { newUuid } from '../../base/ids.ts';
import { type AreaKind, type AtomRecord, atomOf, type MoleculeRecord, moleculeOf } from './area.ts';
import {
  type AreasContext,
  type Author,
  areaRow,
  knowledgeText,
  nameText,
  note,
  nowOf,
  relatedText,
  requireArea,
  requireProject,
  requireTask,
  requireVersion,
  tableOf,
  tablesOf,
} from './context.ts';
import { checkPatterns } from './patterns.ts';
import type { AreaRows, AtomRow, MoleculeRow } from './tables.ts';

interface NewArea {
  id?: string | undefined;
  projectId: string;
  name: string;
  knowledge?: string | undefined;
  createdByTaskId?: string | undefined;
}

interface AreaChange {
  id: string;
  version: number;
  projectId?: string | undefined;
  name?: string | undefined;
  knowledge?: string | undefined;
  knowledgeMode: 'overwrite' | 'append';
  lastTaskId?: string | undefined;
}

interface AtomFields {
  paths?: string[] | undefined;
  /** null removes it from its molecule. */
  moleculeId?: string | null | undefined;
  relatedAtoms?: Array<{ atomId: string; reason: string }> | undefined;
}

interface MoleculeFields {
  relatedMolecules?: Array<{ moleculeId: string; reason: string }> | undefined;
}

/** Replaces the row with the same id. */
export async function putRow<Kind extends AreaKind>(
  context: AreasContext,
  kind: Kind,
  row: AreaRows[Kind],
): Promise<void> {
  const names = Object.keys(row).map((name) => sql.ref(name));
  const values = sql.join(Object.values(row));
  const changes = sql.join(names.map((name) => sql`${name} = excluded.${name}`));
  await sql`INSERT INTO ${tableOf(kind)} (${sql.join(names)}) VALUES (${values})
    ON CONFLICT (id) DO UPDATE SET ${changes}`.execute(tablesOf(context));
}

async function newFields(context: AreasContext, by: Author, given: NewArea) {
  await requireProject(context, given.projectId);
  // Ids are unique across molecules and atoms.
  for (const kind of given.id ? (['molecule', 'atom'] as const) : [])
    if (given.id && (await areaRow(context, kind, given.id)))
      throw new SylkError('CONFLICT', `${given.id} already exists.`, { hint: 'Omit id for a new one.' });
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

/** Refuses an outdated version or another project; returns the row with the changes common to both kinds. */
async function changed<Row extends AtomRow | MoleculeRow>(
  context: AreasContext,
  by: Author,
  before: Row,
  { projectId, version, name, knowledge, knowledgeMode, lastTaskId }: AreaChange,
): Promise<Row> {
  requireVersion(before, version);
  if (projectId !== undefined && projectId !== before.project_id)
    throw new SylkError('VALIDATION_ERROR', 'projectId cannot be changed.', {
      hint: 'Create a new one in the other project.',
    });
  const task = lastTaskId ? await requireTask(context, by, lastTaskId, 'lastTaskId') : undefined;
  const next = () =>
    knowledgeMode === 'overwrite'
      ? knowledgeText(knowledge ?? '')
      : appended(context, before.knowledge, knowledge ?? '', task);
  return {
    ...before,
    name: name === undefined ? before.name : nameText(name),
    knowledge: knowledge === undefined ? before.knowledge : next(),
    last_task_id: task ?? before.last_task_id,
    version: before.version + 1,
    updated_at: nowOf(context),
  };
}

/** Appended text is marked with its date and task. */
function appended(context: AreasContext, before: string, given: string, task = 'none'): string {
  const added = knowledgeText(given);
  if (added !== '') return knowledgeText(`${before}\n\n---[${nowOf(context)} task:${task}]---\n${added}`);
  throw new SylkError('VALIDATION_ERROR', 'Nothing to append.', {
    hint: 'Give some text in knowledge.',
  });
}

export async function createAtom(
  context: AreasContext,
  by: Author,
  given: NewArea & AtomFields & { paths: string[] },
): Promise<AtomRecord> {
  const paths = checkPatterns(given.paths);
  return context.library.write(async () => {
    const fields = await newFields(context, by, given);
    await requireHome(context, given.projectId, given.moleculeId);
    const row: AtomRow = {
      ...fields,
      knowledge_at: fields.created_at,
      molecule_id: given.moleculeId ?? null,
      paths: JSON.stringify(paths),
      related_atoms: relatedText(given.relatedAtoms ?? [], 'relatedAtoms'),
      generation: await nextGeneration(context, given.projectId),
    };
    await putRow(context, 'atom', row);
    await note(context, by, 'create', 'atom', row);
    return atomOf(row);
  });
}

export async function createMolecule(
  context: AreasContext,
  by: Author,
  given: NewArea & MoleculeFields,
): Promise<MoleculeRecord> {
  return context.library.write(async () => {
    const row: MoleculeRow = {
      ...(await newFields(context, by, given)),
      related_molecules: relatedText(given.relatedMolecules ?? [], 'relatedMolecules'),
    };
    await putRow(context, 'molecule', row);
    await note(context, by, 'create', 'molecule', row);
    return moleculeOf(row);
  });
}

export async function updateAtom(
  context: AreasContext,
  by: Author,
  change: AreaChange & AtomFields,
): Promise<AtomRecord> {
  const paths = change.paths && checkPatterns(change.paths);
  return context.library.write(async () => {
    const after = await changed(context, by, await requireArea(context, 'atom', change.id), change);
    await requireHome(context, after.project_id, change.moleculeId);
    if (change.knowledge !== undefined) after.knowledge_at = after.updated_at;
    if (change.moleculeId !== undefined) after.molecule_id = change.moleculeId;
    if (change.relatedAtoms) after.related_atoms = relatedText(change.relatedAtoms, 'relatedAtoms');
    if (paths) after.paths = JSON.stringify(paths);
    if (paths) after.generation = await nextGeneration(context, after.project_id);
    await putRow(context, 'atom', after);
    await note(context, by, 'update', 'atom', after, { version: after.version });
    return atomOf(after);
  });
}

export async function updateMolecule(
  context: AreasContext,
  by: Author,
  change: AreaChange & MoleculeFields,
): Promise<MoleculeRecord> {
  return context.library.write(async () => {
    const after = await changed(context, by, await requireArea(context, 'molecule', change.id), change);
    const { relatedMolecules } = change;
    if (relatedMolecules) after.related_molecules = relatedText(relatedMolecules, 'relatedMolecules');
    await putRow(context, 'molecule', after);
    await note(context, by, 'update', 'molecule', after, { version: after.version });
    return moleculeOf(after);
  });
}

/** Also deletes its changelog. */
async function remove(
  context: AreasContext,
  by: Author,
  kind: AreaKind,
  row: AtomRow | MoleculeRow,
): Promise<void> {
  const tables = tablesOf(context);
  await sql`DELETE FROM graph_changelog WHERE parent_type = ${kind} AND parent_id = ${row.id}`.execute(
    tables,
  );
  await sql`DELETE FROM ${tableOf(kind)} WHERE id = ${row.id}`.execute(tables);
  if (kind === 'atom')
    await sql`UPDATE graph_generations SET removals = removals + 1 WHERE project_id = ${row.project_id}`.execute(
      tables,
    );
  await note(context, by, 'delete', kind, row);
}

export async function deleteAtom(
  context: AreasContext,
  by: Author,
  request: { id: string; version: number },
): Promise<{ id: string }> {
  return context.library.write(async () => {
    const row = await requireArea(context, 'atom', request.id);
    requireVersion(row, request.version);
    await remove(context, by, 'atom', row);
    return { id: row.id };
  });
}

/** Members lose their molecule, or are deleted with it when `cascade` is set. */
export async function deleteMolecule(
  context: AreasContext,
  by: Author,
  {
    id,
    version,
    cascade,
    lastTaskId,
  }: { id: string; version: number; cascade: boolean; lastTaskId?: string | undefined },
): Promise<{ id: string; deletedAtoms: number; orphanedAtoms: number }> {
  return context.library.write(async () => {
    const row = await requireArea(context, 'molecule', id);
    requireVersion(row, version);
    const last_task_id = lastTaskId
      ? await requireTask(context, by, lastTaskId, 'lastTaskId')
      : row.last_task_id;
    const members = await rowsWith(context, 'atom', 'molecule_id', id);
    for (const atom of members)
      if (cascade) await remove(context, by, 'atom', atom);
      else {
        const orphan = {
          molecule_id: null,
          last_task_id,
          updated_at: nowOf(context),
          version: atom.version + 1,
        };
        await putRow(context, 'atom', { ...atom, ...orphan });
      }
    await remove(context, by, 'molecule', row);
    const count = members.length;
    return { id, deletedAtoms: cascade ? count : 0, orphanedAtoms: cascade ? 0 : count };
  });
}

async function rowsWith<Kind extends AreaKind>(
  context: AreasContext,
  kind: Kind,
  column: 'molecule_id' | 'project_id',
  id: string,
): Promise<Array<AreaRows[Kind]>> {
  const found = sql<AreaRows[Kind]>`SELECT * FROM ${tableOf(kind)} WHERE ${sql.ref(column)} = ${id}`;
  return (await found.execute(tablesOf(context))).rows;
}

/** Deletes all areas of a project. */
export async function removeProjectAreas(context: AreasContext, by: Author, projectId: string) {
  return context.library.write(async () => {
    const atoms = await rowsWith(context, 'atom', 'project_id', projectId);
    const molecules = await rowsWith(context, 'molecule', 'project_id', projectId);
    for (const atom of atoms) await remove(context, by, 'atom', atom);
    for (const molecule of molecules) await remove(context, by, 'molecule', molecule);
    return { atoms: atoms.length, molecules: molecules.length };
  });
}

export async function countAreas(context: AreasContext, projectId: string) {
  const count = async (kind: AreaKind) => (await rowsWith(context, kind, 'project_id', projectId)).length;
  return { atoms: await count('atom'), molecules: await count('molecule') };
}

/** The molecule must exist, in the same project. */
export async function requireHome(
  context: AreasContext,
  projectId: string,
  moleculeId: string | null | undefined,
): Promise<void> {
  if (!moleculeId) return;
  const molecule = await requireArea(context, 'molecule', moleculeId);
  if (molecule.project_id === projectId) return;
  const name = JSON.stringify(molecule.name);
  throw new SylkError('INVARIANT_VIOLATION', `The molecule ${name} belongs to another project.`, {
    hint: 'An atom and its molecule must be in the same project.',
  });
}

export async function nextGeneration(context: AreasContext, projectId: string): Promise<number> {
  const { rows } = await sql<{ generation: number }>`
    INSERT INTO graph_generations (project_id, generation, removals) VALUES (${projectId}, 1, 0)
    ON CONFLICT (project_id) DO UPDATE SET generation = graph_generations.generation + 1 RETURNING generation`.execute(
    tablesOf(context),
  );
  return rows[0]?.generation ?? 1;
}
